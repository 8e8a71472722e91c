import { z } from 'zod';
import { SumDegreeDays } from '../../../../application/observations/climate/sum-degree-days.js';
import { MEANS_OF_DAY, DEGREE_DAYS, USUAL_BASES } from '../../../../domain/weather/climate/degree-days.js';
import { converter, unitIn, type UnitSystem } from '../../../../domain/weather/units.js';
import { V, variableNumbered } from '../../../../domain/weather/variables.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { climateEndpoint } from './climate-endpoint.js';
import { minutesOf, tableQuery } from './climate-query.js';
import { monthAndYearFields, monthsAndYears, shown, tableCsv } from './climate-reply.js';

const TEMPERATURE = variableNumbered(V.temperature);

const base = (usual: string) =>
  z
    .string()
    .regex(/^-?\d{1,3}(?:\.\d{1,6})?$/, 'Must be a temperature')
    .transform(Number)
    .optional()
    .describe(`Base in the unit of the reply. Default: ${usual}`);

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
      heating_base: base('65 °F (18.33 °C)'),
      cooling_base: base('65 °F (18.33 °C)'),
      growing_base: base('10 °C (50 °F)'),
    }),
    fields: {
      mean: z.enum(MEANS_OF_DAY),
      bases: z.record(z.string(), z.number().nullable()).describe('Temperatures, in the unit of the reply'),
      ...monthAndYearFields,
    },
    answer: async (described, query, reader) => {
      const { years, day_start, mean, units } = query;
      const bases = basesOf(query);
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

interface AskedBases {
  readonly units: UnitSystem;
  readonly heating_base?: number | undefined;
  readonly cooling_base?: number | undefined;
  readonly growing_base?: number | undefined;
}

/** The bases in °C. */
function basesOf({ units, heating_base, cooling_base, growing_base }: AskedBases) {
  const toStored = converter(TEMPERATURE, unitIn(units, TEMPERATURE), 'stored');
  const stored = (asked: number | undefined, usual: number) =>
    asked === undefined ? usual : toStored(asked);
  return {
    heating: stored(heating_base, USUAL_BASES.heating),
    cooling: stored(cooling_base, USUAL_BASES.cooling),
    growing: stored(growing_base, USUAL_BASES.growing),
  };
}
