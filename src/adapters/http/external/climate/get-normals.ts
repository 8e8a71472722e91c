import { z } from 'zod';
import { ComputeNormals } from '#application/observations/climate/compute-normals.js';
import { MIN_YEARS } from '#domain/weather/climate/normals.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { climateEndpoint } from './climate-endpoint.js';
import { tableCsv } from './climate-csv.js';
import { daysOf, meanRule, normalPeriod, tableQuery } from './climate-query.js';
import {
  figureFields,
  climateRowFields,
  periodFields,
  periodReply,
  ruleFields,
  climateRulesOf,
  titleFields,
  titlesOf,
  toRows,
} from './climate-reply.js';

const { years: _years, ...others } = tableQuery;
const QUERY = z.strictObject({ period: normalPeriod(), ...others, rule: meanRule() });

const FIELDS = {
  ...periodFields,
  titles: titleFields,
  rules: ruleFields,
  months: z.array(climateRowFields('month')),
  whole_year: z.record(z.string(), figureFields).describe('The mean or the sum of the twelve months'),
};

export function getNormalsEndpoint(context: ExternalContext): AnyEndpoint {
  const computeNormals = context.useCase(ComputeNormals);
  return climateEndpoint(context, {
    name: 'normals',
    summary: 'Get the climate normals',
    description:
      'Averages of the valid months of a period, as WMO-No. 1203 defines them. The standard normals have the period 1991-2020; the period ' +
      '1961-1990 is for the comparison of climates. A period of 30 years gives a normal; another period of at least ' +
      `${MIN_YEARS} years gives a period average. A month must be valid in 80 % of the years.`,
    message: 'Climate normals.',
    query: QUERY,
    fields: FIELDS,
    answer: async (described, query, permit) => {
      const { period, source, rule } = query;
      const input = { ...daysOf(query), source, rule };
      const table = await computeNormals.execute(described, period, input, permit);
      const { elements, sections } = table;
      const rows = (name: string) => toRows(sections[name] ?? [], elements, 'month', query);
      const fields = () => {
        const [{ month: _label, ...year } = { month: '' }] = rows('year');
        const months = rows('months');
        return {
          ...periodReply(table),
          titles: titlesOf(table),
          rules: climateRulesOf(sections),
          months,
          whole_year: year,
        };
      };
      return { table, fields, csv: () => tableCsv(table, query) };
    },
  });
}
