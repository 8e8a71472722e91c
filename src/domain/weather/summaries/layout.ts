import { V, type Variable } from '../variables.js';
import { SECTORS } from './sectors.js';

/**
 * A field of the sums that are kept for a variable and each bucket (an interval such as a day): the count, the minimum and so on.
 * Times are in milliseconds, values in the unit of the variable. Without `cells` a field has one number for each bucket. With
 * `cells` it has a group of `cells` numbers, such as the amounts of all clock hours of a day. Most numbers of a group are 0.
 */
export interface FieldLayout {
  readonly kind: 'count' | 'sum' | 'value' | 'time' | 'length' | 'cells';
  /** The number that a bucket without values has in this field. */
  readonly empty: number;
  readonly cells?: number;
}

const COUNT: FieldLayout = { kind: 'count', empty: 0 };
const SUM: FieldLayout = { kind: 'sum', empty: 0 };
const VALUE: FieldLayout = { kind: 'value', empty: Number.NaN };
const MINIMUM: FieldLayout = { kind: 'value', empty: Infinity };
const MAXIMUM: FieldLayout = { kind: 'value', empty: -Infinity };
const TIME: FieldLayout = { kind: 'time', empty: Number.NaN };
const LENGTH: FieldLayout = { kind: 'length', empty: 0 };

/** Largest number of clock hours of a day. The day on which daylight saving time ends has 25. */
export const HOURS = 25;

/**
 * The fields of most variables: count, sum, minimum and its time, maximum and its time, time that the values cover, weighted mean
 * of irregular reports.
 */
const VALUES = [COUNT, SUM, MINIMUM, TIME, MAXIMUM, TIME, LENGTH, VALUE];
/** The fields of a sum of vectors: number of vectors, sum of the east components, sum of the north components. */
const VECTOR = [COUNT, SUM, SUM];
/**
 * The fields of directions, in this order:
 *
 * - the sum of vectors (3 fields) of the directions with a wind speed;
 * - the sum of vectors (3 fields) of the directions without a wind speed;
 * - the time that the values cover;
 * - 1 if the reports are irregular;
 * - the number of calms;
 * - for each sector of the compass, the time of the wind from this sector.
 */
const DIRECTIONS = [
  ...VECTOR,
  ...VECTOR,
  LENGTH,
  VALUE,
  COUNT,
  { kind: 'cells', empty: 0, cells: SECTORS } as const,
];
/** The fields of gusts, with the direction of the maximum. */
const GUSTS = [...VALUES, VALUE];
/** The fields of rain, with the largest amount in an hour, its time, and the amounts of the clock hours. */
const RAIN = [...VALUES, VALUE, TIME, { kind: 'cells', empty: 0, cells: HOURS } as const];

/** Number of fields in daily aggregates of version 1. */
export const FIELDS_OF_VERSION_1 = 6;
/** Index of the field with the time that the values cover. The index is the same for all variables. */
export const COVERED = 6;

/** The fields that are kept for the values of a variable, in their order. */
export function layoutOf({ number, aggregation }: Variable): readonly FieldLayout[] {
  if (aggregation === 'direction') return DIRECTIONS;
  if (number === V.gust) return GUSTS;
  return number === V.precipitation ? RAIN : VALUES;
}

/** Empty fields for a number of buckets. */
export function emptyFields(layout: readonly FieldLayout[], buckets: number): Float64Array[] {
  return layout.map(({ empty, cells = 1 }) => {
    const field = new Float64Array(buckets * cells);
    return empty === 0 ? field : field.fill(empty);
  });
}
