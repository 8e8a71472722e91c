import { RecordObservations } from '../../src/application/observations/ingest/record-observations.js';
import { PutStations } from '../../src/application/stations/put-stations.js';
import type { StationDraft } from '../../src/domain/weather/station.js';
import { CALLER, type World } from './world.js';

/** A station in New York that reports every hour. */
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
  return await world.get(RecordObservations).execute(
    station,
    {
      times: Float64Array.from({ length }, (_, hour) => Date.parse(from) + hour * 3_600_000),
      values: new Map(Object.entries(values).map(([name, column]) => [name, Float64Array.from(column)])),
      units: {},
      rejections: [],
    },
    CALLER,
  );
}
