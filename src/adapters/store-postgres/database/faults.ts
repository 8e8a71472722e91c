import pg from 'pg';
import { isDomainError } from '#domain/domain-error.js';
import { CONNECT_TIMEOUT } from './server.js';

/**
 * After an error reported by the server, or one of our own, the connection can be used again. After any other error its state
 * is unknown, so it is closed. It is also closed after a read-only error, because the session may stay read-only.
 */
export function isConnectionUsable(error: unknown): boolean {
  return isDomainError(error) || (error instanceof pg.DatabaseError && error.code !== READ_ONLY);
}

/** SQLSTATE read_only_sql_transaction. */
export const READ_ONLY = '25006';
/** SQLSTATEs that mean that the database cannot be written: besides, disk_full, io_error and insufficient_privilege. */
const WRITE_FAULTS: ReadonlySet<unknown> = new Set([READ_ONLY, '53100', '58030', '42501']);

/** Whether the database cannot be written. */
export function isWriteFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && WRITE_FAULTS.has(error.code);
}

/**
 * Classes of SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) that tell of the statement and not of
 * the server: data exception, integrity constraint violation, transaction rollback (a deadlock), program limit exceeded.
 * Time-outs are not among them: trying again part by part would keep everybody else waiting for as long again.
 */
const CLASSES_OF_CALL: ReadonlySet<string | undefined> = new Set(['22', '23', '40', '54']);

/** Whether the server works, and only this call has failed. */
export function isOfCall(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CLASSES_OF_CALL.has(error.code?.slice(0, 2));
}

/** Classes of SQLSTATE with which the coordinator reports a worker: connection exception, operator intervention, system error. */
const CLASSES_OF_WORKER: ReadonlySet<string | undefined> = new Set(['08', '57', '58']);
/** SQLSTATE query_canceled: a statement took too long. Which server was late is not known. */
const CANCELED = '57014';

/** Whether the coordinator of a distributed database works, and a worker has failed. */
export function isOfWorker(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code === CANCELED) return false;
  return CLASSES_OF_WORKER.has(error.code?.slice(0, 2));
}

/** SQLSTATEs data_corrupted and index_corrupted: a page of a table does not have its checksum, or makes no sense. */
const PAGE_FAULTS: ReadonlySet<unknown> = new Set(['XX001', 'XX002']);

/** Whether the server works, but cannot read a page of a table. */
export function isOfPage(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && PAGE_FAULTS.has(error.code);
}

const NO_ANSWER = `no connection within ${CONNECT_TIMEOUT} ms: correct host and port, or look at the network`;

const UNREACHABLE = 'the host cannot be reached: correct its name, or look at the network';
const WRONG_LOGIN = 'correct the user and the password in the URL of the database';
const TOO_OLD = 'the server may be too old, because weatherd is tested with PostgreSQL 15 and later';

/** What the codes of the system mean, and what to do. */
const MEANINGS: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', 'no server listens there: start it, or correct host and port'],
  ['ENOTFOUND', 'there is no such host: correct its name'],
  ['EAI_AGAIN', 'the name of the host cannot be looked up now: look at the network'],
  ['ETIMEDOUT', UNREACHABLE],
  ['EHOSTUNREACH', UNREACHABLE],
  ['ENETUNREACH', UNREACHABLE],
  ['ECONNRESET', 'the server has closed the connection: its log says why'],
]);

/** What to do for SQLSTATEs whose messages say what is wrong. */
const ADVICE: ReadonlyMap<unknown, string> = new Map([
  ['28000', WRONG_LOGIN],
  ['28P01', WRONG_LOGIN],
  ['3D000', 'make it with CREATE DATABASE, or correct its name in the URL of the database'],
  ['42501', 'grant it to the user, GRANT CREATE ON DATABASE for the schema, or use another user'],
  ['42601', TOO_OLD],
  ['42704', TOO_OLD],
  ['42883', TOO_OLD],
  ['53100', 'make room on the disk of the server'],
  ['53300', 'raise max_connections of the server, or run fewer instances'],
]);

/**
 * What is wrong, and what to do where that is known. A name with several addresses, none of which answers, fails without a
 * message of its own.
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
  return message === 'Query read timeout' ? 'no answer in time' : message;
}

/** Whether a statement was refused because a column must have a value. */
export function isNotNullViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23502';
}
