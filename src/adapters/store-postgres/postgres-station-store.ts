import type { StationChange, StationStore } from '../../application/ports/station-store.js';
import type { Station, StationDraft } from '../../domain/station.js';
import { isStorable, type PostgresDatabase, type Query } from './postgres-database.js';

const COLUMNS = `id, number, name, latitude, longitude, elevation, time_zone AS "timeZone", identifiers,
  reporting_interval AS "reportingInterval", limits`;
const SELECT = `SELECT ${COLUMNS} FROM weatherd.station`;

/** Stations in PostgreSQL. */
export class PostgresStationStore implements StationStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async find(id: string): Promise<Station | undefined> {
    if (!isStorable(id)) return undefined;
    return (await this.#database.query<Station>(`${SELECT} WHERE id = $1`, [id])).rows[0];
  }

  async list(): Promise<readonly Station[]> {
    return (await this.#database.query<Station>(`${SELECT} ORDER BY id COLLATE "C"`)).rows;
  }

  async put(drafts: readonly StationDraft[]): Promise<readonly StationChange[]> {
    return await this.#database.transaction(async (query) => {
      await query('UPDATE weatherd.station_version SET version = version + 1');
      const changes: StationChange[] = [];
      for (const draft of drafts) changes.push(await putStation(query, draft));
      return changes;
    });
  }

  async remove(id: string): Promise<boolean> {
    if (!isStorable(id)) return false;
    return await this.#database.transaction(async (query) => {
      // Whoever changes stations locks their version first, and then stations: two of them never wait for each other.
      await query('SELECT version FROM weatherd.station_version FOR UPDATE');
      const { rows } = await query<{ number: number }>(
        'DELETE FROM weatherd.station WHERE id = $1 RETURNING number',
        [id],
      );
      const number = rows[0]?.number;
      if (number === undefined) return false;
      await query('DELETE FROM weatherd.observation WHERE station = $1', [number]);
      await query('DELETE FROM weatherd.newest WHERE station = $1', [number]);
      await query('UPDATE weatherd.station_version SET version = version + 1');
      return true;
    });
  }

  async version(): Promise<string> {
    const { rows } = await this.#database.query<{ version: number }>(
      'SELECT version FROM weatherd.station_version',
    );
    return String(rows[0]?.version);
  }
}

/** Not an upsert: that would use up a number even where there is a station. Whoever puts stations holds their version. */
async function putStation(query: Query, draft: StationDraft): Promise<StationChange> {
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
  ];
  const { rows: changed } = await query<Station>(
    `UPDATE weatherd.station SET name = $2, latitude = $3, longitude = $4, elevation = $5, time_zone = $6,
       identifiers = $7, reporting_interval = $8, limits = $9
     WHERE id = $1 RETURNING ${COLUMNS}`,
    values,
  );
  if (changed[0] !== undefined) return { station: changed[0], made: false };
  const { rows: made } = await query<Station>(
    `INSERT INTO weatherd.station
       (id, name, latitude, longitude, elevation, time_zone, identifiers, reporting_interval, limits)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
    values,
  );
  return { station: made[0] as Station, made: true };
}
