import type pg from 'pg';
import { databaseReason } from './database-faults.js';
import { hostUrls } from './location.js';
import { Server } from './server.js';

/** A connection to a server. The caller returns it with `release`. */
export interface PrimaryConnection {
  readonly client: pg.PoolClient;
  /** @param isBroken whether the connection cannot be used again */
  release(isBroken: boolean): void;
}

/**
 * Finds the server that accepts writes. Of several hosts, it uses the first that is not read-only, and begins with the host that
 * was used last. After a failover it thus finds the promoted standby. A single host is used even if it is read-only.
 */
export class Primary {
  readonly #servers: readonly Server[];
  readonly #onBreak: () => void;
  #current = 0;

  /**
   * @param url URL with one or several hosts
   * @param onBreak called when a connection breaks, and when another server becomes the primary
   */
  constructor(url: string, onBreak: () => void) {
    const urls = hostUrls(url);
    this.#onBreak = onBreak;
    this.#servers = urls.map((one) => new Server(one, urls.length > 1 ? 'read-write' : 'any', onBreak));
  }

  /** Connects to the primary. @throws Error of the driver, or Error with the reasons of all hosts */
  async connect(): Promise<PrimaryConnection> {
    const failures: unknown[] = [];
    const first = this.#current;
    for (let step = 0; step < this.#servers.length; step += 1) {
      const index = (first + step) % this.#servers.length;
      const server = this.#servers[index] as Server;
      try {
        const client = await server.connect();
        if (index !== this.#current) this.#onBreak();
        this.#current = index;
        return { client, release: (isBroken) => server.release(client, isBroken) };
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 1) throw failures[0];
    const reasons = failures.map((error, step) => {
      const { host } = this.#servers[(first + step) % this.#servers.length] as Server;
      return `${host}: ${databaseReason(error)}`;
    });
    throw new Error(reasons.join('; '), { cause: new AggregateError(failures) });
  }

  async end(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.end()));
  }
}
