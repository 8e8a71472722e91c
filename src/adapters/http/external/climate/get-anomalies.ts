import { z } from 'zod';
import { ComputeAnomalies } from '#application/observations/climate/compute-anomalies.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { tableCsv } from './climate-csv.js';
import { climateEndpoint } from './climate-endpoint.js';
import { daysOf, meanRule, normalPeriod, tableQuery } from './climate-query.js';
import {
  monthAndYearFields,
  monthsAndYearsReply,
  periodFields,
  periodReply,
  titleFields,
  titlesOf,
} from './climate-reply.js';

const QUERY = z.strictObject({ ...tableQuery, period: normalPeriod(), rule: meanRule() });

const FIELDS = { ...periodFields, titles: titleFields, ...monthAndYearFields };

export function getAnomaliesEndpoint(context: ExternalContext): AnyEndpoint {
  const computeAnomalies = context.useCase(ComputeAnomalies);
  return climateEndpoint(context, {
    name: 'anomalies',
    summary: 'Get the anomalies of months and years',
    description:
      'The months and years of a station compared with the averages of a period (`climate/normals`): sums of rain, new snow and sunshine ' +
      'in percent of the normal, other numbers minus the normal. An anomaly is null if the number or its normal is not valid. `years` and ' +
      '`missing_years` count the years of the normal. The current month and year have no anomaly.',
    message: 'Climate anomalies.',
    query: QUERY,
    fields: FIELDS,
    answer: async (described, query, permit) => {
      const { years, period, source, rule } = query;
      const input = { years, ...daysOf(query), source, rule };
      const table = await computeAnomalies.execute(described, period, input, permit);
      return {
        table,
        fields: () => ({
          ...periodReply(table),
          titles: titlesOf(table),
          ...monthsAndYearsReply(table, query),
        }),
        csv: () => tableCsv(table, query),
      };
    },
  });
}
