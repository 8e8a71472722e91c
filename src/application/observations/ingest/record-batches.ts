import type { Caller } from '#domain/accounts/audit-event.js';
import { addWritten, type WriteTotal } from '#domain/weather/merge-series.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import type { Clock } from '../../ports/clock.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { CommitQueue } from './commit-queue.js';
import type { BulkReceipt } from './receipt.js';
import { firstReasons, FirstRejections } from './rejection.js';
import type { RowCounts } from '../row-counts.js';
import { sift } from './sift.js';
import { batchOf, type SiftedRows } from './sifted-rows.js';
import type { WriteTally } from './write-tally.js';

interface Total extends WriteTotal {
  rejected: number;
  readonly rejections: FirstRejections;
}

/** Writes rows of many stations as they come in. Rows that cannot be stored are rejected; the others are stored. */
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
   * Reads the next batch while earlier ones are written. If too many rows wait for the disk, reading stops until there is
   * room. If `batches` fails, the batches before it are written. Each batch is checked against the stations at its arrival.
   * The audit trail counts the rows by source, station and day.
   */
  async execute(batches: AsyncIterable<SentRows>, caller: Caller): Promise<BulkReceipt> {
    const total = { inserted: 0, updated: 0, unchanged: 0, rejected: 0, rejections: new FirstRejections() };
    const writes = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    let first = 0;
    let before: Promise<unknown> = Promise.resolve();
    try {
      for await (const sent of batches) {
        const rows = sent.times.length;
        await this.#queue.budget.acquire(rows);
        // Each batch also waits for the sift of the batch before it, so that batches are written in the order of arrival.
        const sifted = Promise.all([this.#directory.current(), before]).then(([directory]) =>
          sift(sent, directory, this.#clock.now()),
        );
        before = sifted;
        const write = this.#recordBatch(sifted, first, total, caller)
          .catch((error: unknown) => (failure ??= { error }))
          .then(() => {
            this.#queue.budget.release(rows);
            writes.delete(write);
          });
        writes.add(write);
        first += rows;
        if (failure !== undefined) break;
      }
    } catch (error) {
      failure ??= { error };
    }
    await Promise.all(writes);
    if (failure !== undefined) throw failure.error;
    return { ...total, rejections: total.rejections.inOrder() };
  }

  /** @param first index of the first row of the batch among all rows */
  async #recordBatch(
    sifting: Promise<SiftedRows>,
    first: number,
    total: Total,
    caller: Caller,
  ): Promise<void> {
    const sifted = await sifting;
    total.rejected += sifted.rejected;
    this.#counts.add('internal_api', { rejected: sifted.rejected });
    total.rejections.addAll(firstReasons(sifted.rejections()), first);
    const rows = sifted.accepted();
    const batch = batchOf(sifted, rows);
    if (batch.times.length === 0) return;
    // Copies: the store takes ownership of the arrays that it is given.
    const [stations, times] = [batch.stations.slice(), batch.times.slice()];
    const outcome = await this.#queue.write({ batch });
    addWritten(total, outcome);
    this.#counts.add('internal_api', outcome);
    const gone = new Set(outcome.unknown);
    this.#tally.note(caller, stations, times, gone);
    if (gone.size === 0) return;
    // The stations were removed between the look-up and the commit.
    for (const [index, station] of stations.entries()) {
      if (!gone.has(station)) continue;
      total.rejected += 1;
      this.#counts.add('internal_api', { rejected: 1 });
      const row = first + (rows?.[index] ?? index);
      total.rejections.add({ row, reason: 'station', variable: 0, text: 'is not known' });
    }
  }
}
