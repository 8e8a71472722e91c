import type { Caller } from '#domain/accounts/audit-event.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import type { Clock } from '../../ports/clock.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { CommitQueue } from './commit-queue.js';
import { firstReasons } from './rejection.js';
import { type BulkReceipt, RowWrites } from './row-writes.js';
import type { RowCounts } from '../row-counts.js';
import { sift } from './sift.js';
import { batchOf, type SiftedRows } from './sifted-rows.js';
import type { WriteTally } from './write-tally.js';

/** Writes rows of many stations, batch by batch. Rows that cannot be stored are rejected; the others are stored. */
export class RecordBatches {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;
  readonly #queue: CommitQueue;
  readonly #tally: WriteTally;
  readonly #counts: RowCounts;

  constructor(
    clock: Clock,
    directory: StationDirectory,
    queue: CommitQueue,
    tally: WriteTally,
    counts: RowCounts,
  ) {
    this.#clock = clock;
    this.#directory = directory;
    this.#queue = queue;
    this.#tally = tally;
    this.#counts = counts;
  }

  /**
   * Reads the next batch while earlier batches are written. If too many rows wait for the disk, reading pauses. If `batches`
   * fails, the batches before the failure are written. Each batch is checked against the stations that exist when the batch
   * arrives. The audit trail counts the rows by source, station and day.
   */
  async execute(batches: AsyncIterable<SentRows>, caller: Caller): Promise<BulkReceipt> {
    const writes = new RowWrites(this.#queue.budget, this.#counts, 'internal_api');
    let next = 0;
    let before: Promise<unknown> = Promise.resolve();
    try {
      for await (const sent of batches) {
        const first = next;
        next += sent.times.length;
        await writes.begin(sent.times.length, () => {
          // Each batch also waits for the check of the previous batch, so that batches are written in the order of arrival.
          const sifted = Promise.all([this.#directory.current(), before]).then(([directory]) =>
            sift(sent, directory, this.#clock.now()),
          );
          before = sifted;
          return this.#recordBatch(sifted, first, writes, caller);
        });
        if (writes.hasFailed) break;
      }
    } catch (error) {
      writes.fail(error);
    }
    return await writes.end();
  }

  /** @param first index of the first row of the batch among all rows */
  async #recordBatch(
    sifting: Promise<SiftedRows>,
    first: number,
    writes: RowWrites,
    caller: Caller,
  ): Promise<void> {
    const sifted = await sifting;
    writes.reject(sifted.rejected, firstReasons(sifted.rejections()), first);
    const rows = sifted.accepted();
    const batch = batchOf(sifted, rows);
    if (batch.times.length === 0) return;
    // Stations and times are copied for the audit trail, because the store takes ownership of the arrays of a batch.
    const [stations, times] = [batch.stations.slice(), batch.times.slice()];
    const outcome = await this.#queue.write({ batch });
    const gone = new Set(outcome.unknown);
    const goneRows =
      gone.size === 0 ? [] : [...stations.keys()].filter((row) => gone.has(stations[row] as number));
    writes.wrote(
      outcome,
      goneRows.map((row) => first + (rows?.[row] ?? row)),
    );
    this.#tally.note(caller, stations, times, gone);
  }
}
