import { z } from 'zod';
import { SumDegreeDays } from '../../../../application/observations/climate/sum-degree-days.js';
import { MEANS_OF_DAY, DEGREE_DAYS } from '../../../../domain/weather/climate/degree-days.js';
import { USUAL_BASES } from '../../../../domain/weather/summaries/of-days.js';
import { converter, unitIn } from '../../../../domain/weather/units.js';
import { V, variableNumbered } from '../../../../domain/weather/variables.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { basesIn, baseFields } from '../observations/summaries/degree-day-query.js';
import { climateEndpoint } from './climate-endpoint.js';
import { minutesOf, tableQuery } from './climate-query.js';
import { monthAndYearFields, monthsAndYears, shown, tableCsv } from './climate-reply.js';

const TEMPERATURE = variableNumbered(V.temperature);

export function getDegreeDaysEndpoint(context: ExternalContext): AnyEndpoint {
  const sumDegreeDays = context.useCase(SumDegreeDays);
  return climateEndpoint(context, {
    name: 'degree-days',
    summary: 'Degree days of months and years',
    description:
      'Sums of the degrees by which the temperature of a day is below the base (heating) or above it (cooling, growing). That temperature ' +
      'is (maximum + minimum) / 2, as the US National Weather Service computes it (`mean=midrange`), or the mean of all values of ' +
      'the day, as WeeWX does (`mean=mean`). Every day of a month is needed.',
    message: 'Degree days of months and years.',
    query: z.strictObject({
      ...tableQuery,
      mean: z.enum(MEANS_OF_DAY).default('midrange').describe('The temperature of a day'),
      ...baseFields,
    }),
    fields: {
      mean: z.enum(MEANS_OF_DAY),
      bases: z.record(z.string(), z.number().nullable()).describe('Temperatures, in the unit of the reply'),
      ...monthAndYearFields,
    },
    answer: async (described, query, reader) => {
      const { years, day_start, mean, units } = query;
      const bases = { ...USUAL_BASES, ...basesIn(query) };
      const input = { years, dayStart: minutesOf(day_start), bases, mean };
      const table = await sumDegreeDays.execute(described, input, reader);
      const show = converter(TEMPERATURE, unitIn(units, TEMPERATURE), 'unit');
      return {
        table,
        fields: () => ({
          mean,
          bases: Object.fromEntries(DEGREE_DAYS.map(({ name }) => [name, shown(show(bases[name]))])),
          ...monthsAndYears(table, units),
        }),
        csv: () => tableCsv(table, units),
      };
    },
  });
}
