import type pg from 'pg';
import type { Check } from '#application/ports/check.js';
import { DomainError, isDomainError } from '#domain/domain-error.js';
import { distribute } from './distribution.js';
import {
  isCallFault,
  isLockFault,
  isPageFault,
  isWorkerFault,
  isConnectionUsable,
  isWriteFault,
  READ_ONLY,
  databaseReason,
} from './database-faults.js';
import { locationOf } from './location.js';
import { migrate, outdatedBy, SCHEMA } from './migrations.js';
import { type PrimaryConnection, Primary } from './primary.js';
import { type PrimaryNotices, PrimaryWatch } from './primary-watch.js';
import { type Parameter, type Query, queryAll, queryOf, sentBehind, together } from './query.js';
import { Replicas } from './replicas.js';
import { CONNECT_TIMEOUT } from './server.js';
import { takeOverRows } from './take-over.js';
import { POSITION, WalPosition } from './wal-position.js';

/** Milliseconds to wait for an answer. The server cancels a statement a little earlier. */
const ANSWER_TIMEOUT = 10_000;
/** Minimum time in milliseconds between two attempts to write to a database that could not be written. */
const PROBE_INTERVAL = 1000;
/** Seconds after which a caller may try again. A failover takes longer than most other faults. */
const RETRY_AFTER = 2;

const CANNOT_USE = 'The database cannot be used.';
const LOCKED = 'The database is waiting for another of its users.';
const CANNOT_WRITE = 'The database cannot be written.';

/** Reads a table of weatherd, the schema version, and whether the session is read-only. A session on a standby is read-only too. */
const CHECK = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    (SELECT max(version) FROM ${SCHEMA}.migration) AS version,
    EXISTS (SELECT FROM ${SCHEMA}.user)`;
/**
 * Makes a connection to the coordinator of a distributed database use only one connection to each worker. This limits the number of
 * connections, and all statements of a transaction see the same data of a worker.
 */
const ONE_CONNECTION = 'SET citus.max_adaptive_executor_pool_size = 1';
/**
 * Tests whether the database can be written: creates a table of one page and drops the table. Both statements are sent as one
 * text and are thus one transaction, so nothing remains.
 */
const PROBE = `CREATE TABLE ${SCHEMA}.write_probe AS SELECT 1 AS one; DROP TABLE ${SCHEMA}.write_probe`;

/** A PostgreSQL database: the primary, which accepts writes, and its replicas. */
export class PostgresDatabase {
  /** The location of the database, without the credentials. */
  readonly location: string;
  readonly #primary: Primary;
  readonly #replicas: Replicas | undefined;
  readonly #position = new WalPosition();
  readonly #watch: PrimaryWatch;
  readonly #breakListeners: (() => void)[] = [];
  readonly #closing: (() => Promise<void>)[] = [];
  /** The error of the last write; undefined if the last write succeeded. */
  #writeFault: DomainError | undefined;
  /**
   * The error of all calls after a newer version of this program has changed the schema. The newer version may write data that this
   * version would treat as damaged.
   */
  #outdated: DomainError | undefined;
  /** The message of the server about the damaged page that was read last; undefined if none was read since the start. */
  pageFault: string | undefined;
  #isDistributed = false;
  /** The connections that already have the settings for a distributed database. */
  readonly #prepared = new WeakSet<pg.PoolClient>();
  #probedAt = -Infinity;

  /**
   * @param url `postgres://user:password@host:port,host:port/database`; its query may contain options of node-postgres
   * @param readUrl URL of the replicas, in the same form
   */
  constructor(url: string, readUrl?: string) {
    this.location = locationOf(url);
    const onBreak = () => this.#broken();
    this.#primary = new Primary(url, onBreak);
    this.#replicas = readUrl === undefined ? undefined : new Replicas(readUrl, this.#position, onBreak);
    this.#watch = new PrimaryWatch(
      () => this.#primary.connect(),
      (position, askedAt) => this.#position.noteOfPrimary(position, askedAt),
    );
  }

  /** The check of the replicas, if there are any. It may fail although the rest of the database works. */
  get checks(): readonly Check[] {
    return this.#replicas === undefined ? [] : [this.#replicas];
  }

  /**
   * Migrates the schema. Creates it if it does not exist.
   *
   * @param mustDistribute whether to distribute the tables of observations, if they are not distributed yet
   * @throws DomainError STORE_UNAVAILABLE; its cause has the reason
   */
  async open(mustDistribute = false): Promise<void> {
    try {
      this.#isDistributed = await this.transaction(async (query) => {
        await migrate(query);
        return await distribute(query, mustDistribute);
      });
      await takeOverRows(this);
    } catch (error) {
      await this.#end();
      throw error;
    }
    if (this.#replicas !== undefined) this.#watch.start();
  }

  /** Whether the schema of this program exists. Rejects with STORE_UNAVAILABLE. */
  async hasSchema(): Promise<boolean> {
    const { rows } = await this.query<{ found: boolean }>(
      `SELECT to_regclass('${SCHEMA}.migration') IS NOT NULL AS found`,
    );
    return rows[0]?.found === true;
  }

  /** Whether the tables of observations are distributed over several servers; see distribution.ts. */
  get isDistributed(): boolean {
    return this.#isDistributed;
  }

  /** Runs one statement. Rejects with STORE_UNAVAILABLE when it fails or takes too long. */
  query = <R extends pg.QueryResultRow>(text: string, values: readonly Parameter[] = []) =>
    this.withConnection((query) => query<R>(text, values));

  /** Reads with one statement, from a replica if possible. Rejects with STORE_UNAVAILABLE. */
  async read<R extends pg.QueryResultRow>(text: string, values: readonly Parameter[] = []) {
    if (this.#replicas === undefined) return await this.query<R>(text, values);
    return await this.reading((query) => query<R>(text, values));
  }

  /** Runs statements on one connection. Each statement commits separately. Rejects with STORE_UNAVAILABLE. */
  async withConnection<T>(work: (query: Query) => Promise<T>): Promise<T> {
    this.#assertCurrent();
    return await this.#connected(work);
  }

  async #connected<T>(work: (query: Query) => Promise<T>): Promise<T> {
    let connection: PrimaryConnection | undefined;
    let isBroken = false;
    const asked = performance.now();
    try {
      connection = await this.#primary.connect();
      await this.#prepare(connection.client);
      return await work(queryOf(connection.client, ANSWER_TIMEOUT, this.#isDistributed));
    } catch (error) {
      isBroken = !isConnectionUsable(error);
      const isAway = this.#isDistributed && isWorkerFault(error);
      if (isAway) this.#broken();
      if (isPageFault(error)) this.pageFault = error.message;
      if (isDomainError(error)) throw error;
      const isLate = connection === undefined && performance.now() - asked >= CONNECT_TIMEOUT - 1;
      const reason = databaseReason(error, isLate);
      const cause = new Error(`${this.location}: ${reason}`, { cause: error });
      const partOnly = isAway || isPageFault(error);
      const locked = isLockFault(error);
      const details = { cause, callOnly: isCallFault(error), partOnly, locked, retryAfter: RETRY_AFTER };
      const message = locked ? LOCKED : CANNOT_USE;
      if (!isWriteFault(error)) throw new DomainError('STORE_UNAVAILABLE', message, details);
      this.#writeFault = new DomainError('STORE_UNAVAILABLE', CANNOT_WRITE, { ...details, readOnly: true });
      throw this.#writeFault;
    } finally {
      connection?.release(isBroken);
    }
  }

  async #prepare(client: pg.PoolClient): Promise<void> {
    if (!this.#isDistributed || this.#prepared.has(client)) return;
    await client.query(ONE_CONNECTION);
    this.#prepared.add(client);
  }

  /** Runs statements in one transaction. Rejects with STORE_UNAVAILABLE. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN', work, this.#withPosition('COMMIT'));
  }

  /**
   * Runs statements in one transaction, with few round trips: BEGIN is sent together with the first statements, and COMMIT together
   * with the last. Rejects with STORE_UNAVAILABLE.
   *
   * @param work returns its result and the statements for whose answers it did not wait. The statements that it sends before it
   *   first waits for an answer must change nothing, because they are sent before BEGIN has succeeded
   */
  async pipelined<T>(
    work: (query: Query) => Promise<{ readonly result: T; readonly sent: readonly Promise<unknown>[] }>,
  ): Promise<T> {
    return await this.withConnection(async (query) => {
      const begun = query('BEGIN');
      // The statements after BEGIN report its error.
      begun.catch(() => undefined);
      try {
        const { result, sent } = await work(sentBehind(begun, query));
        // If one of the statements fails, the server ends the transaction without its changes at COMMIT.
        await together([begun, ...sent, this.#send(query, this.#withPosition('COMMIT'))]);
        return result;
      } catch (error) {
        await this.#rollBack(query, error);
        throw error;
      }
    });
  }

  /**
   * Reads from one snapshot, from a replica if possible. The snapshot includes all writes that this instance has acknowledged, and
   * is not older than the snapshots of earlier reads. Rejects with STORE_UNAVAILABLE.
   *
   * @param work may be called a second time, for the primary
   */
  async reading<T>(work: (query: Query, isReplica: boolean) => Promise<T>): Promise<T> {
    this.#assertCurrent();
    // The workers of a distributed database have no replicas that this program knows, so the primary answers.
    const read = this.#isDistributed ? undefined : await this.#replicas?.read((query) => work(query, true));
    if (read !== undefined) return read.value;
    const begin = this.#withPosition('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await this.#transaction(begin, (query) => work(query, false), 'COMMIT');
  }

  /**
   * Adds to a statement a query for the current position in the write-ahead log. The position is recorded, and later reads use a
   * replica only if the replica has reached this position. These reads are therefore not older than this transaction.
   */
  #withPosition(statement: string): string {
    return this.#replicas === undefined ? statement : `${statement}; SELECT ${POSITION} AS position`;
  }

  async #transaction<T>(begin: string, work: (query: Query) => Promise<T>, commit: string): Promise<T> {
    return await this.withConnection(async (query) => {
      try {
        await this.#send(query, begin);
        const result = await work(query);
        await this.#send(query, commit);
        return result;
      } catch (error) {
        await this.#rollBack(query, error);
        throw error;
      }
    });
  }

  async #rollBack(query: Query, error: unknown): Promise<void> {
    // A broken connection is closed, which ends the transaction. A server that hangs would not answer ROLLBACK.
    if (isConnectionUsable(error)) await query('ROLLBACK').catch(() => undefined);
  }

  async #send(query: Query, text: string): Promise<void> {
    if (this.#replicas === undefined) return void (await query(text));
    const results = [await queryAll<{ position?: number }>(query, text)].flat();
    for (const { rows } of results) this.#position.note(rows[0]?.position);
  }

  /**
   * Checks that the database can be read, accepts writes, and still has the schema of this version. It writes something as a test
   * only if the last write of this instance has failed.
   *
   * @throws DomainError STORE_UNAVAILABLE
   */
  async check(): Promise<undefined> {
    await this.#connected(async (query) => {
      const { rows } = await query<{ isReadOnly: boolean; version: number }>(CHECK);
      this.#outdated = outdatedBy(rows[0]?.version ?? 0, this.location);
      this.#assertCurrent();
      if (rows[0]?.isReadOnly)
        throw Object.assign(new Error('the session is read-only'), { code: READ_ONLY });
    });
    if (this.#writeFault !== undefined) await this.#probe(this.#writeFault);
  }

  #assertCurrent(): void {
    if (this.#outdated !== undefined) throw this.#outdated;
  }

  /**
   * Calls `listener` when a connection to the database or to a worker breaks: after a failover, the next connection may reach another
   * server.
   */
  onBreak(listener: () => void): void {
    this.#breakListeners.push(listener);
  }

  /** Passes the notices (NOTIFY of PostgreSQL) of all instances to `notices`, and tells it when notices may have been lost. */
  listen(notices: PrimaryNotices): void {
    this.#watch.listen(notices);
  }

  /** Waits for `work` before the connections are closed. */
  beforeClose(work: () => Promise<void>): void {
    this.#closing.push(work);
  }

  async close(): Promise<void> {
    for (const work of this.#closing) await work();
    await this.#watch.stop();
    await this.#end();
  }

  async #end(): Promise<void> {
    await this.#primary.end();
    await this.#replicas?.end();
  }

  #broken(): void {
    this.#position.forget();
    for (const listener of this.#breakListeners) listener();
  }

  async #probe(fault: DomainError): Promise<void> {
    if (performance.now() - this.#probedAt < PROBE_INTERVAL) throw fault;
    this.#probedAt = performance.now();
    await this.query(PROBE);
    this.#writeFault = undefined;
  }
}
