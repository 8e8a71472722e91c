import { z } from 'zod';
import type { AskedPlace, ForecastProvider } from '#application/ports/forecast-provider.js';
import { uncorrected } from '#domain/forecast/forecast.js';
import type { Forecast } from '#domain/forecast/forecast.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import { hoursIn, numberIn } from './columns.js';
import { addressBelow, type ProviderSettings, userAgentOf } from './provider-settings.js';

const TITLE = 'Open-Meteo';
const FREE = 'https://api.open-meteo.com';
const COMMERCIAL = 'https://customer-api.open-meteo.com';
const PREVIOUS_RUNS = 'https://previous-runs-api.open-meteo.com';
const PATH = '/v1/forecast';

/** The name of each variable, and the factor of its unit. Snow is in cm. */
const NAMES: readonly (readonly [number: number, name: string, factor?: number])[] = [
  [F.temperature, 'temperature_2m'],
  [F.dewPoint, 'dew_point_2m'],
  [F.humidity, 'relative_humidity_2m'],
  [F.pressure, 'pressure_msl'],
  [F.wind, 'wind_speed_10m'],
  [F.windDirection, 'wind_direction_10m'],
  [F.gust, 'wind_gusts_10m'],
  [F.rain, 'precipitation'],
  [F.rainChance, 'precipitation_probability'],
  [F.radiation, 'shortwave_radiation'],
  [F.clouds, 'cloud_cover'],
  [F.weatherCode, 'weather_code'],
  [F.snow, 'snowfall', 10],
  [F.sunshine, 'sunshine_duration'],
  [F.ultravioletIndex, 'uv_index'],
  [F.visibility, 'visibility'],
];

/** Variables that are learned from previous runs, and days before the hour for which the forecasts are kept. */
const LEARNED: ReadonlySet<number> = new Set([F.temperature, F.dewPoint, F.pressure, F.wind, F.gust, F.rain]);
const DAYS_BEFORE = [1, 2, 3, 4, 5, 6, 7] as const;
/** Days of one request for previous runs, so that a reply stays small. */
const DAYS_AT_ONCE = 30;

const reply = z.object({ hourly: z.looseObject({ time: z.array(z.number()) }) });

/** The service of Open-Meteo: forecasts of the best model of a place, and its previous runs since 2024. Licence of the data: CC BY 4.0. */
export function openMeteo(settings: ProviderSettings): ForecastProvider {
  const { apiKey } = settings;
  const base = settings.openMeteoUrl ?? (apiKey === undefined ? FREE : COMMERCIAL);
  const headers = { 'user-agent': userAgentOf(settings) };
  const request = (url: URL, place: AskedPlace, names: readonly string[]) => {
    url.searchParams.set('latitude', String(place.latitude));
    url.searchParams.set('longitude', String(place.longitude));
    if (place.elevation !== null) url.searchParams.set('elevation', String(place.elevation));
    url.searchParams.set('models', 'best_match');
    url.searchParams.set('hourly', names.join(','));
    url.searchParams.set('timezone', 'GMT');
    url.searchParams.set('timeformat', 'unixtime');
    url.searchParams.set('wind_speed_unit', 'ms');
    if (apiKey !== undefined) url.searchParams.set('apikey', apiKey);
    return { url: url.href, headers };
  };
  return {
    name: 'open-meteo',
    title: TITLE,
    model: 'best_match',
    attribution: { text: 'Weather data by Open-Meteo.com', url: 'https://open-meteo.com/' },
    reach: settings.openMeteoUrl === undefined && settings.previousRunsUrl === undefined ? 'public' : 'any',
    shortestInterval: 15 * 60,
    async ask(place, exchange) {
      const url = addressBelow(base, PATH);
      url.searchParams.set('forecast_days', '10');
      url.searchParams.set('past_days', '1');
      const { hourly } = read(
        (
          await exchange.fetch(
            request(
              url,
              place,
              NAMES.map(([, name]) => name),
            ),
          )
        ).json(),
      );
      const times = hoursIn(
        hourly.time.map((seconds) => seconds * MILLISECONDS.second),
        TITLE,
      );
      const values = new Map(
        NAMES.flatMap(([number, name, factor]) => {
          const column = columnIn(hourly, name, times.length, factor);
          return column === undefined ? [] : [[number, column] as const];
        }),
      );
      if (values.get(F.temperature)?.every(Number.isNaN) !== false)
        throw new SourceFailure(`The reply of ${TITLE} has no temperatures.`);
      return { times, values };
    },
    async *past(place, span, exchange) {
      const names = NAMES.filter(([number]) => LEARNED.has(number));
      for (let from = span.from; from < span.to; from += DAYS_AT_ONCE * MILLISECONDS.day) {
        const url = addressBelow(settings.previousRunsUrl ?? PREVIOUS_RUNS, PATH);
        const last = Math.min(span.to, from + DAYS_AT_ONCE * MILLISECONDS.day) - 1;
        url.searchParams.set('start_date', dateOf(from));
        url.searchParams.set('end_date', dateOf(last));
        const wanted = names.flatMap(([, name]) => DAYS_BEFORE.map((days) => `${name}_previous_day${days}`));
        // oxlint-disable-next-line no-await-in-loop -- one request at a time
        const { hourly } = read((await exchange.fetch(request(url, place, wanted))).json());
        const times = hoursIn(
          hourly.time.map((seconds) => seconds * MILLISECONDS.second),
          TITLE,
        );
        yield previousRuns(times, names, (name) => columnIn(hourly, name, times.length));
      }
    },
  };
}

/** The forecasts of previous runs: each has an hour for each number of days after its issue. */
function previousRuns(
  times: Float64Array,
  names: readonly (readonly [number: number, name: string, factor?: number])[],
  column: (name: string) => Float64Array | undefined,
): readonly Forecast[] {
  const byIssue = new Map<number, { readonly hours: number[]; readonly values: Map<number, number[]> }>();
  for (const days of DAYS_BEFORE) {
    const columns = names.map(([number, name]) => [number, column(`${name}_previous_day${days}`)] as const);
    for (const [index, time] of times.entries()) {
      if (columns.every(([, values]) => Number.isNaN(values?.[index] ?? Number.NaN))) continue;
      const issued = time - days * MILLISECONDS.day;
      const found = byIssue.get(issued) ?? { hours: [], values: new Map<number, number[]>() };
      found.hours.push(time);
      for (const [number, values] of columns) {
        const own = found.values.get(number) ?? [];
        own.push(values?.[index] ?? Number.NaN);
        found.values.set(number, own);
      }
      byIssue.set(issued, found);
    }
  }
  return [...byIssue].map(([issued, { hours, values }]) =>
    uncorrected({
      issued,
      times: Float64Array.from(hours),
      values: new Map([...values].map(([number, own]) => [number, Float64Array.from(own)])),
    }),
  );
}

function read(json: unknown): z.infer<typeof reply> {
  const parsed = reply.safeParse(json);
  if (!parsed.success) throw new SourceFailure(`The reply of ${TITLE} is not a forecast.`);
  return parsed.data;
}

/** @returns undefined if the reply has no column of this name and length */
function columnIn(
  hourly: Readonly<Record<string, unknown>>,
  name: string,
  length: number,
  factor = 1,
): Float64Array | undefined {
  const column = hourly[name];
  if (!Array.isArray(column) || column.length !== length) return undefined;
  return Float64Array.from(column, (value) => numberIn(value) * factor);
}

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
