import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import { PutStations } from '#application/stations/put-stations.js';
import type { StationDraft } from '#domain/weather/station.js';
import { CALLER, type World } from './world.js';

/** A station in New York that reports each hour. */
export const STATION: StationDraft = {
  id: 'JFK',
  name: 'John F Kennedy Intl',
  latitude: 40.639751,
  longitude: -73.778925,
  elevation: 4,
  timeZone: 'America/New_York',
  identifiers: { icao: 'KJFK' },
  reportingInterval: 3600,
  limits: {},
};

export async function addStation(world: World, changes: Partial<StationDraft> = {}): Promise<void> {
  await world.get(PutStations).execute([{ ...STATION, ...changes }], CALLER);
}

/** Records columns of hourly values that start at `from`. */
export async function record(
  world: World,
  from: string,
  values: Readonly<Record<string, readonly number[]>>,
  station = 'JFK',
) {
  const length = Object.values(values)[0]?.length ?? 0;
  const times = Float64Array.from({ length }, (_, hour) => Date.parse(from) + hour * 3_600_000);
  const sent = { stations: station, times, columns: sentColumns(values) };
  return await world.get(RecordObservations).execute(sent, CALLER);
}

/**
 * Creates columns as a source sends them.
 *
 * @param values values by the name or the number of their variable
 * @param units units by the name of the variable, where they differ from the stored units
 */
export function sentColumns(
  values: Readonly<Record<string, readonly number[]>>,
  units: Readonly<Record<string, string>> = {},
): SentRows['columns'] {
  return Object.entries(values).map(([name, column]) => ({
    variable: /^\d+$/.test(name) ? Number(name) : name,
    unit: units[name],
    values: Float64Array.from(column),
  }));
}
