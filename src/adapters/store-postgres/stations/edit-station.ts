import { STATION_FIELDS, toJson } from '#adapters/store/stations/station-columns.js';
import type { StationChange } from '#application/ports/station-store.js';
import { edited, type SimilarStation, type StationEdit } from '#domain/weather/station-edit.js';
import type { Station } from '#domain/weather/station.js';
import type { Query } from '../database/query.js';
import { SELECT_STATION, type StationRow, toStation } from './station-columns.js';

/** The station with this id, unless it was removed. */
export async function visible(query: Query, id: string): Promise<Station | undefined> {
  const { rows } = await query<StationRow>(`${SELECT_STATION} WHERE id = $1`, [id]);
  return rows.map(toStation)[0];
}

/** Must be called with the lock of `PostgresStationStore` held, so that only one transaction edits stations. */
export async function editStation(query: Query, edit: StationEdit): Promise<StationChange> {
  const known = await visible(query, edit.id);
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
    draft.visibility ?? null,
    draft.positionDecimals ?? null,
    toJson(draft.earlier),
    toJson(draft.cellMethods),
  ];
  // Not an upsert, because that would use up a number even if the station exists.
  const { rows: changed } = await query<StationRow>(
    known === undefined
      ? `INSERT INTO weatherd.station
           (id, name, latitude, longitude, elevation, time_zone, identifiers, reporting_interval, limits,
            steps, persistence, sensor_heights, stamp_interval, visibility, position_decimals, earlier, cell_methods)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) RETURNING ${STATION_FIELDS}`
      : `UPDATE weatherd.station SET name = $2, latitude = $3, longitude = $4, elevation = $5, time_zone = $6,
           identifiers = $7, reporting_interval = $8, limits = $9, steps = $10, persistence = $11,
           sensor_heights = $12, stamp_interval = $13, visibility = $14, position_decimals = $15, earlier = $16, cell_methods = $17
         WHERE id = $1 RETURNING ${STATION_FIELDS}`,
    values,
  );
  const made = known === undefined;
  return { station: toStation(changed[0] as StationRow), made, ...(known && { before: known }) };
}

async function similarTo(query: Query, id: string): Promise<SimilarStation | undefined> {
  const { rows } = await query<SimilarStation>(
    `SELECT id, true AS removed FROM weatherd.removed_station WHERE lower(id COLLATE "C") = lower($1 COLLATE "C")
     UNION ALL SELECT id, false FROM weatherd.station WHERE lower(id COLLATE "C") = lower($1 COLLATE "C")
     ORDER BY removed DESC LIMIT 1`,
    [id],
  );
  return rows[0];
}
