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

/** Number of rows that one pass looks at in a few milliseconds. */
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
   * Writes rows, with an event for each station in the audit trail. More than `SLICE` rows of a station are written in
   * several commits: where one fails, those before it stay.
   *
   * @param options.listed rejections and repetitions that the receipt names at most
   * @param options.events gets what is written and is flushed by the caller, who makes many calls. When left out, the events
   *   of the call are in the audit trail at its end
   * @param options.importNumber as in `ObservationWrite`
   * @throws DomainError STATION_UNKNOWN where all rows are of one station and there is no such station; REQUEST_INVALID for an
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
    // Over millions of rows each pass takes some ten milliseconds, and gets a turn of the event loop of its own.
    const turn = () => (times.length > PASS ? pause() : undefined);
    await turn();
    const rejectedOf = sifted.rejectedByStation();
    await turn();
    const written = events ?? new WriteEvents(this.#audit, caller);
    const isTaken = (row: number) => faults[row] === 0 && (firsts?.[row] ?? row) === row;
    let before = -1;
    for (const slice of slicesByStation(stations, isTaken)) {
      const number = stations[slice[0] as number] as number;
      // The rows of a station are written one after the other, so that a failure leaves out only what comes later. Those of
      // different stations may share a commit.
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
      // Rows of earlier commits stay stored, so the audit trail gets them. If that fails too, the first failure is reported.
      if (events === undefined) await written.flush().catch(() => undefined);
      throw error;
    }
    if (events === undefined) await written.flush();
    return { ...receipt, ...repetitionsOf(firsts, folded?.replacing, listed) };
  }
}
