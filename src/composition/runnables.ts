import type { Check } from '#application/ports/check.js';
import { DomainError } from '#domain/domain-error.js';

/** A part of the service that can be started and stopped, for example a server. */
export interface Runnable {
  /**
   * Health checks of the part. From the start of the part until its stop, they are among the checks that decide whether the
   * service is alive (`GetLiveliness`).
   */
  readonly checks: readonly Check[];
  /** @throws Error with the reason in one line */
  start(): unknown;
  /**
   * Stops in an orderly way: work in progress finishes, and no new work begins.
   *
   * @param deadline milliseconds after which unfinished work is aborted
   * @returns whether all work finished in time; undefined if stopping never takes long
   */
  stop(deadline: number): Promise<boolean | undefined>;
}

/** The running parts of the service. They start in the order in which they are added, and stop in reverse order. */
export class Runnables {
  readonly #watch: (checks: readonly Check[]) => Promise<void>;
  readonly #started: Runnable[] = [];

  /** @param watch adds the checks of a started part to the checks that decide whether the service is alive */
  constructor(watch: (checks: readonly Check[]) => Promise<void>) {
    this.#watch = watch;
  }

  /** @throws Error of `Runnable.start`. The other parts continue until `stop`. */
  async start(runnable: Runnable): Promise<void> {
    // The part is added before its start, because a start that fails halfway may need a stop.
    this.#started.push(runnable);
    await runnable.start();
    await this.#watch(runnable.checks);
  }

  /**
   * Stops all parts, even if a part fails to stop.
   *
   * @param deadline milliseconds for each part
   * @returns whether all of them finished in time
   * @throws the first error
   */
  async stop(deadline: number): Promise<boolean> {
    const stops: PromiseSettledResult<boolean | undefined>[] = [];
    for (const runnable of this.#started.splice(0).reverse())
      stops.push(...(await Promise.allSettled([runnable.stop(deadline)])));
    return allInTime(stops);
  }
}

/** @throws the first error */
function allInTime(stops: readonly PromiseSettledResult<boolean | undefined>[]): boolean {
  const finished = stops.map((stop) => {
    if (stop.status === 'rejected') throw stop.reason;
    return stop.value;
  });
  return finished.every((inTime) => inTime !== false);
}

/**
 * Calls `work`, and then `close`, even if `work` fails. If both fail, the error of `work` is thrown, because it is usually the
 * reason why `close` failed.
 */
export async function thenClose<T>(work: () => Promise<T>, close: () => Promise<unknown>): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
  await close();
  return result;
}

/** Combines several runnables into one. They are stopped at the same time, so that one deadline applies to all of them. */
export function together(runnables: readonly Runnable[]): Runnable {
  return {
    checks: runnables.flatMap(({ checks }) => checks),
    start: async () => {
      for (const runnable of runnables) await runnable.start();
    },
    stop: async (deadline) => {
      return allInTime(await Promise.allSettled(runnables.map((runnable) => runnable.stop(deadline))));
    },
  };
}

export interface Periodic {
  /** Name of the health check. Without a name there is no check. */
  readonly name?: string;
  /** @param signal is aborted when the service stops */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Called with the error of a failed round. */
  readonly onFailure?: (error: unknown) => void;
  /**
   * Returns a sentence about a defect, for example that the messages to a URL fail; undefined if there is no defect. The health
   * check reports the defect, but does not fail because of it.
   */
  readonly defect?: () => string | undefined;
  /** Returns a sentence about long work, which is no defect; undefined if there is none. */
  readonly progress?: () => string | undefined;
  /**
   * Called at the start with a function that begins a round at once, unless a round is running. Returns a function that is called
   * at the stop.
   */
  readonly early?: (begin: () => void) => () => void;
  /** Milliseconds between the starts of two rounds. */
  readonly interval: number;
  /**
   * Milliseconds after which the check reports that the timer has stopped or that a round takes too long. The default is three
   * intervals. A round with `progress` may take any time.
   */
  readonly late?: number;
  /** Whether the first round begins at once instead of after the interval. */
  readonly atOnce?: boolean;
  /** Whether a round may begin while another round is running. By default the new round is skipped. */
  readonly overlapping?: boolean;
}

/**
 * Repeats work at an interval. `stop` aborts the running round and waits for its end. The health check fails only if the timer
 * has stopped. If a round has failed or takes too long, the check does not fail: it only reports a sentence about this defect,
 * because the next round may succeed.
 */
export function periodic(options: Periodic): Runnable {
  const { name, work, onFailure, defect, progress, early, interval } = options;
  const { atOnce = false, overlapping = false } = options;
  const { late = 3 * interval } = options;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let endEarly: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let hasFailed = false;
  let firedAt = 0;
  let begunAt = 0;
  const run = async () => {
    try {
      await work(stopping.signal);
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      onFailure?.(error);
    }
  };
  const begin = () => {
    if (running !== undefined && !overlapping) return;
    begunAt = performance.now();
    const current = run().finally(() => {
      if (running === current) running = undefined;
    });
    running = current;
  };
  const round = () => {
    firedAt = performance.now();
    begin();
  };
  const check = async () => {
    // While the event loop is busy, timers fire late. This wait lets them fire first. Otherwise the check would report wrongly
    // that the timer of this work has stopped.
    await new Promise((resolve) => setTimeout(resolve));
    const now = performance.now();
    if (now - firedAt > late)
      throw new DomainError('SERVICE_UNAVAILABLE', 'The timer of this work has stopped.');
    if (hasFailed) return 'The last round has failed. The log gives the reason.';
    const isLong = running !== undefined && now - begunAt > late && progress?.() === undefined;
    return isLong ? 'The current round takes very long.' : defect?.();
  };
  return {
    checks: name === undefined ? [] : [{ name, check, ...(progress && { progress }) }],
    start: () => {
      firedAt = performance.now();
      if (atOnce) round();
      timer = setInterval(round, interval).unref();
      endEarly = early?.(begin);
    },
    stop: async () => {
      clearInterval(timer);
      endEarly?.();
      stopping.abort();
      await running;
      return undefined;
    },
  };
}
