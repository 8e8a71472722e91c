import pg from 'pg';

/** Maximum number of connections of one instance to a server. A caller waits at most `CONNECT_TIMEOUT` for a connection. */
const MAX_CONNECTIONS = 10;
/** Milliseconds to wait for a connection. The following time limits are in milliseconds too. */
export const CONNECT_TIMEOUT = 5000;
const IDLE_TIMEOUT = 30_000;
const LOCK_TIMEOUT = 5000;
/** Milliseconds after which the server cancels a statement. */
const STATEMENT_TIMEOUT = 8000;
const TRANSACTION_IDLE_TIMEOUT = 10_000;

/**
 * Number of the type int8. The driver would return int8 values as text. Here they are returned as numbers, because they are times
 * and counts below 2^53.
 */
const INT8 = 20;
const types = {
  getTypeParser: (oid: number) =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid) as (text: string) => unknown),
};

/** The role that new connections must have, like `target_session_attrs` of libpq. The driver has no such option. */
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

/** The error for a server that works, but does not have the required role, for example a standby when writes are needed. */
export class RoleError extends Error {
  override readonly name = 'RoleError';
}

/** One PostgreSQL server, reached through a pool of connections. The pool replaces connections that break. */
export class Server {
  /** Host and port of the server. */
  readonly host: string;
  readonly #pool: pg.Pool;
  readonly #role: ServerRole;
  readonly #onBreak: () => void;
  readonly #accepted = new WeakSet<pg.PoolClient>();

  /**
   * @param url URL with one host
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
      // A connection sends a statement at once, even if the answer to the last statement has not arrived. Most callers wait for
      // each answer; see `together` in query.ts.
      pipeline: true,
      types,
    });
    // An idle connection that breaks is replaced at the next use. Without this listener its error would end the process.
    this.#pool.on('error', onBreak);
    // The pool does not listen to errors of connections in use. A caller notices a broken connection by the failed statement.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /**
   * Returns a connection. The caller returns it with `release`.
   *
   * @throws Error of the driver; RoleError if the server has another role
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
