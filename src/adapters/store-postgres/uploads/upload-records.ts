import type { UploadRecord } from '#application/ports/upload-store.js';
import type { Query } from '../database/query.js';

/**
 * Locks the records that are about to be replaced until the transaction ends. As in `lockStates`, missing records are inserted
 * first, and all are locked in the order of their names, so that no two transactions wait for each other. Within a transaction
 * stations are locked before records.
 *
 * @param groups records that are replaced all or none
 * @returns whether each group is outdated: the stored revision of a record is another one, its key is gone, or an earlier group
 *   replaces it
 */
export async function lockRecords(
  query: Query,
  groups: readonly (readonly UploadRecord[])[],
): Promise<boolean[]> {
  const records = groups.flat();
  if (records.length === 0) return groups.map(() => false);
  const made = records.filter(({ revision }) => revision === 0);
  if (made.length > 0) {
    await query(
      `INSERT INTO weatherd.upload_record (name, key, revision, time, text)
       SELECT name, key, 0, 0, '' FROM unnest($1::text[], $2::integer[]) AS made (name, key)
       WHERE key IS NULL OR EXISTS (SELECT FROM weatherd.upload_key WHERE number = key)
       ORDER BY name COLLATE "C" ON CONFLICT (name) DO NOTHING`,
      [made.map(({ name }) => name), made.map(({ key }) => key)],
    );
  }
  const { rows } = await query<{ name: string; revision: number }>(
    `SELECT name, revision FROM weatherd.upload_record WHERE name = ANY($1) ORDER BY name COLLATE "C"
     FOR NO KEY UPDATE`,
    [records.map(({ name }) => name)],
  );
  const stored = new Map(rows.map(({ name, revision }) => [name, revision]));
  return groups.map((group) => {
    if (group.some(({ name, revision }) => stored.get(name) !== revision)) return true;
    for (const { name } of group) stored.delete(name);
    return false;
  });
}

/** Replaces records that the transaction has locked. */
export async function writeRecords(query: Query, records: readonly UploadRecord[]): Promise<void> {
  if (records.length === 0) return;
  await query(
    `UPDATE weatherd.upload_record AS kept SET revision = kept.revision + 1, time = given.time, text = given.text
     FROM unnest($1::text[], $2::bigint[], $3::text[]) AS given (name, time, text) WHERE kept.name = given.name`,
    [records.map(({ name }) => name), records.map(({ time }) => time), records.map(({ text }) => text)],
  );
}
