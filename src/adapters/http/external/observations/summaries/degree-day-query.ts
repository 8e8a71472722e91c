import { z } from 'zod';
import { DomainError } from '#domain/domain-error.js';
import {
  type DayMean,
  type DegreeDayBases,
  MEANS_OF_DAY,
  DEFAULT_BASES,
} from '#domain/weather/summaries/of-days.js';
import { converter, unitIn, type UnitSystem } from '#domain/weather/units.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { documentedAs } from '#adapters/http/core/schemas.js';
import { type DegreeDays, rounded } from './summary-fields.js';

const TEMPERATURE = variableNumbered(V.temperature);
const KINDS = ['heating', 'cooling', 'growing'] as const satisfies readonly DegreeDays[];

const base = (defaultText: string) =>
  documentedAs({ type: 'number' }, z.string().regex(/^-?\d{1,3}(?:\.\d{1,6})?$/, 'Must be a temperature'))
    .transform(Number)
    .optional()
    .describe(`Base temperature in the unit of the reply. Default: ${defaultText}`);

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
      'Adds degree days to the air temperature of days and longer intervals: `heating`, `cooling`, `growing`. Separate several by commas',
    ),
  mean: z
    .enum(MEANS_OF_DAY)
    .default('mean')
    .describe(
      'Temperature of a day for degree days: `mean` is the mean of all values, `midrange` is (maximum + minimum) / 2',
    ),
  ...baseFields,
};

/** The schema of the description of degree days in a reply. */
export const degreeDayReply = {
  mean: z
    .enum(MEANS_OF_DAY)
    .describe(
      'Temperature of a day: `mean` is the mean of all values, `midrange` is (maximum + minimum) / 2',
    ),
  bases: z.record(z.string(), z.number()).describe('Base temperatures in the unit of the reply'),
};

interface BaseQuery {
  readonly heating_base?: number | undefined;
  readonly cooling_base?: number | undefined;
  readonly growing_base?: number | undefined;
  readonly units: UnitSystem;
}

export interface DegreeDayQuery extends BaseQuery {
  readonly mean: DayMean;
  readonly degree_days?: readonly DegreeDays[] | undefined;
  readonly fields?: readonly string[] | undefined;
}

/**
 * The requested kinds of degree days: the kinds in `degree_days` and in `fields`, and the kinds whose base temperature is in the
 * query.
 */
export function degreeDaysOf(query: DegreeDayQuery): readonly DegreeDays[] {
  return KINDS.filter(
    (kind) =>
      query.degree_days?.includes(kind) === true ||
      query.fields?.includes(`${kind}_degree_days`) === true ||
      query[`${kind}_base`] !== undefined,
  );
}

/** All base temperatures in the unit of the reply, including the defaults. */
export function basesShown(query: BaseQuery): Record<string, number> {
  const convert = converter(TEMPERATURE, unitIn(query.units, TEMPERATURE), 'unit');
  const bases = { ...DEFAULT_BASES, ...basesIn(query) };
  return Object.fromEntries(KINDS.map((kind) => [kind, rounded(convert(bases[kind]))]));
}

/**
 * The base temperatures of the query in °C.
 *
 * @throws DomainError REQUEST_INVALID for a base temperature outside the limits of the gross error check for air temperature,
 *   because no day can reach such a base temperature
 */
export function basesIn(query: BaseQuery): Partial<DegreeDayBases> {
  const unit = unitIn(query.units, TEMPERATURE);
  const toCelsius = converter(TEMPERATURE, unitIn(query.units, TEMPERATURE), 'stored');
  const toUnit = converter(TEMPERATURE, unit, 'unit');
  const { min, max } = TEMPERATURE.limits;
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const value = query[`${kind}_base`];
      if (value === undefined) return [];
      if (value >= toUnit(min) && value <= toUnit(max)) return [[kind, toCelsius(value)]];
      throw new DomainError(
        'REQUEST_INVALID',
        `query.${kind}_base: ${value} is not an air temperature. It must be from ${toUnit(min)} to ${toUnit(max)} ${unit}.`,
      );
    }),
  );
}
