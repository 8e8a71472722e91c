import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnnouncementExchange } from '#application/ports/announcement-exchange.js';
import type { Announcement } from '#application/ports/announcer.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import { AnnouncementOutbox } from './announcement-outbox.js';
import { Channel } from './channel.js';
import { LEAVE, PERFORM, type OperationCall } from './messages.js';
import { GREETING_TIMEOUT, OtherVersionError, SocketPort } from './socket-port.js';

/** Error codes of the system if no process listens on a socket. */
const NOT_LISTENING: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);

/**
 * The running service, as seen by a command that a person has started on the command line. The service writes to the store for
 * the command, and announces which data the command has changed.
 */
export class ServiceConnection implements AnnouncementExchange, StoreWriter {
  readonly #port: SocketPort;
  readonly #channel: Channel;
  readonly #outbox: AnnouncementOutbox;

  private constructor(port: SocketPort) {
    this.#port = port;
    this.#channel = new Channel(port, {});
    this.#outbox = new AnnouncementOutbox(this.#channel);
    const reason = 'the service that writes the data has ended. Run the command again';
    void port.closed.then(() => this.#channel.close(new Error(reason)));
  }

  /**
   * Connects to the running service.
   *
   * @param path path of the socket
   * @param version version of this program
   * @param limit milliseconds within which the service must send its greeting
   * @returns undefined if no service listens on the socket
   * @throws NodeJS.ErrnoException for example EACCES; Error with a sentence if the service has another version or does not answer
   */
  static async open(
    path: string,
    version: string,
    limit = GREETING_TIMEOUT,
  ): Promise<ServiceConnection | undefined> {
    const socket = connect(path);
    try {
      await once(socket, 'connect');
    } catch (error) {
      if (NOT_LISTENING.has((error as NodeJS.ErrnoException).code)) return undefined;
      throw error;
    }
    const port = new SocketPort(socket, version);
    const connection = new ServiceConnection(port);
    try {
      await assertGreeting(port, limit, path, version);
    } catch (error) {
      port.destroy();
      throw error;
    }
    return connection;
  }

  /**
   * Sends a write operation to the service. Rejects with Error if the service ends before its answer. In this case, it is unknown
   * whether the operation was performed.
   */
  perform(operation: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.#channel.request(PERFORM, { operation, parameters } satisfies OperationCall);
  }

  send(announcement: Announcement): void {
    this.#outbox.send(announcement);
  }

  listen(): void {
    // Nothing to do: a command runs only for a short time, and does not need to know which data other processes change.
  }

  /** Ends the connection. Resolves when all messages have been sent. */
  async close(): Promise<void> {
    this.#outbox.flush();
    this.#channel.notify(LEAVE, undefined);
    await this.#port.end();
  }
}

/** @throws Error with a sentence, if no greeting of the same version arrives in time */
async function assertGreeting(
  { greeted }: SocketPort,
  limit: number,
  path: string,
  version: string,
): Promise<void> {
  const waiting = new AbortController();
  const late = pause(limit, 'late', { signal: waiting.signal }).catch(() => 'in time');
  try {
    if ((await Promise.race([greeted, late])) === 'late')
      throw new Error(`The service that uses the data does not answer at ${path}. Restart the service.`);
  } catch (error) {
    if (!(error instanceof OtherVersionError)) throw error;
    throw new Error(
      `The running service has version ${error.version}, and this command has version ${version}. Restart the service, or use ` +
        'the command of its version.',
      { cause: error },
    );
  } finally {
    waiting.abort();
  }
}
