import { isDomainError } from '#domain/domain-error.js';
import type { Announcer } from '../../ports/announcer.js';
import type { ObservationStore, ObservationWrite, WriteOutcome } from '../../ports/observation-store.js';
import type { Counter, Histogram, Telemetry } from '../../ports/telemetry.js';
import type { RowBudget } from './row-budget.js';

/** Seconds: of a memory, an SSD, an SD card, and of a disk with trouble. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

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
  readonly #duration: Histogram;
  readonly #failures: Counter;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(observations: ObservationStore, announcer: Announcer, budget: RowBudget, telemetry: Telemetry) {
    this.budget = budget;
    this.#observations = observations;
    this.#announcer = announcer;
    const help = 'Time of a commit of observations, without those that failed.';
    this.#duration = telemetry.histogram({ name: 'weatherd_commit_duration_seconds', help }, BOUNDS)({});
    this.#failures = telemetry.counter({
      name: 'weatherd_commit_failures_total',
      help: 'Commits of observations that failed because of the store.',
    })({});
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
      const startedAt = performance.now();
      try {
        const { outcomes, changes } = await this.#observations.write(part.map(({ write }) => write));
        this.#duration.observe((performance.now() - startedAt) / 1000);
        if (changes.stations.length > 0) this.#announcer.announce({ kind: 'observations', changes });
        for (const [index, { resolve }] of part.entries()) resolve(outcomes[index] as WriteOutcome);
      } catch (error) {
        const isOfWrites = isDomainError(error) && (error.callOnly || error.partOnly);
        if (isOfWrites && part.length > 1) {
          const middle = part.length >>> 1;
          parts.unshift(part.slice(0, middle), part.slice(middle));
          continue;
        }
        if (!isOfWrites) this.#failures.add(1);
        // If the store itself has failed, the rest of the group fails too.
        const refused = isOfWrites ? part : [part, ...parts.splice(0)].flat();
        for (const { reject } of refused) reject(error);
      }
    }
  }
}
