import { MILLISECONDS } from '#domain/time.js';
import { CHECK_REACH } from '#domain/weather/quality/recheck-range.js';
import { pause as yieldTurn, pauseFor } from '../../pause.js';
import type { RecheckStore, StoredRequest } from '../../ports/recheck-store.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { Directory, StationDirectory } from '../../stations/station-directory.js';
import type { CheckStation, TimeRange } from './check-station.js';
import { NeighborReads } from './neighbor-reads.js';
import type { Dependents, Neighbors } from './neighbors.js';

/** Time between two rounds, in milliseconds. */
export const RECHECK_INTERVAL = 30_000;
/** Maximum length of a round, in milliseconds. */
const MAX_ROUND = 30_000;
/** Maximum number of requests in a round. */
const MAX_REQUESTS = 1000;
/**
 * Maximum length in ms of the range that is checked at once, if the request is also for the neighbors of its station. A longer
 * request is checked in several parts, so that it does not delay the other requests.
 */
const MAX_PART = 30 * MILLISECONDS.day;
/** Number of finished requests that are removed in one transaction. */
const FINISHED_AT_ONCE = 100;
/** Length of the work before a pause, in milliseconds. */
const WORK = 200;
/** Length of a pause as a multiple of the work before it. */
const PAUSE_FACTOR = 10;

export interface RecheckObservationsDependencies {
  readonly directory: StationDirectory;
  readonly observations: ObservationStore;
  readonly recheck: RecheckStore;
  readonly checkStation: CheckStation;
  readonly neighbors: Neighbors;
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

  constructor(dependencies: RecheckObservationsDependencies) {
    this.#with = dependencies;
  }

  /**
   * Runs one round. The next round continues after the request that was tried last, so that a request that cannot be finished
   * does not block the others.
   *
   * @param pauseFactor length of a pause as a multiple of the work before it
   * @returns whether no request is left
   */
  async execute(signal?: AbortSignal, pauseFactor = PAUSE_FACTOR): Promise<boolean> {
    const until = performance.now() + MAX_ROUND;
    const pause = pauses(pauseFactor, signal);
    /**
     * Whether at least one request was finished in the current cycle. A cycle tries every request once, and may take several
     * rounds. If the cycle began in an earlier round, this round does not know whether a request was finished then, so the value
     * begins as true. At the end of a cycle, the value decides: if it is true, the next cycle begins; if it is false, the round
     * ends.
     */
    let isProgress = this.#tried > 0;
    for (;;) {
      const requests = await this.#with.recheck.requests(MAX_REQUESTS, this.#tried);
      if (requests.length === 0) {
        if (this.#tried === 0) return true;
        this.#tried = 0;
        if (!isProgress) return false;
        isProgress = false;
        continue;
      }
      isProgress = (await this.#round(requests, until, pause, signal)) || isProgress;
      if (performance.now() > until || signal?.aborted === true) return false;
    }
  }

  /** Checks the rows of the requests, until the time `until`. @returns whether a request was finished */
  async #round(
    requests: readonly StoredRequest[],
    until: number,
    pause: () => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { directory, observations, recheck, neighbors } = this.#with;
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
            (await targets.recheck(number, (range) => this.#recheck(id, range, reads, pause))) && isDone;
          if (signal?.aborted === true) return false;
        }
        if (isDone) done.push({ id: request.id, from: part.to < request.to ? part.to : undefined });
        isProgress ||= isDone;
        if (done.length >= FINISHED_AT_ONCE) await recheck.finish(done.splice(0));
        if (performance.now() > until) break;
      }
    } finally {
      if (done.length > 0) await recheck.finish(done);
    }
    return isProgress;
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
    const part = { from, to: Math.min(to, from + MAX_PART) };
    return { request, part, targets: [...(dependents.get(station) ?? []), station] };
  }

  async #recheck(
    id: string | undefined,
    range: TimeRange,
    reads: NeighborReads,
    pause: () => Promise<void>,
  ): Promise<boolean> {
    return id === undefined || (await this.#with.checkStation.execute(id, range, reads, pause));
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

/** Joins ranges that overlap or touch. */
function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

/**
 * Returns a function that must be called between pieces of work, so that other work of the process is not delayed. If the work
 * since the last pause has taken less than `WORK` ms, the function only lets the event loop handle other work. Otherwise it waits
 * for a pause.
 *
 * @param times length of a pause as a multiple of the work before it; 0 for no pauses
 */
export function pauses(times: number, signal: AbortSignal | undefined): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    const worked = performance.now() - begun;
    if (worked < WORK || times === 0) return await yieldTurn();
    await pauseFor(worked * times, signal);
    begun = performance.now();
  };
}
