import { type Operation, rowFrom, send } from './operation.js';
import { type Fragment, sql } from './sql.js';

/** The tables of the versions, of one row each. A version rises with each change. */
const TABLES = {
  stations: sql`weatherd.station_version`,
  uploadKeys: sql`weatherd.upload_version`,
  alarms: sql`weatherd.alarm_version`,
};
type Versioned = keyof typeof TABLES;
/** In SQLite a transaction is the only writer. */
const LOCKED: Fragment = { sqlite: '', postgres: 'FOR UPDATE' };

export function* versionOf(what: Versioned): Operation<string> {
  const row = yield* rowFrom<{ version: number }>(sql`SELECT version FROM ${TABLES[what]}`);
  return String(row?.version);
}

/**
 * Raises a version, within the transaction of the caller. As the first statement of every transaction that changes something, this or
 * `lockVersion` serializes them, so that they cannot deadlock.
 */
export function* raiseVersion(what: Versioned): Operation<number> {
  return yield* send(sql`UPDATE ${TABLES[what]} SET version = version + 1`);
}

/** For a transaction that may change nothing. */
export function* lockVersion(what: Versioned): Operation<number> {
  return yield* send(sql`SELECT version FROM ${TABLES[what]} ${LOCKED}`);
}
