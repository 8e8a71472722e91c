import { z } from 'zod';
import {
  FindUsualValues,
  MAX_DATES_OF_HOURS,
  type UsualHoursTable,
} from '#application/observations/climate/find-usual-values.js';
import {
  DATES_OF_YEAR,
  HOURS_OF_DAY,
  MIN_YEARS_OF_USUAL,
  COMPARED_QUANTITIES,
  type UsualValues,
  type UsualVariable,
  WINDOW_DAYS,
} from '#domain/weather/climate/usual.js';
import type { ValueStyle } from '../observations/weather-fields.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { names } from '../observations/weather-query.js';
import { csvOf } from './climate-csv.js';
import { type ClimateAnswer, climateEndpoint } from './climate-endpoint.js';
import { daysOf, tableQuery } from './climate-query.js';
import { measureIn, shown } from './climate-reply.js';

const VARIABLE_NAMES = Object.keys(COMPARED_QUANTITIES) as readonly UsualVariable[];
const STATISTICS = ['p10', 'p50', 'p90', 'count'] as const;

const date = () =>
  z
    .string()
    .max(5)
    .refine((text) => DATES_OF_YEAR.includes(text), 'Must be a date in the form MM-DD, for example 02-29');

const usualFields = z
  .strictObject({
    p10: z.array(z.number().nullable()).describe('Percentile 10 for each date'),
    p50: z.array(z.number().nullable()).describe('Percentile 50, the median, for each date'),
    p90: z.array(z.number().nullable()).describe('Percentile 90 for each date'),
    count: z.array(z.int().nonnegative()).describe('Number of daily values for each date'),
    daily_count: z
      .array(z.int().nonnegative())
      .optional()
      .describe('Number of published daily values for each date, if `sources` has `both` for the variable'),
  })
  .meta({ id: 'UsualValues' });

const hourly = <Value extends z.ZodType>(value: Value) => z.array(z.array(value));
const hourFields = z
  .strictObject({
    p10: hourly(z.number().nullable()).describe('Percentile 10 of the 24 hours, for each date'),
    p50: hourly(z.number().nullable()).describe('Percentile 50, the median, of the 24 hours, for each date'),
    p90: hourly(z.number().nullable()).describe('Percentile 90 of the 24 hours, for each date'),
    count: hourly(z.int().nonnegative()).describe('Number of hourly means, for each date'),
  })
  .meta({ id: 'UsualHours', description: 'With `by=hour`' });

const QUERY = z.strictObject({
  variables: names()
    .pipe(z.array(z.enum(VARIABLE_NAMES)))
    .optional()
    .describe(
      `Names, separated by commas: ${VARIABLE_NAMES.map((name) => `\`${name}\``).join(', ')}. Default: all of them that the station has observed`,
    ),
  from: date().default('01-01').describe('First date, in the form `MM-DD`'),
  to: date()
    .default('12-31')
    .describe('Last date, included. If it is before `from`, the dates continue in the next year'),
  by: z
    .enum(['day', 'hour'])
    .default('day')
    .describe('Whether values of days or of the 24 hours of the days are compared'),
  ...tableQuery,
});

const FIELDS = {
  dates: z.array(z.string()).describe('Dates in the form `MM-DD`'),
  hours: z.array(z.int()).optional().describe('0 to 23, with `by=hour`'),
  ...(Object.fromEntries(VARIABLE_NAMES.map((name) => [name, usualFields.optional()])) as Record<
    UsualVariable,
    z.ZodOptional<typeof usualFields>
  >),
  air_temperature: z.union([usualFields, hourFields]).optional(),
};

export function getUsualValuesEndpoint(context: ExternalContext): AnyEndpoint {
  const findUsualValues = context.useCase(FindUsualValues);
  return climateEndpoint(context, {
    name: 'usual',
    summary: 'Get the usual values of dates',
    description:
      'Percentiles 10, 50 and 90 of the daily values of a date in all years of the station, so that a client can show whether a day is usual. ' +
      `A date uses its own values and the values of the ${WINDOW_DAYS} days before and after it. A daily value is a mean, a sum for amounts, ` +
      `and the highest gust of the day. Only complete days count. Percentiles are null if fewer than ${MIN_YEARS_OF_USUAL} years have values. ` +
      `With \`by=hour\` they are those of the mean temperatures of each hour by the local clock, for at most ${MAX_DATES_OF_HOURS} dates.`,
    message: 'Usual values of dates.',
    query: QUERY,
    fields: FIELDS,
    answer: async (described, query, permit) => {
      const { variables, from, to, years, source } = query;
      const input = { variables, from, to, years, source, ...daysOf(query) };
      if (query.by === 'hour')
        return hoursAnswer(await findUsualValues.hours(described, input, permit), query);
      const table = await findUsualValues.execute(described, input, permit);
      const columns = table.elements.map((element) => {
        const { convert, unit } = measureIn(element, query);
        const values = table.usual.get(element.name) ?? [];
        const figures = STATISTICS.map((name) =>
          values.map((one) => (name === 'count' ? one.count : shown(convert(one[name])))),
        );
        return { name: element.name, unit, figures, dailyCounts: table.dailyCounts.get(element.name) };
      });
      return {
        table,
        fields: () => ({
          dates: table.dates,
          ...Object.fromEntries(
            columns.map(({ name, figures, dailyCounts }) => [
              name,
              {
                ...Object.fromEntries(STATISTICS.map((statistic, index) => [statistic, figures[index]])),
                ...(dailyCounts && { daily_count: dailyCounts }),
              },
            ]),
          ),
        }),
        csv: () =>
          csvOf(
            ['date', 'variable', 'unit', ...STATISTICS, 'source', 'daily_count'],
            table.dates.flatMap((day, row) =>
              columns.map(({ name, unit, figures, dailyCounts }) => {
                const sources = [table.sources.get(name), dailyCounts?.[row]];
                return [day, name, unit, ...figures.map((one) => one[row]), ...sources];
              }),
            ),
          ),
      };
    },
  });
}

function hoursAnswer(table: UsualHoursTable, style: ValueStyle): ClimateAnswer {
  const [element] = table.elements;
  const start = { dates: table.dates, hours: HOURS_OF_DAY };
  const headings = ['date', 'hour', 'variable', 'unit', ...STATISTICS];
  if (element === undefined) return { table, fields: () => start, csv: () => csvOf(headings, []) };
  const { convert, unit } = measureIn(element, style);
  const figureOf = (values: UsualValues, name: (typeof STATISTICS)[number]) =>
    name === 'count' ? values.count : shown(convert(values[name]));
  const figures = STATISTICS.map((name) => [
    name,
    table.hours.map((hours) => hours.map((values) => figureOf(values, name))),
  ]);
  return {
    table,
    fields: () => ({ ...start, [element.name]: Object.fromEntries(figures) as object }),
    csv: () =>
      csvOf(
        headings,
        table.dates.flatMap((monthDay, row) =>
          (table.hours[row] ?? []).map((values, hour) => [
            monthDay,
            hour,
            element.name,
            unit,
            ...STATISTICS.map((name) => figureOf(values, name)),
          ]),
        ),
      ),
  };
}
