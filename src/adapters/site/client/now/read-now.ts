import { MILLISECONDS } from '#domain/time.js';
import { type ApiClient, ignoreApiError, type Newest, type Reply, type Schemas } from '../api.js';
import { instantText } from '../charts/model/span.js';
import { type ObservationReply, readObservations } from '../observations.js';
import { type Forecast, readForecast } from '../forecast/read-forecast.js';
import { isPast } from '../past/past-model.js';
import type { RibbonHour } from '../ribbon/ribbon-model.js';
import { type SparkValues, thin } from './model/spark.js';

const TEMPERATURE = 'air_temperature';
const HOURLY = ['precipitation_amount', 'wind_speed', 'wind_from_direction'] as const;

type PresentFact = Reply<'/v1/stations/{id}/now', 'get'>['facts'][number];
type Latest = Reply<'/v1/stations/{id}/observations/latest', 'get'>;
export type Trend = Pick<Schemas['Trend'], 'change' | 'time'>;
export type Today = Schemas['Today'];

/** The usual temperatures of some dates, by local hour. */
export interface UsualHours {
  /** The first year with values. */
  readonly since: number | undefined;
  /** For each date `MM-DD`, the percentiles 10, 50 and 90 of the 24 local hours in °C. */
  readonly dates: Readonly<
    Record<string, Readonly<Record<'p10' | 'p50' | 'p90', readonly (number | null)[]>>>
  >;
}

/**
 * The newest values of a station, with the data of the last 24 hours, failed checks and facts. Data that could not be read are empty.
 */
export interface Now extends Pick<
  Latest,
  'units' | 'last_seen' | 'trend' | 'today' | 'rain' | 'alarms' | 'quality_control'
> {
  readonly latest: Newest;
  /** Values by variable: the 24 hours before the last value. */
  readonly lines: Readonly<Record<string, SparkValues>>;
  /** The quantity that the service takes for `feels_like`. */
  readonly feelsLike: string | undefined;
  /** Rain and wind by local hour. */
  readonly hours: readonly RibbonHour[];
  readonly usual: UsualHours | undefined;
  /**
   * The temperature of the same 24 hours one year before, if the usual temperatures are not known. A station that repeats a recorded
   * year has neither.
   */
  readonly lastYear: SparkValues | undefined;
  readonly facts: readonly PresentFact[];
  /** Absent if the station has none. */
  readonly forecast?: Forecast | undefined;
  /** Failed checks of the newest values, by variable. */
  readonly checks: Readonly<Record<string, readonly string[]>>;
  /** The rain of the known days of the month of the last value, if days are missing. */
  readonly partialRain: { readonly amount: number; readonly missingDays: number } | undefined;
  /** The rain of the local day of the last value, if the page shows this day in place of today; null if it is not known. */
  readonly rainOfLastDay: number | null | undefined;
}

/** Variables of pressure, in the order of preference. */
export const PRESSURES = ['air_pressure_at_mean_sea_level', 'surface_air_pressure'] as const;
/** Number of columns into which the API divides the 24 hours, and to which a line of a card is reduced. */
const COLUMNS = 144;
const STRIP_COLUMNS = 77;
/** Derived quantities. Their values of the last 24 hours are among the lines. */
const DERIVED = ['feels_like', 'dew_point'];
/** Variables that are shown as text only. */
const WITHOUT_LINE: ReadonlySet<string> = new Set(['wind_gust_from_direction']);

/**
 * Reads the newest values of a station.
 *
 * @param include the parts of the newest values, as in the API
 * @throws WeatherdError if the newest values cannot be read
 */
export async function readNow(
  api: ApiClient,
  station: string,
  include = 'trend,today,rain,forecast',
): Promise<Now> {
  const path = { id: station };
  const query = { include };
  const newest = await api.get('/v1/stations/{id}/observations/latest', { path, query });
  const { success: _success, code: _code, message: _message, station: _station, ...shown } = newest;
  const none = {
    lines: {},
    feelsLike: undefined,
    hours: [],
    usual: undefined,
    lastYear: undefined,
    facts: [],
    checks: {},
    partialRain: undefined,
    rainOfLastDay: undefined,
  };
  const readingForecast = readForecast(api, station, newest.forecast_issued, newest.latest).catch(
    ignoreApiError,
  );
  if (newest.last_seen === null) return { ...shown, ...none, ...forecastField(await readingForecast) };
  const to = Date.parse(newest.last_seen);
  const isOld = newest.today !== undefined && isPast(newest.last_seen, Date.parse(newest.today.from));
  const needsDays = isOld || newest.rain?.month === null;
  const [day, derived, hours, present, compared, daysOfRain, forecast] = await Promise.all([
    readDay(api, path, newest, to).catch(ignoreApiError),
    readDerived(api, path, newest.latest, to).catch(ignoreApiError),
    readHours(api, path, newest.latest, to).catch(ignoreApiError),
    api.get('/v1/stations/{id}/now', { path }).catch(ignoreApiError),
    readUsual(api, path, newest),
    needsDays ? readDaysOfRain(api, path, newest.latest, to).catch(ignoreApiError) : undefined,
    readingForecast,
  ]);
  const isRecorded = present?.recorded !== undefined;
  return {
    ...shown,
    ...none,
    ...day,
    ...forecastField(forecast),
    lines: { ...day?.lines, ...derived?.lines },
    feelsLike: derived?.feelsLike,
    hours: hours ?? [],
    facts: present?.facts ?? [],
    ...(!isRecorded && compared),
    partialRain: newest.rain?.month === null && daysOfRain ? partialRainOf(daysOfRain) : undefined,
    rainOfLastDay: isOld ? daysOfRain?.at(-1)?.amount : undefined,
  };
}

const forecastField = (forecast: Forecast | undefined) => forecast && { forecast };

/** Reads the values of the last 24 hours, and the failed checks of suspect newest values. */
async function readDay(api: ApiClient, path: { readonly id: string }, { latest }: Latest, to: number) {
  const variables = Object.keys(latest).filter((name) => !WITHOUT_LINE.has(name));
  const { observations, quality } = await readObservations(api, path, {
    from: instantText(to - MILLISECONDS.day),
    variables: variables.join(','),
    points: COLUMNS,
  });
  const verdicts = new Map(quality.map(({ variable, index, verdict }) => [`${variable} ${index}`, verdict]));
  const lines = variables.map((name): [string, SparkValues] => {
    const valuesWithVerdict = (wanted: string) =>
      knownValues(observations, name, (index) => (verdicts.get(`${name} ${index}`) ?? 'pass') === wanted);
    const suspects = valuesWithVerdict('suspect');
    const columns = name === TEMPERATURE ? COLUMNS : STRIP_COLUMNS;
    return [
      name,
      { ...thin(valuesWithVerdict('pass'), columns), ...(suspects.times.length > 0 && { suspects }) },
    ];
  });
  const checks = quality
    .filter(
      ({ variable, index }) =>
        observations.time[index] === Date.parse(latest[variable]?.time ?? '') / MILLISECONDS.second,
    )
    .map(({ variable, checks: names }): [string, readonly string[]] => [variable, names]);
  return { lines: Object.fromEntries(lines), checks: Object.fromEntries(checks) };
}

/** Reads the derived quantities of the last 24 hours. */
async function readDerived(api: ApiClient, path: { readonly id: string }, latest: Newest, to: number) {
  if (!(TEMPERATURE in latest)) return undefined;
  const query = { from: instantText(to - MILLISECONDS.day), variables: DERIVED.join(',') };
  const { derived, formulas } = await api.get('/v1/stations/{id}/derived', { path, query });
  const observations = {
    ...derived,
    time: derived.time.map((time) => Date.parse(time) / MILLISECONDS.second),
  } as ObservationReply['observations'];
  const lines = DERIVED.map((name): [string, SparkValues] => [
    name,
    thin(
      knownValues(observations, name, () => true),
      STRIP_COLUMNS,
    ),
  ]);
  return {
    lines: Object.fromEntries(lines.filter(([, { times }]) => times.length > 0)),
    feelsLike: formulas['feels_like']?.quantity,
  };
}

/** Reads rain and wind by local hour: the hours that overlap the last 24 hours. */
async function readHours(
  api: ApiClient,
  path: { readonly id: string },
  latest: Newest,
  to: number,
): Promise<readonly RibbonHour[]> {
  const variables = HOURLY.filter((name) => name in latest);
  if (variables.length === 0) return [];
  const from = Math.floor((to - MILLISECONDS.day) / MILLISECONDS.hour) * MILLISECONDS.hour;
  const query = {
    interval: 'hour',
    variables: variables.join(','),
    fields: 'sum,mean',
    from: instantText(from - MILLISECONDS.hour),
    to: instantText(to),
  } as const;
  const { summaries } = await api.get('/v1/stations/{id}/summaries', { path, query });
  const [rain, speed, direction] = HOURLY;
  return summaries.map((summary) => ({
    start: Date.parse(summary.start),
    rain: numberOf(summary[rain], 'sum'),
    speed: numberOf(summary[speed], 'mean'),
    direction: numberOf(summary[direction], 'mean'),
  }));
}

function numberOf(summary: unknown, field: 'sum' | 'mean'): number | null {
  const value = (summary as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof value === 'number' ? Math.round(value * 100) / 100 : null;
}

interface DayOfRain {
  readonly date: string;
  readonly amount: number | null;
}

/** Reads the rain of the days up to the last value, of a month at least. */
async function readDaysOfRain(api: ApiClient, path: { readonly id: string }, latest: Newest, to: number) {
  const [rain] = HOURLY;
  if (!(rain in latest)) return undefined;
  const query = {
    interval: 'day',
    variables: rain,
    fields: 'sum',
    from: instantText(to - 31 * MILLISECONDS.day),
    to: instantText(to),
  } as const;
  const { summaries } = await api.get('/v1/stations/{id}/summaries', { path, query });
  return summaries.map((day): DayOfRain => ({
    date: day.start.slice(0, 10),
    amount: numberOf(day[rain], 'sum'),
  }));
}

/** The rain of the known days of the last month, if days are missing. */
function partialRainOf(days: readonly DayOfRain[]): Now['partialRain'] {
  const last = days.at(-1)?.date ?? '';
  const known = days
    .filter(({ date }) => date.startsWith(last.slice(0, 7)))
    .map(({ amount }) => amount)
    .filter((amount) => amount !== null);
  const missingDays = Number(last.slice(8)) - known.length;
  if (known.length === 0 || missingDays <= 0) return undefined;
  return { amount: known.reduce((total, sum) => total + sum, 0), missingDays };
}

/** Reads the usual temperatures of the last 24 hours and of the forecast. With less than five years, reads the temperatures of the last year instead. */
async function readUsual(
  api: ApiClient,
  path: { readonly id: string },
  { latest, last_seen: lastSeen, forecast_issued: issued }: Latest,
) {
  const to = Date.parse(lastSeen ?? '');
  const none = { usual: undefined, lastYear: undefined };
  if (!(TEMPERATURE in latest)) return none;
  const days = typeof issued === 'string' ? 2.6 : 0.6;
  const [from, until] = [to - 1.5 * MILLISECONDS.day, to + days * MILLISECONDS.day].map((time) =>
    new Date(time).toISOString().slice(5, 10),
  );
  const query = { variables: TEMPERATURE, from, to: until, by: 'hour' } as const;
  const reply = await api.get('/v1/stations/{id}/climate/usual', { path, query }).catch(ignoreApiError);
  const usual = reply && usualHoursOf(reply);
  if (usual !== undefined) return { usual, lastYear: undefined };
  const lastYear = await readLastYear(api, path, to).catch(ignoreApiError);
  return { usual: undefined, lastYear };
}

function usualHoursOf(reply: Reply<'/v1/stations/{id}/climate/usual', 'get'>): UsualHours | undefined {
  const { p10, p50, p90 } = (reply.air_temperature ?? {}) as Readonly<
    Partial<Record<'p10' | 'p50' | 'p90', readonly unknown[]>>
  >;
  const hoursOf = (values: readonly unknown[] | undefined, index: number) =>
    Array.isArray(values?.[index]) ? (values[index] as (number | null)[]) : [];
  const dates = reply.dates.flatMap((date, index) => {
    const hours = { p10: hoursOf(p10, index), p50: hoursOf(p50, index), p90: hoursOf(p90, index) };
    return hours.p50.some((value) => value !== null) ? [[date, hours] as const] : [];
  });
  if (dates.length === 0) return undefined;
  return { since: reply.years?.from, dates: Object.fromEntries(dates) };
}

async function readLastYear(api: ApiClient, path: { readonly id: string }, to: number) {
  const end = new Date(to);
  end.setUTCFullYear(end.getUTCFullYear() - 1);
  const moved = (to - end.getTime()) / MILLISECONDS.second;
  const { observations } = await readObservations(api, path, {
    from: instantText(end.getTime() - MILLISECONDS.day),
    to: instantText(end.getTime()),
    variables: TEMPERATURE,
    qc: 'pass',
    points: COLUMNS,
  });
  const { times, values } = thin(
    knownValues(observations, TEMPERATURE, () => true),
    STRIP_COLUMNS,
  );
  return times.length < 2 ? undefined : { times: times.map((time) => time + moved), values };
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
