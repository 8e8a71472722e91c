import type { Station } from '#domain/weather/station.js';
import { isAmongAll } from '#domain/weather/stations/demo.js';

/** In a list of ids: all stations that everybody may see, without those of the demo. */
export const ALL_STATIONS = '*';

/**
 * The stations that a setting selects.
 *
 * @param selection ids of stations, and `*` (`ALL_STATIONS`). A hidden station or a station of the demo must be named
 */
export function selectStations(
  stations: readonly Station[],
  selection: readonly string[],
): readonly Station[] {
  const named = new Set(selection);
  const hasAll = named.has(ALL_STATIONS);
  return stations.filter(
    (station) => named.has(station.id) || (hasAll && station.visibility !== 'hidden' && isAmongAll(station)),
  );
}
