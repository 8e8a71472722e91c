import type { Query } from './postgres-database.js';

/** Where everything of ours is, apart from other people's tables in the same database. */
export const SCHEMA = 'weatherd';

/** So that of two instances that start at once one migrates and the other waits: "WXDB". */
const LOCK = 0x57584442;

/** Each entry takes the schema one version up. Entries are only ever added. */
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
     created_at     bigint NOT NULL, -- these: milliseconds since 1970-01-01T00:00:00Z
     signs_from     bigint NOT NULL,
     verifies_until bigint,
     retired_at     bigint,
     private_key    text
   )`,
];

/**
 * Brings the schema up to date, within the transaction that `query` runs in.
 *
 * @throws Error when it belongs to a newer version of this program
 */
export async function migrate(query: Query): Promise<void> {
  await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  await query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  await query(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.migration (version integer NOT NULL PRIMARY KEY)`);
  const { rows } = await query<{ version: number | null }>(
    `SELECT max(version) AS version FROM ${SCHEMA}.migration`,
  );
  const version = rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length) {
    throw new Error(
      `its schema has version ${version} and this weatherd knows ${MIGRATIONS.length}: it was written by a newer one`,
    );
  }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    await query(migration);
    await query(`INSERT INTO ${SCHEMA}.migration (version) VALUES ($1)`, [index + 1]);
  }
}
