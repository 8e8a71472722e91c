import { addWritten, type WriteCounts } from '#domain/weather/merge-series.js';
import type { WriteOutcome } from '../../ports/observation-store.js';
import type { RowCounts, RowSource } from '../row-counts.js';
import { FirstRejections, MAX_REJECTIONS, type Rejection } from './rejection.js';
import type { Repetition } from './repeated-rows.js';
import type { RowBudget } from './row-budget.js';

/** The result of a bulk write. The counts add up to the number of received rows. */
export interface BulkReceipt extends WriteCounts {
  readonly rejected: number;
  /** The rejections with the lowest row numbers, in the order of the rows. */
  readonly rejections: readonly Rejection[];
}

export interface Receipt extends BulkReceipt {
  readonly repeated: number;
  /** The first repetitions, in the order of the rows. A repetition is a row with the same station and time as an earlier row. */
  readonly repetitions: readonly Repetition[];
}

/**
 * The writes of one call and the outcomes of its rows. The row budget limits how many rows of all callers wait for the disk. A
 * write begins when the budget has capacity for its rows. After a failure the caller begins no further writes; writes that
 * already run are completed.
 */
export class RowWrites {
  readonly #total = { inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  readonly #rejections: FirstRejections;
  readonly #budget: RowBudget;
  readonly #counts: RowCounts;
  readonly #source: RowSource;
  readonly #underWay = new Set<Promise<void>>();
  #newest: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  /** @param listed maximum number of rejections that are kept */
  constructor(budget: RowBudget, counts: RowCounts, source: RowSource, listed = MAX_REJECTIONS) {
    this.#budget = budget;
    this.#counts = counts;
    this.#source = source;
    this.#rejections = new FirstRejections(listed);
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Resolves when the most recent write has ended, with success or failure. */
  get newest(): Promise<void> {
    return this.#newest;
  }

  /** Resolves when `write` has begun. If `write` fails later, `end` throws its error. */
  async begin(rows: number, write: () => Promise<void>): Promise<void> {
    const wait = this.#budget.acquire(rows);
    if (wait !== undefined) await wait;
    const ended = () => {
      this.#budget.release(rows);
      this.#underWay.delete(newest);
    };
    const newest = write().then(ended, (error: unknown) => {
      this.fail(error);
      ended();
    });
    this.#underWay.add(newest);
    this.#newest = newest;
  }

  /** Stores an error, which `end` throws. Only the first error is stored. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /**
   * Counts rejected rows, and keeps the rejections with the lowest row numbers.
   *
   * @param first index of the first row of the batch among all rows of the call
   */
  reject(rows: number, rejections: Iterable<Rejection>, first = 0): void {
    if (rows === 0) return;
    this.#reject(rows);
    this.#rejections.addAll(rejections, first);
  }

  /**
   * Counts the rows of a commit by outcome.
   *
   * @param gone the rows whose station was removed before the commit, as indexes among all rows of the call
   */
  wrote(outcome: WriteOutcome, gone: Iterable<number>): void {
    addWritten(this.#total, outcome);
    this.#counts.add(this.#source, outcome);
    let rejected = 0;
    for (const row of gone) {
      rejected += 1;
      this.#rejections.add({ row, reason: 'station', variable: 0, text: 'is not known' });
    }
    if (rejected > 0) this.#reject(rejected);
  }

  /** Resolves when all writes have ended. @throws the first failure */
  async end(): Promise<BulkReceipt> {
    await Promise.all(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure.error;
    return { ...this.#total, rejections: this.#rejections.inOrder() };
  }

  #reject(rows: number): void {
    this.#total.rejected += rows;
    this.#counts.add(this.#source, { rejected: rows });
  }
}
