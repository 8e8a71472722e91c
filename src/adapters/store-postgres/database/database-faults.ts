import pg from 'pg';
import { isDomainError } from '#domain/domain-error.js';
import { CONNECT_TIMEOUT } from './server.js';

/**
 * Whether a connection can be used after an error. The result is true after a domain error, and after an error that the server
 * has reported. It is false after a read-only error, because the session may stay read-only, and after the message with which the
 * server closes the connection. It is also false after any other error, because the state of the connection is then unknown.
 */
export function isConnectionUsable(error: unknown): boolean {
  if (isDomainError(error)) return true;
  return error instanceof pg.DatabaseError && error.code !== READ_ONLY && !error.code?.startsWith(CLOSED);
}

/** Beginning of the SQLSTATEs with which a server closes a connection, for example 57P01, admin_shutdown. */
const CLOSED = '57P';
/** SQLSTATE read_only_sql_transaction. */
export const READ_ONLY = '25006';
/** SQLSTATEs of a database that cannot be written: READ_ONLY, disk_full, io_error and insufficient_privilege. */
const WRITE_FAULTS: ReadonlySet<unknown> = new Set([READ_ONLY, '53100', '58030', '42501']);

/** Whether the database cannot be written. */
export function isWriteFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && WRITE_FAULTS.has(error.code);
}

/**
 * Classes of SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) whose cause is the statement and not the
 * server: data exception, integrity constraint violation, transaction rollback (a deadlock), program limit exceeded.
 *
 * One transaction may contain the writes of several callers. After such an error, these writes are repeated in smaller groups, so
 * that only the write with the error fails. Time-outs do not belong to these classes, because a repeated write could run into a
 * second time-out, and all callers would have to wait for it.
 */
const CLASSES_OF_CALL: ReadonlySet<string | undefined> = new Set(['22', '23', '40', '54']);

/** Whether the server works, and only this call has failed. */
export function isCallFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CLASSES_OF_CALL.has(error.code?.slice(0, 2));
}

/**
 * Classes of SQLSTATE with which a distributed database reports that a worker has failed: connection exception, operator
 * intervention, system error. The workers are the servers that store the observations. This program connects to the
 * coordinator, which reports the failure of a worker.
 */
const CLASSES_OF_WORKER: ReadonlySet<string | undefined> = new Set(['08', '57', '58']);
/** SQLSTATE query_canceled: a statement took too long. The code does not say which server was slow. */
const CANCELED = '57014';

/** Whether the coordinator of a distributed database works, and a worker has failed. */
export function isWorkerFault(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code === CANCELED) return false;
  return CLASSES_OF_WORKER.has(error.code?.slice(0, 2));
}

/** SQLSTATE lock_not_available: another connection held a lock longer than LOCK_TIMEOUT. */
const LOCKED = '55P03';

/** Whether the server works, and another connection holds a lock. */
export function isLockFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCKED;
}

/** SQLSTATEs data_corrupted and index_corrupted: the checksum or the content of a page is wrong. */
const PAGE_FAULTS: ReadonlySet<unknown> = new Set(['XX001', 'XX002']);

/** Whether the server works, but cannot read a page of a table. */
export function isPageFault(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && PAGE_FAULTS.has(error.code);
}

const NO_ANSWER = `the server accepted no connection within ${CONNECT_TIMEOUT} ms: correct host and port, or check the network`;

const UNREACHABLE = 'the host cannot be reached: correct its name, or check the network';
const WRONG_LOGIN = 'correct the user and the password in the URL of the database';
const TOO_OLD = 'the server may be too old, because weatherd is tested with PostgreSQL 15 and later';

/** Meanings of error codes of the operating system and of SQLSTATEs whose messages say little, with advice. */
const MEANINGS: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', 'no server listens there: start it, or correct host and port'],
  ['ENOTFOUND', 'the host does not exist: correct its name'],
  ['EAI_AGAIN', 'the name of the host cannot be resolved now: check the network'],
  ['ETIMEDOUT', UNREACHABLE],
  ['EHOSTUNREACH', UNREACHABLE],
  ['ENETUNREACH', UNREACHABLE],
  [
    LOCKED,
    'a lock did not become free in time: another instance is changing the same data, or has ended and the server has not noticed it yet',
  ],
  ['ECONNRESET', 'the server has closed the connection: its log says why'],
]);

/** Advice for SQLSTATEs. Their messages already say what is wrong. */
const ADVICE: ReadonlyMap<unknown, string> = new Map([
  ['28000', WRONG_LOGIN],
  ['28P01', WRONG_LOGIN],
  ['3D000', 'create it with CREATE DATABASE, or correct its name in the URL of the database'],
  ['42501', 'grant the privilege to the user (GRANT CREATE ON DATABASE for the schema), or use another user'],
  ['42601', TOO_OLD],
  ['42704', TOO_OLD],
  ['42883', TOO_OLD],
  ['53100', 'free disk space on the server'],
  ['53300', 'raise max_connections of the server, or run fewer instances'],
]);

/**
 * Describes an error, with advice where it is known. If a host has several addresses and none of them answers, the error has no
 * message. The description then joins the reasons of all addresses.
 *
 * @param isLate whether no connection was made in time
 */
export function databaseReason(error: unknown, isLate = false): string {
  if (isLate) return NO_ANSWER;
  if (error instanceof AggregateError && error.message === '')
    return [...new Set(error.errors.map((one) => databaseReason(one)))].join(', ');
  const { message = String(error), code } = error as { readonly message?: string; readonly code?: string };
  const meaning = MEANINGS.get(code);
  if (meaning !== undefined) return `${meaning} (${message})`;
  const advice = ADVICE.get(code);
  if (advice !== undefined) return `${message}: ${advice}`;
  return message === 'Query read timeout' ? 'the server did not answer in time' : message;
}

/** Whether a statement failed because a column must not be NULL. */
export function isNotNullViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23502';
}
