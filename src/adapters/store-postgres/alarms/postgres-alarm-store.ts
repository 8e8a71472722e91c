import type { AlarmStore } from '#application/ports/alarm-store.js';
import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Parameter, Query } from '../database/query.js';

/** The first statement of every transaction that changes alarms. It serializes them, so that they cannot deadlock. */
const CHANGED = 'UPDATE weatherd.alarm_version SET version = version + 1';

const toText = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Alarms in PostgreSQL. */
export class PostgresAlarmStore implements AlarmStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async version(): Promise<string> {
    const { rows } = await this.#database.query<{ version: number }>(
      'SELECT version FROM weatherd.alarm_version',
    );
    return String(rows[0]?.version);
  }

  async alarms(): Promise<readonly Alarm[]> {
    const { rows } = await this.#database.query<Alarm>(
      `SELECT id, name, station, condition, target, made_by AS "madeBy", made_at AS "madeAt"
       FROM weatherd.alarm ORDER BY name COLLATE "C"`,
    );
    return rows;
  }

  async states(): Promise<readonly StationAlarm[]> {
    const { rows } = await this.#database.query<StationAlarm>(
      `SELECT alarm, station, revision, state, notice FROM weatherd.alarm_state ORDER BY alarm COLLATE "C", station`,
    );
    return rows;
  }

  async add(alarm: Alarm, replaced = ''): Promise<boolean> {
    const { id, name, station, condition, target, madeBy, madeAt } = alarm;
    return await this.#database.transaction(async (query) => {
      await query(CHANGED);
      // Only where the next statement will add the alarm. CHANGED keeps others from coming between the two.
      await query(
        `DELETE FROM weatherd.alarm WHERE id = $1
         AND NOT EXISTS (SELECT FROM weatherd.alarm WHERE name = $2 AND id <> $1)
         AND ($3::integer IS NULL OR EXISTS (SELECT FROM weatherd.any_station WHERE number = $3))`,
        [replaced, name, station],
      );
      const { rowCount } = await query(
        `INSERT INTO weatherd.alarm (id, name, station, condition, target, made_by, made_at)
         SELECT $1::text, $2::text, $3::integer, $4::jsonb, $5::jsonb, $6::text, $7::bigint
         WHERE $3 IS NULL OR EXISTS (SELECT FROM weatherd.any_station WHERE number = $3)
         ON CONFLICT (name) DO NOTHING`,
        [id, name, station, JSON.stringify(condition), toText(target), madeBy, madeAt],
      );
      return rowCount === 1;
    });
  }

  setTarget(id: string, target: Alarm['target']): Promise<boolean> {
    return this.#change('UPDATE weatherd.alarm SET target = $2::jsonb WHERE id = $1', [id, toText(target)]);
  }

  remove(id: string): Promise<boolean> {
    return this.#change('DELETE FROM weatherd.alarm WHERE id = $1', [id]);
  }

  /** @returns whether the statement has changed an alarm */
  async #change(statement: string, parameters: readonly Parameter[]): Promise<boolean> {
    return await this.#database.transaction(async (query) => {
      await query(CHANGED);
      const { rowCount } = await query(statement, parameters);
      return rowCount === 1;
    });
  }

  async put(states: readonly StationAlarm[]): Promise<readonly boolean[]> {
    if (states.length === 0) return [];
    return await this.#database.transaction(async (query) => {
      await query(CHANGED);
      const { rows } = await query<Pick<StationAlarm, 'alarm' | 'station'>>(
        `WITH given AS (
           SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::jsonb[], $5::jsonb[])
             AS given (alarm, station, revision, state, notice)
           WHERE EXISTS (SELECT FROM weatherd.alarm WHERE id = given.alarm)
         ), made AS (
           INSERT INTO weatherd.alarm_state (alarm, station, revision, state, notice)
           SELECT alarm, station, 1, state, notice FROM given WHERE revision = 0
           ON CONFLICT (alarm, station) DO NOTHING RETURNING alarm, station
         ), replaced AS (
           UPDATE weatherd.alarm_state AS kept
           SET revision = kept.revision + 1, state = given.state, notice = given.notice
           FROM given WHERE (kept.alarm, kept.station, kept.revision) = (given.alarm, given.station, given.revision)
           RETURNING kept.alarm, kept.station
         ) SELECT * FROM made UNION ALL SELECT * FROM replaced`,
        [
          states.map(({ alarm }) => alarm),
          states.map(({ station }) => station),
          states.map(({ revision }) => revision),
          states.map(({ state }) => JSON.stringify(state)),
          states.map(({ notice }) => toText(notice)),
        ],
      );
      const written = new Set(rows.map(({ alarm, station }) => `${station} ${alarm}`));
      return states.map(({ alarm, station }) => written.has(`${station} ${alarm}`));
    });
  }
}

/** Removes what belongs to an erased station, within the transaction of `query`. */
export async function removeAlarmsOf(query: Query, station: number): Promise<void> {
  await query(CHANGED);
  await query('DELETE FROM weatherd.alarm_state WHERE station = $1', [station]);
  await query('DELETE FROM weatherd.alarm WHERE station = $1', [station]);
}
