import type { Caller } from '#domain/accounts/audit-event.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import { pause } from '../../pause.js';
import type { Clock } from '../../ports/clock.js';
import { unknownStation } from '../../stations/find-station.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { CommitQueue } from './commit-queue.js';
import { MAX_REJECTIONS } from './rejection.js';
import { firstOfEach, foldRows, repetitionsOf } from './repeated-rows.js';
import { type BulkReceipt, type Receipt, RowWrites } from './row-writes.js';
import type { RowCounts } from '../row-counts.js';
import { sift } from './sift.js';
import { batchOf } from './sifted-rows.js';
import { slicesByStation } from './slices.js';
import { countTimes, WriteEvents } from './write-events.js';

/** Number of rows that one pass over the rows handles in a few milliseconds. */
const PASS = 262_144;

/** Writes the rows of one request. Rows that cannot be stored are rejected one by one; the others are stored. */
export class RecordObservations {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;
  readonly #queue: CommitQueue;
  readonly #audit: AuditTrail;
  readonly #counts: RowCounts;

  constructor(
    clock: Clock,
    directory: StationDirectory,
    queue: CommitQueue,
    audit: AuditTrail,
    counts: RowCounts,
  ) {
    this.#clock = clock;
    this.#directory = directory;
    this.#queue = queue;
    this.#audit = audit;
    this.#counts = counts;
  }

  /**
   * Writes rows, with an event for each station in the audit trail. More than `SLICE` rows of a station are written in several
   * commits. If a commit fails, the earlier commits stay.
   *
   * @param options.listed maximum number of rejections and of repetitions in the receipt
   * @param options.events collects the events of many calls, until the caller flushes them. If undefined, the events of this call
   *   are written before the call ends
   * @param options.importNumber as in `ObservationWrite`
   * @throws DomainError STATION_UNKNOWN if all rows are of one station and this station does not exist; REQUEST_INVALID for an
   *   unknown variable or unit, or columns of unequal length
   */
  async execute(
    sent: SentRows,
    caller: Caller,
    {
      listed = MAX_REJECTIONS,
      events,
      importNumber,
    }: { listed?: number; events?: WriteEvents; importNumber?: number | undefined } = {},
  ): Promise<Receipt> {
    const directory = await this.#directory.current();
    const sifted = await sift(sent, directory, this.#clock.now());
    const { stations, times, faults } = sifted;
    const firsts = await firstOfEach(stations, times, faults);
    const folded = firsts && foldRows(sifted.values, firsts);
    const values = folded?.values ?? sifted.values;
    const writes = new RowWrites(this.#queue.budget, this.#counts, 'external_api', listed);
    writes.reject(sifted.rejected, sifted.rejections());
    // A pass over millions of rows takes tens of milliseconds, so other work gets a turn of the event loop between two passes.
    const turn = () => (times.length > PASS ? pause() : undefined);
    await turn();
    const rejectedOf = sifted.rejectedByStation();
    await turn();
    const written = events ?? new WriteEvents(this.#audit, caller);
    const isWritten = (row: number) => faults[row] === 0 && (firsts?.[row] ?? row) === row;
    let before = -1;
    for (const slice of slicesByStation(stations, isWritten)) {
      const number = stations[slice[0] as number] as number;
      // The rows of a station are written in slices of at most `SLICE` rows, one slice after the other, so that after a failure
      // only later rows are missing. Slices of different stations may share a commit.
      if (number === before) await writes.newest;
      if (writes.hasFailed) break;
      before = number;
      await writes.begin(slice.length, async () => {
        const batch = batchOf({ stations, times, values }, slice);
        const count = countTimes(batch.times);
        const outcome = await this.#queue.write({
          batch,
          ...(importNumber !== undefined && { importNumber }),
        });
        const id = directory.byNumber.get(number)?.id ?? '';
        const isGone = outcome.unknown.length > 0;
        if (isGone && typeof sent.stations === 'string') throw unknownStation(id);
        writes.wrote(outcome, isGone ? slice : []);
        if (isGone) return;
        written.note(id, count, outcome, rejectedOf.get(number) ?? 0);
        rejectedOf.delete(number);
      });
    }
    let receipt: BulkReceipt;
    try {
      receipt = await writes.end();
    } catch (error) {
      // The rows of earlier commits are stored, so their events are written too. If writing the events also fails, only the first
      // failure is reported.
      if (events === undefined) await written.flush().catch(() => undefined);
      throw error;
    }
    if (events === undefined) await written.flush();
    return { ...receipt, ...repetitionsOf(firsts, folded?.replacing, listed) };
  }
}
