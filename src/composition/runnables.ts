/** Something that runs for as long as the service does. */
export interface Runnable {
  /** @throws Error whose message says in one line what is in the way */
  start(): unknown;
  /**
   * Ends in order: what is under way finishes, nothing new begins.
   *
   * @param deadline milliseconds after which what is still under way is cut off
   * @returns whether everything finished in time; undefined where nothing can take long
   */
  stop(deadline: number): Promise<boolean | undefined>;
}

/** What runs while the service does: started in the order in which it was added, and stopped the other way round. */
export class Runnables {
  readonly #started: Runnable[] = [];

  /** @throws Error as `Runnable.start`; the others go on, and `stop` ends them */
  async start(runnable: Runnable): Promise<void> {
    // Before it has started: one that fails halfway may have to be ended too.
    this.#started.push(runnable);
    await runnable.start();
  }

  /** @returns whether everything finished within `deadline` milliseconds, which each of them has */
  async stop(deadline: number): Promise<boolean> {
    const finished: (boolean | undefined)[] = [];
    for (const runnable of this.#started.splice(0).reverse()) finished.push(await runnable.stop(deadline));
    return finished.every((inTime) => inTime !== false);
  }
}

/** Several that are stopped side by side, so that the deadline is that of all together. */
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
  /** Milliseconds between the beginnings of two rounds. */
  readonly interval: number;
  /** Whether the first round begins at the start, and not after the interval. */
  readonly atOnce?: boolean;
  /** Whether a round may begin while another is under way; left out, the rounds in between are left out. */
  readonly overlapping?: boolean;
}

/** Does work again and again. Stopping aborts the round that is under way, and waits for its end. */
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
