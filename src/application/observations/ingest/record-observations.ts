import type { Caller } from '#domain/accounts/audit-event.js';
import { addWritten } from '#domain/weather/merge-series.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import { pause } from '../../pause.js';
import type { Clock } from '../../ports/clock.js';
import type { WriteOutcome } from '../../ports/observation-store.js';
import { unknownStation } from '../../stations/find-station.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { CommitQueue } from './commit-queue.js';
import { type Receipt, repetitionsOf } from './receipt.js';
import { FirstRejections, MAX_REJECTIONS } from './rejection.js';
import { firstOfEach, foldRows } from './repeated-rows.js';
import type { RowCounts } from '../row-counts.js';
import { sift } from './sift.js';
import { batchOf, type NumberedRows } from './sifted-rows.js';
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
    const rejections = new FirstRejections(listed);
    rejections.addAll(sifted.rejections());
    // Over millions of rows each pass takes some ten milliseconds, and gets a turn of the event loop of its own.
    const turn = () => (times.length > PASS ? pause() : undefined);
    await turn();
    const rejectedOf = sifted.rejectedByStation();
    await turn();
    const total = { inserted: 0, updated: 0, unchanged: 0, rejected: sifted.rejected };
    const written = events ?? new WriteEvents(this.#audit, caller);
    const isTaken = (row: number) => faults[row] === 0 && (firsts?.[row] ?? row) === row;
    try {
      if (sifted.rejected < times.length)
        await this.#writeAll({ stations, times, values }, isTaken, importNumber, (rows, outcome, count) => {
          const number = stations[rows[0] as number] as number;
          const id = directory.byNumber.get(number)?.id ?? '';
          if (outcome.unknown.length === 0) {
            addWritten(total, outcome);
            written.note(id, count, outcome, rejectedOf.get(number) ?? 0);
            rejectedOf.delete(number);
            return;
          }
          // The station was removed between the look-up and the commit.
          if (typeof sent.stations === 'string') throw unknownStation(id);
          total.rejected += rows.length;
          for (const row of rows)
            rejections.add({ row, reason: 'station', variable: 0, text: 'is not known' });
        });
    } catch (error) {
      // Rows of earlier commits stay stored, so the audit trail gets them. If that fails too, the first failure is reported.
      if (events === undefined) await written.flush().catch(() => undefined);
      throw error;
    } finally {
      this.#counts.add('external_api', total);
    }
    if (events === undefined) await written.flush();
    return {
      ...total,
      ...repetitionsOf(firsts, folded?.replacing, listed),
      rejections: rejections.inOrder(),
    };
  }

  /**
   * Writes the chosen rows, in slices. Those of a station are written one after the other, so that a failure leaves out only
   * what comes later; those of different stations may share a commit.
   */
  async #writeAll(
    rows: NumberedRows,
    isChosen: (row: number) => boolean,
    importNumber: number | undefined,
    wrote: (slice: Uint32Array, outcome: WriteOutcome, count: ReturnType<typeof countTimes>) => void,
  ): Promise<void> {
    const { budget } = this.#queue;
    const writes: Promise<void>[] = [];
    let failure: { readonly error: unknown } | undefined;
    let [station, before] = [-1, Promise.resolve()];
    for (const slice of slicesByStation(rows.stations, isChosen)) {
      if (rows.stations[slice[0] as number] === station) await before;
      if (failure !== undefined) break;
      station = rows.stations[slice[0] as number] as number;
      await budget.acquire(slice.length);
      const batch = batchOf(rows, slice);
      const count = countTimes(batch.times);
      before = this.#queue
        .write(importNumber === undefined ? { batch } : { batch, importNumber })
        .then((outcome) => wrote(slice, outcome, count))
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => budget.release(slice.length));
      writes.push(before);
    }
    await Promise.all(writes);
    if (failure !== undefined) throw failure.error;
  }
}
