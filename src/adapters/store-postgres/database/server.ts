import pg from 'pg';

/** Largest number of connections of one instance to a server. A caller waits for one no longer than `CONNECT_TIMEOUT`. */
const MAX_CONNECTIONS = 10;
/** All in milliseconds. */
export const CONNECT_TIMEOUT = 5000;
const IDLE_TIMEOUT = 30_000;
const LOCK_TIMEOUT = 5000;
/** After this long the server gives up a statement. */
const STATEMENT_TIMEOUT = 8000;
const TRANSACTION_IDLE_TIMEOUT = 10_000;

/** The numbers we keep are times and counts, all below 2^53; the driver would give them as text. */
const INT8 = 20;
const types = {
  getTypeParser: (oid: number) =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid) as (text: string) => unknown),
};

/** A property that new connections must have, as `target_session_attrs` of libpq. The driver knows no such option. */
export type ServerRole = 'any' | 'read-write' | 'standby';

const ROLES: Readonly<
  Record<Exclude<ServerRole, 'any'>, { readonly test: string; readonly refusal: string }>
> = {
  'read-write': {
    test: `current_setting('transaction_read_only') = 'off'`,
    refusal: 'the server is read-only',
  },
  standby: { test: 'pg_is_in_recovery()', refusal: 'the server is not a replica' },
};

/** The server works, but has another role. */
export class RoleError extends Error {
  override readonly name = 'RoleError';
}

/** One PostgreSQL server, reached through a pool of connections. The pool replaces connections that break. */
export class Server {
  /** Host and port. */
  readonly host: string;
  readonly #pool: pg.Pool;
  readonly #role: ServerRole;
  readonly #onBreak: () => void;
  readonly #accepted = new WeakSet<pg.PoolClient>();

  /**
   * @param url with one host
   * @param onBreak called when a connection breaks
   */
  constructor(url: string, role: ServerRole, onBreak: () => void) {
    this.host = new URL(url).host;
    this.#role = role;
    this.#onBreak = onBreak;
    this.#pool = new pg.Pool({
      connectionString: url,
      application_name: 'weatherd',
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      idleTimeoutMillis: IDLE_TIMEOUT,
      lock_timeout: LOCK_TIMEOUT,
      statement_timeout: STATEMENT_TIMEOUT,
      idle_in_transaction_session_timeout: TRANSACTION_IDLE_TIMEOUT,
      keepAlive: true,
      types,
    });
    // An idle connection that breaks is replaced at the next use. Without this listener its error would end the process.
    this.#pool.on('error', onBreak);
    // The pool does not listen to connections in use. Their users learn of a break from the statement that fails.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /**
   * A connection, which the caller gives back with `release`.
   *
   * @throws the error of the driver; RoleError
   */
  async connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    if (this.#role === 'any' || this.#accepted.has(client)) return client;
    const { test, refusal } = ROLES[this.#role];
    let isAccepted: boolean;
    try {
      const config = { text: `SELECT ${test} AS accepted`, query_timeout: CONNECT_TIMEOUT };
      const { rows } = await client.query<{ accepted: boolean }>(config);
      isAccepted = rows[0]?.accepted === true;
    } catch (error) {
      this.release(client, true);
      throw error;
    }
    if (!isAccepted) {
      client.release(true);
      throw new RoleError(refusal);
    }
    this.#accepted.add(client);
    return client;
  }

  /** @param isBroken whether the connection cannot be used again */
  release(client: pg.PoolClient, isBroken: boolean): void {
    if (isBroken) this.#onBreak();
    client.release(isBroken);
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}
