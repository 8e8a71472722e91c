import type { Database } from 'better-sqlite3';

/** Written into every data file, so that somebody else's database is never taken for ours: "WXDB". */
const APPLICATION_ID = 0x57584442;

/** Each entry takes the schema one version up. Entries are only ever added. */
const MIGRATIONS: readonly string[] = [
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
     revision INTEGER NOT NULL,        -- the last run that it has taken in
     data     BLOB    NOT NULL
   ) STRICT`,
  `CREATE TABLE import (                -- how far the import of a file has come
     key  TEXT    NOT NULL PRIMARY KEY, -- a digest; see import-progress.ts
     line INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
];

/**
 * Brings the schema up to date. The immediate transaction is the lock: of two processes that start on an empty
 * file one migrates and the other waits, then finds nothing to do.
 *
 * @throws Error when the file belongs to another program or to a newer version of this one
 */
export function migrate(database: Database): void {
  database
    .transaction(() => {
      const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
      const owner = database.pragma('application_id', { simple: true });
      if (tables !== 0 && owner !== APPLICATION_ID) throw new Error('it is a database of another program');
      const version = schemaVersion(database);
      if (version > MIGRATIONS.length) {
        throw new Error(
          `its schema has version ${version} and this weatherd knows ${MIGRATIONS.length}: it was written by a newer one`,
        );
      }
      if (version === MIGRATIONS.length) return;
      for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${MIGRATIONS.length}`);
    })
    .immediate();
}

/** Reads the header and the schema from the file itself. */
export function schemaVersion(database: Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}
