import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnnouncementExchange } from '#application/ports/announcement-exchange.js';
import type { Announcement } from '#application/ports/announcer.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import { AnnouncementOutbox } from './announcement-outbox.js';
import { Channel } from './channel.js';
import { LEAVE, PERFORM, type Performed } from './messages.js';
import { GREETING_TIMEOUT, OtherVersionError, SocketPort } from './socket-port.js';

/** What the system says if no process listens on a socket. */
const NOBODY: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);

/** The running service, seen from a command: it writes for the command, and announces what the command has changed. */
export class ServiceConnection implements AnnouncementExchange, StoreWriter {
  readonly #port: SocketPort;
  readonly #channel: Channel;
  readonly #outbox: AnnouncementOutbox;

  private constructor(port: SocketPort) {
    this.#port = port;
    this.#channel = new Channel(port, {});
    this.#outbox = new AnnouncementOutbox(this.#channel);
    const reason = 'the service that writes it has ended. Run the command again';
    void port.closed.then(() => this.#channel.close(new Error(reason)));
  }

  /**
   * @param path of the socket
   * @param version that of this program
   * @param limit milliseconds within which the service must greet
   * @returns undefined if no service listens there
   * @throws NodeJS.ErrnoException EACCES …; Error in a sentence if the service is of another version, or does not answer
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
      if (NOBODY.has((error as NodeJS.ErrnoException).code)) return undefined;
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

  /** Rejects with Error if the service ends before its answer. The operation may have been performed then. */
  perform(operation: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.#channel.request(PERFORM, { operation, parameters } satisfies Performed);
  }

  send(announcement: Announcement): void {
    this.#outbox.send(announcement);
  }

  listen(): void {
    // A command ends too soon to need the announcements of others.
  }

  /** Resolves when everything has been sent. */
  async close(): Promise<void> {
    this.#outbox.flush();
    this.#channel.notify(LEAVE, undefined);
    await this.#port.end();
  }
}

/** @throws Error in a sentence */
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
      throw new Error(`The service that uses the data does not answer (${path}): restart it.`);
  } catch (error) {
    if (!(error instanceof OtherVersionError)) throw error;
    throw new Error(
      `The running service is version ${error.version}, and this command is version ${version}: restart the service, or use ` +
        'the command of its version.',
      { cause: error },
    );
  } finally {
    waiting.abort();
  }
}
