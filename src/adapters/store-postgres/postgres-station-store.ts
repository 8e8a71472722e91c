import type { StationChange, StationStore } from '../../application/ports/station-store.js';
import type { Station, StationDraft } from '../../domain/station.js';
import { isStorable, type PostgresDatabase } from './postgres-database.js';

const SELECT = `SELECT id, number, name, latitude, longitude, elevation, time_zone AS "timeZone", identifiers,
    reporting_interval AS "reportingInterval", limits FROM weatherd.station`;

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
      for (const draft of drafts) {
        const { rows } = await query<Station & { made: boolean }>(
          `INSERT INTO weatherd.station
             (id, name, latitude, longitude, elevation, time_zone, identifiers, reporting_interval, limits)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           ON CONFLICT (id) DO UPDATE SET name = excluded.name, latitude = excluded.latitude,
             longitude = excluded.longitude, elevation = excluded.elevation, time_zone = excluded.time_zone,
             identifiers = excluded.identifiers, reporting_interval = excluded.reporting_interval,
             limits = excluded.limits
           RETURNING id, number, name, latitude, longitude, elevation, time_zone AS "timeZone", identifiers,
             reporting_interval AS "reportingInterval", limits, xmax = 0 AS made`,
          [
            draft.id,
            draft.name,
            draft.latitude,
            draft.longitude,
            draft.elevation,
            draft.timeZone,
            JSON.stringify(draft.identifiers),
            draft.reportingInterval,
            JSON.stringify(draft.limits),
          ],
        );
        for (const { made, ...station } of rows) changes.push({ station, made });
      }
      return changes;
    });
  }

  async remove(id: string): Promise<boolean> {
    if (!isStorable(id)) return false;
    return await this.#database.transaction(async (query) => {
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
