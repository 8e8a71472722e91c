import cluster from 'node:cluster';
import type { AnnouncementExchange } from '#application/ports/announcement-exchange.js';
import type { Announcement } from '#application/ports/announcer.js';
import { ANNOUNCE } from './announcement-outbox.js';
import type { Handlers } from './channel.js';
import { WorkerProcess, type WorkerProcessOptions } from './worker-process.js';

/**
 * When the processes are stopped, their requests must finish before a deadline. After this deadline, each process has this number
 * of milliseconds to close its stores; then it is killed.
 */
const CLOSING_TIME = 5000;

export interface WorkerProcessesOptions extends Pick<
  WorkerProcessOptions,
  'handlers' | 'onEnd' | 'onRestart'
> {
  readonly count: number;
  /** The script and its parameters. */
  readonly script: string;
  readonly parameters: readonly string[];
  /** Returns the data that the process with this number needs to start. Called at each start. */
  readonly startPayload: (number: number) => unknown;
}

/** Processes that serve the same port, and that are started again when they end. */
export class WorkerProcesses implements AnnouncementExchange {
  readonly #processes: readonly WorkerProcess[];
  readonly #options: WorkerProcessesOptions;
  #receiver: ((announcement: Announcement) => void) | undefined;

  constructor(options: WorkerProcessesOptions) {
    this.#options = options;
    this.#processes = Array.from({ length: options.count }, (_, index) => this.#make(index + 1));
  }

  /**
   * Starts all processes. Resolves when each process serves or has failed. A process that has failed is started again later.
   *
   * @returns the answer of one process to its start
   * @throws Error of the first process, in one line, if no process serves
   */
  async start(): Promise<unknown> {
    const { script, parameters } = this.#options;
    cluster.setupPrimary({ exec: script, args: [...parameters], serialization: 'advanced' });
    // The primary process distributes connections over the processes in turn. The operating system would prefer some processes.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const starts = await Promise.allSettled(this.#processes.map((process) => process.start()));
    const failures = starts.map((start) =>
      start.status === 'rejected' ? (start.reason as Error) : undefined,
    );
    const served = starts.find((start) => start.status === 'fulfilled');
    if (served === undefined) throw failures[0] as Error;
    for (const [index, failure] of failures.entries())
      if (failure !== undefined) this.#processes[index]?.startLater(failure.message, 0);
    return served.value;
  }

  /**
   * Requests the health of all processes, without waiting for the answers. The properties `serving` and `defects` use the last
   * answers. Call it regularly.
   */
  requestHealth(): void {
    for (const process of this.#processes) process.requestHealth();
  }

  get count(): number {
    return this.#processes.length;
  }

  /** Number of processes that answer requests. */
  get serving(): number {
    return this.#processes.filter(({ isServing }) => isServing).length;
  }

  /** The defects of all processes, one sentence each. */
  get defects(): readonly string[] {
    return this.#processes.flatMap(({ number, defect }) =>
      defect === undefined ? [] : [`Process ${number}: ${defect}`],
    );
  }

  /** Sends a message to all processes. */
  notify(name: string, payload: unknown): void {
    for (const process of this.#processes) process.notify(name, payload);
  }

  /** Sends a request to one process; see `WorkerProcess.request`. @param number number of the process; the first number is 1 */
  async request(number: number, name: string): Promise<unknown> {
    return await this.#processes[number - 1]?.request(name);
  }

  send(announcement: Announcement): void {
    for (const { outbox } of this.#processes) outbox?.send(announcement);
  }

  listen(receiver: (announcement: Announcement) => void): void {
    this.#receiver = receiver;
  }

  /**
   * Stops all processes. A process that has not ended `CLOSING_TIME` milliseconds after the deadline is killed.
   *
   * @param deadline milliseconds within which requests in progress must finish
   * @returns whether all requests have finished in time
   */
  async stop(deadline: number): Promise<boolean> {
    const limit = deadline + CLOSING_TIME;
    const finished = await Promise.all(this.#processes.map((process) => process.stop(limit)));
    return finished.every(Boolean);
  }

  #make(number: number): WorkerProcess {
    const { startPayload, handlers, onEnd, onRestart } = this.#options;
    const receive = (announcement: Announcement) => {
      this.#receiver?.(announcement);
      for (const process of this.#processes)
        if (process.number !== number) process.outbox?.send(announcement);
    };
    return new WorkerProcess({
      number,
      startPayload: () => startPayload(number),
      handlers: { ...handlers, [ANNOUNCE]: receive } satisfies Handlers,
      onEnd: (...parameters) => {
        // The announcement `missed` means that any data may have changed. It is sent because the process may have committed
        // changes that it could not announce before it ended.
        receive({ kind: 'missed' });
        onEnd(...parameters);
      },
      onRestart,
    });
  }
}
