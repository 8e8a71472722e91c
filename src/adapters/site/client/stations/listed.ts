import { isOfPresentWind } from '../format/wind.js';
import type { ApiClient, Newest, NewestValue, Schemas, Station, TodayRain } from '../api.js';
import { localTime } from '../charts/model/zone.js';
import type { Change } from '../live/lead.js';

/** What the list and the map show of a station. */
export type ListedStation = Readonly<Pick<Schemas['LatestOfStation'], 'last_seen'>> & {
  readonly latest: Newest;
  readonly station: Readonly<Omit<Station, 'elevation'>>;
  /** Since the local midnight, in mm. */
  readonly rain: number | null;
  /** That midnight; undefined if the rows of the day cannot be read. */
  readonly midnight: string | undefined;
  /** Names of the raised alarms. */
  readonly alarms: readonly string[];
};

export interface StationList {
  readonly stations: readonly ListedStation[];
  /** The cursor of the stations that are not read yet. */
  readonly next: string | null;
  readonly units: Readonly<Record<string, string>>;
}

const SHOWN = ['air_temperature', 'wind_speed', 'wind_from_direction', 'wind_speed_of_gust'] as const;
/** Stations of the first screen, and of each further reading: at most 500 with `include`. */
const [FIRST, FURTHER] = [100, 500];

/** Where the list begins, and of which stations it is. */
export interface Beginning {
  /** `next` of the page before. */
  readonly cursor: string | undefined;
  /** Part of a name or an id. */
  readonly text: string | undefined;
}

export async function readStations(
  api: ApiClient,
  { cursor, text }: Beginning,
  limit = FIRST,
): Promise<StationList> {
  const query = { include: 'today', limit, cursor, q: text };
  const { stations, next, units } = await api.get('/v1/observations/latest', { query });
  return { stations: stations.map(listed), next, units: pick(units, SHOWN) };
}

/** Adds the stations behind those that are read. */
export async function readFurther(
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
 * @returns puts them into the list, which may have become longer in the meantime
 */
export async function readAgain(
  api: ApiClient,
  begin: Beginning,
  count: number,
): Promise<(shown: StationList) => StationList> {
  let again = await readStations(api, begin, Math.min(Math.max(count, FIRST), FURTHER));
  while (again.stations.length < count && again.next !== null)
    again = await readFurther(api, again, begin.text);
  return (shown) => {
    const further = shown.stations.slice(again.stations.length);
    return again.next === null || further.length === 0
      ? again
      : { ...shown, stations: [...again.stations, ...further] };
  };
}

/** Puts new values into the list. Stations without any stay the same objects, so that only changed rows are drawn again. */
export function withChanges(list: StationList, changes: ReadonlyMap<string, Change>): StationList {
  if (!list.stations.some(({ station }) => changes.has(station.id))) return list;
  const stations = list.stations.map((listedStation) => {
    const change = changes.get(listedStation.station.id);
    if (change === undefined) return listedStation;
    const { last_seen, latest, today } = change;
    return { ...listedStation, last_seen, latest: pick(latest, SHOWN), ...(today && rainOf(today)) };
  });
  return { ...list, stations };
}

function listed({
  station,
  last_seen,
  latest,
  today,
  alarms = [],
}: Schemas['LatestOfStation']): ListedStation {
  const { id, name, latitude, longitude, time_zone, reporting_interval } = station;
  return {
    station: { id, name, latitude, longitude, time_zone, reporting_interval },
    last_seen,
    latest: pick(latest, SHOWN),
    ...rainOf(today),
    alarms: alarms.map(({ name: alarm }) => alarm),
  };
}

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
 * Takes the rain from the stations whose local day has ended: it is that of yesterday, and a silent station sends no other.
 *
 * @param now in ms since 1970
 * @returns the list itself if no day has ended
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

/** The value of a variable that may be shown: quality control has not rejected it. */
export function shownValue({ latest }: ListedStation, variable: (typeof SHOWN)[number]): number | undefined {
  const newest: NewestValue | undefined = latest[variable];
  if (variable.startsWith('wind_') && !isOfPresentWind(latest, variable)) return undefined;
  return newest === undefined || newest.verdict === 'fail' ? undefined : newest.value;
}
