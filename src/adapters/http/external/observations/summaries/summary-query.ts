import { z } from 'zod';
import type { SummarizeInput } from '#application/observations/read/summarize.js';
import { CALENDAR_INTERVALS } from '#domain/weather/summaries/bucket.js';
import { MONTH_RULES, type MonthRule } from '#domain/weather/summaries/completeness.js';
import { suggestion } from '#domain/nearest-name.js';
import { quoted } from '#domain/quoted.js';
import { decimals, FROM, last, names, quality, time, timeZone, TO, units } from '../weather-query.js';
import { basesIn, degreeDayFields } from './degree-day-query.js';
import { statisticsFields } from './summary-schema.js';

const FIELDS = Object.keys(statisticsFields.shape);

/** Query parameters of summaries. */
export const summaryQuery = {
  interval: z.enum(CALENDAR_INTERVALS).default('day').describe('Length of the intervals'),
  timezone: timeZone(),
  day_start: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM')
    .default('00:00')
    .describe(
      'Local time at which days and longer intervals begin. Dates in `from` and `to` also begin at this time',
    ),
  from: time().optional().describe(FROM),
  to: time().optional().describe(TO),
  last: last(),
  variables: names().optional().describe('Names, separated by commas. Default: all variables of the station'),
  fields: names()
    .refine((fields) => fields.every((name) => FIELDS.includes(name)), {
      error: ({ input }) => {
        const unknown = (input as readonly string[]).find((name) => !FIELDS.includes(name)) ?? '';
        return `There is no statistic ${quoted(unknown)}.${suggestion(unknown, FIELDS)} The statistics are ${FIELDS.join(', ')}.`;
      },
    })
    .optional()
    .describe(
      'Names of statistics, separated by commas, for example `mean,max`: the reply has only these, and only the variables that have one of them. ' +
        'Default: all statistics',
    ),
  qc: quality().default('pass'),
  units: units(),
  decimals: decimals(),
  validity: z
    .enum(Object.keys(MONTH_RULES) as [MonthRule, ...MonthRule[]])
    .default('wmo_1203')
    .describe(
      'The rule for a `valid` mean of a month. wmo_1203: fewer than 11 days are missing, and fewer than 5 consecutive days ' +
        '(WMO-No. 1203). five_three: at most 5 days are missing, and at most 3 consecutive days',
    ),
  ...degreeDayFields,
};

/** Converts the query to the input of the use-case. */
export function summarizeInput(query: z.output<z.ZodObject<typeof summaryQuery>>): SummarizeInput {
  const [hours = 0, minutes = 0] = query.day_start.split(':').map(Number);
  return {
    interval: query.interval,
    timeZone: query.timezone,
    dayStart: hours * 60 + minutes,
    from: query.from,
    to: query.to,
    last: query.last,
    variables: query.variables,
    quality: query.qc,
    monthRule: query.validity,
    bases: basesIn(query),
    dayMean: query.mean,
  };
}
