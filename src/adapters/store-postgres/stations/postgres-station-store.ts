import type {
  RemovedStation,
  StationChange,
  StationStore,
} from '../../../application/ports/station-store.js';
import {
  edited,
  replacing,
  type SimilarStation,
  type StationEdit,
} from '../../../domain/weather/station-edit.js';
import type { Station, StationDraft } from '../../../domain/weather/station.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { isStorable, type Query } from '../database/query.js';
import { ERASED_AT_ONCE, eraseOldest, removeState } from '../erasure/erased-rows.js';
import { STATION_COLUMNS, type StationRow, toStation } from './station-columns.js';

/** The columns of both tables of stations. */
const STORED = `number, id, name, latitude, longitude, elevation, time_zone, identifiers, reporting_interval, limits,
  steps, persistence, sensor_heights, stamp_interval, earlier`;
/** The first statement of every transaction that changes stations. It serializes them, so that they cannot deadlock. */
const LOCK = 'SELECT FROM weatherd.station_version FOR UPDATE';
const CHANGED = 'UPDATE weatherd.station_version SET version = version + 1';
const SELECT = `SELECT ${STATION_COLUMNS} FROM weatherd.station`;

/** Stations in PostgreSQL. */
export class PostgresStationStore implements StationStore {
  readonly #database: PostgresDatabase;
  readonly #erasedAtOnce: number;

  /** @param erasedAtOnce as `ERASED_AT_ONCE` */
  constructor(database: PostgresDatabase, erasedAtOnce = ERASED_AT_ONCE) {
    this.#database = database;
    this.#erasedAtOnce = erasedAtOnce;
  }

  async find(id: string): Promise<Station | undefined> {
    if (!isStorable(id)) return undefined;
    const { rows } = await this.#database.query<StationRow>(`${SELECT} WHERE id = $1`, [id]);
    return rows.map(toStation)[0];
  }

  async list(): Promise<readonly Station[]> {
    const { rows } = await this.#database.query<StationRow>(`${SELECT} ORDER BY id COLLATE "C"`);
    return rows.map(toStation);
  }

  async change(edits: readonly StationEdit[]): Promise<readonly StationChange[]> {
    return await this.#database.transaction(async (query) => {
      await query(CHANGED);
      const changes: StationChange[] = [];
      for (const edit of edits) changes.push(await editStation(query, edit));
      return changes;
    });
  }

  put(drafts: readonly StationDraft[]): Promise<readonly StationChange[]> {
    return this.change(drafts.map(replacing));
  }

  async hide(id: string, time: number): Promise<boolean> {
    if (!isStorable(id)) return false;
    return await this.#database.transaction(async (query) => {
      await query(LOCK);
      const { rowCount } = await query(
        `WITH gone AS (DELETE FROM weatherd.station WHERE id = $1 RETURNING ${STORED})
         INSERT INTO weatherd.removed_station (${STORED}, removed_at) SELECT ${STORED}, $2 FROM gone`,
        [id, time],
      );
      if (rowCount === 0) return false;
      await query(CHANGED);
      return true;
    });
  }

  async restore(id: string): Promise<boolean> {
    if (!isStorable(id)) return false;
    return await this.#database.transaction(async (query) => {
      await query(LOCK);
      const { rowCount } = await query(
        `WITH back AS (DELETE FROM weatherd.removed_station WHERE id = $1 RETURNING ${STORED})
         INSERT INTO weatherd.station (${STORED}) OVERRIDING SYSTEM VALUE SELECT ${STORED} FROM back`,
        [id],
      );
      if (rowCount === 0) return false;
      await query(CHANGED);
      return true;
    });
  }

  async hidden(): Promise<readonly RemovedStation[]> {
    const { rows } = await this.#database.query<StationRow & { removedAt: number }>(
      `SELECT ${STATION_COLUMNS}, removed_at AS "removedAt" FROM weatherd.removed_station ORDER BY id COLLATE "C"`,
    );
    return rows.map(({ removedAt, ...row }) => ({ station: toStation(row), removedAt }));
  }

  async remove(id: string, hiddenUntil?: number): Promise<boolean> {
    if (!isStorable(id)) return false;
    return await this.#database.transaction(async (query) => {
      await query(LOCK);
      const { rows } = await query<{ number: number }>(
        `WITH shown AS (DELETE FROM weatherd.station WHERE id = $1 AND $2::bigint IS NULL RETURNING number),
           hidden AS (DELETE FROM weatherd.removed_station
             WHERE id = $1 AND ($2::bigint IS NULL OR removed_at <= $2) RETURNING number)
         INSERT INTO weatherd.erased_station (number)
         SELECT number FROM shown UNION ALL SELECT number FROM hidden RETURNING number`,
        [id, hiddenUntil ?? null],
      );
      const number = rows[0]?.number;
      if (number === undefined) return false;
      await query('DELETE FROM weatherd.station_grant WHERE station = $1', [number]);
      await removeState(query, number);
      await query(
        `WITH gone AS (DELETE FROM weatherd.upload_key WHERE station = $1 RETURNING number)
         UPDATE weatherd.upload_version SET version = version + 1 WHERE EXISTS (SELECT FROM gone)`,
        [number],
      );
      await query(CHANGED);
      return true;
    });
  }

  async erased(): Promise<readonly number[]> {
    const { rows } = await this.#database.query<{ number: number }>(
      'SELECT number FROM weatherd.erased_station ORDER BY number',
    );
    return rows.map(({ number }) => number);
  }

  async eraseRows(number: number): Promise<boolean> {
    return await this.#database.transaction((query) => eraseOldest(query, number, this.#erasedAtOnce));
  }

  async periods(): Promise<ReadonlyMap<number, number | null>> {
    const { rows } = await this.#database.query<{ station: number; period: number | null }>(
      'SELECT station, period FROM weatherd.retention ORDER BY station',
    );
    return new Map(rows.map(({ station, period }) => [station, period]));
  }

  async setPeriod(station: number, period: number | null | undefined): Promise<void> {
    if (period === undefined)
      await this.#database.query('DELETE FROM weatherd.retention WHERE station = $1', [station]);
    else
      await this.#database.query(
        `INSERT INTO weatherd.retention (station, period) VALUES ($1, $2)
         ON CONFLICT (station) DO UPDATE SET period = excluded.period`,
        [station, period],
      );
  }

  async removedUntil(): Promise<ReadonlyMap<number, number>> {
    const { rows } = await this.#database.query<{ station: number; until: number }>(
      'SELECT station, max(month_end) AS until FROM weatherd.removed_month GROUP BY station',
    );
    return new Map(rows.map(({ station, until }) => [station, until]));
  }

  async version(): Promise<string> {
    const { rows } = await this.#database.query<{ version: number }>(
      'SELECT version FROM weatherd.station_version',
    );
    return String(rows[0]?.version);
  }
}

/** Must be called with `LOCK` held, so that only one transaction edits stations. */
async function editStation(query: Query, edit: StationEdit): Promise<StationChange> {
  const { rows } = await query<StationRow>(`${SELECT} WHERE id = $1`, [edit.id]);
  const [known] = rows.map(toStation);
  const draft = edited(edit, known, known === undefined ? await similarTo(query, edit.id) : undefined);
  const values = [
    draft.id,
    draft.name,
    draft.latitude,
    draft.longitude,
    draft.elevation,
    draft.timeZone,
    JSON.stringify(draft.identifiers),
    draft.reportingInterval,
    JSON.stringify(draft.limits),
    toJson(draft.steps),
    toJson(draft.persistence),
    toJson(draft.sensorHeights),
    draft.stampInterval ?? null,
    toJson(draft.earlier),
  ];
  // Not an upsert, because that would use up a number even if the station exists.
  const { rows: changed } = await query<StationRow>(
    known === undefined
      ? `INSERT INTO weatherd.station
           (id, name, latitude, longitude, elevation, time_zone, identifiers, reporting_interval, limits,
            steps, persistence, sensor_heights, stamp_interval, earlier)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING ${STATION_COLUMNS}`
      : `UPDATE weatherd.station SET name = $2, latitude = $3, longitude = $4, elevation = $5, time_zone = $6,
           identifiers = $7, reporting_interval = $8, limits = $9, steps = $10, persistence = $11,
           sensor_heights = $12, stamp_interval = $13, earlier = $14
         WHERE id = $1 RETURNING ${STATION_COLUMNS}`,
    values,
  );
  const made = known === undefined;
  return { station: toStation(changed[0] as StationRow), made, ...(known && { before: known }) };
}

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

async function similarTo(query: Query, id: string): Promise<SimilarStation | undefined> {
  const { rows } = await query<SimilarStation>(
    `SELECT id, true AS removed FROM weatherd.removed_station WHERE lower(id COLLATE "C") = lower($1 COLLATE "C")
     UNION ALL SELECT id, false FROM weatherd.station WHERE lower(id COLLATE "C") = lower($1 COLLATE "C")
     ORDER BY removed DESC LIMIT 1`,
    [id],
  );
  return rows[0];
}
