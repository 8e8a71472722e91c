import { randomInt } from 'node:crypto';
import { type Operation, rowFrom, send } from './run-operation.js';
import { bigint, type Fragment, sql } from './sql.js';

/**
 * Each kind of data has a version, which is a number that each change of these data raises. The version is in a table with one
 * row.
 */
const TABLES = {
  stations: sql`weatherd.station_version`,
  uploadKeys: sql`weatherd.upload_version`,
  alarms: sql`weatherd.alarm_version`,
};
type Versioned = keyof typeof TABLES;
/**
 * Limit of the number by which a change raises a version. The number is random, so that a change is not taken for another one that a
 * server lost with its last commits. 2^53 is reached after 10^10 changes.
 */
const MAX_STEP = 2 ** 20;
/** Locks the row of a version until the transaction ends. SQLite needs no lock, because it has one writer at a time. */
const LOCKED: Fragment = { sqlite: '', postgres: 'FOR UPDATE' };

export function* versionOf(what: Versioned): Operation<string> {
  const row = yield* rowFrom<{ version: number }>(sql`SELECT version FROM ${TABLES[what]}`);
  return String(row?.version);
}

/**
 * Raises the version of some data, within the transaction of the caller. Every transaction that changes these data calls this
 * function or `lockVersion` first. Such transactions run one after the other and cannot deadlock.
 */
export function* raiseVersion(what: Versioned): Operation<number> {
  return yield* send(sql`UPDATE ${TABLES[what]} SET version = version + ${bigint(randomInt(1, MAX_STEP))}`);
}

/** Locks a version without raising it. A transaction uses this function if it may turn out to change nothing. */
export function* lockVersion(what: Versioned): Operation<number> {
  return yield* send(sql`SELECT version FROM ${TABLES[what]} ${LOCKED}`);
}
