import { MILLISECONDS } from '#domain/time.js';
import { type Api, ApiError, type Newest, type RaisedAlarm, stationPath, target } from '../api.js';
import type { ObservationReply } from '../charts/model/read.js';
import { instantText } from '../charts/model/span.js';
import type { Line } from './model/spark.js';

export interface Trend {
  /** Over 3 hours. */
  readonly change: number;
  /** Of the newer value. */
  readonly time: string;
}

export interface Extreme {
  readonly min: number;
  readonly min_time: string;
  readonly max: number;
  readonly max_time: string;
}

export interface Today {
  readonly extremes: Readonly<Record<string, Extreme>>;
  readonly rain: number | null;
  readonly rain_last_hour: number | null;
  readonly gust: { readonly value: number; readonly time: string; readonly direction: number | null } | null;
}

/** The newest values of a station, and what makes sense of them. Parts that could not be read are missing. */
export interface Now {
  readonly units: Readonly<Record<string, string>>;
  readonly last_seen: string | null;
  readonly latest: Newest;
  readonly trend?: Readonly<Record<string, Trend | null>>;
  readonly today?: Today;
  readonly rain?: { readonly month: number | null; readonly year: number | null };
  /** Those that are raised. */
  readonly alarms?: readonly RaisedAlarm[];
  /** The 24 hours before the last value, by variable. */
  readonly lines: Readonly<Record<string, Line>>;
  /** The checks that doubt a newest value, by variable. */
  readonly checks: Readonly<Record<string, readonly string[]>>;
  /** Of the time of the newest temperature. */
  readonly derived: Readonly<Record<string, number | null>>;
}

/** At sea level where the station has it. */
export const PRESSURES = ['air_pressure_at_mean_sea_level', 'surface_air_pressure'] as const;
const DERIVED = ['apparent_temperature', 'dew_point'];
/** A sparkline has this many columns. */
const SPARK_COLUMNS = 96;

/** @throws ApiError if the newest values cannot be read */
export async function readNow(api: Api, station: string): Promise<Now> {
  const path = stationPath(station);
  const newest = (await api.read(
    target(`${path}/observations/latest`, { include: 'trend,today,rain' }),
  )) as Omit<Now, 'lines' | 'checks' | 'derived'>;
  const [day, derived] = await Promise.all([
    readDay(api, path, newest).catch(withoutIt),
    readDerived(api, path, newest.latest).catch(withoutIt),
  ]);
  const { units, last_seen: lastSeen, latest, trend, today, rain, alarms } = newest;
  return {
    units,
    last_seen: lastSeen,
    latest,
    ...(trend && { trend }),
    ...(today && { today }),
    ...(rain && { rain }),
    ...(alarms && { alarms }),
    lines: day?.lines ?? {},
    checks: day?.checks ?? {},
    derived: derived ?? {},
  };
}

/** The page is of use without the part that failed. */
export function withoutIt(error: unknown): undefined {
  if (!(error instanceof ApiError) && !('code' in (error as Error))) throw error;
}

/** The lines of the sparklines, and the checks of doubtful newest values. */
async function readDay(
  api: Api,
  path: string,
  { latest, last_seen: lastSeen }: Pick<Now, 'latest' | 'last_seen'>,
) {
  const drawn = ['air_temperature', PRESSURES.find((name) => latest[name] !== undefined) ?? ''];
  const doubtful = Object.entries(latest).flatMap(([name, { verdict }]) =>
    verdict === 'suspect' ? [name] : [],
  );
  const variables = [...new Set([...drawn, ...doubtful])].filter((name) => latest[name] !== undefined);
  if (lastSeen === null || variables.length === 0) return undefined;
  const { observations, quality } = (await api.read(
    target(`${path}/observations`, {
      from: instantText(Date.parse(lastSeen) - MILLISECONDS.day),
      variables: variables.join(','),
      time: 'unix',
      points: SPARK_COLUMNS,
    }),
  )) as ObservationReply;
  const verdicts = new Map(quality.map(({ variable, index, verdict }) => [`${variable} ${index}`, verdict]));
  const lines = variables.map((name): [string, Line] => {
    const having = (wanted: string) =>
      knownValues(observations, name, (index) => (verdicts.get(`${name} ${index}`) ?? 'pass') === wanted);
    const suspects = having('suspect');
    return [name, { ...having('pass'), ...(suspects.times.length > 0 && { doubtful: suspects }) }];
  });
  const checks = quality
    .filter(
      ({ variable, index }) =>
        observations.time[index] === Date.parse(latest[variable]?.time ?? '') / MILLISECONDS.second,
    )
    .map(({ variable, checks: names }): [string, readonly string[]] => [variable, names]);
  return { lines: Object.fromEntries(lines), checks: Object.fromEntries(checks) };
}

/** A row has a value of each variable that was measured at its time. */
function knownValues(
  { time: times, ...columns }: ObservationReply['observations'],
  variable: string,
  isWanted: (index: number) => boolean,
): Line {
  const values = columns[variable] ?? [];
  const kept = values.flatMap((value, index) => (value === null || !isWanted(index) ? [] : [index]));
  return {
    times: kept.map((index) => times[index] as number),
    values: kept.map((index) => values[index] as number),
  };
}

async function readDerived(api: Api, path: string, latest: Newest) {
  const at = latest['air_temperature']?.time;
  if (at === undefined) return undefined;
  const { derived } = (await api.read(
    target(`${path}/derived`, { from: at, variables: DERIVED.join(','), limit: 1 }),
  )) as { readonly derived: Readonly<Record<string, readonly (number | null)[]>> };
  return Object.fromEntries(DERIVED.map((name) => [name, derived[name]?.[0] ?? null]));
}
