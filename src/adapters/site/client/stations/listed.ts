import { isOfCurrentWind } from '../format/wind.js';
import type { ApiClient, Newest, NewestValue, Schemas, Station, TodayRain } from '../api.js';
import { localTime } from '../charts/model/zone.js';
import type { LiveChange } from '../live/live-stream.js';

/** The data of a station in the list and on the map. */
export type ListedStation = Readonly<Pick<Schemas['LatestOfStation'], 'last_seen'>> & {
  readonly latest: Newest;
  readonly station: Readonly<Omit<Station, 'elevation'>>;
  /** Rain since local midnight in mm. */
  readonly rain: number | null;
  /** The local midnight at which `rain` starts; undefined if the API could not read the rows of the day. */
  readonly midnight: string | undefined;
  /** Names of the raised alarms. */
  readonly alarms: readonly string[];
};

export interface StationList {
  readonly stations: readonly ListedStation[];
  /** Cursor of the next page of stations; null if all stations have been read. */
  readonly next: string | null;
  readonly units: Readonly<Record<string, string>>;
}

const SHOWN = ['air_temperature', 'wind_speed', 'wind_from_direction', 'wind_speed_of_gust'] as const;
/** Number of stations in the first reply and in each further reply. With `include`, the API allows at most 500. */
const [FIRST, FURTHER] = [100, 500];

/** Which stations the list shows: the stations that match a search text, beginning at a cursor of the API. */
export interface ListStart {
  /** `next` of the previous page; undefined for the first page of the list. */
  readonly cursor: string | undefined;
  /** Search text: part of an id, a name or another identifier of a station. */
  readonly text: string | undefined;
}

export async function readStations(
  api: ApiClient,
  { cursor, text }: ListStart,
  limit = FIRST,
): Promise<StationList> {
  const query = { include: 'today', limit, cursor, q: text };
  const { stations, next, units } = await api.get('/v1/observations/latest', { query });
  return { stations: stations.map(toListedStation), next, units: pick(units, SHOWN) };
}

/** Reads the next stations and appends them to the list. */
export async function readNextStations(
  api: ApiClient,
  list: StationList,
  text: string | undefined,
): Promise<StationList> {
  if (list.next === null) return list;
  const further = await readStations(api, { cursor: list.next, text }, FURTHER);
  return { ...further, stations: [...list.stations, ...further.stations] };
}

/**
 * Reads at least `count` stations again.
 *
 * @returns a function that merges the stations into the shown list, which may have become longer in the meantime
 */
export async function readAgain(
  api: ApiClient,
  begin: ListStart,
  count: number,
): Promise<(shown: StationList) => StationList> {
  let newList = await readStations(api, begin, Math.min(Math.max(count, FIRST), FURTHER));
  while (newList.stations.length < count && newList.next !== null)
    newList = await readNextStations(api, newList, begin.text);
  return (shown) => {
    const further = shown.stations.slice(newList.stations.length);
    return newList.next === null || further.length === 0
      ? newList
      : { ...shown, stations: [...newList.stations, ...further] };
  };
}

/** The parts of an event that the list shows. */
type ListChange = Pick<LiveChange, 'last_seen' | 'latest' | 'alarms'> & { readonly today?: TodayRain };

/** Merges new values into the list. Stations without new values stay the same objects, so that only changed rows are rendered. */
export function withChanges(list: StationList, changes: ReadonlyMap<string, ListChange>): StationList {
  if (!list.stations.some(({ station }) => changes.has(station.id))) return list;
  const stations = list.stations.map((listedStation) => {
    const change = changes.get(listedStation.station.id);
    if (change === undefined) return listedStation;
    const { last_seen, latest, today, alarms } = change;
    return {
      ...listedStation,
      last_seen,
      latest: pick(latest, SHOWN),
      ...(today && rainOf(today)),
      ...(alarms && { alarms: namesOf(alarms) }),
    };
  });
  return { ...list, stations };
}

function toListedStation({
  station,
  last_seen,
  latest,
  today,
  alarms = [],
}: Schemas['LatestOfStation']): ListedStation {
  const { id, name, latitude, longitude, time_zone, reporting_interval, recorded } = station;
  return {
    station: {
      id,
      name,
      latitude,
      longitude,
      time_zone,
      reporting_interval,
      ...(recorded !== undefined && { recorded }),
    },
    last_seen,
    latest: pick(latest, SHOWN),
    ...rainOf(today),
    alarms: namesOf(alarms),
  };
}

const namesOf = (alarms: readonly { readonly name: string }[]) => alarms.map(({ name }) => name);

function pick<Value>(
  record: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

function rainOf(today: TodayRain | undefined): Pick<ListedStation, 'rain' | 'midnight'> {
  return { rain: today?.rain ?? null, midnight: today?.from };
}

/**
 * Removes the rain of stations whose local day has ended, because this rain belongs to the previous day. A silent station sends
 * no new value that would replace the rain.
 *
 * @param now in ms since 1970
 * @returns the same list if no day has ended
 */
export function withoutEndedDays(list: StationList, now: number): StationList {
  const hasEnded = ({ midnight, station: { time_zone: zone } }: ListedStation) =>
    midnight !== undefined && localTime(Date.parse(midnight), zone).date < localTime(now, zone).date;
  if (!list.stations.some(hasEnded)) return list;
  const stations = list.stations.map((listedStation) =>
    hasEnded(listedStation) ? { ...listedStation, ...rainOf(undefined) } : listedStation,
  );
  return { ...list, stations };
}

/**
 * Returns the newest value of a variable. Undefined if there is no value, if quality control has rejected the value, or if a
 * variable of the wind is an hour or more older than the newest wind speed.
 */
export function shownValue({ latest }: ListedStation, variable: (typeof SHOWN)[number]): number | undefined {
  const newest: NewestValue | undefined = latest[variable];
  if (variable.startsWith('wind_') && !isOfCurrentWind(latest, variable)) return undefined;
  return newest === undefined || newest.verdict === 'fail' ? undefined : newest.value;
}
