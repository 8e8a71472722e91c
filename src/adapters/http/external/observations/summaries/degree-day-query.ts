import { z } from 'zod';
import type { DegreeDayBases } from '../../../../../domain/weather/summaries/of-days.js';
import { converter, unitIn, type UnitSystem } from '../../../../../domain/weather/units.js';
import { V, variableNumbered } from '../../../../../domain/weather/variables.js';
import type { DegreeDays } from './summary-fields.js';

const KINDS = ['heating', 'cooling', 'growing'] as const satisfies readonly DegreeDays[];

const base = (usual: string) =>
  z
    .string()
    .regex(/^-?\d{1,3}(?:\.\d{1,6})?$/, 'Must be a temperature')
    .transform(Number)
    .optional()
    .describe(`In the unit of temperatures in the reply. Default: ${usual}`);

/** Query parameters of the base temperatures. */
export const baseFields = {
  heating_base: base('65 °F (18.33 °C)'),
  cooling_base: base('65 °F (18.33 °C)'),
  growing_base: base('10 °C (50 °F)'),
};

/** Query parameters of degree days. */
export const degreeDayFields = {
  degree_days: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(KINDS)))
    .optional()
    .describe(
      'Adds degree days to the air temperature of days and longer intervals: `heating`, `cooling`, `growing`, separated by commas',
    ),
  ...baseFields,
};

interface BaseQuery {
  readonly heating_base?: number | undefined;
  readonly cooling_base?: number | undefined;
  readonly growing_base?: number | undefined;
  readonly units: UnitSystem;
}

export interface DegreeDayQuery extends BaseQuery {
  readonly degree_days?: readonly DegreeDays[] | undefined;
}

/** The kinds that were named, or whose base was given. */
export function degreeDaysOf(query: DegreeDayQuery): readonly DegreeDays[] {
  return KINDS.filter(
    (kind) => query.degree_days?.includes(kind) === true || query[`${kind}_base`] !== undefined,
  );
}

/** The given bases in °C. */
export function basesIn(query: BaseQuery): Partial<DegreeDayBases> {
  const temperature = variableNumbered(V.temperature);
  const convert = converter(temperature, unitIn(query.units, temperature), 'stored');
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const given = query[`${kind}_base`];
      return given === undefined ? [] : [[kind, convert(given)]];
    }),
  );
}
