import { isDomainError } from '#domain/domain-error.js';
import type { Announcer } from '../../ports/announcer.js';
import type { ObservationStore, ObservationWrite, WriteOutcome } from '../../ports/observation-store.js';
import type { Counter, Histogram, Telemetry } from '../../ports/telemetry.js';
import { pause, pauseFor } from '../../pause.js';
import type { RowBudget } from './row-budget.js';

/**
 * Upper bounds of the histogram of commit times, in seconds. They cover commits in memory, on an SSD, on an SD card and on a
 * failing disk.
 */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Approximate maximum number of rows in one commit. A larger commit would only make the next callers wait longer. */
const MAX_ROWS = 65_536;

interface QueuedWrite {
  readonly write: ObservationWrite;
  readonly resolve: (outcome: WriteOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes observations in one commit after the other, in the order of arrival, and announces the changes of each commit. Writes
 * that arrive during a commit share the next commit, because the disk takes as long for a commit of one row as for a commit of
 * thousands of rows.
 */
export class CommitQueue {
  /**
   * Limits the number of rows of all callers. A caller acquires capacity for its rows before it writes, and releases the capacity
   * afterwards.
   */
  readonly budget: RowBudget;
  readonly #observations: ObservationStore;
  readonly #announcer: Announcer;
  readonly #duration: Histogram;
  readonly #failures: Counter;
  #waiting: QueuedWrite[] = [];
  #isRunning = false;
  /** Aborted when no write is in progress; undefined if nobody waits for this. */
  #idle: AbortController | undefined;

  constructor(observations: ObservationStore, announcer: Announcer, budget: RowBudget, telemetry: Telemetry) {
    this.budget = budget;
    this.#observations = observations;
    this.#announcer = announcer;
    const help = 'Time of a successful commit of observations.';
    this.#duration = telemetry.histogram({ name: 'weatherd_commit_duration_seconds', help }, BOUNDS)({});
    this.#failures = telemetry.counter({
      name: 'weatherd_commit_failures_total',
      help: 'Commits of observations that failed because of the store.',
    })({});
  }

  /** Adds a write to the queue. Resolves when its rows are on disk. */
  write(write: ObservationWrite): Promise<WriteOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  /**
   * Waits until no write is in progress and the callers of the last writes had a turn, but not longer than `limit` milliseconds. Work that can
   * wait calls this method, so that it takes no processor time from a write. Resolves at once if no write is in progress.
   */
  async untilIdle(limit: number): Promise<void> {
    if (!this.#isRunning) return;
    this.#idle ??= new AbortController();
    await pauseFor(limit, this.#idle.signal);
    await pause();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) await this.#commit(this.#nextGroup());
    this.#isRunning = false;
    this.#idle?.abort();
    this.#idle = undefined;
  }

  #nextGroup(): QueuedWrite[] {
    let rows = 0;
    let count = 0;
    while (count < this.#waiting.length && (count === 0 || rows < MAX_ROWS)) {
      rows += (this.#waiting[count] as QueuedWrite).write.batch.times.length;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /**
   * Commits a group of writes. If the commit fails because a write is refused or needs a part of the store that cannot be
   * reached, the group is split into halves. The halves are tried again in order, so that the other writes succeed.
   */
  async #commit(group: readonly QueuedWrite[]): Promise<void> {
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
        // If the store itself has failed, the writes of the group that are still waiting fail too.
        const refused = isOfWrites ? part : [part, ...parts.splice(0)].flat();
        for (const { reject } of refused) reject(error);
      }
    }
  }
}
