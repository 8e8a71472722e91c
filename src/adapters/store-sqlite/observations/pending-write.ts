import type { Database } from 'better-sqlite3';
import type { ObservationWrite, WriteOutcome, WriteResult } from '#application/ports/observation-store.js';
import type { StoredRecord } from '#application/ports/record-store.js';
import type { RunWriter } from '#adapters/packed-store/run-writer.js';
import { lockRecords, writeRecords } from '#adapters/store/records.js';
import { runOn } from '../database/statements.js';

const OUTDATED: WriteOutcome = { inserted: 0, updated: 0, unchanged: 0, unknown: [], isOutdated: true };

/**
 * The writes of one call, with their records. A record is a small text, for example the rain counters that a sender has last
 * sent.
 *
 * If a stored record has changed since the caller read it, the write is outdated, and its rows are not written.
 *
 * The new records are stored in the last transaction of the call. If the process ends before this transaction, the earlier
 * records still exist, and the sender sends the rows again.
 */
export class PendingWrite {
  readonly #database: Database;
  readonly #accepted: readonly ObservationWrite[];
  readonly #isOutdated: readonly boolean[];
  readonly #records: readonly StoredRecord[];
  readonly #writer: RunWriter;

  /**
   * Finds the writes that are outdated, because a stored record (such as the last rain counters of a sender) has changed
   * since the caller read it. The constructor must be called within the first transaction of the call.
   *
   * @param makeWriter creates the writer of the rows
   */
  constructor(
    database: Database,
    writes: readonly ObservationWrite[],
    makeWriter: (writes: readonly ObservationWrite[]) => RunWriter,
  ) {
    this.#database = database;
    this.#isOutdated = runOn(database, lockRecords(writes.map(({ records = [] }) => records)));
    this.#accepted = writes.filter((_write, index) => this.#isOutdated[index] !== true);
    this.#records = this.#accepted.flatMap(({ records = [] }) => records);
    this.#writer = makeWriter(this.#accepted);
  }

  /** Runs the writer of the rows; see `RunWriter.run`. Writes the records when all rows are written. */
  run(...parameters: Parameters<RunWriter['run']>): boolean {
    const isDone = this.#accepted.length === 0 || this.#writer.run(...parameters);
    if (isDone) runOn(this.#database, writeRecords(this.#records));
    return isDone;
  }

  /** The result. It is complete after `run` has returned true. */
  get result(): WriteResult {
    const { outcomes, changes } = this.#writer.result;
    let next = 0;
    const all = this.#isOutdated.map((isOutdated) => {
      return isOutdated ? OUTDATED : (outcomes[next++] as WriteOutcome);
    });
    return { outcomes: all, changes };
  }
}
