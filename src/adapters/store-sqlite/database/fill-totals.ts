import type { Database } from 'better-sqlite3';
import { decodeAll, openChunk, type ChunkRow } from '#adapters/formats/packed/decoded-series.js';
import { checksumOf, type NewestRow, StationStates } from '#adapters/packed-store/station-states.js';
import { Quarantine } from '../damage/quarantine.js';
import { ChunkWriter } from '../observations/chunk-writer.js';
import { allKeysOf } from '../observations/key-range.js';
import { NewestTable } from '../observations/newest-table.js';
import { ObservationReader } from '../observations/observation-reader.js';
import { RunMerger } from '../observations/run-merger.js';

/**
 * Counts the rows of all stations in a data file of version 1.0.0. Later versions store the number of rows of each station, and
 * version 1.0.0 did not.
 *
 * The rows are counted in chunks (packed rows of some days of a station). Rows that are still in runs (packed rows of one commit
 * each) are moved into chunks first, because a run of version 1.0.0 does not say how many of its rows are new.
 *
 * All changes are one transaction, because another process may count the rows of the same file at the same time.
 */
export function fillTotals(database: Database): void {
  const missing = database.prepare<[], number>('SELECT station FROM newest WHERE rows IS NULL').pluck();
  const oldRuns = database.prepare<[], number>('SELECT 1 FROM run WHERE first IS NULL LIMIT 1').pluck();
  const isMissing = () => missing.get() !== undefined || oldRuns.get() !== undefined;
  if (!isMissing()) return;
  database
    .transaction(() => {
      if (!isMissing()) return;
      const reader: ObservationReader = new ObservationReader(database, (damage) => quarantine.add(damage));
      const quarantine = new Quarantine(database, reader.lists);
      const before = new Set(missing.all());
      for (const run of reader.snapshot().all) for (const station of run.stations) before.add(station);
      const states = new StationStates(new NewestTable(database));
      const merger = new RunMerger(database, reader, states, quarantine, new ChunkWriter(database, reader));
      while (merger.merge(Infinity));
      for (const station of before) countStoredRows(database, station);
    })
    .immediate();
}

/**
 * Counts the rows of a station again. All rows of the station must be in chunks (packed rows of some days), and none in runs
 * (packed rows of one commit each).
 */
export function countStoredRows(database: Database, station: number): void {
  const [from, to] = allKeysOf(station);
  const rows = database
    .prepare<[number, number], number>('SELECT coalesce(sum(rows), 0) FROM chunk WHERE key BETWEEN ? AND ?')
    .pluck()
    .get(from, to);
  const oldest = database
    .prepare<[number, number], ChunkRow>(
      'SELECT key, rows, days, data FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key LIMIT 1',
    )
    .get(from, to);
  const first = oldest === undefined ? null : (decodeAll([openChunk(oldest)], new Set()).times[0] ?? null);
  const newest = new NewestTable(database);
  const found = newest.find(station) as NewestRow;
  const counted = { ...found, rows: rows ?? 0, first };
  // If the row of the station in the table `newest` was damaged before, it keeps its wrong checksum, so that the damage is still
  // noticed.
  const isValid = found.checksum === checksumOf(station, found);
  newest.put(station, { ...counted, checksum: isValid ? checksumOf(station, counted) : found.checksum });
}
