import type { AnnouncementExchange } from '#application/ports/announcement-exchange.js';
import type { Announcement } from '#application/ports/announcer.js';
import type { ImportService } from '#application/ports/import-service.js';
import type { UploadsChange } from '#application/ports/upload-listening.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import { ANNOUNCE, AnnouncementOutbox } from './announcement-outbox.js';
import { Channel, type Handlers } from './channel.js';
import {
  BEGIN,
  FAILED,
  IMPORTS,
  MAIN_HEALTH,
  PERFORM,
  SETUP_CODE,
  type SetupCodeCall,
  CHANGE_UPLOADS,
  type UploadsCall,
  type OperationCall,
  SERVES,
  type WorkerHealth,
} from './messages.js';
import { remoteImports } from './remote-imports.js';

/** The main process, as a worker process uses it: sends messages and requests to the main process, and answers its requests. */
export class MainProcess implements AnnouncementExchange, StoreWriter {
  readonly #channel: Channel;
  readonly #outbox: AnnouncementOutbox;
  #receiver: ((announcement: Announcement) => void) | undefined;

  constructor(handlers: Handlers) {
    this.#channel = new Channel(
      {
        // `send` is undefined after the connection to the main process has ended. This process then ends too.
        send: (message, sent) => void process.send?.(message, undefined, undefined, sent),
        onMessage: (receiver) => void process.on('message', (message) => void receiver(message)),
      },
      { ...handlers, [ANNOUNCE]: (announcement: Announcement) => this.#receiver?.(announcement) },
    );
    this.#outbox = new AnnouncementOutbox(this.#channel);
  }

  /** Requests the data that this process needs to start (the start payload) from the main process. */
  begin(): Promise<unknown> {
    return this.#channel.request(BEGIN, undefined);
  }

  /**
   * Reports that this process serves.
   *
   * @param answer the value to which `WorkerProcess.start` then resolves in the main process
   */
  serves(answer: unknown): void {
    this.#channel.notify(SERVES, answer);
  }

  /** Reports that this process cannot serve. The main process then ends this process. @param reason the cause in one line */
  failed(reason: string): void {
    this.#channel.notify(FAILED, reason);
  }

  perform(operation: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.#channel.request(PERFORM, { operation, parameters } satisfies OperationCall);
  }

  /** Calls a method of the code for the first administrator. */
  setupCode(call: SetupCodeCall): Promise<unknown> {
    return this.#channel.request(SETUP_CODE, call);
  }

  /** The imports over HTTP, which the main process does. */
  get imports(): ImportService {
    return remoteImports((call) => this.#channel.request(IMPORTS, call));
  }

  /** Changes the setting of uploads. */
  async changeUploads(call: UploadsCall): Promise<UploadsChange> {
    return (await this.#channel.request(CHANGE_UPLOADS, call)) as UploadsChange;
  }

  async health(): Promise<WorkerHealth> {
    return (await this.#channel.request(MAIN_HEALTH, undefined)) as WorkerHealth;
  }

  send(announcement: Announcement): void {
    this.#outbox.send(announcement);
  }

  listen(receiver: (announcement: Announcement) => void): void {
    this.#receiver = receiver;
  }
}
