import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Announcement } from '#application/ports/announcer.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import { ANNOUNCE } from './announcement-outbox.js';
import { Channel } from './channel.js';
import { LEAVE, PERFORM, type Performed } from './messages.js';
import { GREETING_TIMEOUT, SocketPort } from './socket-port.js';

/** Largest number of commands at a time. Further ones are refused. */
const MAX_COMMANDS = 32;

export interface CommandConnectionsOptions {
  /** That of this program. Commands of others are refused. */
  readonly version: string;
  readonly writer: StoreWriter;
  /** Gets what commands have changed, after the commit. */
  readonly announce: (announcement: Announcement) => void;
  /** Milliseconds within which a command must greet, so that connections that say nothing leave room for others. */
  readonly greetingTimeout?: number;
}

/** The connections of commands whose changes this process writes and announces. */
export class CommandConnections {
  readonly #options: CommandConnectionsOptions;
  readonly #ports = new Set<SocketPort>();

  constructor(options: CommandConnectionsOptions) {
    this.#options = options;
  }

  /** A server that accepts connections once it listens. */
  makeServer(): Server {
    const server = createServer((socket) => void this.#accept(socket));
    server.maxConnections = MAX_COMMANDS;
    return server;
  }

  /**
   * Ends all connections. Requests that have come are answered before, further ones are not read.
   *
   * @param deadline milliseconds after which a connection is cut
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
      [PERFORM]: ({ operation, parameters }: Performed) => {
        hasChanged = true;
        return writer.perform(operation, parameters);
      },
      [ANNOUNCE]: announce,
      [LEAVE]: () => (hasChanged = false),
    });
    await port.closed;
    this.#ports.delete(port);
    channel.close(new Error('the command has ended'));
    // It may have committed what it could no longer announce.
    if (hasChanged) announce({ kind: 'missed' });
  }
}
