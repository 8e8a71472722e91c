import type { Server } from 'node:net';
import { Listener } from '#adapters/http/server/listen.js';
import type { Log } from '#adapters/log-pino/logger.js';
import { CommandConnections } from '#adapters/workers-cluster/command-connections.js';
import { type Config, runtimeFolder } from '../config.js';
import type { Application } from '../container.js';
import { dataFile } from '../data/data-location.js';
import * as tokens from '../graph/tokens.js';
import { PACKAGE_INFO } from '../package-info.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';
import { otherOwner, socketToOffer, withdrawSocket } from './owner-socket.js';

/**
 * Milliseconds between two checks whether the service still listens on its socket for commands. If the socket was removed, or if
 * another service that used the same data has ended, the service begins to listen again at the next check.
 */
const INTERVAL = 5000;
/** Matches the names of the store operations that may end sessions. Commands ask the service to perform such operations. */
const ENDS_SESSIONS = /^(?:sessions|credentials)\./;

/**
 * Listens on a socket for the changes that commands want to make, and writes these changes to the store. This is needed for
 * stores to which only one process should write. If the service cannot listen on the socket, commands write to the store
 * themselves, and the service notices their changes only later.
 */
export function commandListener(config: Config, application: Application, log: Log): readonly Runnable[] {
  const file = dataFile(config);
  const { container, writer } = application;
  // Node.js has no Unix domain sockets on Windows.
  if (file === undefined || writer === undefined || process.platform === 'win32') return [];
  const announcer = container.get(tokens.Announcer);
  const connections = new CommandConnections({
    version: PACKAGE_INFO.version,
    writer: {
      perform: async (operation, parameters) => {
        try {
          return await writer.perform(operation, parameters);
        } finally {
          if (ENDS_SESSIONS.test(operation)) application.forgetSessions();
        }
      },
    },
    announce: (announcement) => announcer.announce(announcement),
  });
  const socket = new CommandSocket(file, connections, log);
  const rounds = periodic({ work: () => socket.keep(), interval: INTERVAL });
  return [
    {
      checks: [],
      start: async () => {
        await socket.keep();
        rounds.start();
      },
      stop: async (deadline) => {
        await rounds.stop(deadline);
        socket.close();
        return await connections.close(deadline);
      },
    },
  ];
}

/** The socket on which the service accepts commands. */
class CommandSocket {
  readonly #file: string;
  readonly #connections: CommandConnections;
  readonly #log: Log;
  #server: Server | undefined;
  #listener: Listener | undefined;
  /** The reason that was last logged. The same reason is not logged again. */
  #reason: string | undefined;

  constructor(file: string, connections: CommandConnections, log: Log) {
    this.#file = file;
    this.#connections = connections;
    this.#log = log;
  }

  /** Begins to listen if the socket does not listen. Logs the reason if it cannot listen. */
  async keep(): Promise<void> {
    try {
      await this.#listener?.assertListening();
      if (this.#listener !== undefined) return;
    } catch {
      this.#end();
    }
    try {
      await this.#listen(socketToOffer(this.#file, runtimeFolder()));
      this.#reason = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== this.#reason)
        this.#log.logger.warn(
          { reason },
          'commands cannot reach this service, so it notices their changes only later',
        );
      this.#reason = reason;
    }
  }

  /** Stops accepting connections. */
  close(): void {
    if (this.#server === undefined) return;
    this.#end();
    withdrawSocket(this.#file);
  }

  async #listen(path: string): Promise<void> {
    const owner = otherOwner(path);
    if (owner !== undefined) throw new Error(`${path} belongs to ${owner}`);
    const server = this.#connections.makeServer();
    const listener = new Listener(server, 'http');
    await listener.listenOnSocket(path, 0o600);
    this.#server = server;
    this.#listener = listener;
  }

  #end(): void {
    this.#server?.close();
    this.#server = undefined;
    this.#listener = undefined;
  }
}
