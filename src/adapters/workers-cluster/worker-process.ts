import cluster, { type Worker } from 'node:cluster';
import { AnnouncementOutbox } from './announcement-outbox.js';
import { BackOff } from './back-off.js';
import { Channel, type Handlers, type MessagePort } from './channel.js';
import { BEGIN, FAILED, LOOK, SERVES, STOP, type WorkerHealth } from './messages.js';
import { PassedConnections } from './passed-connections.js';

/** Number of unanswered looks after which a process counts as hanging, and after which it is killed. */
const HANGING_AFTER = 10;
const KILLED_AFTER = 100;

export interface WorkerProcessOptions {
  /** From 1 on. */
  readonly number: number;
  /** Made for each start. */
  readonly startPayload: () => unknown;
  readonly handlers: Handlers;
  /** Called when the process has ended without being asked to. */
  readonly onEnd: (number: number, reason: string, delay: number) => void;
  /** Called when it serves again after that. */
  readonly onRestart: (number: number) => void;
}

/** One process that serves. It is started again whenever it ends, until it is stopped. */
export class WorkerProcess {
  readonly #options: WorkerProcessOptions;
  readonly #backOff = new BackOff();
  #worker: Worker | undefined;
  #channel: Channel | undefined;
  #outbox: AnnouncementOutbox | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** In the milliseconds of `performance.now`; undefined while it does not serve. */
  #servesSince: number | undefined;
  #health: WorkerHealth = { isAlive: true, defect: undefined };
  /** Number of looks since the last answer. */
  #unanswered = 0;
  #isStopping = false;

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
  }

  get number(): number {
    return this.#options.number;
  }

  /** Whether it answers requests. */
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
        const reason = failure ?? (signal ? `it was ended by ${signal}` : `it ended with the status ${code}`);
        channel.close(new Error(reason));
        const served = this.#servesSince;
        this.#servesSince = undefined;
        this.#channel = undefined;
        this.#outbox = undefined;
        reject(new Error(reason));
        if (served !== undefined) this.startLater(reason, performance.now() - served);
      });
      // Sending to a process that has just ended fails. Its end is reported by the event above.
      child.on('error', () => undefined);
    });
  }

  /**
   * Starts the process again after a time, and as often as is necessary.
   *
   * @param reason why it has ended, in one line
   * @param served milliseconds for which it has served
   */
  startLater(reason: string, served: number): void {
    if (this.#isStopping) return;
    const { number, onEnd, onRestart } = this.#options;
    const delay = this.#backOff.next(served);
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

  /** Resolves to the answer; undefined while the process does not run. Rejects if it ends. */
  async request(name: string): Promise<unknown> {
    return await this.#channel?.request(name, undefined);
  }

  /** Asks whether it is well, without waiting for the answer. A process that hangs for long is killed. To be called regularly. */
  look(): void {
    if (this.#servesSince === undefined) return;
    this.#unanswered += 1;
    if (this.#unanswered >= KILLED_AFTER) this.#worker?.process.kill('SIGKILL');
    if (this.#unanswered > 1) return;
    const channel = this.#channel;
    channel
      ?.request(LOOK, undefined)
      .then((health) => {
        if (channel !== this.#channel) return;
        this.#health = health as WorkerHealth;
        this.#unanswered = 0;
      })
      // It has ended.
      .catch(() => undefined);
  }

  /**
   * Has it stop in an orderly way.
   *
   * @param limit milliseconds after which it is killed
   * @returns whether all its work has finished in time
   */
  async stop(limit: number): Promise<boolean> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const worker = this.#worker;
    if (worker === undefined || worker.isDead()) return true;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    // A process that does not serve yet has no work that must finish.
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

/** A process ends when its channel does, with everything that it has sent before. */
function end({ process: child }: Worker): void {
  if (child.connected) child.disconnect();
}
