import { closedImport, type UndoCounts } from '#domain/weather/undo/undo-counts.js';
import { encodeJournal, type JournalPart } from '#adapters/formats/packed/journal-codec.js';
import type { Query } from '../database/query.js';

/**
 * The table `import_journal`: what each commit of an import has changed. All functions run within a transaction, which
 * locks imports before stations, so that no two transactions wait for each other.
 */

/**
 * Locks imports for a write.
 *
 * @returns for each that is open whether it is forgotten
 */
export async function lockOpenImports(
  query: Query,
  numbers: ReadonlySet<number>,
): Promise<ReadonlyMap<number, boolean>> {
  if (numbers.size === 0) return new Map();
  const { rows } = await query<{ number: number; forgotten: boolean }>(
    `SELECT number, forgotten FROM weatherd.file_import
     WHERE number = ANY($1) AND ended_at IS NULL AND undo_started_at IS NULL ORDER BY number FOR UPDATE`,
    [[...numbers]],
  );
  return new Map(rows.map(({ number, forgotten }) => [number, forgotten]));
}

/**
 * @param isForgotten whether the changes need not be kept; undefined for an import that is not open
 * @throws DomainError REQUEST_INVALID if it is not open, unless nothing has changed
 */
export async function addToJournal(
  query: Query,
  number: number,
  parts: readonly JournalPart[],
  isForgotten: boolean | undefined,
): Promise<void> {
  if (parts.length === 0) return;
  if (isForgotten === undefined) throw closedImport();
  const rows = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  const data = isForgotten ? Buffer.alloc(0) : encodeJournal(number, parts);
  await query(
    `WITH stations AS (
       INSERT INTO weatherd.import_station (import, station)
       SELECT DISTINCT $1::integer, station FROM unnest($2::integer[]) AS station ON CONFLICT DO NOTHING
     )
     UPDATE weatherd.file_import SET rows = rows + $3, bytes = bytes + $4 WHERE number = $1`,
    [number, parts.map(({ station }) => station), rows, data.length],
  );
  if (isForgotten) return;
  await query('INSERT INTO weatherd.import_journal (import, rows, data) VALUES ($1, $2, $3)', [
    number,
    rows,
    data,
  ]);
}

/** What is left to be undone of an import. */
export interface JournalEnd {
  readonly counts: UndoCounts | null;
  /** The newest entry; undefined if nothing is left. */
  readonly entry: { readonly id: number; readonly rows: number; readonly data: Buffer } | undefined;
}

/** Locks an import and reads the newest entry of its journal. */
export async function lockJournal(query: Query, number: number): Promise<JournalEnd> {
  const { rows } = await query<{ counts: UndoCounts | null }>(
    'SELECT undo_counts AS counts FROM weatherd.file_import WHERE number = $1 FOR UPDATE',
    [number],
  );
  const { rows: entries } = await query<{ id: number; rows: number; data: Buffer }>(
    'SELECT id, rows, data FROM weatherd.import_journal WHERE import = $1 ORDER BY id DESC LIMIT 1',
    [number],
  );
  return { counts: rows[0]?.counts ?? null, entry: entries[0] };
}

export async function removeEntry(
  query: Query,
  number: number,
  { id, data }: NonNullable<JournalEnd['entry']>,
  counts: UndoCounts,
): Promise<void> {
  await query('DELETE FROM weatherd.import_journal WHERE id = $1', [id]);
  await query('UPDATE weatherd.file_import SET bytes = bytes - $2, undo_counts = $3 WHERE number = $1', [
    number,
    data.length,
    JSON.stringify(counts),
  ]);
}
