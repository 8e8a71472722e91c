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

const base = (usual: string) =>
  documentedAs({ type: 'number' }, z.string().regex(/^-?\d{1,3}(?:\.\d{1,6})?$/, 'Must be a temperature'))
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
  mean: z
    .enum(MEANS_OF_DAY)
    .default('mean')
    .describe('The temperature of a day in degree days: the mean of all values, or (maximum + minimum) / 2'),
  ...baseFields,
};

/** What a reply says about its degree days. */
export const degreeDayReply = {
  mean: z
    .enum(MEANS_OF_DAY)
    .describe('The temperature of a day: `mean` of all values, or (maximum + minimum) / 2'),
  bases: z.record(z.string(), z.number()).describe('Temperatures, in the unit of the reply'),
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
}

/** The kinds that were named, or whose base was given. */
export function degreeDaysOf(query: DegreeDayQuery): readonly DegreeDays[] {
  return KINDS.filter(
    (kind) => query.degree_days?.includes(kind) === true || query[`${kind}_base`] !== undefined,
  );
}

/** The bases of a question in the unit of its reply, those that were not given included. */
export function basesShown(query: BaseQuery): Record<string, number> {
  const convert = converter(TEMPERATURE, unitIn(query.units, TEMPERATURE), 'unit');
  const bases = { ...DEFAULT_BASES, ...basesIn(query) };
  return Object.fromEntries(KINDS.map((kind) => [kind, rounded(convert(bases[kind]))]));
}

/**
 * The given bases in °C.
 *
 * @throws DomainError REQUEST_INVALID for a base outside of the gross limits of the temperature, which no day can reach
 */
export function basesIn(query: BaseQuery): Partial<DegreeDayBases> {
  const unit = unitIn(query.units, TEMPERATURE);
  const toCelsius = converter(TEMPERATURE, unitIn(query.units, TEMPERATURE), 'stored');
  const shown = converter(TEMPERATURE, unit, 'unit');
  const { min, max } = TEMPERATURE.limits;
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const given = query[`${kind}_base`];
      if (given === undefined) return [];
      if (given >= shown(min) && given <= shown(max)) return [[kind, toCelsius(given)]];
      throw new DomainError(
        'REQUEST_INVALID',
        `query.${kind}_base: ${given} is no temperature of the air: it must be from ${shown(min)} to ${shown(max)} ${unit}.`,
      );
    }),
  );
}
