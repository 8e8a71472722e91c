import { MILLISECONDS } from '#domain/time.js';
import type { ApiClient, Newest, Reply, Schemas } from '../api.js';
import { instantText } from '../charts/model/span.js';
import { type ObservationReply, readObservations } from '../observations.js';
import type { SparkValues } from './model/spark.js';

type Latest = Reply<'/v1/stations/{id}/observations/latest', 'get'>;
export type Trend = Pick<Schemas['Trend'], 'change' | 'time'>;
export type ShownExtreme = Schemas['Extremes'];
export type Today = Schemas['Today'];

/**
 * The newest values of a station, with the data of sparklines, failed checks and derived values. Data that could not be read are
 * empty.
 */
export interface Now extends Pick<Latest, 'units' | 'last_seen' | 'trend' | 'today' | 'rain' | 'alarms'> {
  readonly latest: Newest;
  /** Values for sparklines, by variable: the 24 hours before the last value. */
  readonly lines: Readonly<Record<string, SparkValues>>;
  /** Failed checks of the newest values, by variable. */
  readonly checks: Readonly<Record<string, readonly string[]>>;
  /** Derived values at the time of the newest temperature. */
  readonly derived: Readonly<Record<string, number | null>>;
}

/** Variables of pressure, in the order of preference. */
export const PRESSURES = ['air_pressure_at_mean_sea_level', 'surface_air_pressure'] as const;
const DERIVED = ['apparent_temperature', 'dew_point'];
/** Number of columns of a sparkline. */
const SPARK_COLUMNS = 96;

/** Reads the newest values of a station. @throws WeatherdError if the newest values cannot be read */
export async function readNow(api: ApiClient, station: string): Promise<Now> {
  const path = { id: station };
  const query = { include: 'trend,today,rain' };
  const newest = await api.get('/v1/stations/{id}/observations/latest', { path, query });
  const [day, derived] = await Promise.all([
    readDay(api, path, newest).catch(ignoreApiError),
    readDerived(api, path, newest.latest).catch(ignoreApiError),
  ]);
  const { success: _success, code: _code, message: _message, station: _station, ...shown } = newest;
  return { ...shown, lines: day?.lines ?? {}, checks: day?.checks ?? {}, derived: derived ?? {} };
}

/**
 * Returns undefined for an error of the API, so that the page is shown without the data that could not be read. Throws any other
 * error again.
 */
export function ignoreApiError(error: unknown): undefined {
  if (!('code' in (error as Error))) throw error;
}

/** Reads the values of the sparklines, and the failed checks of suspect newest values. */
async function readDay(
  api: ApiClient,
  path: { readonly id: string },
  { latest, last_seen: lastSeen }: Latest,
) {
  const drawn = ['air_temperature', PRESSURES.find((name) => latest[name] !== undefined) ?? ''];
  const suspectNames = Object.entries(latest).flatMap(([name, { verdict }]) =>
    verdict === 'suspect' ? [name] : [],
  );
  const variables = [...new Set([...drawn, ...suspectNames])].filter((name) => latest[name] !== undefined);
  if (lastSeen === null || variables.length === 0) return undefined;
  const { observations, quality } = await readObservations(api, path, {
    from: instantText(Date.parse(lastSeen) - MILLISECONDS.day),
    variables: variables.join(','),
    points: SPARK_COLUMNS,
  });
  const verdicts = new Map(quality.map(({ variable, index, verdict }) => [`${variable} ${index}`, verdict]));
  const lines = variables.map((name): [string, SparkValues] => {
    const valuesWithVerdict = (wanted: string) =>
      knownValues(observations, name, (index) => (verdicts.get(`${name} ${index}`) ?? 'pass') === wanted);
    const suspects = valuesWithVerdict('suspect');
    return [name, { ...valuesWithVerdict('pass'), ...(suspects.times.length > 0 && { suspects }) }];
  });
  const checks = quality
    .filter(
      ({ variable, index }) =>
        observations.time[index] === Date.parse(latest[variable]?.time ?? '') / MILLISECONDS.second,
    )
    .map(({ variable, checks: names }): [string, readonly string[]] => [variable, names]);
  return { lines: Object.fromEntries(lines), checks: Object.fromEntries(checks) };
}

/** The values of one variable without rows in which the variable was not measured. */
function knownValues(
  { time: times, ...columns }: ObservationReply['observations'],
  variable: string,
  isWanted: (index: number) => boolean,
): SparkValues {
  const values = columns[variable] ?? [];
  const indexes = values.flatMap((value, index) => (value === null || !isWanted(index) ? [] : [index]));
  return {
    times: indexes.map((index) => times[index] as number),
    values: indexes.map((index) => values[index] as number),
  };
}

async function readDerived(api: ApiClient, path: { readonly id: string }, latest: Newest) {
  const at = latest['air_temperature']?.time;
  if (at === undefined) return undefined;
  const query = { from: at, variables: DERIVED.join(','), limit: 1 };
  const { derived } = await api.get('/v1/stations/{id}/derived', { path, query });
  return Object.fromEntries(DERIVED.map((name) => [name, derived[name]?.[0] ?? null]));
}
