import pg from 'pg';
import { DomainError, isDomainError } from '../../../domain/domain-error.js';
import { distribute } from './distribution.js';
import { isOfCall, isOfWorker, isSound, isWriteFault, READ_ONLY, reasonOf } from './faults.js';
import { locationOf } from './location.js';
import { migrate, SCHEMA } from './migrations.js';
import type { Parameter, Query } from './query.js';
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
/**
 * In a distributed database a connection uses one connection to each worker, so that their number is limited, and all
 * statements of a transaction see the same data of a worker.
 */
const ONE_CONNECTION = 'SET citus.max_adaptive_executor_pool_size = 1';
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
  #isDistributed = false;
  /** Connections with the settings of a distributed database. */
  readonly #prepared = new WeakSet<pg.PoolClient>();
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
   * @param mustDistribute whether to distribute the tables of observations, if they are not distributed yet
   * @throws DomainError STORE_UNAVAILABLE; its cause says why
   */
  async open(mustDistribute = false): Promise<void> {
    try {
      this.#isDistributed = await this.transaction(async (query) => {
        await migrate(query);
        return await distribute(query, mustDistribute);
      });
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

  /** Whether the tables of observations are distributed by block; see distribution.ts. */
  get isDistributed(): boolean {
    return this.#isDistributed;
  }

  /** Runs one statement. Rejects with STORE_UNAVAILABLE when it fails or takes too long. */
  query = <R extends pg.QueryResultRow>(text: string, values: readonly Parameter[] = []) =>
    this.withConnection((query) => query<R>(text, values));

  /** Runs statements over one connection, each of which takes effect by itself. Rejects with STORE_UNAVAILABLE. */
  async withConnection<T>(work: (query: Query) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | undefined;
    let broken = false;
    const asked = performance.now();
    try {
      const connected = await this.#pool.connect();
      client = connected;
      await this.#prepare(connected);
      return await work(this.#over(connected));
    } catch (error) {
      broken = !isSound(error);
      const partOnly = this.#isDistributed && isOfWorker(error);
      if (broken || partOnly) this.#broken();
      if (isDomainError(error)) throw error;
      const isLate = client === undefined && performance.now() - asked >= CONNECT_TIMEOUT - 1;
      const reason = isLate ? `no connection within ${CONNECT_TIMEOUT} ms` : reasonOf(error);
      const cause = new Error(`${this.location}: ${reason}`, { cause: error });
      const details = { cause, callOnly: isOfCall(error), partOnly };
      if (!isWriteFault(error)) throw new DomainError('STORE_UNAVAILABLE', CANNOT_USE, details);
      this.#writeFault = new DomainError('STORE_UNAVAILABLE', CANNOT_WRITE, details);
      throw this.#writeFault;
    } finally {
      client?.release(broken);
    }
  }

  #over(client: pg.PoolClient): Query {
    const send = <R extends pg.QueryResultRow>(
      text: string,
      values: readonly Parameter[] = [],
      patience = ANSWER_TIMEOUT,
    ) => client.query<R>({ text, values: [...values], query_timeout: patience } as pg.QueryConfig);
    return Object.assign(send, { isDistributed: this.#isDistributed });
  }

  async #prepare(client: pg.PoolClient): Promise<void> {
    if (!this.#isDistributed || this.#prepared.has(client)) return;
    await client.query(ONE_CONNECTION);
    this.#prepared.add(client);
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

  /** Calls `listener` when a connection breaks, also one to a worker: the next may lead to another server, after a failover. */
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
