import { nearestName } from '#domain/nearest-name.js';
import type { ApiClient } from '../api.js';

/** A station whose id or name is similar to what a visitor has asked for. */
export interface NearStation {
  readonly id: string;
  readonly name: string;
}

/** Number of stations that are compared. */
const COMPARED = 500;
const SUGGESTED = 3;

/** Finds stations with a similar id or name, among the first stations that the visitor may see. @throws WeatherdError */
export async function nearestStations(api: ApiClient, wanted: string): Promise<readonly NearStation[]> {
  const { stations } = await api.get('/v1/stations', { query: { limit: COMPARED } });
  return similarStations(wanted, stations);
}

/** The stations with the most similar ids or names, the most similar first. */
export function similarStations(wanted: string, stations: readonly NearStation[]): readonly NearStation[] {
  let rest = stations.map(({ id, name }) => ({ id, name }));
  const found: NearStation[] = [];
  while (found.length < SUGGESTED) {
    const nearest = nearestName(
      wanted,
      rest.flatMap(({ id, name }) => [id, name]),
    );
    const station = rest.find(({ id, name }) => id === nearest || name === nearest);
    if (station === undefined) break;
    found.push(station);
    rest = rest.filter((other) => other !== station);
  }
  return found;
}
