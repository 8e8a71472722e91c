import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Announcement } from '#application/ports/announcer.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import { ANNOUNCE } from './announcement-outbox.js';
import { Channel } from './channel.js';
import { LEAVE, PERFORM, type OperationCall } from './messages.js';
import { GREETING_TIMEOUT, SocketPort } from './socket-port.js';

/**
 * Maximum number of commands (processes that a person starts on the command line) that are connected at the same time. Further
 * connections are refused.
 */
const MAX_COMMANDS = 32;

export interface CommandConnectionsOptions {
  /** The version of this program. A command that a person starts on the command line is refused if it has another version. */
  readonly version: string;
  readonly writer: StoreWriter;
  /**
   * Called with each announcement of a command. An announcement tells which data the command has changed. The change is already
   * committed.
   */
  readonly announce: (announcement: Announcement) => void;
  /**
   * Milliseconds within which a command must send its greeting. A connection without a greeting is closed after this time, so
   * that other commands can connect.
   */
  readonly greetingTimeout?: number;
}

/**
 * The connections of commands, which are processes that a person starts on the command line. This process writes to the store for
 * the commands, and announces which data they have changed.
 */
export class CommandConnections {
  readonly #options: CommandConnectionsOptions;
  readonly #ports = new Set<SocketPort>();

  constructor(options: CommandConnectionsOptions) {
    this.#options = options;
  }

  /** Creates the server to which the commands connect. The caller must make the server listen. */
  makeServer(): Server {
    const server = createServer((socket) => void this.#accept(socket));
    server.maxConnections = MAX_COMMANDS;
    return server;
  }

  /**
   * Ends all connections. Requests that have arrived are answered first; later requests are not read.
   *
   * @param deadline milliseconds after which a connection is destroyed
   * @returns whether all requests were answered in time
   */
  async close(deadline: number): Promise<boolean> {
    const ports = [...this.#ports];
    const ended = Promise.all(ports.map((port) => port.end())).then(() => true);
    const finished = await Promise.race([ended, pause(deadline, false, { ref: false })]);
    for (const port of ports) port.destroy();
    return finished;
  }

  async #accept(socket: Socket): Promise<void> {
    const { version, writer, announce, greetingTimeout = GREETING_TIMEOUT } = this.#options;
    const port = new SocketPort(socket, version);
    const late = setTimeout(() => port.destroy(), greetingTimeout);
    const greeted = () => clearTimeout(late);
    port.greeted.then(greeted, greeted);
    this.#ports.add(port);
    let hasChanged = false;
    const channel = new Channel(port, {
      [PERFORM]: ({ operation, parameters }: OperationCall) => {
        hasChanged = true;
        return writer.perform(operation, parameters);
      },
      [ANNOUNCE]: announce,
      [LEAVE]: () => (hasChanged = false),
    });
    await port.closed;
    this.#ports.delete(port);
    channel.close(new Error('the command has ended'));
    // The announcement `missed` means that any data may have changed. It is sent because the command has ended unexpectedly, and
    // may have committed changes that it could not announce.
    if (hasChanged) announce({ kind: 'missed' });
  }
}
