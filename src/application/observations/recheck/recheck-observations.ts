import { MILLISECONDS } from '#domain/time.js';
import { CHECK_REACH } from '#domain/weather/quality/recheck-range.js';
import { totalsOf } from '../read/observation-query.js';
import type { FinishedRequest, RecheckStore, StoredRequest } from '../../ports/recheck-store.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { Directory, StationDirectory } from '../../stations/station-directory.js';
import type { CheckStation } from './check-station.js';
import { NeighborReads } from './neighbor-reads.js';
import type { DueSearches } from '../notices/due-searches.js';
import type { Dependents, Neighbors } from './neighbors.js';
import { pacing } from './pace.js';
import type { RecheckBacklog, RecheckProgress } from './recheck-progress.js';
import { joined, type TimeRange } from './time-range.js';

/**
 * Time in ms between two executions. New rows are looked for at this interval, also during a long execution. Otherwise the rows
 * around each new row would be checked again for each of them.
 */
export const RECHECK_INTERVAL = 30_000;
/** Maximum length of a round, in milliseconds. Each round begins with the stations as they are then. */
const MAX_ROUND = 30_000;
/** Maximum number of requests in a round. */
const MAX_REQUESTS = 1000;
/**
 * A request that is also for the neighbors of its station is checked in parts of this number of rows, so that it does not delay
 * the other requests. A part has at least `MIN_PART` ms, because the rows around each part are checked twice.
 */
const PART_ROWS = 250_000;
const MIN_PART = 30 * MILLISECONDS.day;
/** Milliseconds after which the progress of an execution is reported. */
const LONG = 3000;
/** Number of finished requests that are removed in one transaction. */
const FINISHED_AT_ONCE = 100;
export interface RecheckObservationsDependencies {
  readonly directory: StationDirectory;
  readonly observations: ObservationStore;
  readonly recheck: RecheckStore;
  readonly checkStation: CheckStation;
  readonly neighbors: Neighbors;
  readonly progress: RecheckProgress;
  /** Gets the ranges whose verdicts are final, so that their notices are searched. */
  readonly searches: Pick<DueSearches, 'note' | 'flush'>;
}

/** The progress of an execution that takes long. */
export interface RecheckState extends RecheckBacklog {
  /** Share of the rows of this execution that were checked, from 0 to 1. */
  readonly checked: number;
}

/** The check of one request (see `RecheckRequest`). If the request is long, `part` is only its first part. */
interface Task {
  readonly request: StoredRequest;
  readonly part: TimeRange;
  /** Numbers of the stations that are checked for this request. */
  readonly targets: readonly number[];
}

/**
 * Checks stored rows again in the background, as requested by `RecheckRequest`s. The work is done in rounds of at most about
 * `MAX_ROUND` ms.
 *
 * For each request, the rows of its range and the rows shortly before and after it are checked. If the values of a station have
 * changed, the rows of its neighbors at the same times are checked too. If several requests that are read together need the same
 * rows, these rows are checked once.
 */
export class RecheckObservations {
  readonly #with: RecheckObservationsDependencies;
  /** Id of the request that was tried last; 0 at the beginning of a cycle through all requests. */
  #tried = 0;
  /** `performance.now()` of the last search for new rows. */
  #collectedAt = -Infinity;
  #state: RecheckState | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(dependencies: RecheckObservationsDependencies) {
    this.#with = dependencies;
  }

  /**
   * Checks the rows of all requests, round after round. Each round continues after the request that was tried last, so that a
   * request that cannot be finished does not block the others. The execution ends when no request is left, or when all requests
   * that are left were tried and none of them could be finished.
   *
   * @param signal ends the execution after the current part
   * @returns whether no request is left
   */
  async execute(signal?: AbortSignal): Promise<boolean> {
    const pause = pacing(() => this.#with.recheck.turn(), signal);
    const startedAt = performance.now();
    this.#collectedAt = -Infinity;
    let total = 0;
    /**
     * Whether at least one request was finished in the current cycle. A cycle tries every request once, and may take several
     * rounds. If the cycle began in an earlier execution, this execution does not know whether a request was finished then, so the
     * value begins as true. At the end of a cycle, the value decides: if it is true, the next cycle begins; if it is false, the
     * execution ends.
     */
    let isProgress = this.#tried > 0;
    for (;;) {
      const begun = performance.now();
      const isDue = begun - this.#collectedAt >= RECHECK_INTERVAL;
      if (isDue) this.#collectedAt = begun;
      const requests = await this.#with.recheck.requests(MAX_REQUESTS, this.#tried, isDue);
      if (requests.length === 0) {
        if (this.#tried === 0) return this.#ended(true);
        this.#tried = 0;
        if (!isProgress) return this.#ended(false);
        isProgress = false;
        continue;
      }
      const isLong = requests.some(({ from, to }) => to - from > MIN_PART);
      if (isLong || begun - startedAt > LONG) total = await this.#report(total);
      isProgress = (await this.#round(requests, begun + MAX_ROUND, pause, signal)) || isProgress;
      if (signal?.aborted === true) return this.#ended(false);
    }
  }

  /** Looks for new rows as soon as the present round has ended, for example after an import. */
  expectRows(): void {
    this.#collectedAt = -Infinity;
  }

  /**
   * Calls a function at the end of each execution after which no request is left, so that work that needs the verdicts can begin.
   *
   * @returns a function that ends the calls
   */
  onFinished(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The progress of the present execution, if it takes long. */
  state(): RecheckState | undefined {
    return this.#state;
  }

  #ended(isComplete: boolean): boolean {
    this.#state = undefined;
    if (isComplete) for (const listener of this.#listeners) listener();
    return isComplete;
  }

  /** @param total the number of rows of this execution, as far as it is known @returns the new number */
  async #report(total: number): Promise<number> {
    const backlog = await this.#with.progress.backlog();
    const all = Math.max(total, backlog.rows);
    this.#state = { ...backlog, checked: all === 0 ? 1 : 1 - backlog.rows / all };
    return all;
  }

  /** Checks the rows of the requests, until the time `until`. @returns whether a request was finished */
  async #round(
    requests: readonly StoredRequest[],
    until: number,
    pause: () => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { directory, observations, neighbors } = this.#with;
    const known = await directory.current();
    const dependents = await neighbors.dependents(known, pause);
    const tasks: Task[] = [];
    for (const request of requests) tasks.push(await this.#taskOf(request, known, dependents));
    const reads = new NeighborReads(observations, known, neighbors);
    const targets = new Targets(tasks);
    const done: { id: number; from: number | undefined }[] = [];
    let isProgress = false;
    try {
      for (const { request, part, targets: numbers } of tasks) {
        // The id is stored before the check, so that a request whose check throws does not come first again.
        this.#tried = request.id;
        let isDone = true;
        for (const number of numbers) {
          const id = known.byNumber.get(number)?.id;
          isDone =
            (await targets.recheck(number, (range) => this.#recheck(id, number, range, reads, pause))) &&
            isDone;
          if (signal?.aborted === true) return false;
        }
        if (isDone) done.push({ id: request.id, from: part.to < request.to ? part.to : undefined });
        isProgress ||= isDone;
        if (done.length >= FINISHED_AT_ONCE) await this.#finish(done.splice(0));
        if (performance.now() > until) break;
      }
    } finally {
      if (done.length > 0) await this.#finish(done);
    }
    return isProgress;
  }

  /** The ranges to search are stored first, so that none is lost if the process ends in between. */
  async #finish(done: readonly FinishedRequest[]): Promise<void> {
    await this.#with.searches.flush();
    await this.#with.recheck.finish(done);
  }

  async #taskOf(request: StoredRequest, { expiredUntil }: Directory, dependents: Dependents): Promise<Task> {
    const { station, near, from, to, spreads } = request;
    if (station === null) {
      const around = near === undefined ? [] : await this.#with.neighbors.around(near);
      return { request, part: { from, to }, targets: around.map((found) => found.station.number) };
    }
    if (!spreads) return { request, part: { from, to }, targets: [station] };
    // Rows that were removed because of their age do not change the flags of other rows.
    if (to - 1 <= (expiredUntil.get(station) ?? -Infinity))
      return { request, part: { from, to }, targets: [] };
    const part = { from, to: Math.min(to, from + (await this.#partLength(station, to - from))) };
    return { request, part, targets: [...(dependents.get(station) ?? []), station] };
  }

  /** The length in ms of the part of a request that is checked before other requests. */
  async #partLength(station: number, length: number): Promise<number> {
    if (length <= MIN_PART) return length;
    const [inventory] = await this.#with.observations.inventory([station]);
    const totals = inventory === undefined ? [] : totalsOf(inventory);
    const rows = totals.reduce(
      (sum, { first, last, count }) =>
        first === null || last === null ? sum : sum + count / (last + 1 - first),
      0,
    );
    return rows === 0 ? MIN_PART : Math.max(MIN_PART, Math.round(PART_ROWS / rows));
  }

  async #recheck(
    id: string | undefined,
    number: number,
    range: TimeRange,
    reads: NeighborReads,
    pause: () => Promise<void>,
  ): Promise<boolean> {
    if (id === undefined) return true;
    const isDone = await this.#with.checkStation.execute(id, range, reads, pause);
    this.#with.searches.note(number, range);
    return isDone;
  }
}

/** The ranges of each station that a round checks. */
class Targets {
  readonly #ranges = new Map<number, TimeRange[]>();
  /** For each station that this round has checked, whether the check succeeded. */
  readonly #checked = new Map<number, boolean>();

  constructor(tasks: readonly Task[]) {
    for (const { part, targets } of tasks) {
      const range = { from: part.from - CHECK_REACH, to: part.to + CHECK_REACH };
      for (const station of targets) {
        const own = this.#ranges.get(station) ?? [];
        this.#ranges.set(station, own);
        own.push(range);
      }
    }
  }

  /**
   * Checks all ranges of a station at the first call, and returns the result of the first call later.
   * @returns whether the check succeeded
   */
  async recheck(station: number, recheck: (range: TimeRange) => Promise<boolean>): Promise<boolean> {
    const known = this.#checked.get(station);
    if (known !== undefined) return known;
    let isDone = true;
    for (const range of joined(this.#ranges.get(station) ?? [])) isDone = (await recheck(range)) && isDone;
    this.#checked.set(station, isDone);
    return isDone;
  }
}
