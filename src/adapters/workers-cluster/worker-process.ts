import cluster, { type Worker } from 'node:cluster';
import { AnnouncementOutbox } from './announcement-outbox.js';
import { RestartDelays } from './restart-delays.js';
import { Channel, type Handlers, type MessagePort } from './channel.js';
import { BEGIN, FAILED, HEALTH, SERVES, STOP, type WorkerHealth } from './messages.js';
import { PassedConnections } from './passed-connections.js';

/**
 * Number of unanswered health requests after which a process counts as hanging. `KILLED_AFTER` is the number after which the
 * process is killed.
 */
const HANGING_AFTER = 10;
const KILLED_AFTER = 100;

export interface WorkerProcessOptions {
  /** Number of the process. Numbers begin at 1. */
  readonly number: number;
  /** Creates the data that the process needs to start. Called at each start. */
  readonly startPayload: () => unknown;
  readonly handlers: Handlers;
  /** Called when the process has ended by itself. `delay` is the time until the restart in milliseconds. */
  readonly onEnd: (number: number, reason: string, delay: number) => void;
  /** Called when the process serves again after a restart. */
  readonly onRestart: (number: number) => void;
}

/** One process that serves. The process is restarted whenever it ends, until it is stopped. */
export class WorkerProcess {
  readonly #options: WorkerProcessOptions;
  readonly #restartDelays = new RestartDelays();
  #worker: Worker | undefined;
  #channel: Channel | undefined;
  #outbox: AnnouncementOutbox | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Time of `performance.now` at which the process began to serve; undefined while it does not serve. */
  #servesSince: number | undefined;
  #health: WorkerHealth = { isAlive: true, defect: undefined };
  /** Number of health requests since the last answer. */
  #unanswered = 0;
  #isStopping = false;

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
  }

  get number(): number {
    return this.#options.number;
  }

  /** Whether the process answers requests. */
  get isServing(): boolean {
    return this.#servesSince !== undefined && this.#health.isAlive && this.#unanswered < HANGING_AFTER;
  }

  get defect(): string | undefined {
    return this.#health.defect;
  }

  get outbox(): AnnouncementOutbox | undefined {
    return this.#outbox;
  }

  /**
   * Starts the process.
   *
   * @returns the answer of the process to its start
   * @throws Error with the reason in one line
   */
  async start(): Promise<unknown> {
    const { startPayload, handlers } = this.#options;
    const worker = cluster.fork();
    const { process: child } = worker;
    this.#worker = worker;
    this.#unanswered = 0;
    this.#health = { isAlive: true, defect: undefined };
    return await new Promise((resolve, reject) => {
      let failure: string | undefined;
      const channel: Channel = new Channel(portOf(worker), {
        ...handlers,
        [BEGIN]: () => {
          this.#channel = channel;
          this.#outbox = new AnnouncementOutbox(channel);
          return startPayload();
        },
        [SERVES]: (answer: unknown) => {
          this.#servesSince = performance.now();
          resolve(answer);
        },
        [FAILED]: (reason: string) => {
          failure = reason;
          end(worker);
        },
      });
      const connections = new PassedConnections(child);
      worker.once('exit', (code, signal) => {
        connections.close();
        const reason =
          failure ??
          (signal ? `the process was ended by ${signal}` : `the process ended with the status ${code}`);
        channel.close(new Error(reason));
        const served = this.#servesSince;
        this.#servesSince = undefined;
        this.#channel = undefined;
        this.#outbox = undefined;
        reject(new Error(reason));
        if (served !== undefined) this.startLater(reason, performance.now() - served);
      });
      // If a message is sent to a process that has just ended, the event `error` occurs. It needs no handling here, because the
      // event `exit` above reports the end.
      child.on('error', () => undefined);
    });
  }

  /**
   * Starts the process again after a delay. Repeats this until the process serves.
   *
   * @param reason why the process has ended, in one line
   * @param served milliseconds for which the process has served
   */
  startLater(reason: string, served: number): void {
    if (this.#isStopping) return;
    const { number, onEnd, onRestart } = this.#options;
    const delay = this.#restartDelays.next(served);
    onEnd(number, reason, delay);
    this.#timer = setTimeout(() => {
      this.start().then(
        () => onRestart(number),
        (error: unknown) => this.startLater((error as Error).message, 0),
      );
    }, delay);
  }

  notify(name: string, payload: unknown): void {
    this.#channel?.notify(name, payload);
  }

  /**
   * Sends a request. Resolves to the answer, or to undefined if the process does not run. Rejects if the process ends before its
   * answer.
   */
  async request(name: string): Promise<unknown> {
    return await this.#channel?.request(name, undefined);
  }

  /**
   * Requests the health of the process, without waiting for the answer. Kills the process if it has not answered for a long time.
   * Call it regularly.
   */
  requestHealth(): void {
    if (this.#servesSince === undefined) return;
    this.#unanswered += 1;
    if (this.#unanswered >= KILLED_AFTER) this.#worker?.process.kill('SIGKILL');
    if (this.#unanswered > 1) return;
    const channel = this.#channel;
    channel
      ?.request(HEALTH, undefined)
      .then((health) => {
        if (channel !== this.#channel) return;
        this.#health = health as WorkerHealth;
        this.#unanswered = 0;
      })
      // Nothing to do if the request fails, because the process has then ended.
      .catch(() => undefined);
  }

  /**
   * Stops the process in an orderly way.
   *
   * @param limit milliseconds after which the process is killed
   * @returns whether all its work has finished in time
   */
  async stop(limit: number): Promise<boolean> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const worker = this.#worker;
    if (worker === undefined || worker.isDead()) return true;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    // If the process does not end within `limit` milliseconds, it is killed. A process that does not serve yet has no work that
    // must finish, so it is killed at once.
    const timer = setTimeout(
      () => worker.process.kill('SIGKILL'),
      this.#servesSince === undefined ? 0 : limit,
    );
    const finished = await this.#channel?.request(STOP, undefined).catch(() => false);
    end(worker);
    await ended;
    clearTimeout(timer);
    return finished === true;
  }
}

function portOf({ process: child }: Worker): MessagePort {
  return {
    send: (message, sent) => void child.send(message as object, sent),
    onMessage: (receiver) => void child.on('message', (message) => void receiver(message)),
  };
}

/** Disconnects the channel of a process. The process has already sent its messages, and ends when its channel is closed. */
function end({ process: child }: Worker): void {
  if (child.connected) child.disconnect();
}
