import type { Caller } from '../../../domain/accounts/audit-event.js';
import { addWritten, type WriteTotal } from '../../../domain/weather/merge-series.js';
import type { Clock } from '../../ports/clock.js';
import type { Directory, StationDirectory } from '../../stations/station-directory.js';
import type { CommitQueue } from './commit-queue.js';
import { FirstRefused, type NumberedObservations, type RefusedRow, sift } from './numbered-observations.js';
import type { BulkReceipt } from './receipt.js';
import { EARLIEST, MAX_AHEAD } from './refuse-rows.js';
import { countTimes, type WriteEvents } from './write-events.js';
import type { WriteTally } from './write-tally.js';

/** Refused rows that a bulk receipt lists. */
export const MAX_REFUSED = 1000;

/** Writes observations of many stations, by their numbers. Rows that cannot be stored are refused; the others are stored. */
export class RecordBatches {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;
  readonly #queue: CommitQueue;
  readonly #tally: WriteTally;

  constructor(clock: Clock, directory: StationDirectory, queue: CommitQueue, tally: WriteTally) {
    this.#clock = clock;
    this.#directory = directory;
    this.#queue = queue;
    this.#tally = tally;
  }

  /**
   * Writes rows batch by batch as they come. The next is awaited while the last are on their way to the disk,
   * but only so many: whoever sends waits for the disk. When `batches` fails, what came before has been written. Each
   * batch is judged by the stations as they are when it comes. The audit trail counts the rows by source, station and day.
   *
   * @param options.listed refused rows that the receipt names
   * @param options.events gets what is written in batches of one station, with its counts, instead
   */
  async execute(
    batches: AsyncIterable<NumberedObservations>,
    caller: Caller,
    { listed = MAX_REFUSED, events }: { listed?: number; events?: WriteEvents } = {},
  ): Promise<BulkReceipt> {
    const total = { inserted: 0, updated: 0, unchanged: 0, rejected: 0, refused: new FirstRefused(listed) };
    const writes = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    let sent = 0;
    let directory: Promise<unknown> = Promise.resolve();
    try {
      for await (const batch of batches) {
        const rows = batch.times.length;
        await this.#queue.budget.acquire(rows);
        // Each batch also waits for the look-up of the batch before it, so that batches are written in the order of arrival.
        const [current, before] = [this.#directory.current(), directory];
        const found = Promise.all([current, before]).then(([first]) => first);
        directory = found;
        const write = this.#recordBatch(batch, sent, found, total, { caller, events })
          .catch((error: unknown) => (failure ??= { error }))
          .then(() => {
            this.#queue.budget.release(rows);
            writes.delete(write);
          });
        writes.add(write);
        sent += rows;
        if (failure !== undefined) break;
      }
    } catch (error) {
      failure ??= { error };
    }
    await Promise.all(writes);
    if (failure !== undefined) throw failure.error;
    return { ...total, refused: total.refused.inOrder() };
  }

  async #recordBatch(
    sent: NumberedObservations,
    first: number,
    directory: Promise<Directory>,
    total: WriteTotal & { rejected: number; refused: FirstRefused },
    { caller, events }: { readonly caller: Caller; readonly events: WriteEvents | undefined },
  ): Promise<void> {
    const { byNumber } = await directory;
    const latest = this.#clock.now() + MAX_AHEAD;
    const { accepted, places, rejected, refused } = sift(
      sent,
      byNumber,
      EARLIEST,
      latest,
      total.refused.most,
    );
    const note = (row: RefusedRow) => total.refused.add({ ...row, row: first + row.row });
    refused.forEach(note);
    total.rejected += rejected;
    if (accepted.times.length === 0) return;
    // Copies: the store takes ownership of the arrays that it is given.
    const [stations, times] = [accepted.stations.slice(), accepted.times.slice()];
    const outcome = await this.#queue.write({ batch: { ...accepted, flags: new Map() } });
    addWritten(total, outcome);
    const gone = new Set(outcome.unknown);
    const [oneStation = 0] = stations;
    const id = byNumber.get(oneStation)?.id;
    // Called last, because it looks at every row.
    const isOfOne = () => gone.size === 0 && stations.every((one) => one === oneStation);
    if (events !== undefined && id !== undefined && isOfOne()) {
      events.note(id, countTimes(times), outcome, rejected);
    } else this.#tally.note(caller, stations, times, gone);
    if (gone.size === 0) return;
    // The stations were removed between the look-up and the commit.
    for (const [index, station] of stations.entries()) {
      if (!gone.has(station)) continue;
      total.rejected += 1;
      const row = places?.[index] ?? index;
      note({ row, variable: 0, reason: 'station' });
    }
  }
}
