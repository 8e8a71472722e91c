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

export function getDegreeDaysEndpoint(context: ExternalContext): AnyEndpoint {
  const sumDegreeDays = context.useCase(SumDegreeDays);
  return climateEndpoint(context, {
    name: 'degree-days',
    summary: 'Degree days of months and years',
    description:
      'Sums of the degrees by which the temperature of a day is below the base (heating) or above it (cooling, growing). That temperature ' +
      'is (maximum + minimum) / 2, as the US National Weather Service computes it (`mean=midrange`), or the mean of all values of ' +
      'the day, as WeeWX does (`mean=mean`). Every day of a month is needed. A month or a year that is not over has in `so_far` the sum ' +
      'of its days before today.',
    message: 'Degree days of months and years.',
    query: z.strictObject({
      ...tableQuery,
      mean: z.enum(MEANS_OF_DAY).default('midrange').describe('The temperature of a day'),
      ...baseFields,
    }),
    fields: {
      ...degreeDayReply,
      ...monthAndYearFields,
    },
    answer: async (described, query, place) => {
      const { years, source, mean, units } = query;
      const bases = { ...DEFAULT_BASES, ...basesIn(query) };
      const input = { years, ...daysOf(query), source, bases, mean };
      const table = await sumDegreeDays.execute(described, input, place);
      return {
        table,
        fields: () => ({
          mean,
          bases: basesShown(query),
          ...monthsAndYearsReply(table, units),
        }),
        csv: () => monthsAndYearsCsv(table, units),
      };
    },
  });
}
