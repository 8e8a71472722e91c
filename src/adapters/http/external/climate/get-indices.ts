import { z } from 'zod';
import { BASE_YEARS, ComputeIndices } from '#application/observations/climate/compute-indices.js';
import { FREQUENCIES, INDICES } from '#domain/weather/climate/indices/definitions.js';
import { indicesOf } from '#domain/weather/climate/indices/index-figures.js';
import { percentileIndices } from '#domain/weather/climate/indices/percentile-indices.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { climateEndpoint } from './climate-endpoint.js';
import { documentedAs } from '../../core/schemas.js';
import { tableCsv } from './climate-csv.js';
import { daysOf, tableQuery, years } from './climate-query.js';
import { climateRowFields, ruleFields, climateRulesOf, toRows } from './climate-reply.js';

const OF_BASE = percentileIndices({ from: 1961, to: 1990 });
const monthlyIndices = indicesOf('month', [...INDICES, ...OF_BASE]).map(({ name }) => name);

const QUERY = z.strictObject({
  frequency: z.enum(FREQUENCIES).default('year').describe('Length of the periods'),
  threshold: documentedAs(
    { type: 'number', minimum: 0 },
    z.string().regex(/^\d{1,4}(?:\.\d{1,3})?$/, 'Must be a number of mm'),
  )
    .transform(Number)
    .default(1)
    .describe('Threshold of the index `Rnnmm` in mm'),
  base: years()
    .optional()
    .describe(
      `The base period of the indices of percentiles (${OF_BASE.map(({ name }) => name).join(', ')}), for example \`1961-1990\`: ` +
        `${BASE_YEARS.min} to ${BASE_YEARS.max} years. Without it the reply does not have these indices`,
    ),
  ...tableQuery,
});

const FIELDS = {
  frequency: z.enum(FREQUENCIES),
  threshold: z.number().describe('Threshold of `Rnnmm` in mm'),
  base: z
    .strictObject({ from: z.int(), to: z.int() })
    .optional()
    .describe('The base period, if it was requested'),
  titles: z.record(z.string(), z.string()).describe('Description of each index'),
  rules: ruleFields,
  indices: z.array(climateRowFields('period')),
};

export function getIndicesEndpoint(context: ExternalContext): AnyEndpoint {
  const computeIndices = context.useCase(ComputeIndices);
  return climateEndpoint(context, {
    name: 'indices',
    summary: 'Get the climate indices of the ETCCDI',
    description:
      `The ${INDICES.length} indices of the Expert Team on Climate Change Detection and Indices that need no base period, and with \`base\` the ` +
      `${OF_BASE.length} indices that compare days with percentiles of a base period. Missing days are treated as in climdex.pcic. Months and seasons have these indices: ${monthlyIndices.join(', ')}. Seasons begin with December, March, June and ` +
      'September. Thresholds are in °C and mm with all values of `units`.',
    message: 'Climate indices.',
    query: QUERY,
    fields: FIELDS,
    answer: async (described, query, permit) => {
      const { frequency, threshold, base, years: asked, source } = query;
      const input = { years: asked, ...daysOf(query), source, frequency, threshold, base };
      const table = await computeIndices.execute(described, input, permit);
      const { elements, sections } = table;
      return {
        table,
        fields: () => ({
          frequency,
          threshold,
          ...(base && { base }),
          titles: Object.fromEntries(elements.map(({ name, title }) => [name, title])),
          rules: climateRulesOf(sections),
          indices: toRows(Object.values(sections).flat(), elements, 'period', query),
        }),
        csv: () => tableCsv(table, query),
      };
    },
  });
}
