import { MILLISECONDS } from '#domain/time.js';
import type { ApiClient, Newest, Reply, Schemas } from '../api.js';
import { instantText } from '../charts/model/span.js';
import { type ObservationReply, readObservations } from '../observations.js';
import type { DrawnLine } from './model/spark.js';

type Latest = Reply<'/v1/stations/{id}/observations/latest', 'get'>;
export type Trend = Pick<Schemas['Trend'], 'change' | 'time'>;
export type ShownExtreme = Schemas['Extremes'];
export type Today = Schemas['Today'];

/** The newest values of a station, and what makes sense of them. Parts that could not be read are missing. */
export interface Now extends Pick<Latest, 'units' | 'last_seen' | 'trend' | 'today' | 'rain' | 'alarms'> {
  readonly latest: Newest;
  /** The 24 hours before the last value, by variable. */
  readonly lines: Readonly<Record<string, DrawnLine>>;
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

/** @throws WeatherdError if the newest values cannot be read */
export async function readNow(api: ApiClient, station: string): Promise<Now> {
  const path = { id: station };
  const query = { include: 'trend,today,rain' };
  const newest = await api.get('/v1/stations/{id}/observations/latest', { path, query });
  const [day, derived] = await Promise.all([
    readDay(api, path, newest).catch(withoutIt),
    readDerived(api, path, newest.latest).catch(withoutIt),
  ]);
  const { success: _success, code: _code, message: _message, station: _station, ...shown } = newest;
  return { ...shown, lines: day?.lines ?? {}, checks: day?.checks ?? {}, derived: derived ?? {} };
}

/** The page is of use without the part that failed. */
export function withoutIt(error: unknown): undefined {
  if (!('code' in (error as Error))) throw error;
}

/** The lines of the sparklines, and the checks of doubtful newest values. */
async function readDay(
  api: ApiClient,
  path: { readonly id: string },
  { latest, last_seen: lastSeen }: Latest,
) {
  const drawn = ['air_temperature', PRESSURES.find((name) => latest[name] !== undefined) ?? ''];
  const doubtful = Object.entries(latest).flatMap(([name, { verdict }]) =>
    verdict === 'suspect' ? [name] : [],
  );
  const variables = [...new Set([...drawn, ...doubtful])].filter((name) => latest[name] !== undefined);
  if (lastSeen === null || variables.length === 0) return undefined;
  const { observations, quality } = await readObservations(api, path, {
    from: instantText(Date.parse(lastSeen) - MILLISECONDS.day),
    variables: variables.join(','),
    points: SPARK_COLUMNS,
  });
  const verdicts = new Map(quality.map(({ variable, index, verdict }) => [`${variable} ${index}`, verdict]));
  const lines = variables.map((name): [string, DrawnLine] => {
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
): DrawnLine {
  const values = columns[variable] ?? [];
  const kept = values.flatMap((value, index) => (value === null || !isWanted(index) ? [] : [index]));
  return {
    times: kept.map((index) => times[index] as number),
    values: kept.map((index) => values[index] as number),
  };
}

async function readDerived(api: ApiClient, path: { readonly id: string }, latest: Newest) {
  const at = latest['air_temperature']?.time;
  if (at === undefined) return undefined;
  const query = { from: at, variables: DERIVED.join(','), limit: 1 };
  const { derived } = await api.get('/v1/stations/{id}/derived', { path, query });
  return Object.fromEntries(DERIVED.map((name) => [name, derived[name]?.[0] ?? null]));
}
