import { z } from 'zod';
import type { DayAhead } from '#domain/forecast/days-ahead.js';
import { SYMBOLS_OF_DAYS } from '#domain/forecast/day-symbol.js';
import { FORECAST_VARIABLES, type ForecastVariable } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS } from '#domain/time.js';
import { columnHeading, shownIn, type UnitSystem, unitIn } from '#domain/weather/units.js';
import type { Decimals } from '#domain/weather/units.js';
import type { ShownForecast } from '#application/forecast/read/get-forecast.js';
import { toTime, unitFields } from '../observations/weather-fields.js';

const columns = (text: string) =>
  z.record(z.string(), z.array(z.number().nullable())).describe(`${text}, as long as \`time\``);

export const forecastFields = {
  station: z.string(),
  issued: z.iso.datetime().describe('Time at which the service received the forecast'),
  source: z.strictObject({
    provider: z.string(),
    model: z.string(),
    attribution: z
      .strictObject({ text: z.string(), url: z.string() })
      .describe('Must be shown wherever the forecast is shown'),
  }),
  units: unitFields,
  forecast: z
    .object({ time: z.array(z.iso.datetime()) })
    .catchall(z.array(z.number().nullable()))
    .describe(
      'The published values: the corrected ones where they are better, otherwise those of the provider. Amounts, chances and maxima are of the ' +
        'hour that ends at the time, `_6h` of six hours',
    ),
  raw: columns('The values of the provider'),
  p10: columns('Values that 10 % of the outcomes stay below; the published value is the middle'),
  p90: columns('Values that 90 % of the outcomes stay below'),
  corrected: z.record(z.string(), z.boolean()).describe('Whether a corrected value is published at any time'),
  training: z
    .record(z.string(), z.int())
    .describe('Number of learned cases: parts of a day and classes of lead times'),
  days: z
    .array(
      z.strictObject({
        start: z.iso.datetime(),
        end: z.iso.datetime(),
        air_temperature_minimum: z
          .number()
          .nullable()
          .describe('Of the whole day: measured until now, forecast from then on'),
        air_temperature_maximum: z.number().nullable().describe('Of the whole day, as the minimum'),
        precipitation_amount: z.number().nullable().describe('Of the hours to come'),
        probability_of_precipitation: z
          .number()
          .nullable()
          .describe('The largest of the hours to come, in percent'),
        wind_speed_of_gust: z.number().nullable().describe('The largest of the hours to come'),
        weather_code: z.int().nullable().describe('WMO code table 4677; the worst of the hours to come'),
        symbol: z.enum(SYMBOLS_OF_DAYS).nullable().describe('The weather of the hours to come'),
      }),
    )
    .describe('The days of `timezone` that the forecast covers until their end, from today on'),
};

/** How values are written, and which are left out. */
export interface ForecastStyle {
  readonly units: UnitSystem;
  readonly decimals?: Decimals | undefined;
  /** Names of variables; undefined for all. */
  readonly variables?: readonly string[] | undefined;
  /** Number of hours after the issue; undefined for all. */
  readonly hours?: number | undefined;
}

/** The provider of forecasts as the field `source`. */
export function sourceFields({ name, model, attribution }: ShownForecast['provider']) {
  return { provider: name, model, attribution };
}

/** A forecast as fields of a reply. */
export function toForecastFields(shown: ShownForecast, style: ForecastStyle) {
  const { station, provider, forecast, published, cases, days } = shown;
  const variables = variablesOf(shown, style);
  const from = Math.floor(forecast.issued / MILLISECONDS.hour) * MILLISECONDS.hour;
  const rows = [...forecast.times.entries()]
    .filter(
      ([, time]) =>
        time >= from &&
        (style.hours === undefined || time <= forecast.issued + style.hours * MILLISECONDS.hour),
    )
    .map(([row]) => row);
  const fields = (values: ReadonlyMap<number, Float64Array>) =>
    Object.fromEntries(
      variables.flatMap((variable) => {
        const column = values.get(variable.number);
        if (column === undefined) return [];
        const show = shownIn(style.units, variable, style.decimals);
        return [[variable.name, rows.map((row) => valueOf(column[row], show))] as const];
      }),
    );
  return {
    station: station.id,
    issued: toTime(forecast.issued),
    source: sourceFields(provider),
    units: Object.fromEntries(variables.map((variable) => [variable.name, unitIn(style.units, variable)])),
    forecast: { time: rows.map((row) => toTime(forecast.times[row] as number)), ...fields(published) },
    raw: fields(forecast.values),
    p10: fields(forecast.low),
    p90: fields(forecast.high),
    corrected: Object.fromEntries(
      variables.flatMap(({ number, name }) => {
        const leads = forecast.published.get(number);
        return leads === undefined ? [] : [[name, leads.includes(true)] as const];
      }),
    ),
    training: Object.fromEntries(
      variables.flatMap(({ number, name }) =>
        cases.has(number) ? [[name, cases.get(number) as number] as const] : [],
      ),
    ),
    days: days.map((day) => toDay(day, style)),
  };
}

/** The columns of a forecast as CSV: published values, then the values of the provider and the bounds. */
export function forecastCsv(shown: ShownForecast, style: ForecastStyle): string {
  const { forecast, raw, p10, p90 } = toForecastFields(shown, style);
  const variables = variablesOf(shown, style);
  const published: Readonly<Record<string, readonly (string | number | null)[]>> = forecast;
  const parts = [
    ['', published],
    ['_raw', raw],
    ['_p10', p10],
    ['_p90', p90],
  ] as const;
  const cells = variables.flatMap((variable) =>
    parts.flatMap(([ending, of]) => {
      const column = of[variable.name];
      const heading = columnHeading(
        { ...variable, name: `${variable.name}${ending}` },
        unitIn(style.units, variable),
      );
      return column === undefined ? [] : [{ heading, column }];
    }),
  );
  const lines = forecast.time.map((time, row) =>
    [time, ...cells.map(({ column }) => column[row] ?? '')].join(','),
  );
  return `${[['time', ...cells.map(({ heading }) => heading)].join(','), ...lines].join('\r\n')}\r\n`;
}

function variablesOf({ forecast }: ShownForecast, { variables }: ForecastStyle): readonly ForecastVariable[] {
  return FORECAST_VARIABLES.filter(
    ({ number, name }) =>
      forecast.values.has(number) && (variables === undefined || variables.includes(name)),
  );
}

function toDay(day: DayAhead, { units, decimals }: ForecastStyle) {
  const shown = (name: string, value: number) => {
    const variable = FORECAST_VARIABLES.find((one) => one.name === name) as ForecastVariable;
    return valueOf(value, shownIn(units, variable, decimals));
  };
  return {
    start: toTime(day.start),
    end: toTime(day.end),
    air_temperature_minimum: shown('air_temperature', day.minimum),
    air_temperature_maximum: shown('air_temperature', day.maximum),
    precipitation_amount: shown('precipitation_amount', day.rain),
    probability_of_precipitation: shown('probability_of_precipitation', day.rainChance),
    wind_speed_of_gust: shown('wind_speed_of_gust', day.gust),
    weather_code: shown('weather_code', day.weatherCode),
    symbol: day.symbol,
  };
}

function valueOf(value: number | undefined, show: (value: number) => number): number | null {
  return value === undefined || Number.isNaN(value) ? null : show(value);
}
