import { z } from 'zod';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { monthsAndYearsCsv } from './climate-csv.js';
import { climateEndpoint } from './climate-endpoint.js';
import { daysOf, meanRule, tableQuery } from './climate-query.js';
import { monthAndYearFields, monthsAndYearsReply, titleFields, titlesOf } from './climate-reply.js';

const QUERY = z.strictObject({ ...tableQuery, rule: meanRule() });

const FIELDS = { titles: titleFields, ...monthAndYearFields };

export function getClimateMonthsEndpoint(context: ExternalContext): AnyEndpoint {
  const listMonths = context.useCase(ListClimateMonths);
  return climateEndpoint(context, {
    name: 'months',
    summary: 'Get the climate of months and years',
    description:
      'Means, sums, numbers of days and extremes of each month and each year, computed from values that passed quality control. Days are ' +
      'local days of the station. A number is null if too many days are missing (WMO-No. 1203); `rule` names the applied rule. ' +
      'A year needs all of its months, and its mean is the mean of the months. The current month and year have the numbers of the days ' +
      'before today in `so_far`.',
    message: 'Climate of months and years.',
    query: QUERY,
    fields: FIELDS,
    answer: async (described, query, permit) => {
      const { years, source, rule } = query;
      const input = { years, ...daysOf(query), source, rule };
      const table = await listMonths.execute(described, input, permit);
      return {
        table,
        fields: () => ({ titles: titlesOf(table), ...monthsAndYearsReply(table, query) }),
        csv: () => monthsAndYearsCsv(table, query),
      };
    },
  });
}
