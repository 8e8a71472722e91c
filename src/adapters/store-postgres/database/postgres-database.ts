import pg from 'pg';
import { DomainError, isDomainError } from '../../../domain/domain-error.js';
import { locationOf } from './location.js';
import { migrate, SCHEMA } from './migrations.js';
import type { Query } from './query.js';
import { takeOverRows } from './take-over.js';

/** Largest number of connections of one instance. A caller waits for a connection no longer than `CONNECT_TIMEOUT`. */
const MAX_CONNECTIONS = 10;
/** All in milliseconds. */
const CONNECT_TIMEOUT = 5000;
const IDLE_TIMEOUT = 30_000;
const LOCK_TIMEOUT = 5000;
/** After this long the server gives up a statement, and a little later we give up the server. */
const STATEMENT_TIMEOUT = 8000;
const ANSWER_TIMEOUT = 10_000;
const TRANSACTION_IDLE_TIMEOUT = 10_000;
/** Least time between two attempts to write to a database that could not be written. */
const PROBE_INTERVAL = 1000;

const CANNOT_USE = 'The database cannot be used.';
const CANNOT_WRITE = 'The database cannot be written.';

/** Reads a table of ours, and asks whether the session may write: it may not where the server is a standby either. */
const CHECK = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    EXISTS (SELECT FROM ${SCHEMA}.user)`;
/** Makes a file of one page and removes it. Sent as one text, so both take effect together; it leaves nothing behind. */
const PROBE = `CREATE TABLE ${SCHEMA}.write_probe AS SELECT 1 AS one; DROP TABLE ${SCHEMA}.write_probe`;

/** The numbers we keep are times and counts, all below 2^53; the driver would give them as text. */
const INT8 = 20;
const types = {
  getTypeParser: (oid: number) =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid) as (text: string) => unknown),
};

/** A PostgreSQL database, reached through a pool of connections. The pool replaces connections that break. */
export class PostgresDatabase {
  /** Without the credentials. */
  readonly location: string;
  readonly #pool: pg.Pool;
  readonly #breakListeners: (() => void)[] = [];
  readonly #closing: (() => Promise<void>)[] = [];
  /** Why a write has failed, until a write succeeds. */
  #writeFault: DomainError | undefined;
  #probedAt = -Infinity;

  /** @param url postgres://user:password@host:port/database, with options of node-postgres as its query */
  constructor(url: string) {
    this.location = locationOf(url);
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
    this.#pool.on('error', () => this.#broken());
    // The pool does not listen to connections in use. Their users learn of a break from the statement that fails.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /**
   * Brings the schema up to date, and makes it when there is none.
   *
   * @throws DomainError STORE_UNAVAILABLE; its cause says why
   */
  async open(): Promise<void> {
    try {
      await this.transaction(migrate);
      await takeOverRows(this);
    } catch (error) {
      await this.#pool.end();
      throw error;
    }
  }

  /** Whether the schema of this program is there. Rejects with STORE_UNAVAILABLE. */
  async hasSchema(): Promise<boolean> {
    const { rows } = await this.query<{ found: boolean }>(
      `SELECT to_regclass('${SCHEMA}.migration') IS NOT NULL AS found`,
    );
    return rows[0]?.found === true;
  }

  /** Runs one statement. Rejects with STORE_UNAVAILABLE when it fails or takes too long. */
  query: Query = (text, values = []) => this.withConnection((query) => query(text, values));

  /** Runs statements over one connection, each of which takes effect by itself. Rejects with STORE_UNAVAILABLE. */
  async withConnection<T>(work: (query: Query) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | undefined;
    let broken = false;
    const asked = performance.now();
    try {
      const connected = await this.#pool.connect();
      client = connected;
      return await work((text, values = [], patience = ANSWER_TIMEOUT) => {
        const config = { text, values: [...values], query_timeout: patience };
        return connected.query(config);
      });
    } catch (error) {
      broken = !isSound(error);
      if (broken) this.#broken();
      if (isDomainError(error)) throw error;
      const isLate = client === undefined && performance.now() - asked >= CONNECT_TIMEOUT - 1;
      const reason = isLate ? `no connection within ${CONNECT_TIMEOUT} ms` : reasonOf(error);
      const cause = new Error(`${this.location}: ${reason}`, { cause: error });
      const details = { cause, callOnly: isOfCall(error) };
      if (!WRITE_FAULTS.has(codeOf(error))) throw new DomainError('STORE_UNAVAILABLE', CANNOT_USE, details);
      this.#writeFault = new DomainError('STORE_UNAVAILABLE', CANNOT_WRITE, details);
      throw this.#writeFault;
    } finally {
      client?.release(broken);
    }
  }

  /** Runs statements that take effect together or not at all. Rejects with STORE_UNAVAILABLE. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN', work);
  }

  /** Reads the data of one moment, also from a standby. Rejects with STORE_UNAVAILABLE. */
  reading<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work);
  }

  async #transaction<T>(begin: string, work: (query: Query) => Promise<T>): Promise<T> {
    return await this.withConnection(async (query) => {
      await query(begin);
      try {
        const result = await work(query);
        await query('COMMIT');
        return result;
      } catch (error) {
        // A connection that is not sound is closed, which ends the transaction: a server that hangs answers nothing more.
        if (isSound(error)) await query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  /**
   * Looks whether the database can be read and written. It writes only after a write has failed.
   *
   * @throws DomainError STORE_UNAVAILABLE
   */
  async check(): Promise<undefined> {
    await this.withConnection(async (query) => {
      const { rows } = await query<{ isReadOnly: boolean }>(CHECK);
      if (rows[0]?.isReadOnly)
        throw Object.assign(new Error('the session is read-only'), { code: READ_ONLY });
    });
    if (this.#writeFault !== undefined) await this.#probe(this.#writeFault);
  }

  /** Calls `listener` when a connection breaks: the next one may lead to another server, after a failover. */
  onBreak(listener: () => void): void {
    this.#breakListeners.push(listener);
  }

  /** Waits for `work` before the connections are closed. */
  beforeClose(work: () => Promise<void>): void {
    this.#closing.push(work);
  }

  async close(): Promise<void> {
    for (const work of this.#closing) await work();
    await this.#pool.end();
  }

  #broken(): void {
    for (const listener of this.#breakListeners) listener();
  }

  async #probe(fault: DomainError): Promise<void> {
    if (performance.now() - this.#probedAt < PROBE_INTERVAL) throw fault;
    this.#probedAt = performance.now();
    await this.query(PROBE);
    this.#writeFault = undefined;
  }
}

/**
 * After an error reported by the server, or one of our own, the connection can be used again. After any other error its state
 * is unknown, so it is closed. It is also closed after a read-only error, because the session may stay read-only.
 */
function isSound(error: unknown): boolean {
  return isDomainError(error) || (error instanceof pg.DatabaseError && error.code !== READ_ONLY);
}

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';
/** SQLSTATEs that mean that the database cannot be written: besides, disk_full, io_error and insufficient_privilege. */
const WRITE_FAULTS: ReadonlySet<unknown> = new Set([READ_ONLY, '53100', '58030', '42501']);

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/**
 * Classes of SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) that tell of the statement and not of
 * the server: data exception, integrity constraint violation, transaction rollback (a deadlock), program limit exceeded.
 * Time-outs are not among them: trying again part by part would keep everybody else waiting for as long again.
 */
const CLASSES_OF_CALL: ReadonlySet<string | undefined> = new Set(['22', '23', '40', '54']);

function isOfCall(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CLASSES_OF_CALL.has(error.code?.slice(0, 2));
}

/** Whether PostgreSQL can hold `text`. No name of anything has the one character that it cannot. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000');
}

/** Whether a statement in a transaction was refused because a value is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

/** Whether a statement was refused because a column must have a value. */
export function isNotNullViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23502';
}

/** A name with several addresses, none of which answers, fails without a message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  const message = error instanceof Error ? error.message : String(error);
  return message === 'Query read timeout' ? 'no answer in time' : message;
}
