import { z } from 'zod';
import { SumDegreeDays } from '#application/observations/climate/sum-degree-days.js';
import { MEANS_OF_DAY, DEFAULT_BASES } from '#domain/weather/summaries/of-days.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import {
  basesIn,
  baseFields,
  basesShown,
  degreeDayReply,
} from '../observations/summaries/degree-day-query.js';
import { monthsAndYearsCsv } from './climate-csv.js';
import { climateEndpoint } from './climate-endpoint.js';
import { daysOf, tableQuery } from './climate-query.js';
import { monthAndYearFields, monthsAndYearsReply } from './climate-reply.js';

const QUERY = z.strictObject({
  ...tableQuery,
  mean: z.enum(MEANS_OF_DAY).default('midrange').describe('Definition of the temperature of a day'),
  ...baseFields,
});

const FIELDS = {
  ...degreeDayReply,
  ...monthAndYearFields,
};

export function getDegreeDaysEndpoint(context: ExternalContext): AnyEndpoint {
  const sumDegreeDays = context.useCase(SumDegreeDays);
  return climateEndpoint(context, {
    name: 'degree-days',
    summary: 'Get the degree days of months and years',
    description:
      'Sums of the degrees by which the temperature of a day is below the base (heating) or above the base (cooling, growing). The ' +
      'temperature of a day is (maximum + minimum) / 2, as the US National Weather Service computes it (`mean=midrange`), or the mean of ' +
      'all values of the day, as WeeWX computes it (`mean=mean`). A sum needs every day of the month. The current month and year have the ' +
      'sum of the days before today in `so_far`.',
    message: 'Degree days of months and years.',
    query: QUERY,
    fields: FIELDS,
    answer: async (described, query, permit) => {
      const { years, source, mean } = query;
      const bases = { ...DEFAULT_BASES, ...basesIn(query) };
      const input = { years, ...daysOf(query), source, bases, mean };
      const table = await sumDegreeDays.execute(described, input, permit);
      return {
        table,
        fields: () => ({
          mean,
          bases: basesShown(query),
          ...monthsAndYearsReply(table, query),
        }),
        csv: () => monthsAndYearsCsv(table, query),
      };
    },
  });
}
