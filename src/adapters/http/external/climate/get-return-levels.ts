import { z } from 'zod';
import {
  FindReturnLevels,
  type ReturnLevelTable,
} from '#application/observations/climate/find-return-levels.js';
import {
  MIN_YEARS_OF_EXTREMES,
  SAMPLES,
  SHARE_OF_INTERVAL,
} from '#domain/weather/climate/extremes/return-levels.js';
import { type Validity, VALIDITY } from '#domain/weather/climate/validity.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import type { ValueStyle } from '../observations/weather-fields.js';
import { csvOf } from './climate-csv.js';
import { climateEndpoint } from './climate-endpoint.js';
import { daysOf, tableQuery } from './climate-query.js';
import { measureIn, ruleFields, shown, titleFields, titlesOf } from './climate-reply.js';

const METHOD =
  'Generalized extreme value distribution of the largest values of calendar years, by L-moments (Hosking, Wallis and Wood, 1985)';
const INTERVAL =
  `The middle ${SHARE_OF_INTERVAL * 100} % of the levels of ${SAMPLES} samples of the fitted distribution (parametric bootstrap); the samples are the ` +
  'same for each request';

const returnLevelFields = z
  .strictObject({
    years: z.int().nonnegative().describe('Number of years with a valid maximum'),
    missing_years: z.int().nonnegative(),
    daily_years: z
      .int()
      .nonnegative()
      .optional()
      .describe(
        'Number of years whose maximum is a published value, if `sources` has `both` for the element',
      ),
    rule: z.enum(Object.keys(VALIDITY) as [Validity, ...Validity[]]),
    valid: z.boolean(),
    levels: z.array(
      z.strictObject({
        return_period: z.int().describe('In years'),
        value: z.number().nullable().describe('The level; null if `valid` is false'),
        low: z.number().nullable().describe('The lower end of the interval'),
        high: z.number().nullable().describe('The upper end of the interval'),
      }),
    ),
  })
  .meta({ id: 'ClimateReturnLevels' });

const QUERY = z.strictObject(tableQuery);

const FIELDS = {
  method: z.string().describe('How the levels are estimated'),
  interval: z.string().describe('What the interval is'),
  titles: titleFields,
  rules: ruleFields,
  return_levels: z.record(z.string(), returnLevelFields),
};

export function getReturnLevelsEndpoint(context: ExternalContext): AnyEndpoint {
  const findReturnLevels = context.useCase(FindReturnLevels);
  return climateEndpoint(context, {
    name: 'return-levels',
    summary: 'Get the return levels of rain and wind',
    description:
      'The daily rain and the gust that are exceeded once in a number of years on average, with an interval. ' +
      `${METHOD}. At least ${MIN_YEARS_OF_EXTREMES} years must have a valid maximum. A level of a return period that is longer than the record is an ` +
      'extrapolation.',
    message: 'Return levels.',
    query: QUERY,
    fields: FIELDS,
    answer: async (described, query, permit) => {
      const { years, source } = query;
      const table = await findReturnLevels.execute(described, { years, ...daysOf(query), source }, permit);
      const fields = () => ({
        method: METHOD,
        interval: INTERVAL,
        titles: titlesOf(table),
        rules: { extremes: VALIDITY.extremes },
        return_levels: Object.fromEntries(levelsIn(table, query)),
      });
      return { table, fields, csv: () => returnLevelsCsv(table, query) };
    },
  });
}

function levelsIn({ elements, rows }: ReturnLevelTable, style: ValueStyle) {
  return elements.map((element, index) => {
    const { convert } = measureIn(element, style);
    const {
      levels = [],
      years = 0,
      missingYears = 0,
      dailyYears,
      rule = 'extremes',
      valid = false,
    } = rows[index] ?? {};
    const fields = {
      years,
      missing_years: missingYears,
      ...(dailyYears !== undefined && { daily_years: dailyYears }),
      rule,
      valid,
      levels: levels.map(({ period, value, low, high }) => ({
        return_period: period,
        value: shown(convert(value)),
        low: shown(convert(low)),
        high: shown(convert(high)),
      })),
    };
    return [element.name, fields] as const;
  });
}

function returnLevelsCsv(table: ReturnLevelTable, style: ValueStyle): string {
  const units = new Map(table.elements.map((element) => [element.name, measureIn(element, style).unit]));
  const lines = levelsIn(table, style).flatMap(
    ([name, { levels, years, missing_years: missing, rule, valid, daily_years: dailyYears }]) =>
      levels.map(({ return_period: period, value, low, high }) => {
        const numbers = [period, value, low, high];
        const source = table.sources.get(name);
        return [name, units.get(name), ...numbers, years, missing, rule, valid, source, dailyYears];
      }),
  );
  const headings = ['element', 'unit', 'return_period', 'value', 'low', 'high'];
  return csvOf([...headings, 'years', 'missing_years', 'rule', 'valid', 'source', 'daily_years'], lines);
}
