import type { RowBlobKind } from '#adapters/formats/packed/blob.js';
import { dayOfKey, stationOfKey } from '#adapters/formats/packed/chunk-key.js';
import type { Damage } from '#adapters/packed-store/damage.js';
import type { Query } from '../database/query.js';

interface DamagedRow extends Omit<Damage, 'kind'> {
  readonly block: number;
  readonly kind: RowBlobKind;
}

/** Reads the damaged blobs (packed rows) that were moved into the table `damaged`, for these blocks (groups of 64 stations). */
export async function readDamage(query: Query, blocks: readonly number[]): Promise<Map<number, Damage[]>> {
  const found = new Map<number, Damage[]>();
  if (blocks.length === 0) return found;
  const { rows } = await query<DamagedRow>(
    `SELECT block, kind, key, stations, first, last, rows, reason FROM weatherd.damaged
     WHERE block = ANY($1) ORDER BY block, kind, key`,
    [[...blocks]],
  );
  for (const { block, ...damage } of rows) {
    const own = found.get(block) ?? [];
    found.set(block, own);
    own.push(damage);
  }
  return found;
}

/** Reads all damaged blobs (packed rows) that were moved into the table `damaged`. */
export async function readAllDamage(query: Query): Promise<readonly Damage[]> {
  const { rows } = await query<DamagedRow>(
    'SELECT kind, key, stations, first, last, rows, reason FROM weatherd.damaged ORDER BY found_at, block, key',
  );
  return rows;
}

/**
 * Moves a damaged blob (packed rows) into the table `damaged`, so that merging and reading continue without it. Does nothing if
 * the blob was moved before. The transaction of the caller must have locked the block (group of 64 stations) for merging.
 */
export async function putAside(query: Query, block: number, damage: Damage): Promise<void> {
  const { kind, key, stations, first, last, rows, reason } = damage;
  const [table, where, values] =
    kind === 'run'
      ? ['run', 'id = $2', [key]]
      : ['chunk', 'station = $2 AND day = $3', [stationOfKey(key), dayOfKey(key)]];
  const { rows: found } = await query<{ data: Buffer }>(
    `DELETE FROM weatherd.${table} WHERE block = $1 AND ${where} RETURNING data`,
    [block, ...values],
  );
  const [blob] = found;
  if (blob === undefined) return;
  await query(
    `INSERT INTO weatherd.damaged (block, kind, key, stations, first, last, rows, reason, found_at, data)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (block, kind, key) DO UPDATE SET reason = excluded.reason, data = excluded.data`,
    [
      block,
      kind,
      key,
      stations === null ? null : [...stations],
      first,
      last,
      rows,
      reason,
      Date.now(),
      blob.data,
    ],
  );
  await query(
    `UPDATE weatherd.block SET damaged = (SELECT count(*) FROM weatherd.damaged WHERE block = $1) WHERE block = $1`,
    [block],
  );
}
