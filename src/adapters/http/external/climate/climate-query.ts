import { z } from 'zod';
import { SOURCES_OF_DAYS } from '#domain/weather/climate/provenance.js';
import { MONTH_RULES, type MonthRule } from '#domain/weather/summaries/completeness.js';
import type { ValueStyle } from '../observations/weather-fields.js';
import { decimals, replyFormat, timeZone, units } from '../observations/weather-query.js';

/** Query parameters of the climate routes. */

/** Description of the parameter `source`. */
export const SOURCE_OF_DAYS =
  'Source of the values of days: `observations` are computed, `daily` are published daily values, `both` has the published value of a day if there ' +
  'is one, otherwise the computed one. Default: `observations`, or `daily` for a station that has only daily values';

/** A year, the first and the last year of a period, both included, or a list of the years of a period. */
export const years = () =>
  z
    .string()
    .max(512)
    .regex(
      /^\d{4}(?:-\d{4})?(?:,\d{4}(?:-\d{4})?)*$/,
      'Must be a year (2013), the first and the last year (1991-2020), or a list (2012,2013)',
    )
    .transform((text) =>
      text
        .split(',')
        .map((part) => {
          const [from = 0, to = from] = part.split('-').map(Number);
          return { from, to };
        })
        .toSorted((a, b) => a.from - b.from),
    )
    .refine(
      (parts) => parts.every(({ from, to }) => from <= to),
      'The first year must not be after the last year',
    )
    .refine(
      (parts) => parts.every(({ from }, index) => index === 0 || from <= (parts[index - 1]?.to ?? 0) + 1),
      'The years of a list must follow each other without a gap',
    )
    .transform((parts) => ({
      from: parts[0]?.from ?? 0,
      to: Math.max(...parts.map(({ to }) => to)),
    }));

/** The parameters that define the local days. */
export const dayFields = () => ({ timezone: timeZone(), day_start: dayStart() });

/** Converts the values of the parameters in `dayFields` to the input of use-cases. */
export function daysOf({ timezone, day_start }: { readonly timezone: string; readonly day_start: string }) {
  return { timeZone: timezone, dayStart: minutesOf(day_start) };
}

const dayStart = () =>
  z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM')
    .default('00:00')
    .describe('Local time at which days begin');

/** Minutes since midnight. @param text a time in the form `HH:MM` */
function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

export const meanRule = () =>
  z
    .enum(Object.keys(MONTH_RULES) as [MonthRule, ...MonthRule[]])
    .default('wmo_1203')
    .describe(
      'The rule that decides whether a mean or an extreme of a month is valid. `five_three` is the older, stricter rule',
    );

/** The period of normals. */
export const normalPeriod = () =>
  years()
    .default({ from: 1991, to: 2020 })
    .describe('The first and the last year, for example `1991-2020` or `1961-1990`');

/** The query parameters that all climate tables have. */
export const tableQuery = {
  years: years()
    .optional()
    .describe(
      'A year, the first and the last year (`1991-2020`), or a list (`2012,2013`). Default: all years with observations',
    ),
  ...dayFields(),
  source: z.enum(SOURCES_OF_DAYS).optional().describe(SOURCE_OF_DAYS),
  units: units(),
  decimals: decimals(),
  format: replyFormat(['json', 'csv']),
};

/** The query that all climate tables have in common. */
export interface ClimateTableQuery extends ValueStyle {
  readonly timezone: string;
  readonly day_start: string;
  readonly format: 'json' | 'csv';
}
