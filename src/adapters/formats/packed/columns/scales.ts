import { isVariable, type Variable, variableNumbered, VARIABLES } from '#domain/weather/variables.js';
import { DamagedBlobError } from '../blob.js';
import { type IntegerColumn, ROUNDS } from './integer-column.js';
import { MAX_INTEGER } from './packed-integers.js';
import { UnitScale } from './unit-scale.js';

/**
 * The scale of a column defines how its values are written as integers. If a station sends 60.1 °F, the stored value is
 * 15.6111111111 °C. This value has too many decimals for the scales 0 to 7. The column is therefore packed in the unit that was
 * sent, here as 601 tenths of a °F. The number of a scale is a byte:
 *
 *     scale    value
 *     0 to 7   integer / 10^scale
 *     8 to 253 integer / 10^decimals, in a unit of the list `SCALE_UNITS`. The scale is 8 × index in the list + decimals.
 *              The result is converted to the stored unit by the same function as a value that a station sends
 *     254      the integer is the position of the value in a list of values
 *     255      the column has no integers, but the values themselves as float64
 *
 * A column has a scale only if the scale reproduces each value exactly. The order of the units must never change, and neither may
 * their conversions to the stored unit: if a factor in `units.ts` changes, the old factor must be kept here.
 */
export const SCALE_UNITS: readonly (readonly [stored: string, unit: string] | undefined)[] = [
  undefined,
  ['°C', '°F'],
  ['hPa', 'inHg'],
  ['hPa', 'mmHg'],
  ['m/s', 'km/h'],
  ['m/s', 'mph'],
  ['m/s', 'kt'],
  ['mm', 'in'],
  ['mm/h', 'in/h'],
  ['m', 'mi'],
  ['m', 'nmi'],
  ['m', 'ft'],
  ['m', 'in'],
];
/** Scales without a unit. */
export const DICTIONARY = 254;
export const FLOATS = 255;

const POWERS = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7] as const;
const SCALES_OF_UNIT = POWERS.length;
/** Largest number of decimals that are tried in the stored unit. The largest number for other units is `SENT_DECIMALS`. */
const STORED_DECIMALS = 6;
const SENT_DECIMALS = 4;

const unitScales = new Map<number, UnitScale>();
/**
 * For each stored unit, the numbers of the scales in other units. A scale is a rule for writing values as integers, such as
 * tenths of a °F. The scales with the smallest number of decimals come first.
 */
const candidates = new Map<string, readonly number[]>();

/** @throws DamagedBlobError for an unknown number */
function unitScale(number: number): UnitScale {
  let scale = unitScales.get(number);
  if (scale !== undefined) return scale;
  const names = SCALE_UNITS[Math.floor(number / SCALES_OF_UNIT)];
  if (names === undefined) throw new DamagedBlobError(`a column has the scale ${number}`);
  const variable = VARIABLES.find(({ unit }) => unit === names[0]) as Variable;
  scale = new UnitScale(variable, names[1], POWERS[number % SCALES_OF_UNIT] as number);
  unitScales.set(number, scale);
  return scale;
}

function candidatesOf(variable: number): readonly number[] {
  if (!isVariable(variable)) return [];
  const { unit } = variableNumbered(variable);
  let numbers = candidates.get(unit);
  if (numbers !== undefined) return numbers;
  const units = SCALE_UNITS.flatMap((names, number) => (names?.[0] === unit ? [number] : []));
  const decimals = Array.from({ length: SENT_DECIMALS + 1 }, (_, count) => count);
  numbers = decimals.flatMap((count) => units.map((number) => number * SCALES_OF_UNIT + count));
  candidates.set(unit, numbers);
  return numbers;
}

/**
 * Finds a scale for a column: a rule by which all its values can be written as integers, for example as tenths. Writes these
 * integers to `column`.
 *
 * @returns the number of the scale; undefined if no scale fits
 */
export function scaleColumn(
  variable: number,
  values: Float64Array,
  column: IntegerColumn,
): number | undefined {
  // Each scale is first tried only on one value: the value at which the previous scale failed. Wrong scales thus take little
  // time.
  let row = 0;
  while (row < values.length - 1 && Number.isNaN(values[row])) row += 1;
  for (let scale = 0; scale <= STORED_DECIMALS; scale += 1) {
    const power = POWERS[scale] as number;
    if (toIntegers(power, values, column, row, row + 1) >= 0) continue;
    const failed = toIntegers(power, values, column, 0, values.length);
    if (failed < 0) return scale;
    row = failed;
  }
  for (const number of candidatesOf(variable)) {
    const scale = unitScale(number);
    if (scale.toIntegers(values, column, row, row + 1) >= 0) continue;
    const failed = scale.toIntegers(values, column, 0, values.length);
    if (failed < 0) return number;
    row = failed;
  }
  return undefined;
}

/**
 * Writes values as integers (value × power) for the rows from `from` to `to` (not included), in the stored unit.
 *
 * @returns -1 if this is exact for all values; otherwise the first row whose value is not exact, or `from` if an integer is too
 *   large
 */
function toIntegers(
  power: number,
  values: Float64Array,
  column: IntegerColumn,
  from: number,
  to: number,
): number {
  const integers = column.values;
  let min = Infinity;
  let max = -Infinity;
  let low = Infinity;
  let high = -Infinity;
  let before = Number.NaN;
  let absent = 0;
  for (let row = from; row < to; row += 1) {
    const value = values[row] as number;
    const integer = value * power + ROUNDS - ROUNDS;
    integers[row] = integer;
    if (integer / power !== value) {
      if (!Number.isNaN(value)) return row;
      absent += 1;
      continue;
    }
    if (integer === 0 && Object.is(value, -0)) return row;
    if (integer < min) min = integer;
    if (integer > max) max = integer;
    const difference = integer - before;
    if (difference < low) low = difference;
    if (difference > high) high = difference;
    before = integer;
  }
  if (max > MAX_INTEGER || min < -MAX_INTEGER) return from;
  column.set(min, max, low, high, to - from - absent);
  return -1;
}

/** The conversion from the integers of a column to its values, by the scale of the column (such as tenths). */
export interface ScaleReader {
  /** The divisor of the integers; 1 if `unit` converts the integers. */
  readonly divisor: number;
  readonly unit: UnitScale | undefined;
}

const readers = new Map<number, ScaleReader>();

/** @throws DamagedBlobError for an unknown number */
export function scaleReader(number: number): ScaleReader {
  let reader = readers.get(number);
  if (reader !== undefined) return reader;
  reader =
    number < SCALES_OF_UNIT
      ? { divisor: POWERS[number] as number, unit: undefined }
      : { divisor: 1, unit: unitScale(number) };
  readers.set(number, reader);
  return reader;
}
