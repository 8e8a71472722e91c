import { z } from 'zod';
import type { Latest } from '#application/observations/read/get-latest.js';
import type { Recent } from '#application/observations/read/current/read-recent.js';
import type { Today } from '#domain/weather/current/today.js';
import type { Trend } from '#domain/weather/current/trend.js';
import { shownIn } from '#domain/weather/units.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { toTime, type ValueStyle } from '../weather-fields.js';

/** The values of `include` for the newest values of one station. */
export const INCLUDED = ['trend', 'today', 'rain', 'derived', 'quality_control', 'forecast'] as const;
/** The values of `include` for the newest values of many stations. */
export const INCLUDED_OF_MANY = ['trend', 'today'] as const;
/** The values of `include` for events. Newest values have their alarms always. */
export const INCLUDED_IN_EVENTS = ['trend', 'today', 'rain', 'derived', 'alarms'] as const;
export type IncludedName = (typeof INCLUDED)[number] | (typeof INCLUDED_IN_EVENTS)[number];

/** The data that must be read for the parts of `include`. */
export function includedParts(names: readonly IncludedName[]) {
  return {
    recent: names.includes('trend') || names.includes('today'),
    rain: names.includes('rain'),
    alarms: names.includes('alarms'),
    quality: names.includes('quality_control'),
    forecast: names.includes('forecast'),
  };
}

/** The query parameter `include`. */
export const included = <Allowed extends IncludedName>(allowed: readonly [Allowed, ...Allowed[]]) =>
  z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(allowed)))
    .default([])
    .describe(
      `Adds parts to the reply: ${allowed.map((name) => `\`${name}\``).join(', ')}. Separate several by commas`,
    );

const time = () => z.iso.datetime().describe('Time in UTC');

/** The schema of the fields that `include` adds. */
export const recentFields = {
  trend: z
    .record(
      z.string(),
      z
        .strictObject({
          change: z.number(),
          time: time(),
          value: z.number(),
          earlier_time: time(),
          earlier_value: z.number(),
        })
        .meta({ id: 'Trend' })
        .nullable(),
    )
    .optional()
    .describe('The newest value minus the value 3 hours before it, from values that passed quality control'),
  today: z
    .strictObject({
      from: time(),
      extremes: z.record(
        z.string(),
        z
          .strictObject({ min: z.number(), min_time: time(), max: z.number(), max_time: time() })
          .meta({ id: 'Extremes' }),
      ),
      rain: z.number().nullable(),
      rain_last_hour: z.number().nullable(),
      gust: z.strictObject({ value: z.number(), time: time(), direction: z.number().nullable() }).nullable(),
    })
    .meta({ id: 'Today' })
    .optional()
    .describe('The time since the local midnight of the station, from values that passed quality control'),
};

/** The schema of the field that `include=rain` adds. */
export const rainFields = {
  rain: z
    .strictObject({ month: z.number().nullable(), year: z.number().nullable() })
    .optional()
    .describe('Amounts since the start of the local month and year'),
};

/** The schema of the field that `include=forecast` adds. */
export const forecastIssueFields = {
  forecast_issued: z.iso
    .datetime()
    .nullable()
    .optional()
    .describe(
      'Time of issue of the forecast of the station; null if there is none, so that nobody has to ask for it',
    ),
};

type Converters = (variable: number) => (value: number) => number;

function convertersOf({ units, decimals }: ValueStyle): Converters {
  return (number) => {
    const convert = shownIn(units, variableNumbered(number), decimals);
    // `+ 0` turns -0 into 0, because JSON has no -0.
    return (value) => convert(value) + 0;
  };
}

/** Returns a function that converts an amount of rain and rounds it, because a sum has rounding errors. */
function amountIn(convertersIn: Converters): (value: number | null) => number | null {
  const convert = convertersIn(V.precipitation);
  return (value) => (value === null ? null : Number(convert(value).toPrecision(10)));
}

/**
 * The values of `recentFields` and `rainFields`.
 *
 * @param names the included parts
 * @param has whether the station has a newest value of a variable
 */
export function toRecentFields(
  { recent, rain }: Pick<Latest, 'recent' | 'rain'>,
  names: readonly IncludedName[],
  style: ValueStyle,
  has: (variable: number) => boolean,
) {
  const convertersIn = convertersOf(style);
  const amount = amountIn(convertersIn);
  return {
    ...(recent && names.includes('trend') && { trend: toTrends(recent, has, convertersIn) }),
    ...(recent && names.includes('today') && { today: toTodayFields(recent.today, style) }),
    ...(rain && names.includes('rain') && { rain: { month: amount(rain.month), year: amount(rain.year) } }),
  };
}

/** The trends of the variables that the station has. */
function toTrends({ trends }: Recent, has: (variable: number) => boolean, convertersIn: Converters) {
  return Object.fromEntries(
    [...trends]
      .filter(([variable]) => has(variable))
      .map(([variable, trend]) => [
        variableNumbered(variable).name,
        trend && toTrend(trend, convertersIn(variable)),
      ]),
  );
}

function toTrend(
  { time: newest, value, earlierTime, earlierValue }: Trend,
  convert: (value: number) => number,
) {
  const [later, earlier] = [convert(value), convert(earlierValue)];
  return {
    change: Number((later - earlier).toFixed(6)) + 0,
    time: toTime(newest),
    value: later,
    earlier_time: toTime(earlierTime),
    earlier_value: earlier,
  };
}

/** The value of `recentFields.today`. */
function toTodayFields({ from, extremes, rain, rainOfHour, gust }: Today, style: ValueStyle) {
  const convertersIn = convertersOf(style);
  const amount = amountIn(convertersIn);
  return {
    from: toTime(from),
    extremes: Object.fromEntries(
      [...extremes].map(([variable, { min, minTime, max, maxTime }]) => {
        const convert = convertersIn(variable);
        const values = {
          min: convert(min),
          min_time: toTime(minTime),
          max: convert(max),
          max_time: toTime(maxTime),
        };
        return [variableNumbered(variable).name, values];
      }),
    ),
    rain: amount(rain),
    rain_last_hour: amount(rainOfHour),
    gust: gust && {
      value: convertersIn(V.gust)(gust.speed),
      time: toTime(gust.time),
      direction: gust.direction,
    },
  };
}
