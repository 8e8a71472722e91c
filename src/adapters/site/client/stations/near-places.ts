import { distanceBetween, nearestLongitude, type Place, type Position } from '../map/fit.js';

/** A town farther away than this distance in km does not name the place of a station. */
const NEAR = 15;

/** Returns the names of the nearest towns by station. Stations without a near town are left out. */
export function nearPlaces(
  stations: readonly { readonly station: Position & { readonly id: string } }[],
  places: readonly Place[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { station } of stations) {
    let nearest = NEAR;
    for (const place of places) {
      const longitude = nearestLongitude(place.longitude, station.longitude);
      const distance = distanceBetween(station, { latitude: place.latitude, longitude });
      if (distance >= nearest) continue;
      nearest = distance;
      found.set(station.id, place.name);
    }
  }
  return found;
}
