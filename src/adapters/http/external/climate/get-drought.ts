import { z } from 'zod';
import { ComputeDrought } from '#application/observations/climate/compute-drought.js';
import {
  DROUGHT,
  DROUGHT_INDICES,
  MIN_REFERENCE,
  type Scale,
  SCALES,
} from '#domain/weather/climate/drought/drought.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import { documentedAs } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { tableCsv } from './climate-csv.js';
import { climateEndpoint } from './climate-endpoint.js';
import { daysOf, tableQuery, years } from './climate-query.js';
import {
  climateRowFields,
  climateRulesOf,
  ruleFields,
  titleFields,
  titlesOf,
  toRows,
} from './climate-reply.js';

const QUERY = z.strictObject({
  index: z.enum(DROUGHT_INDICES).default('spi').describe('The index'),
  scale: documentedAs(
    { type: 'integer', enum: [...SCALES] },
    z.enum(SCALES.map(String) as [string, ...string[]]),
  )
    .transform((text) => Number(text) as Scale)
    .default(3)
    .describe('Number of months that are added up'),
  reference: years()
    .optional()
    .describe(
      `The years to which the distributions are fitted, at least ${MIN_REFERENCE}, for example \`1991-2020\`. Default: all years of the station`,
    ),
  ...tableQuery,
});

const FIELDS = {
  index: z.enum(DROUGHT_INDICES),
  scale: z.int().describe('Number of months that are added up'),
  reference: z
    .strictObject({ from: z.int(), to: z.int() })
    .nullable()
    .describe('The requested reference; null for all years of the station'),
  method: z.string().describe('How the index is computed, with sources'),
  titles: titleFields,
  rules: ruleFields,
  months: z.array(climateRowFields('month')),
};

export function getDroughtEndpoint(context: ExternalContext): AnyEndpoint {
  const computeDrought = context.useCase(ComputeDrought);
  return climateEndpoint(context, {
    name: 'drought',
    summary: 'Get an index of drought',
    description:
      `\`index=spi\`: ${DROUGHT.spi.title}; ${DROUGHT.spi.method}. \`index=spei\`: ${DROUGHT.spei.title}; ${DROUGHT.spei.method}. ` +
      'A month has the sum of the last `scale` months, this month included, and its index: the value of the standard normal distribution with ' +
      'the same probability. Negative values are dry.',
    message: 'Index of drought.',
    query: QUERY,
    fields: FIELDS,
    answer: async (described, query, permit) => {
      const { index, scale, reference, years: asked, source } = query;
      const input = { years: asked, ...daysOf(query), source, index, scale, reference };
      const table = await computeDrought.execute(described, input, permit);
      const { elements, sections } = table;
      return {
        table,
        fields: () => ({
          index,
          scale,
          reference: reference ?? null,
          method: table.index.method,
          titles: titlesOf(table),
          rules: climateRulesOf(sections),
          months: toRows(sections['months'] ?? [], elements, 'month', query),
        }),
        csv: () => tableCsv(table, query),
      };
    },
  });
}
