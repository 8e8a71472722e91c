import type { Database } from 'better-sqlite3';
import { dayOfKey, stationOfKey } from '#adapters/formats/packed/chunk-key.js';
import { ChunkList } from '#adapters/formats/packed/chunk-list.js';
import { checksumOf, type NewestRow } from '#adapters/packed-store/station-states.js';
import { BlockLedger } from './block-ledger.js';

/*
 * Creates tables that record which rows other tables must have. They are needed because a damaged page of the file can lose rows
 * of a table without an error of SQLite. The records are in other pages than the rows.
 *
 * The recorded tables, and for each the record with which a read compares it:
 *
 * - `chunk` has blobs with observations of one station and some days (chunks). `chunk_list` has the first day and the number of
 *   days of each chunk.
 * - `run` has blobs with the new observations of one commit (runs). They are later moved into `block_run` or `chunk`, and the run
 *   is deleted. `run_merged` has the highest id of these deleted runs. Each run with a higher id must exist, in `run` or in the
 *   table `damaged`.
 * - `block_run` has blobs with new observations of a block, which is a group of 64 stations. `block_ledger` has a checksum of the
 *   columns of all blobs of a block.
 * - `newest` has the state of each station, such as its newest values. `chunk_list` has a row for each station with a state.
 * - `station` has the stations. `station_name` has the number of each id.
 * - `removed_month` has the daily aggregates of months whose observations were removed because of their age. `removed_range` has,
 *   for each station, the number of these months, the begin of the first and the end of the last.
 */
export const LEDGERS = `
  ALTER TABLE newest ADD COLUMN checksum INTEGER; -- see station-states.ts
  CREATE TABLE chunk_list (             -- see chunk-list.ts
    station INTEGER PRIMARY KEY,
    data    BLOB NOT NULL               -- empty before the first chunk
  ) STRICT;
  CREATE TRIGGER newest_made AFTER INSERT ON newest BEGIN
    INSERT OR IGNORE INTO chunk_list (station, data) VALUES (new.station, x'');
  END;
  CREATE TRIGGER newest_removed AFTER DELETE ON newest BEGIN
    DELETE FROM chunk_list WHERE station = old.station;
  END;
  CREATE TABLE run_merged (id INTEGER NOT NULL) STRICT; -- id of the newest merged run
  INSERT INTO run_merged SELECT coalesce(
    (SELECT min(id) - 1 FROM run), (SELECT seq FROM sqlite_sequence WHERE name = 'run'), 0);
  CREATE TRIGGER run_deleted AFTER DELETE ON run
  WHEN NOT EXISTS (SELECT 1 FROM damaged WHERE kind = 'run' AND key = old.id) BEGIN
    UPDATE run_merged SET id = max(id, old.id);
  END;
  CREATE TABLE block_ledger (           -- see block-ledger.ts
    block    INTEGER PRIMARY KEY,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE station_name (
    id     TEXT    NOT NULL PRIMARY KEY,
    number INTEGER NOT NULL,
    hidden INTEGER NOT NULL             -- whether the station is in removed_station
  ) STRICT, WITHOUT ROWID;
  INSERT INTO station_name SELECT id, number, 0 FROM station UNION ALL SELECT id, number, 1 FROM removed_station;
  CREATE TRIGGER station_made AFTER INSERT ON station BEGIN
    INSERT OR REPLACE INTO station_name (id, number, hidden) VALUES (new.id, new.number, 0);
  END;
  CREATE TRIGGER station_hidden AFTER INSERT ON removed_station BEGIN
    INSERT OR REPLACE INTO station_name (id, number, hidden) VALUES (new.id, new.number, 1);
  END;
  CREATE TRIGGER station_deleted AFTER DELETE ON station BEGIN
    DELETE FROM station_name WHERE id = old.id AND hidden = 0;
  END;
  CREATE TRIGGER hidden_deleted AFTER DELETE ON removed_station BEGIN
    DELETE FROM station_name WHERE id = old.id AND hidden = 1;
  END;
  CREATE TABLE removed_range (
    station INTEGER PRIMARY KEY,
    months  INTEGER NOT NULL,
    first   INTEGER NOT NULL,           -- begin of the first month, in milliseconds since 1970-01-01T00:00:00Z
    last    INTEGER NOT NULL            -- end of the last month
  ) STRICT;
  INSERT INTO removed_range SELECT station, count(*), min(month_start), max(month_end) FROM removed_month GROUP BY station;
  CREATE TRIGGER month_removed AFTER INSERT ON removed_month BEGIN
    INSERT OR REPLACE INTO removed_range SELECT station, count(*), min(month_start), max(month_end)
      FROM removed_month WHERE station = new.station GROUP BY station;
  END;
  CREATE TRIGGER month_forgotten AFTER DELETE ON removed_month BEGIN
    DELETE FROM removed_range WHERE station = old.station;
    INSERT INTO removed_range SELECT station, count(*), min(month_start), max(month_end)
      FROM removed_month WHERE station = old.station GROUP BY station;
  END`;

/** Computes and stores the checksum of the state of each station. The state contains the newest values and the number of rows. */
export function sealNewest(database: Database): void {
  const rows = database.prepare<[], Omit<NewestRow, 'checksum'> & { station: number }>(
    `SELECT station, revision, rows, first, data, unjudged_from AS uncheckedFrom, unjudged_to AS uncheckedTo FROM newest`,
  );
  const put = database.prepare('UPDATE newest SET checksum = ? WHERE station = ?');
  for (const { station, ...row } of rows.all()) put.run(checksumOf(station, row), station);
}

/** Computes and stores the list of the chunks of each station. A chunk is a blob with the rows of one station and some days. */
export function sealChunkLists(database: Database): void {
  const chunks = database.prepare<[], { key: number; days: number }>(
    'SELECT key, days FROM chunk ORDER BY key',
  );
  const lists = new Map<number, ChunkList>();
  for (const { key, days } of chunks.iterate()) {
    const station = stationOfKey(key);
    let list = lists.get(station);
    if (list === undefined) lists.set(station, (list = new ChunkList()));
    list.set({ day: dayOfKey(key), days });
  }
  const put = database.prepare(
    'INSERT INTO chunk_list (station, data) VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data',
  );
  for (const station of database.prepare<[], number>('SELECT station FROM newest').pluck().all())
    put.run(station, (lists.get(station) ?? new ChunkList()).encode(station));
  for (const [station, list] of lists) put.run(station, list.encode(station));
}

/**
 * Computes and stores the checksum of each block of 64 stations. The checksum covers the runs of the block, which are packed
 * pieces of its rows.
 */
export function sealBlocks(database: Database): void {
  const ledger = new BlockLedger(database);
  const blocks = database.prepare<[], number>('SELECT DISTINCT block FROM block_run').pluck();
  for (const block of blocks.all()) ledger.seal(block);
}
