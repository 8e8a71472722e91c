import { z } from 'zod';
import { SOURCES_OF_DAYS } from '#domain/weather/climate/day-sources.js';
import { MONTH_RULES, type MonthRule } from '#domain/weather/summaries/completeness.js';
import type { UnitSystem } from '#domain/weather/units.js';
import { replyFormat, timeZone, units } from '../observations/weather-query.js';

/** Query parameters of the routes about the climate of a station. */

/** One year, or several: the first and the last, both included. */
export const years = () =>
  z
    .string()
    .regex(/^\d{4}(?:-\d{4})?$/, 'Must be a year (2013), or the first and the last (1991-2020)')
    .transform((text) => {
      const [from = 0, to = from] = text.split('-').map(Number);
      return { from, to };
    })
    .refine(({ from, to }) => from <= to, 'The first year must not be after the last');

/** Which days the climate is of. */
export const dayFields = () => ({ timezone: timeZone(), day_start: dayStart() });

/** The values of `dayFields` as use-cases take them. */
export function daysOf({ timezone, day_start }: { readonly timezone: string; readonly day_start: string }) {
  return { timeZone: timezone, dayStart: minutesOf(day_start) };
}

const dayStart = () =>
  z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM')
    .default('00:00')
    .describe('Local time at which days begin');

/** @param text as `dayStart` accepts it */
function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

export const meanRule = () =>
  z
    .enum(Object.keys(MONTH_RULES) as [MonthRule, ...MonthRule[]])
    .default('wmo_1203')
    .describe('When a mean or an extreme of a month is void; `five_three` is the older, stricter rule');

/** What every route of a table takes. */
export const tableQuery = {
  years: years()
    .optional()
    .describe('A year, or the first and the last: `1991-2020`. Default: all years with observations'),
  ...dayFields(),
  source: z
    .enum(SOURCES_OF_DAYS)
    .optional()
    .describe(
      'Where the maximum, the minimum, the mean and the rain of days come from: computed from observations, or official values of days. ' +
        'Default: `observations`; `daily` for a station that has only values of days',
    ),
  units: units(),
  format: replyFormat(['json', 'csv']),
};

/** What a route of a table was asked. */
export interface ClimateTableQuery {
  readonly timezone: string;
  readonly day_start: string;
  readonly units: UnitSystem;
  readonly format: 'json' | 'csv';
}
