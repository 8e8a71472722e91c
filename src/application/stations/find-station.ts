import { DomainError } from '#domain/domain-error.js';
import type { Station } from '#domain/weather/station.js';
import type { StationStore } from '../ports/station-store.js';

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

export function unknownStation(id: string): DomainError {
  return new DomainError('STATION_UNKNOWN', `There is no station ${JSON.stringify(id)}.`);
}
