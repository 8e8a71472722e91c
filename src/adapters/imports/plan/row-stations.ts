import type { Station } from '#domain/weather/station.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import { FileRefusal, say } from '#adapters/formats/files/sentences.js';
import type { ImportOptions } from './import-options.js';
import type { ImportPlan } from './import-plan.js';

/** The stations of the rows of a file. */
export interface RowStations {
  /** The id of the station for a code in the file; undefined for a station that is not imported. */
  readonly stationOf: (code: string | undefined) => string | undefined;
  /** The time zone of a station, as `Station.timeZone`; `UTC` for an unknown station, whose rows are rejected. */
  readonly zoneOf: (id: string) => string;
  /** Meters of a station above mean sea level, or null if unknown. */
  readonly elevationOf: (id: string) => number | null;
  /** The station that `--station` names for all rows; undefined if the file names the stations of the rows. */
  readonly single: string | undefined;
  /** The stations of the rows, by their names in the file. */
  readonly named: readonly (readonly [name: string, number: Station['number']])[];
}

/**
 * Determines the station of each row of a file, from the options, the plan (the description of how the file is read) and the
 * known stations.
 *
 * @param known all stations
 * @throws DomainError REQUEST_INVALID if neither the options nor the file name the stations; STATION_UNKNOWN if the station of
 *   the option does not exist. `zoneOf` throws DATA_DAMAGED for a damaged station
 */
export function rowStations(
  { station: id, only }: ImportOptions,
  { station: plan, stations: drafts = [] }: ImportPlan,
  known: readonly Station[],
): RowStations {
  const stations = new Map(known.map((station) => [station.id, station]));
  const elevationOf = (name: string) => stations.get(name)?.elevation ?? null;
  const zoneOf = (name: string) => {
    const station = stations.get(name);
    if (station !== undefined) assertReadable(station);
    return station?.timeZone ?? 'UTC';
  };
  if (id === undefined && plan === undefined) {
    throw new FileRefusal([say('station-missing', {})]);
  }
  if (id !== undefined) {
    if (!stations.has(id))
      throw new FileRefusal([say('station-removed', { id: JSON.stringify(id) })], {
        code: 'STATION_UNKNOWN',
      });
    const named = known.filter((station) => station.id === id).map(({ number }) => [id, number] as const);
    return { stationOf: ofOne(id, only), zoneOf, elevationOf, single: id, named };
  }
  const ids = idsByCode(known, plan?.identifier);
  const chosen =
    drafts.length === 0 ? known : known.filter((station) => drafts.some((draft) => draft.id === station.id));
  return {
    stationOf: (code = '') => (only === undefined || code === only ? (ids.get(code) ?? code) : undefined),
    zoneOf,
    elevationOf,
    single: undefined,
    named: chosen.flatMap((station) =>
      [...ids].filter(([, found]) => found === station.id).map(([code]) => [code, station.number] as const),
    ),
  };
}

/**
 * The ids of stations by the codes that a file may use for them. A code is the id of a station in this service, or the code of a
 * station in another system, such as WMO or ICAO (`Station.identifiers`). If a code has both meanings, for two different
 * stations, it means the station with this id.
 *
 * @param system the system of the codes; undefined means all systems
 */
function idsByCode(known: readonly Station[], system: string | undefined): Map<string, string> {
  const ids = new Map<string, string>();
  for (const station of known) {
    for (const [name, code] of Object.entries(station.identifiers)) {
      if (system === undefined || name === system) ids.set(code, station.id);
    }
  }
  for (const { id } of known) ids.set(id, id);
  return ids;
}

/** Assigns all rows to one station. The file must have only one code, or the code of `--only`. */
function ofOne(id: string, only: string | undefined): RowStations['stationOf'] {
  let seen: string | undefined;
  return (code) => {
    if (code === undefined) return id;
    if (only !== undefined) return code === only ? id : undefined;
    seen ??= code;
    if (code === seen) return id;
    throw new FileRefusal([say('stations-several', { first: seen, second: code })]);
  };
}
