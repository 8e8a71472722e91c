import type { RecordStore, StoredRecord } from '#application/ports/record-store.js';
import { type Operation, rowFrom, rowsFrom, send } from './run-operation.js';
import { CODE_POINTS, type Fragment, type Part, rowsOf, sql, text } from './sql.js';
import { type OperationsOf, present, transaction, write } from './store-operations.js';

const GIVEN = rowsOf({ name: 'text', key: 'integer', time: 'bigint', text: 'text' });
const NAMES = rowsOf({ name: 'text' });
/** Locks rows until the transaction ends. SQLite needs no lock, because it has one writer at a time. */
const LOCKED: Fragment = { sqlite: '', postgres: 'FOR NO KEY UPDATE' };

/**
 * A condition: the name of a record begins with `prefix`. SQLite looks for names from `prefix` up to `prefix` followed by the
 * byte 0xff, so that it can use the index of the names. Valid UTF-8 never contains this byte, so no name with this prefix is
 * missed.
 */
const hasPrefix = (prefix: string): Part => [
  { sqlite: 'name >= ', postgres: 'left(name, length(' },
  text(prefix),
  { sqlite: ' AND name < ', postgres: ')) = ' },
  text(prefix),
  { sqlite: " || x'ff'", postgres: '' },
];

/**
 * The record with this name. A record of revision 0 is ignored: a transaction has inserted the record, but has not written its
 * content yet.
 */
export function recordNamed(name: string): Operation<StoredRecord | undefined> {
  return rowFrom<StoredRecord>(
    sql`SELECT name, key, revision, time, text FROM weatherd.upload_record WHERE name = ${name} AND revision > 0`,
  );
}

/** The records whose names begin with `prefix`, by name. */
export function recordsWith(prefix: string): Operation<readonly StoredRecord[]> {
  return rowsFrom<StoredRecord>(
    sql`SELECT name, key, revision, time, text FROM weatherd.upload_record
        WHERE ${hasPrefix(prefix)} AND revision > 0 ORDER BY name ${CODE_POINTS}`,
  );
}

/**
 * Locks records until the transaction ends, and finds those that must not be replaced. A record is a small text, for example the
 * rain counters that a sender has last sent.
 *
 * Records that do not exist yet are inserted first, so that they can be locked too. To prevent deadlocks, a transaction locks
 * stations before records, and locks the records in the order of their names.
 *
 * @param groups the records that the caller wants to replace. Each group is replaced as a whole or not at all
 * @returns for each group, whether it is outdated and must not be replaced. A group is outdated in three cases: the stored
 *   revision of a record differs from the given revision, the upload key of a record was removed, or an earlier group replaces
 *   the same record
 */
export function* lockRecords(groups: readonly (readonly StoredRecord[])[]): Operation<readonly boolean[]> {
  const records = groups.flat();
  if (records.length === 0) return groups.map(() => false);
  const added = records.filter(({ revision }) => revision === 0);
  if (added.length > 0)
    yield* send(
      sql`INSERT INTO weatherd.upload_record (name, key, revision, time, text)
          SELECT name, key, 0, time, '' FROM ${GIVEN(added)}
          WHERE key IS NULL OR EXISTS (SELECT 1 FROM weatherd.upload_key WHERE number = given.key)
          ORDER BY name ${CODE_POINTS} ON CONFLICT (name) DO NOTHING`,
    );
  const rows = yield* rowsFrom<Pick<StoredRecord, 'name' | 'revision'>>(
    sql`SELECT name, revision FROM weatherd.upload_record WHERE name IN (SELECT name FROM ${NAMES(records)})
        ORDER BY name ${CODE_POINTS} ${LOCKED}`,
  );
  const stored = new Map(rows.map(({ name, revision }) => [name, revision]));
  const isOutdated = groups.map((group) => {
    if (group.some(({ name, revision }) => stored.get(name) !== revision)) return true;
    for (const { name } of group) stored.delete(name);
    return false;
  });
  const unused = added.filter(({ name }) => stored.get(name) === 0);
  if (unused.length > 0)
    yield* send(
      sql`DELETE FROM weatherd.upload_record WHERE name IN (SELECT name FROM ${NAMES(unused)}) AND revision = 0`,
    );
  return isOutdated;
}

/** Replaces records that the transaction has locked. */
export function* writeRecords(records: readonly StoredRecord[]): Operation<void> {
  if (records.length === 0) return;
  yield* send(
    sql`UPDATE weatherd.upload_record SET revision = upload_record.revision + 1, time = given.time, text = given.text
        FROM ${GIVEN(records)} WHERE upload_record.name = given.name`,
  );
}

/** Implements `RecordStore.put`, within the transaction of the caller. */
export function* putRecords(records: readonly StoredRecord[]): Operation<readonly string[]> {
  const isOutdated = yield* lockRecords(records.map((record) => [record]));
  yield* writeRecords(records.filter((_record, index) => isOutdated[index] === false));
  return records.filter((_record, index) => isOutdated[index]).map(({ name }) => name);
}

/** Implements `RecordStore.purge`. */
export function* purgeRecords(prefix: string, time: number): Operation<void> {
  yield* send(sql`DELETE FROM weatherd.upload_record WHERE ${hasPrefix(prefix)} AND time < ${time}`);
}

export const RECORDS: OperationsOf<RecordStore> = {
  records: present(recordsWith),
  record: present(recordNamed),
  put: transaction(putRecords),
  purge: write(purgeRecords),
};
