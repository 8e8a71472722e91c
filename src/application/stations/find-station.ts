import { unknownStation } from '#domain/weather/station-edit.js';
import type { Station } from '#domain/weather/station.js';
import type { StationStore } from '../ports/station-store.js';

export { unknownStation };

/**
 * Finds a station by its id.
 *
 * @throws DomainError STATION_UNKNOWN
 */
export async function findStation(stations: StationStore, id: string): Promise<Station> {
  const station = await stations.find(id);
  if (station === undefined) throw unknownStation(id);
  return station;
}
