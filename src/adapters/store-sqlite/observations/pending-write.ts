import type { ObservationWrite, WriteOutcome, WriteResult } from '#application/ports/observation-store.js';
import type { UploadRecord } from '#application/ports/upload-store.js';
import type { RunWriter } from '#adapters/packed-store/run-writer.js';
import type { uploadRecords } from '../uploads/upload-records.js';

const OUTDATED: WriteOutcome = { inserted: 0, updated: 0, unchanged: 0, unknown: [], isOutdated: true };

/**
 * The writes of one call with their records. Writes with an outdated record are left out. The records are written in the last
 * transaction of the call: if the process ends before it, the sender sends the rows again, and its counters are still there.
 */
export class PendingWrite {
  readonly #accepted: readonly ObservationWrite[];
  readonly #isOutdated: readonly boolean[];
  readonly #records: readonly UploadRecord[];
  readonly #writer: RunWriter;
  readonly #statements: ReturnType<typeof uploadRecords>;

  /** Must be called in the first transaction. @param makeWriter makes the writer of the rows */
  constructor(
    writes: readonly ObservationWrite[],
    statements: ReturnType<typeof uploadRecords>,
    makeWriter: (writes: readonly ObservationWrite[]) => RunWriter,
  ) {
    const names = new Set<string>();
    this.#isOutdated = writes.map(({ records = [] }) => {
      const isOutdated = records.some((record) => names.has(record.name) || statements.isOutdated(record));
      if (!isOutdated) for (const { name } of records) names.add(name);
      return isOutdated;
    });
    this.#accepted = writes.filter((_write, index) => this.#isOutdated[index] !== true);
    this.#records = this.#accepted.flatMap(({ records = [] }) => records);
    this.#statements = statements;
    this.#writer = makeWriter(this.#accepted);
  }

  /** As `RunWriter.run`. */
  run(...parameters: Parameters<RunWriter['run']>): boolean {
    const isDone = this.#accepted.length === 0 || this.#writer.run(...parameters);
    if (isDone) for (const record of this.#records) this.#statements.put(record);
    return isDone;
  }

  /** Complete when `run` has returned true. */
  get result(): WriteResult {
    const { outcomes, changes } = this.#writer.result;
    let next = 0;
    const all = this.#isOutdated.map((isOutdated) => {
      return isOutdated ? OUTDATED : (outcomes[next++] as WriteOutcome);
    });
    return { outcomes: all, changes };
  }
}
