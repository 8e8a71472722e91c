import type { SideRoute } from '#adapters/http/core/side-route.js';
import type { Check } from '#application/ports/check.js';
import type { UploadListener, UploadListening } from '#application/ports/upload-listening.js';
import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import { DomainError } from '#domain/domain-error.js';
import type { UploadsReach } from '#domain/uploads/uploads-reach.js';
import type { Config } from '../config.js';
import type { Runnable } from '../runnables.js';
import { listeningOf, withReach } from '../settings/uploads-reach.js';
import { uploadReachOf } from '../upload-reach.js';

/** Milliseconds that requests in progress have to finish when the listener is switched. A reply takes at most 4 s. */
const SWITCH_DEADLINE = 5000;

/** The receiver of uploads, which is opened when uploads are first switched on. */
export interface OpenedUploads {
  /** Makes a listener for uploads over plain HTTP. It begins to listen when it is started. */
  readonly makeListener: (host: string, port: number) => Runnable & { readonly url: () => string };
  /** Finds the route of an upload by its request target, for uploads to the external API. */
  readonly find: (target: string) => SideRoute | undefined;
}

export interface UploadsSwitchOptions {
  readonly config: Config;
  /** Opens the receiver of uploads. Called when uploads are first switched on, so that its modules are loaded only then. */
  readonly open: () => Promise<OpenedUploads>;
  /** Whether this process has the listener. A worker process has none, and receives uploads only at the external API. */
  readonly listens: boolean;
  /** Adds and removes health checks. */
  readonly health: {
    watch(checks: readonly Check[]): Promise<void>;
    unwatch(checks: readonly Check[]): void;
  };
  /** Called after each switch, so that other processes of the service follow. */
  readonly onSwitch: (config: Config) => void;
}

/** The uploads of the running service, which can be switched on and off. */
export class UploadsSwitch implements UploadListener, Runnable {
  readonly checks = [];
  readonly #options: UploadsSwitchOptions;
  #config: Config;
  #opened: OpenedUploads | undefined;
  #listener: ReturnType<OpenedUploads['makeListener']> | undefined;

  constructor(options: UploadsSwitchOptions) {
    this.#options = options;
    this.#config = options.config;
  }

  /** The URL of the listener; undefined if this process has none now. */
  get url(): string | undefined {
    return this.#listener?.url();
  }

  /** The addresses for the instructions that people enter in a console. */
  get reach(): UploadReach {
    return uploadReachOf({ ...this.#config, UPLOADS_PORT: this.state().port });
  }

  /** Finds the route of an upload to the external API; undefined if uploads are switched off. */
  find(target: string): SideRoute | undefined {
    return this.#config.UPLOADS_ENABLED ? this.#opened?.find(target) : undefined;
  }

  state(): UploadListening {
    const state = listeningOf(this.#config);
    return this.url === undefined ? state : { ...state, port: Number(new URL(this.url).port) };
  }

  async start(): Promise<void> {
    await this.#open(this.#config);
  }

  async stop(deadline: number): Promise<boolean | undefined> {
    return await this.#listener?.stop(deadline);
  }

  async switchTo(reach: UploadsReach): Promise<void> {
    const before = this.#config;
    const next = withReach(before, reach);
    const { UPLOADS_ENABLED: wasOn, UPLOADS_HOST: oldHost } = before;
    if (wasOn !== next.UPLOADS_ENABLED || oldHost !== next.UPLOADS_HOST) {
      // The old listener is closed first, because a listener on all addresses cannot use the port of one on loopback.
      await this.#close();
      try {
        await this.#open(next);
      } catch (error) {
        await this.#open(before);
        throw new DomainError('LISTENER_UNAVAILABLE', (error as Error).message, { cause: error });
      }
    }
    this.#config = next;
    this.#options.onSwitch(next);
  }

  /** Follows the main process, in a worker process. */
  async follow(config: Config): Promise<void> {
    await this.#open(config);
    this.#config = config;
  }

  /** @throws Error with the reason in one sentence */
  async #open({ UPLOADS_ENABLED: enabled, UPLOADS_HOST: host, UPLOADS_PORT: port }: Config): Promise<void> {
    if (!enabled) return;
    this.#opened ??= await this.#options.open();
    if (!this.#options.listens) return;
    const listener = this.#opened.makeListener(host, port);
    await listener.start();
    this.#listener = listener;
    await this.#options.health.watch(listener.checks);
  }

  async #close(): Promise<void> {
    const listener = this.#listener;
    if (listener === undefined) return;
    this.#listener = undefined;
    this.#options.health.unwatch(listener.checks);
    await listener.stop(SWITCH_DEADLINE);
  }
}
