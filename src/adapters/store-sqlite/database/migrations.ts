import type { Database } from 'better-sqlite3';
import { LEDGERS, sealBlocks, sealChunkLists, sealNewest } from '../ledgers/ledgers.js';
import { VARIABLES } from '#domain/weather/variables.js';

/** The application id in the header of every data file, "WXDB". It shows that the file belongs to this program. */
const APPLICATION_ID = 0x57584442;

/** The SQL of a change of the schema, or a function for a change that SQL cannot express. */
type Migration = string | ((database: Database) => void);

/** Each entry raises the version of the schema by one. Entries are only added, never changed. */
const MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE user (
     id            TEXT    NOT NULL PRIMARY KEY,
     name          TEXT    NOT NULL,
     name_key      TEXT    NOT NULL UNIQUE,
     email         TEXT,
     email_key     TEXT             UNIQUE,
     password_hash TEXT    NOT NULL,
     enabled       INTEGER NOT NULL,
     created_at    INTEGER NOT NULL -- milliseconds since 1970-01-01T00:00:00Z
   ) STRICT, WITHOUT ROWID`,
  `ALTER TABLE user ADD COLUMN administrator INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE session (
     id                TEXT    NOT NULL PRIMARY KEY,
     user_id           TEXT    NOT NULL REFERENCES user ON DELETE CASCADE,
     created_at        INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
     valid_to          INTEGER NOT NULL, -- seconds since 1970-01-01T00:00:00Z
     address           TEXT,
     elevated_token    TEXT,
     elevated_to       INTEGER,          -- seconds since 1970-01-01T00:00:00Z
     elevation_attempts INTEGER NOT NULL DEFAULT 0
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX session_of_user ON session (user_id);
   CREATE INDEX session_by_end ON session (valid_to);
   CREATE TABLE throttle (
     key    TEXT    NOT NULL PRIMARY KEY,
     points INTEGER NOT NULL,
     expire INTEGER -- milliseconds since 1970-01-01T00:00:00Z
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE audit (
     number     INTEGER PRIMARY KEY AUTOINCREMENT,
     time       INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
     action     TEXT    NOT NULL,
     outcome    TEXT    NOT NULL,
     actor      TEXT,
     subject    TEXT,
     address    TEXT,
     request_id TEXT
   ) STRICT;
   CREATE INDEX audit_by_time ON audit (time)`,
  `CREATE TABLE station (
     number             INTEGER PRIMARY KEY AUTOINCREMENT,
     id                 TEXT NOT NULL UNIQUE,
     name               TEXT NOT NULL,
     latitude           REAL NOT NULL,
     longitude          REAL NOT NULL,
     elevation          REAL,
     time_zone          TEXT NOT NULL,
     identifiers        TEXT NOT NULL, -- JSON
     reporting_interval INTEGER,       -- seconds
     limits             TEXT NOT NULL  -- JSON
   ) STRICT;
   CREATE TABLE station_version (version INTEGER NOT NULL) STRICT;
   INSERT INTO station_version VALUES (0);
   CREATE TABLE chunk (                -- a station's UTC day; see chunk-codec.ts
     key       INTEGER PRIMARY KEY,    -- station × 2^20 + day; see chunk-key.ts
     rows      INTEGER NOT NULL,
     variables INTEGER NOT NULL,       -- bits by number
     data      BLOB    NOT NULL
   ) STRICT;
   CREATE TABLE run (                  -- a commit that is not in chunks yet; see run-codec.ts
     id   INTEGER PRIMARY KEY AUTOINCREMENT,
     rows INTEGER NOT NULL,
     data BLOB    NOT NULL
   ) STRICT;
   CREATE TABLE newest (               -- a StationState, as of the chunks
     station  INTEGER PRIMARY KEY,
     revision INTEGER NOT NULL,        -- id of the last run that it includes
     data     BLOB    NOT NULL
   ) STRICT`,
  `ALTER TABLE newest ADD COLUMN rows INTEGER;  -- in the chunks; NULL until fill-totals.ts has counted them
   ALTER TABLE newest ADD COLUMN first INTEGER; -- time of the oldest row, milliseconds since 1970-01-01T00:00:00Z
   ALTER TABLE run ADD COLUMN first INTEGER;    -- times of its oldest and newest row; NULL in rows of version 1.0.0
   ALTER TABLE run ADD COLUMN last INTEGER;
   CREATE TABLE damaged (               -- blobs that cannot be read and were set aside; see quarantine.ts
     id       INTEGER PRIMARY KEY,
     kind     TEXT    NOT NULL,         -- chunk or run
     key      INTEGER NOT NULL,
     stations TEXT,                     -- JSON array of numbers; NULL if unknown
     first    INTEGER NOT NULL,         -- its rows have times from first to last
     last     INTEGER NOT NULL,
     rows     INTEGER NOT NULL,
     reason   TEXT    NOT NULL,
     found_at INTEGER NOT NULL,         -- milliseconds since 1970-01-01T00:00:00Z
     data     BLOB    NOT NULL
   ) STRICT`,
  // Each weather variable, such as the air temperature, has a number. The table has one row with the highest number of all
  // programs that have opened the file. An older program that does not know this number refuses the file, because the data may
  // contain variables that it cannot read.
  `CREATE TABLE catalogue (highest INTEGER NOT NULL) STRICT;
   INSERT INTO catalogue VALUES (20)`,
  // Adds the table of the removed stations, and the table `station_grant` of the stations that each user may write. Before
  // this version every user could write. Users who are not administrators now become readers, who may write no station.
  `CREATE TABLE removed_station (      -- can be restored with its number until it is removed permanently
     number             INTEGER PRIMARY KEY,
     id                 TEXT NOT NULL UNIQUE,
     name               TEXT NOT NULL,
     latitude           REAL NOT NULL,
     longitude          REAL NOT NULL,
     elevation          REAL,
     time_zone          TEXT NOT NULL,
     identifiers        TEXT NOT NULL, -- JSON
     reporting_interval INTEGER,       -- seconds
     limits             TEXT NOT NULL, -- JSON
     removed_at         INTEGER NOT NULL -- milliseconds since 1970-01-01T00:00:00Z
   ) STRICT;
   CREATE INDEX station_by_lower_id ON station (lower(id));
   CREATE INDEX removed_station_by_lower_id ON removed_station (lower(id));
   CREATE VIEW any_station AS
     SELECT number, id FROM station UNION ALL SELECT number, id FROM removed_station;
   ALTER TABLE user ADD COLUMN all_stations INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE station_grant (
     user_id TEXT    NOT NULL REFERENCES user ON DELETE CASCADE,
     station INTEGER NOT NULL,         -- a number, because an id may belong to another station later
     PRIMARY KEY (user_id, station)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX grant_of_station ON station_grant (station);
   CREATE TABLE new_reader (           -- users who became readers and were not reported yet
     user_id TEXT NOT NULL PRIMARY KEY REFERENCES user ON DELETE CASCADE
   ) STRICT, WITHOUT ROWID;
   INSERT INTO new_reader SELECT id FROM user WHERE administrator = 0`,
  // `detail` is the JSON of an `AuditDetail`. A row of the audit trail either records one event, or counts many writes of one
  // source to one station on one day. In a row that counts, `tally` is a text made of this source, station and day, so that
  // the next write finds the row. In a row of one event, `tally` is NULL.
  `ALTER TABLE audit ADD COLUMN detail TEXT;
   ALTER TABLE audit ADD COLUMN tally TEXT;
   CREATE UNIQUE INDEX audit_tally ON audit (tally) WHERE tally IS NOT NULL`,
  'ALTER TABLE audit ADD COLUMN count INTEGER NOT NULL DEFAULT 1', // number of events that the row counts
  `CREATE TABLE import (                -- progress of the import of a file
     key  TEXT    NOT NULL PRIMARY KEY, -- a digest; see import-progress.ts
     line INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  // Stations that were removed permanently. Chunks of such a station (blobs with its rows) may still exist, because they are
  // deleted in several steps.
  'CREATE TABLE erased_station (number INTEGER PRIMARY KEY) STRICT',
  `CREATE TABLE upload_key (
     number          INTEGER PRIMARY KEY AUTOINCREMENT,
     station         INTEGER NOT NULL,        -- a number
     note            TEXT    NOT NULL,
     weak            INTEGER NOT NULL,
     made_at         INTEGER NOT NULL,        -- these three: milliseconds since 1970-01-01T00:00:00Z
     rotated_at      INTEGER,
     previous_until  INTEGER,
     digest          TEXT    NOT NULL UNIQUE, -- SHA-256, hexadecimal
     previous_digest TEXT,
     mappings        TEXT    NOT NULL,        -- JSON
     settings        TEXT    NOT NULL         -- JSON
   ) STRICT;
   CREATE INDEX upload_key_of_station ON upload_key (station);
   CREATE TABLE upload_version (version INTEGER NOT NULL) STRICT;
   INSERT INTO upload_version VALUES (0);
   CREATE TABLE upload_record (               -- an UploadRecord; rewritten often, so the table has row ids
     name     TEXT    NOT NULL UNIQUE,
     key      INTEGER REFERENCES upload_key ON DELETE CASCADE,
     revision INTEGER NOT NULL,
     time     INTEGER NOT NULL,               -- milliseconds since 1970-01-01T00:00:00Z
     text     TEXT    NOT NULL
   ) STRICT;
   CREATE INDEX upload_record_of_key ON upload_record (key)`,
  `CREATE TABLE file_import (            -- imports of files, so that they can be undone
     number          INTEGER PRIMARY KEY AUTOINCREMENT,
     key             TEXT UNIQUE,        -- as in the table import; NULL if it cannot be continued
     file            TEXT    NOT NULL,
     started_at      INTEGER NOT NULL,   -- times in milliseconds since 1970-01-01T00:00:00Z
     ended_at        INTEGER,
     rows            INTEGER NOT NULL DEFAULT 0, -- inserted or changed rows
     bytes           INTEGER NOT NULL DEFAULT 0, -- size of its entries in import_journal
     forgotten       INTEGER NOT NULL DEFAULT 0,
     undo_started_at INTEGER,
     undo_ended_at   INTEGER,
     undo_counts     TEXT                -- JSON of UndoCounts
   ) STRICT;
   CREATE TABLE import_station (         -- stations whose rows an import has changed
     import  INTEGER NOT NULL REFERENCES file_import ON DELETE CASCADE,
     station INTEGER NOT NULL,
     PRIMARY KEY (import, station)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE import_journal (         -- changes of one commit of an import; see journal-codec.ts
     id     INTEGER PRIMARY KEY,
     import INTEGER NOT NULL REFERENCES file_import,
     rows   INTEGER NOT NULL,
     data   BLOB    NOT NULL
   ) STRICT;
   CREATE INDEX journal_of_import ON import_journal (import)`,
  `CREATE TABLE day_table (              -- daily aggregates of past months
     station INTEGER NOT NULL,
     start   INTEGER NOT NULL,           -- start of the month, in milliseconds since 1970-01-01T00:00:00Z
     end     INTEGER NOT NULL,           -- end of the month, not included
     zone    TEXT    NOT NULL,           -- time zone of its days
     data    BLOB    NOT NULL,
     PRIMARY KEY (station, start)
   ) STRICT;
   CREATE INDEX end_of_day_table ON day_table (end)`,
  `CREATE TABLE block_run (              -- rows of a block of stations that are not in chunks yet; see block-runs.ts, run-levels.ts
     id       INTEGER PRIMARY KEY AUTOINCREMENT,
     block    INTEGER NOT NULL,
     level    INTEGER NOT NULL,
     through  INTEGER NOT NULL,          -- id of the newest run of a commit in it
     since    INTEGER NOT NULL,          -- milliseconds since 1970-01-01T00:00:00Z
     rows     INTEGER NOT NULL,
     stations INTEGER NOT NULL,
     first    INTEGER NOT NULL,          -- milliseconds since 1970-01-01T00:00:00Z
     last     INTEGER NOT NULL,
     data     BLOB    NOT NULL           -- as in the table run
   ) STRICT;
   CREATE INDEX block_run_of_block
     ON block_run (block, level DESC, id, through, since, rows, stations, first, last)`,
  `CREATE TABLE retention (              -- period for which rows of a station are kept, if it differs from the setting
     station INTEGER PRIMARY KEY,
     period  INTEGER                     -- milliseconds; NULL: for ever
   ) STRICT;
   CREATE TABLE removed_month (          -- daily aggregates of months whose rows were removed because of their age
     station     INTEGER NOT NULL,
     month_start INTEGER NOT NULL,       -- in milliseconds since 1970-01-01T00:00:00Z
     month_end   INTEGER NOT NULL,       -- not included
     zone        TEXT    NOT NULL,       -- time zone of its days
     data        BLOB    NOT NULL,       -- as in day_table
     PRIMARY KEY (station, month_start)
   ) STRICT`,

  // The number of UTC days of a chunk, which is a blob with the rows of one station; see chunk-days.ts. All earlier chunks
  // contain one day.
  'ALTER TABLE chunk ADD COLUMN days INTEGER NOT NULL DEFAULT 1',

  // All rows are checked once more by quality control, in the background.
  `ALTER TABLE newest ADD COLUMN unjudged_from INTEGER; -- times of the first and last row written since the last request
   ALTER TABLE newest ADD COLUMN unjudged_to INTEGER;
   CREATE TABLE judging_request (        -- ranges that are rechecked; see recheck-store.ts
     id        INTEGER PRIMARY KEY AUTOINCREMENT,
     station   INTEGER,                  -- NULL: the stations around a position
     latitude  REAL,
     longitude REAL,
     from_time INTEGER NOT NULL,         -- in milliseconds since 1970-01-01T00:00:00Z
     to_time   INTEGER NOT NULL,         -- not included
     spreads   INTEGER NOT NULL
   ) STRICT;
   INSERT INTO judging_request (station, from_time, to_time, spreads)
     SELECT number, -8640000000000000, 8640000000000000, 0 FROM any_station;
   CREATE TABLE overrule (
     id        TEXT    NOT NULL PRIMARY KEY,
     station   INTEGER NOT NULL,
     variable  INTEGER NOT NULL,
     from_time INTEGER NOT NULL,         -- in milliseconds since 1970-01-01T00:00:00Z
     to_time   INTEGER NOT NULL,         -- not included
     verdict   TEXT    NOT NULL,         -- bad or good
     reason    TEXT    NOT NULL,
     made_by   TEXT,
     made_at   INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX overrule_of_station ON overrule (station);
   ALTER TABLE station ADD COLUMN steps TEXT; -- these four: JSON, or NULL
   ALTER TABLE station ADD COLUMN persistence TEXT;
   ALTER TABLE station ADD COLUMN sensor_heights TEXT;
   ALTER TABLE station ADD COLUMN earlier TEXT; -- periods of its history
   ALTER TABLE removed_station ADD COLUMN steps TEXT;
   ALTER TABLE removed_station ADD COLUMN persistence TEXT;
   ALTER TABLE removed_station ADD COLUMN sensor_heights TEXT;
   ALTER TABLE removed_station ADD COLUMN earlier TEXT`,

  `ALTER TABLE station ADD COLUMN stamp_interval INTEGER; -- seconds, if rows are sent with the start of their interval
   ALTER TABLE removed_station ADD COLUMN stamp_interval INTEGER`,

  `ALTER TABLE station ADD COLUMN visibility TEXT; -- 'hidden', or NULL for a station that everybody sees
   ALTER TABLE station ADD COLUMN position_decimals INTEGER; -- decimals of the rounded position; NULL for the exact position
   ALTER TABLE removed_station ADD COLUMN visibility TEXT;
   ALTER TABLE removed_station ADD COLUMN position_decimals INTEGER`,

  `CREATE TABLE alarm (
     id        TEXT    NOT NULL PRIMARY KEY,
     name      TEXT    NOT NULL UNIQUE,
     station   INTEGER,                  -- NULL: all stations
     condition TEXT    NOT NULL,         -- JSON, as are target, state and notice
     target    TEXT,                     -- NULL: the alarm is only shown
     made_by   TEXT,
     made_at   INTEGER NOT NULL          -- milliseconds since 1970-01-01T00:00:00Z
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE alarm_state (            -- state of an alarm at each station for which it was raised
     alarm    TEXT    NOT NULL REFERENCES alarm ON DELETE CASCADE,
     station  INTEGER NOT NULL,
     revision INTEGER NOT NULL,
     state    TEXT    NOT NULL,
     notice   TEXT,                      -- the message that is not delivered yet
     PRIMARY KEY (alarm, station)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX alarm_state_of_station ON alarm_state (station);
   CREATE TABLE alarm_version (version INTEGER NOT NULL) STRICT;
   INSERT INTO alarm_version VALUES (0)`,

  // Blobs (packed rows) now have format version 3. Its checksum also covers the key of the blob in the table, for example the
  // station and the day, so that a blob under a wrong key is noticed. Earlier programs cannot read this format.
  (database) => {
    database.exec(LEDGERS);
    sealNewest(database);
    sealChunkLists(database);
    sealBlocks(database);
  },

  `ALTER TABLE station ADD COLUMN cell_methods TEXT; -- JSON by variable; NULL if all are those of the catalog
   ALTER TABLE removed_station ADD COLUMN cell_methods TEXT`,

  `ALTER TABLE station ADD COLUMN demo TEXT; -- measured or live; NULL if it is no station of the demo
   ALTER TABLE removed_station ADD COLUMN demo TEXT`,

  `ALTER TABLE station ADD COLUMN daily_observation_time TEXT; -- HH:MM by the local clock; NULL if it is unknown
   ALTER TABLE removed_station ADD COLUMN daily_observation_time TEXT`,

  // Daily values are stored in a series of their own. After the migration, moveDailyValues moves the daily values of the stations
  // in this table. The first daily value has the number 29, so data of programs with fewer variables have none.
  `CREATE TABLE undivided (station INTEGER PRIMARY KEY) STRICT;
   INSERT INTO undivided SELECT number FROM any_station WHERE (SELECT highest FROM catalogue) > 28`,
];

/** The schema version that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Migrates the schema to the current version. The immediate transaction is a lock: if two processes start on an empty file, one
 * process migrates the file. The other process waits and then finds the current version.
 *
 * @throws Error when the file belongs to another program or to a newer version of this program
 */
export function migrate(database: Database): void {
  database
    .transaction(() => {
      const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
      if (tables !== 0) assertKnownSchema(database);
      const version = schemaVersion(database);
      if (version < MIGRATIONS.length) {
        for (const migration of MIGRATIONS.slice(version)) apply(database, migration);
        database.pragma(`application_id = ${APPLICATION_ID}`);
        database.pragma(`user_version = ${MIGRATIONS.length}`);
      }
      recordHighestVariable(database);
    })
    .immediate();
}

/** Creates the schema of a version in an empty database. */
export function makeSchema(database: Database, version: number): void {
  for (const migration of MIGRATIONS.slice(0, version)) apply(database, migration);
}

function apply(database: Database, migration: Migration): void {
  if (typeof migration === 'string') database.exec(migration);
  else migration(database);
}

/** @throws Error when the file belongs to another program or to a newer version of this program */
export function assertKnownSchema(database: Database): void {
  const owner = database.pragma('application_id', { simple: true });
  if (owner !== APPLICATION_ID)
    throw new Error('the file is a database of another program: name the file of weatherd');
  const version = schemaVersion(database);
  if (version <= MIGRATIONS.length) return;
  throw new Error(
    `its schema has version ${version}, and this weatherd knows the versions up to ${MIGRATIONS.length}: a newer weatherd has written the file. Install the newer weatherd, or restore a backup`,
  );
}

/**
 * Stores the highest variable number that this program knows. Each weather variable, such as the air temperature, has a
 * number. A new variable does not change the schema version, so the stored number shows whether the data may contain variables
 * of a newer program.
 *
 * @throws Error when the data may contain variables that this program does not know
 */
function recordHighestVariable(database: Database): void {
  const known = Math.max(...VARIABLES.map(({ number }) => number));
  const highest = database.prepare<[], number>('SELECT highest FROM catalogue').pluck().get() ?? 0;
  if (highest > known) {
    throw new Error(
      `its variables have numbers up to ${highest}, and this weatherd knows the numbers up to ${known}: a newer weatherd has written the file. Install the newer weatherd, or restore a backup`,
    );
  }
  if (highest < known) database.prepare('UPDATE catalogue SET highest = ?').run(known);
}

/** Reads the schema version from the header of the file. */
export function schemaVersion(database: Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}
