import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { definePlainRows } from '../plain-rows/define-plain-rows.js';
import type { Query } from './query.js';

/** The schema of all tables of weatherd. The schema separates these tables from other tables in the same database. */
export const SCHEMA = 'weatherd';

/** Number of the advisory lock: "WXDB" in ASCII. If two instances start at the same time, one migrates and the other waits. */
const LOCK = 0x57584442;

/**
 * The first year that has its own partition in the table of observations. The years before it normally share one partition. A
 * migration contains this number, so the number must never change.
 */
const FIRST_YEAR = 1900;
/** Maximum duration of a migration in milliseconds. A migration may have to read all observations. */
export const MIGRATION_TIMEOUT = MILLISECONDS.hour;

/** Each entry migrates the schema to the next version. Entries are only added, never changed. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE weatherd.user (
     id            text    NOT NULL PRIMARY KEY,
     name          text    NOT NULL,
     name_key      text    NOT NULL UNIQUE,
     email         text,
     email_key     text             UNIQUE,
     password_hash text    NOT NULL,
     enabled       boolean NOT NULL,
     administrator boolean NOT NULL,
     created_at    bigint  NOT NULL -- milliseconds since 1970-01-01T00:00:00Z
   );
   CREATE TABLE weatherd.session (
     id                 text    NOT NULL PRIMARY KEY,
     user_id            text    NOT NULL REFERENCES weatherd.user ON DELETE CASCADE,
     created_at         bigint  NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
     valid_to           bigint  NOT NULL, -- seconds since 1970-01-01T00:00:00Z
     address            text,
     elevated_token     text,
     elevated_to        bigint,           -- seconds since 1970-01-01T00:00:00Z
     elevation_attempts integer NOT NULL DEFAULT 0
   );
   CREATE INDEX session_of_user ON weatherd.session (user_id);
   CREATE INDEX session_by_end ON weatherd.session (valid_to);
   CREATE TABLE weatherd.throttle (
     key    varchar(255) NOT NULL PRIMARY KEY,
     points integer      NOT NULL,
     expire bigint -- milliseconds since 1970-01-01T00:00:00Z
   );
   CREATE TABLE weatherd.audit (
     number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     time       bigint NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
     action     text   NOT NULL,
     outcome    text   NOT NULL,
     actor      text,
     subject    text,
     address    text,
     request_id text
   );
   CREATE INDEX audit_by_time ON weatherd.audit (time);
   CREATE TABLE weatherd.signing_key (
     id             text   NOT NULL PRIMARY KEY,
     created_at     bigint NOT NULL, -- these four: milliseconds since 1970-01-01T00:00:00Z
     signs_from     bigint NOT NULL,
     verifies_until bigint,
     retired_at     bigint,
     private_key    text
   )`,
  `CREATE TABLE weatherd.station (
     number             integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id                 text NOT NULL UNIQUE,
     name               text NOT NULL,
     latitude           double precision NOT NULL,
     longitude          double precision NOT NULL,
     elevation          double precision,
     time_zone          text  NOT NULL,
     identifiers        jsonb NOT NULL,
     reporting_interval integer, -- seconds
     limits             jsonb NOT NULL
   );
   CREATE TABLE weatherd.station_version (version bigint NOT NULL);
   INSERT INTO weatherd.station_version VALUES (0);
   CREATE TABLE weatherd.newest (
     station  integer PRIMARY KEY,
     revision bigint NOT NULL,
     state    bytea  NOT NULL -- a StationState
   );
   CREATE FUNCTION weatherd.make_partition(years integer) RETURNS void LANGUAGE plpgsql AS $make$
   DECLARE
     year text := to_char(1970 + years, 'FM0000');
   BEGIN
     -- With TimescaleDB the table creates its partitions itself.
     IF (SELECT relkind FROM pg_class WHERE oid = 'weatherd.observation'::regclass) = 'p'
        AND to_regclass('weatherd.observation_' || year) IS NULL THEN
       PERFORM pg_advisory_xact_lock(${LOCK + 1});
       EXECUTE format('CREATE TABLE IF NOT EXISTS weatherd.observation_%s PARTITION OF weatherd.observation '
         'FOR VALUES FROM (%s) TO (%s)', year,
         (extract(epoch FROM make_timestamptz(1970 + years, 1, 1, 0, 0, 0, 'UTC')) * 1000)::bigint,
         (extract(epoch FROM make_timestamptz(1971 + years, 1, 1, 0, 0, 0, 'UTC')) * 1000)::bigint);
     END IF;
   END $make$;
   DO $create$
   DECLARE
     columns text := 'station integer NOT NULL,
         time bigint NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
         air_temperature double precision,
         dew_point_temperature double precision,
         relative_humidity double precision,
         surface_air_pressure double precision,
         air_pressure_at_mean_sea_level double precision,
         wind_speed double precision,
         wind_from_direction double precision,
         wind_speed_of_gust double precision,
         precipitation_amount double precision,
         rainfall_rate double precision,
         surface_downwelling_shortwave_flux_in_air double precision,
         ultraviolet_index double precision,
         duration_of_sunshine double precision,
         visibility_in_air double precision,
         cloud_area_fraction double precision,
         surface_snow_thickness double precision,
         soil_temperature double precision,
         volume_fraction_of_condensed_water_in_soil double precision,
         mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air double precision,
         mass_concentration_of_pm10_ambient_aerosol_particles_in_air double precision,
         flags bytea, -- pairs of bytes: the number of a variable, and its quality flags
         PRIMARY KEY (station, time)';
   BEGIN
     IF EXISTS (SELECT FROM pg_extension WHERE extname = 'timescaledb') THEN
       EXECUTE 'CREATE TABLE weatherd.observation (' || columns || ')';
       PERFORM create_hypertable('weatherd.observation', 'time', chunk_time_interval => 2592000000);
     ELSE
       EXECUTE 'CREATE TABLE weatherd.observation (' || columns || ') PARTITION BY RANGE (time)';
     END IF;
   END $create$`,
  // Removes the rows of stations that do not exist: earlier versions could leave such rows behind when a station was removed
  // during a write. Then adds two columns to the table of the newest values: the time of the first row of each station, and the
  // number of its rows (see station-states.ts).
  `DELETE FROM weatherd.observation WHERE station NOT IN (SELECT number FROM weatherd.station);
   DELETE FROM weatherd.newest WHERE station NOT IN (SELECT number FROM weatherd.station);
   ALTER TABLE weatherd.newest
     ADD first bigint, -- milliseconds since 1970-01-01T00:00:00Z
     ADD count bigint NOT NULL DEFAULT 0;
   UPDATE weatherd.newest SET first = found.first, count = found.count
   FROM (SELECT station, min(time) AS first, count(*) AS count FROM weatherd.observation GROUP BY station) AS found
   WHERE found.station = newest.station;
   -- Without a default, an instance of an older version, which does not count rows, can no longer write.
   ALTER TABLE weatherd.newest ALTER count DROP DEFAULT;
   -- CREATE TABLE … PARTITION OF would wait for every reader of the table. ATTACH PARTITION does not wait for readers or
   -- writers, unless there is a default partition. The years before ${FIRST_YEAR}, which have few rows, share one range.
   CREATE OR REPLACE FUNCTION weatherd.make_partition(years integer) RETURNS void LANGUAGE plpgsql AS $make$
   DECLARE
     name text := 'observation_' || to_char(1970 + years, 'FM0000');
   BEGIN
     -- With TimescaleDB the table creates its partitions itself.
     IF (SELECT relkind FROM pg_class WHERE oid = 'weatherd.observation'::regclass) <> 'p' THEN RETURN; END IF;
     IF 1970 + years < ${FIRST_YEAR} AND to_regclass('weatherd.observation_past') IS NOT NULL THEN RETURN; END IF;
     IF to_regclass('weatherd.' || name) IS NOT NULL THEN RETURN; END IF;
     -- The same lock as ATTACH: one instance creates the partition, and the others find it.
     LOCK TABLE ONLY weatherd.observation IN SHARE UPDATE EXCLUSIVE MODE;
     IF to_regclass('weatherd.' || name) IS NOT NULL THEN RETURN; END IF;
     EXECUTE format('CREATE TABLE weatherd.%I (LIKE weatherd.observation INCLUDING ALL)', name);
     EXECUTE format('ALTER TABLE weatherd.observation ATTACH PARTITION weatherd.%I FOR VALUES FROM (%s) TO (%s)', name,
       (extract(epoch FROM make_timestamptz(1970 + years, 1, 1, 0, 0, 0, 'UTC')) * 1000)::bigint,
       (extract(epoch FROM make_timestamptz(1971 + years, 1, 1, 0, 0, 0, 'UTC')) * 1000)::bigint);
   END $make$;
   DO $past$
   BEGIN
     -- If partitions of such years exist already, each year continues to have a separate partition.
     IF (SELECT relkind FROM pg_class WHERE oid = 'weatherd.observation'::regclass) = 'p'
        AND NOT EXISTS (SELECT FROM pg_inherits JOIN pg_class ON oid = inhrelid
          WHERE inhparent = 'weatherd.observation'::regclass AND relname < 'observation_${FIRST_YEAR}') THEN
       CREATE TABLE weatherd.observation_past (LIKE weatherd.observation INCLUDING ALL);
       ALTER TABLE weatherd.observation ATTACH PARTITION weatherd.observation_past
         FOR VALUES FROM (MINVALUE) TO (${Date.UTC(FIRST_YEAR, 0)});
     END IF;
   END $past$`,
  // Adds the table of the removed stations, and the table `station_grant` of the stations that each user may write. Before
  // this version every user could write. Users who are not administrators now become readers, who may write no station.
  `CREATE TABLE weatherd.removed_station ( -- can be restored with its number until it is removed permanently
     number             integer PRIMARY KEY,
     id                 text NOT NULL UNIQUE,
     name               text NOT NULL,
     latitude           double precision NOT NULL,
     longitude          double precision NOT NULL,
     elevation          double precision,
     time_zone          text  NOT NULL,
     identifiers        jsonb NOT NULL,
     reporting_interval integer, -- seconds
     limits             jsonb NOT NULL,
     removed_at         bigint NOT NULL -- milliseconds since 1970-01-01T00:00:00Z
   );
   CREATE INDEX station_by_lower_id ON weatherd.station (lower(id COLLATE "C"));
   CREATE INDEX removed_station_by_lower_id ON weatherd.removed_station (lower(id COLLATE "C"));
   CREATE VIEW weatherd.any_station AS
     SELECT number, id FROM weatherd.station UNION ALL SELECT number, id FROM weatherd.removed_station;
   ALTER TABLE weatherd.user ADD COLUMN all_stations boolean NOT NULL DEFAULT false;
   CREATE TABLE weatherd.station_grant (
     user_id text    NOT NULL REFERENCES weatherd.user ON DELETE CASCADE,
     station integer NOT NULL, -- a number, because an id may belong to another station later
     PRIMARY KEY (user_id, station)
   );
   CREATE INDEX grant_of_station ON weatherd.station_grant (station);
   CREATE TABLE weatherd.new_reader ( -- users who became readers and were not reported yet
     user_id text NOT NULL PRIMARY KEY REFERENCES weatherd.user ON DELETE CASCADE
   );
   INSERT INTO weatherd.new_reader SELECT id FROM weatherd.user WHERE NOT administrator`,
  // `detail` is an `AuditDetail`. `tally` is the key of a row that counts many writes instead of one. The key is made of the
  // source, the station and the day of these writes. `tally` is NULL in a row that does not count many writes.
  `ALTER TABLE weatherd.audit ADD COLUMN detail jsonb, ADD COLUMN tally text;
   CREATE UNIQUE INDEX audit_tally ON weatherd.audit (tally) WHERE tally IS NOT NULL`,
  'ALTER TABLE weatherd.audit ADD COLUMN count integer NOT NULL DEFAULT 1', // number of events that the row counts
  `CREATE TABLE weatherd.import ( -- progress of the import of a file
     key  text   NOT NULL PRIMARY KEY, -- a digest; see import-progress.ts
     line bigint NOT NULL
   )`,
  `CREATE TABLE weatherd.erased_station ( -- was removed permanently and may still have rows; see erased-rows.ts
     number  integer PRIMARY KEY,
     reached bigint -- time of the newest deleted row; older rows are deleted too
   )`,
  `CREATE TABLE weatherd.upload_key (
     number          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     station         integer NOT NULL, -- a number
     note            text    NOT NULL,
     weak            boolean NOT NULL,
     made_at         bigint  NOT NULL, -- these three: milliseconds since 1970-01-01T00:00:00Z
     rotated_at      bigint,
     previous_until  bigint,
     digest          text    NOT NULL UNIQUE, -- SHA-256, hexadecimal
     previous_digest text,
     mappings        jsonb   NOT NULL,
     settings        jsonb   NOT NULL
   );
   CREATE INDEX upload_key_of_station ON weatherd.upload_key (station);
   CREATE TABLE weatherd.upload_version (version bigint NOT NULL);
   INSERT INTO weatherd.upload_version VALUES (0);
   CREATE TABLE weatherd.upload_record ( -- an UploadRecord
     name     text    NOT NULL PRIMARY KEY,
     key      integer REFERENCES weatherd.upload_key ON DELETE CASCADE,
     revision bigint  NOT NULL, -- 0 only within the transaction that inserts it
     time     bigint  NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
     text     text    NOT NULL
   ) WITH (fillfactor = 50); -- rewritten often
   CREATE INDEX upload_record_of_key ON weatherd.upload_record (key)`,
  // Adds variables that consoles measure. New columns without a default do not rewrite the rows of the table.
  `ALTER TABLE weatherd.observation
     ADD wind_gust_from_direction double precision,
     ADD mole_fraction_of_carbon_dioxide_in_air double precision,
     ADD mass_concentration_of_pm1_ambient_aerosol_particles_in_air double precision,
     ADD volume_fraction_of_condensed_water_in_soil_pores double precision,
     ADD lightning_strike_count double precision,
     ADD leaf_wetness double precision`,
  `CREATE TABLE weatherd.file_import ( -- imports of files, so that they can be undone
     number          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key             text UNIQUE, -- as in the table import; NULL if it cannot be continued
     file            text    NOT NULL,
     started_at      bigint  NOT NULL, -- times in milliseconds since 1970-01-01T00:00:00Z
     ended_at        bigint,
     rows            bigint  NOT NULL DEFAULT 0, -- inserted or changed rows
     bytes           bigint  NOT NULL DEFAULT 0, -- size of its entries in import_journal
     forgotten       boolean NOT NULL DEFAULT false,
     undo_started_at bigint,
     undo_ended_at   bigint,
     undo_counts     jsonb -- UndoCounts
   );
   CREATE TABLE weatherd.import_station ( -- stations whose rows an import has changed
     import  integer NOT NULL REFERENCES weatherd.file_import ON DELETE CASCADE,
     station integer NOT NULL,
     PRIMARY KEY (import, station)
   );
   CREATE TABLE weatherd.import_journal ( -- changes of one commit of an import; see journal-codec.ts
     id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     import integer NOT NULL REFERENCES weatherd.file_import,
     rows   integer NOT NULL,
     data   bytea   NOT NULL
   );
   ALTER TABLE weatherd.import_journal ALTER data SET STORAGE EXTERNAL; -- packed already
   CREATE INDEX journal_of_import ON weatherd.import_journal (import)`,
  // Stores observations as blobs. take-over.ts fills these tables from weatherd.observation and weatherd.row_total.
  `ALTER TABLE weatherd.newest RENAME TO row_total;
   ALTER INDEX weatherd.newest_pkey RENAME TO row_total_pkey;
   CREATE TABLE weatherd.block ( -- stations that share their runs; see blocks.ts
     block   integer PRIMARY KEY,
     merged  bigint  NOT NULL, -- runs up to this id have been merged
     last    bigint  NOT NULL, -- id of the newest run, merged or not
     damaged integer NOT NULL DEFAULT 0 -- number of its rows in the table damaged
   ) WITH (fillfactor = 50); -- rewritten often
   CREATE TABLE weatherd.run ( -- a commit that is not in chunks yet; see run-codec.ts
     block integer NOT NULL,
     id    bigint  NOT NULL,
     rows  integer NOT NULL,
     first bigint  NOT NULL, -- times of its oldest and newest row, milliseconds since 1970-01-01T00:00:00Z
     last  bigint  NOT NULL,
     data  bytea   NOT NULL,
     PRIMARY KEY (block, id)
   );
   CREATE TABLE weatherd.chunk ( -- a UTC day of a station; see chunk-codec.ts
     block     integer NOT NULL,
     station   integer NOT NULL,
     day       integer NOT NULL, -- days since 1970-01-01
     rows      integer NOT NULL,
     variables bigint  NOT NULL, -- bits by number
     data      bytea   NOT NULL,
     PRIMARY KEY (block, station, day)
   );
   CREATE TABLE weatherd.newest ( -- totals and newest values of a station at its last merge
     block    integer NOT NULL,
     station  integer NOT NULL,
     revision bigint  NOT NULL, -- the last run with rows of the station
     rows     bigint  NOT NULL,
     first    bigint, -- times of its oldest and newest row
     last     bigint,
     data     bytea   NOT NULL, -- a StationState
     PRIMARY KEY (block, station)
   );
   CREATE TABLE weatherd.damaged ( -- blobs that cannot be read and were set aside
     block    integer NOT NULL,
     kind     text    NOT NULL, -- chunk or run
     key      bigint  NOT NULL, -- of a chunk: station × 2^20 + day; see chunk-key.ts
     stations integer[], -- numbers; NULL if unknown
     first    bigint  NOT NULL, -- its rows have times from first to last
     last     bigint  NOT NULL,
     rows     integer NOT NULL,
     reason   text    NOT NULL,
     found_at bigint  NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
     data     bytea   NOT NULL,
     PRIMARY KEY (block, kind, key)
   );
   -- Blobs are packed already.
   ALTER TABLE weatherd.run ALTER data SET STORAGE EXTERNAL;
   ALTER TABLE weatherd.chunk ALTER data SET STORAGE EXTERNAL;
   ALTER TABLE weatherd.newest ALTER data SET STORAGE EXTERNAL;
   ALTER TABLE weatherd.damaged ALTER data SET STORAGE EXTERNAL;
   ALTER TABLE weatherd.erased_station DROP COLUMN reached;
   ALTER TABLE weatherd.erased_station ADD reached integer; -- newest deleted day; older days are deleted too
   -- The highest number of a variable that any program that has opened the database knows.
   CREATE TABLE weatherd.catalogue (highest integer NOT NULL);
   INSERT INTO weatherd.catalogue VALUES (26)`,

  `CREATE TABLE weatherd.day_table ( -- daily aggregates of past months
     block   integer NOT NULL,
     station integer NOT NULL,
     start   bigint  NOT NULL, -- start of the month, milliseconds since 1970-01-01T00:00:00Z
     "end"   bigint  NOT NULL, -- end of the month, not included
     zone    text    NOT NULL, -- time zone of its days
     data    bytea   NOT NULL,
     PRIMARY KEY (block, station, start)
   );
   ALTER TABLE weatherd.day_table ALTER data SET STORAGE EXTERNAL;
   ALTER TABLE weatherd.block ADD tables_end bigint -- end of the last month for which its stations had daily aggregates`,

  `CREATE TABLE weatherd.retention ( -- period for which rows of a station are kept, if it differs from the setting
     station integer PRIMARY KEY,
     period  bigint -- milliseconds; NULL: for ever
   );
   CREATE TABLE weatherd.removed_month ( -- daily aggregates of months whose rows were removed because of their age
     station     integer NOT NULL,
     month_start bigint  NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
     month_end   bigint  NOT NULL, -- not included
     zone        text    NOT NULL, -- time zone of its days
     data        bytea   NOT NULL, -- as in day_table
     PRIMARY KEY (station, month_start)
   );
   ALTER TABLE weatherd.removed_month ALTER data SET STORAGE EXTERNAL`,

  `ALTER TABLE weatherd.chunk ADD days smallint NOT NULL DEFAULT 1 -- number of its UTC days; see chunk-days.ts`,

  // All rows are checked once more by quality control, in the background.
  `ALTER TABLE weatherd.newest ADD unjudged_from bigint; -- times of the first and last row written since the last request
   ALTER TABLE weatherd.newest ADD unjudged_to bigint;
   ALTER TABLE weatherd.block ADD requested bigint NOT NULL DEFAULT 0; -- runs up to this id have recheck requests
   CREATE TABLE weatherd.judging_request ( -- ranges that are rechecked; see recheck-store.ts
     id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     station   integer, -- NULL: the stations around a position
     latitude  double precision,
     longitude double precision,
     from_time bigint  NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
     to_time   bigint  NOT NULL, -- not included
     spreads   boolean NOT NULL
   );
   INSERT INTO weatherd.judging_request (station, from_time, to_time, spreads)
     SELECT number, -8640000000000000, 8640000000000000, false FROM (
       SELECT number FROM weatherd.station UNION ALL SELECT number FROM weatherd.removed_station) AS known;
   CREATE TABLE weatherd.overrule (
     id        text    NOT NULL PRIMARY KEY,
     station   integer NOT NULL,
     variable  integer NOT NULL,
     from_time bigint  NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
     to_time   bigint  NOT NULL, -- not included
     verdict   text    NOT NULL, -- bad or good
     reason    text    NOT NULL,
     made_by   text,
     made_at   bigint  NOT NULL
   );
   CREATE INDEX overrule_of_station ON weatherd.overrule (station);
   ALTER TABLE weatherd.station -- these four: NULL if there are none
     ADD steps jsonb, ADD persistence jsonb, ADD sensor_heights jsonb, ADD earlier jsonb;
   ALTER TABLE weatherd.removed_station
     ADD steps jsonb, ADD persistence jsonb, ADD sensor_heights jsonb, ADD earlier jsonb`,

  `ALTER TABLE weatherd.station ADD stamp_interval integer; -- seconds, if rows are sent with the start of their interval
   ALTER TABLE weatherd.removed_station ADD stamp_interval integer`,

  `ALTER TABLE weatherd.station
     ADD visibility text, -- 'hidden', or NULL for a station that everybody sees
     ADD position_decimals integer; -- decimals of the rounded position; NULL for the exact position
   ALTER TABLE weatherd.removed_station ADD visibility text, ADD position_decimals integer`,

  `CREATE TABLE weatherd.alarm (
     id        text    NOT NULL PRIMARY KEY,
     name      text    NOT NULL UNIQUE,
     station   integer,          -- NULL: all stations
     condition jsonb   NOT NULL,
     target    jsonb,            -- NULL: the alarm is only shown
     made_by   text,
     made_at   bigint  NOT NULL  -- milliseconds since 1970-01-01T00:00:00Z
   );
   CREATE TABLE weatherd.alarm_state ( -- state of an alarm at each station for which it was raised
     alarm    text    NOT NULL REFERENCES weatherd.alarm ON DELETE CASCADE,
     station  integer NOT NULL,
     revision bigint  NOT NULL,
     state    jsonb   NOT NULL,
     notice   jsonb,             -- the message that is not delivered yet
     PRIMARY KEY (alarm, station)
   );
   CREATE INDEX alarm_state_of_station ON weatherd.alarm_state (station);
   CREATE TABLE weatherd.alarm_version (version bigint NOT NULL);
   INSERT INTO weatherd.alarm_version VALUES (0)`,

  // From this version on, blobs (packed rows) have format version 3: the checksum of a blob is computed from its content and from
  // the key under which the blob is stored. Earlier programs cannot read these blobs.
  `ALTER TABLE weatherd.newest ADD checksum bigint -- see station-states.ts; NULL in rows of earlier programs`,

  `ALTER TABLE weatherd.station ADD cell_methods jsonb; -- by variable; NULL if all are those of the catalog
   ALTER TABLE weatherd.removed_station ADD cell_methods jsonb`,

  // Makes earlier versions of this program fail if they are still running. They do not notice that the schema is newer, and would
  // treat blobs (packed rows) of format version 3 as damaged. Before they read observations, they read the column `merged`. The
  // column gets another name, so that this read fails with STORE_UNAVAILABLE.
  'ALTER TABLE weatherd.block RENAME merged TO merged_to',

  `ALTER TABLE weatherd.station ADD demo text; -- measured or live; NULL if it is no station of the demo
   ALTER TABLE weatherd.removed_station ADD demo text`,

  `ALTER TABLE weatherd.station ADD daily_observation_time text; -- HH:MM by the local clock; NULL if it is unknown
   ALTER TABLE weatherd.removed_station ADD daily_observation_time text`,

  // Daily values are stored in a series of their own. After the migration, moveDailyValues moves the daily values of the stations
  // in the table `undivided`. The first daily value has the number 29, so data of programs with fewer variables have none. The
  // column gets another name for the reason above: earlier programs that still run would store daily values in the rows of reports.
  `CREATE TABLE weatherd.undivided (station integer PRIMARY KEY);
   INSERT INTO weatherd.undivided
     SELECT number FROM weatherd.any_station WHERE (SELECT highest FROM weatherd.catalogue) > 28;
   ALTER TABLE weatherd.block RENAME merged_to TO merged_through`,
];

/** The schema version that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** The error of all calls after a newer version of this program has migrated the schema; undefined otherwise. */
export function outdatedBy(version: number, location: string): DomainError | undefined {
  if (version <= SCHEMA_VERSION) return undefined;
  const cause = new Error(
    `${location}: its schema has version ${version}, and this weatherd knows the versions up to ${SCHEMA_VERSION}`,
  );
  const message =
    'A newer version of weatherd has changed the database. This instance no longer uses it. Install the newer version.';
  return new DomainError('STORE_UNAVAILABLE', message, { cause });
}

/**
 * Migrates the schema to the current version, within the transaction of `query`.
 *
 * @throws Error if the schema belongs to a newer version of this program
 */
export async function migrate(query: Query): Promise<void> {
  await query(`SET LOCAL statement_timeout = ${MIGRATION_TIMEOUT}`);
  await query('SET LOCAL lock_timeout = 0');
  await query('SELECT pg_advisory_xact_lock($1)', [LOCK], MIGRATION_TIMEOUT);
  await query('SET LOCAL lock_timeout TO DEFAULT');
  const { rows: found } = await query('SELECT FROM pg_namespace WHERE nspname = $1', [SCHEMA]);
  // Citus would send the statement to all workers, even if the schema exists, and would fail if a worker cannot be reached.
  if (found.length === 0) await query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  await query(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.migration (version integer NOT NULL PRIMARY KEY)`);
  const { rows } = await query<{ version: number | null }>(
    `SELECT max(version) AS version FROM ${SCHEMA}.migration`,
  );
  const version = rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length) {
    throw new Error(
      `its schema has version ${version}, and this weatherd knows the versions up to ${MIGRATIONS.length}: a newer weatherd has written the database. Install the newer weatherd, or restore a backup`,
    );
  }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    await query(migration, [], MIGRATION_TIMEOUT);
    await query(`INSERT INTO ${SCHEMA}.migration (version) VALUES ($1)`, [index + 1]);
  }
  await recordHighestVariable(query);
  await definePlainRows(query);
}

/**
 * Stores the highest variable number that this program knows. Each weather variable, such as the air temperature, has a
 * number. A new variable does not change the schema version, so the stored number shows whether the data may contain variables
 * of a newer program.
 *
 * @throws Error if the data may contain variables that this program does not know
 */
async function recordHighestVariable(query: Query): Promise<void> {
  const known = Math.max(...VARIABLES.map(({ number }) => number));
  const { rows } = await query<{ highest: number }>(`SELECT highest FROM ${SCHEMA}.catalogue`);
  const highest = rows[0]?.highest ?? 0;
  if (highest > known) {
    throw new Error(
      `its variables have numbers up to ${highest}, and this weatherd knows the numbers up to ${known}: a newer weatherd has written the database. Install the newer weatherd, or restore a backup`,
    );
  }
  if (highest < known) await query(`UPDATE ${SCHEMA}.catalogue SET highest = $1`, [known]);
}
