import { isDomainError } from '../../../domain/domain-error.js';
import type { Announcer } from '../../ports/announcer.js';
import type { ObservationStore, ObservationWrite, WriteOutcome } from '../../ports/observation-store.js';
import type { RowBudget } from './row-budget.js';

/** Approximate number of rows in one commit. A larger commit would only make the next callers wait longer. */
const MAX_ROWS = 65_536;

interface Waiting {
  readonly write: ObservationWrite;
  readonly resolve: (outcome: WriteOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes observations one commit after the other, in the order in which they come. What arrives while one is under way goes
 * into the next together: a commit costs the disk the same for one row and for thousands. What a commit has changed is
 * announced after it.
 */
export class CommitQueue {
  /** Limits the rows of all callers. A caller acquires its rows before it writes, and releases them afterwards. */
  readonly budget: RowBudget;
  readonly #observations: ObservationStore;
  readonly #announcer: Announcer;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(observations: ObservationStore, announcer: Announcer, budget: RowBudget) {
    this.budget = budget;
    this.#observations = observations;
    this.#announcer = announcer;
  }

  /** Resolves when the rows are on disk. */
  write(write: ObservationWrite): Promise<WriteOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) await this.#commit(this.#take());
    this.#isRunning = false;
  }

  #take(): Waiting[] {
    let rows = 0;
    let count = 0;
    while (count < this.#waiting.length && (count === 0 || rows < MAX_ROWS)) {
      rows += (this.#waiting[count] as Waiting).write.batch.times.length;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /**
   * Commits a group. If some of its writes are the cause of a failure, or need a part of the store that cannot be reached, the
   * group is split into halves and tried again in order, so that the other writes succeed.
   */
  async #commit(group: readonly Waiting[]): Promise<void> {
    const parts = [group];
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      try {
        const { outcomes, changes } = await this.#observations.write(part.map(({ write }) => write));
        if (changes.stations.length > 0) this.#announcer.announce({ kind: 'observations', changes });
        for (const [index, { resolve }] of part.entries()) resolve(outcomes[index] as WriteOutcome);
      } catch (error) {
        const isOfWrites = isDomainError(error) && (error.callOnly || error.partOnly);
        if (isOfWrites && part.length > 1) {
          const middle = part.length >>> 1;
          parts.unshift(part.slice(0, middle), part.slice(middle));
          continue;
        }
        // If the store itself has failed, the rest of the group fails too.
        const refused = isOfWrites ? part : [part, ...parts.splice(0)].flat();
        for (const { reject } of refused) reject(error);
      }
    }
  }
}
