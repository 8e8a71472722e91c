/** Something that runs while the service runs. */
export interface Runnable {
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
  readonly #started: Runnable[] = [];

  /** @throws Error of `Runnable.start`. The other parts continue until `stop`. */
  async start(runnable: Runnable): Promise<void> {
    // Added before it has started, because a start that fails halfway may need a stop.
    this.#started.push(runnable);
    await runnable.start();
  }

  /** @param deadline milliseconds for each part. @returns whether all of them finished in time */
  async stop(deadline: number): Promise<boolean> {
    const finished: (boolean | undefined)[] = [];
    for (const runnable of this.#started.splice(0).reverse()) finished.push(await runnable.stop(deadline));
    return finished.every((inTime) => inTime !== false);
  }
}

/** Combines runnables that are stopped at the same time, so that one deadline applies to all. */
export function together(runnables: readonly Runnable[]): Runnable {
  return {
    start: async () => {
      for (const runnable of runnables) await runnable.start();
    },
    stop: async (deadline) => {
      const finished = await Promise.all(runnables.map((runnable) => runnable.stop(deadline)));
      return finished.every((inTime) => inTime !== false);
    },
  };
}

export interface Periodic {
  /** Never rejects. @param signal fires when the service stops */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Milliseconds between the starts of two rounds. */
  readonly interval: number;
  /** Whether the first round begins at once instead of after the interval. */
  readonly atOnce?: boolean;
  /** Whether a round may begin while another is running. By default it is skipped. */
  readonly overlapping?: boolean;
}

/** Repeats work. Stopping aborts the running round and waits for its end. */
export function periodic({ work, interval, atOnce = false, overlapping = false }: Periodic): Runnable {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const round = () => {
    if (overlapping) return void work(stopping.signal);
    running ??= work(stopping.signal).finally(() => (running = undefined));
  };
  return {
    start: () => {
      if (atOnce) round();
      timer = setInterval(round, interval).unref();
    },
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
      return undefined;
    },
  };
}
