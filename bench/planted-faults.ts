import { lowerBound } from '#domain/weather/series.js';
import { V, variableNumbered } from '#domain/weather/variables.js';

/** Pseudo-random numbers from 0 to 1, the same in each run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Planting {
  readonly times: Float64Array;
  /** Columns that the fault changes in place. */
  readonly values: ReadonlyMap<number, Float64Array>;
  /** Index of the first row of the fault. */
  readonly row: number;
  readonly variable: number;
  /** Size of the fault in the unit of the variable. */
  readonly size: number;
  readonly random: () => number;
}

/** A kind of fault. */
export interface Fault {
  readonly name: string;
  /**
   * Which of the wrong values quality control must flag: the first value, half of the values, or any value. `named` means that
   * the start and the end of the fault must be recognized as level shifts.
   */
  readonly found: 'first' | 'half' | 'any' | 'named';
  /**
   * Whether the fault has a size. Such a fault is planted with several sizes, which are multiples of the natural change: the
   * change within an hour that one hour in 1,000 exceeds.
   */
  readonly isSized: boolean;
  /** The variables into which the fault is planted; undefined means all checked variables. */
  readonly variables?: readonly number[];
  /** Changes values from the start of the fault on. @returns the index of the row after the last wrong value */
  readonly plant: (planting: Planting) => number;
}

const HOUR = 3_600_000;
const rowAfter = ({ times, row }: Planting, hours: number) =>
  lowerBound(times, (times[row] as number) + hours * HOUR);
const columnOf = ({ values, variable }: Planting) => values.get(variable) as Float64Array;

/**
 * The size of a fault with a random sign. The sign is not random if one sign would move the first value out of the limits of the
 * variable.
 */
function signedSize(planting: Planting): number {
  const { row, variable, size, random } = planting;
  const { min, max } = variableNumbered(variable).limits;
  const at = columnOf(planting)[row] as number;
  const isUp = at - size < min || (at + size <= max && random() < 0.5);
  return isUp ? size : -size;
}

/** Adds the signed size of the fault to the values from its start to before the row `to`. @returns `to` */
function shift(planting: Planting, to: number): number {
  const column = columnOf(planting);
  const added = signedSize(planting);
  for (let row = planting.row; row < to; row += 1) column[row] = (column[row] as number) + added;
  return to;
}

function replace(
  planting: Planting,
  hours: number,
  value: (row: number, column: Float64Array) => number,
): number {
  const column = columnOf(planting);
  const to = rowAfter(planting, hours);
  for (let row = planting.row; row < to; row += 1)
    if (!Number.isNaN(column[row])) column[row] = value(row, column);
  return to;
}

/** A normal deviate with standard deviation 1, approximated by the sum of twelve uniform deviates. */
const normal = (random: () => number) =>
  Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, -6);

const OTHER_UNITS: ReadonlyMap<number, (value: number) => number> = new Map([
  [V.temperature, (value) => value * 1.8 + 32],
  [V.dewPoint, (value) => value * 1.8 + 32],
  [V.humidity, (value) => value / 100],
  [V.seaLevelPressure, (value) => value / 33.8639],
  [V.windSpeed, (value) => value / 0.514444],
]);

export const FAULTS: readonly Fault[] = [
  { name: 'spike', found: 'first', isSized: true, plant: (one) => shift(one, one.row + 1) },
  { name: 'step that stays', found: 'first', isSized: true, plant: (one) => shift(one, one.times.length) },
  {
    name: 'offset for 3 to 40 hours',
    found: 'half',
    isSized: true,
    plant: (one) => shift(one, rowAfter(one, 3 + 37 * one.random())),
  },
  {
    name: 'offset for 40 to 200 hours',
    found: 'half',
    isSized: true,
    plant: (one) => shift(one, rowAfter(one, 40 + 160 * one.random())),
  },
  {
    name: 'the same: recognized as a level shift with its return',
    found: 'named',
    isSized: true,
    plant: (one) => shift(one, rowAfter(one, 49 + 151 * one.random())),
  },
  {
    name: 'stuck for 24 hours',
    found: 'half',
    isSized: false,
    plant(one) {
      const value = columnOf(one)[one.row] as number;
      return replace(one, 24, () => value);
    },
  },
  {
    name: 'drift over ten days',
    found: 'any',
    isSized: true,
    plant(one) {
      const size = signedSize(one);
      return replace(one, 240, (row, column) => (column[row] as number) + (size * (row - one.row)) / 240);
    },
  },
  {
    name: 'noise for 24 hours',
    found: 'any',
    isSized: true,
    plant: (one) =>
      replace(one, 24, (row, column) => (column[row] as number) + (one.size / 2) * normal(one.random)),
  },
  {
    name: 'another unit for 24 hours',
    found: 'half',
    isSized: false,
    plant: (one) =>
      replace(one, 24, (row, column) => OTHER_UNITS.get(one.variable)?.(column[row] as number) ?? 0),
  },
  {
    name: 'temperature and humidity swapped for 24 hours',
    found: 'half',
    isSized: false,
    variables: [V.temperature],
    plant(one) {
      const humidity = one.values.get(V.humidity) as Float64Array;
      return replace(one, 24, (row, column) => {
        const value = humidity[row] as number;
        humidity[row] = column[row] as number;
        return value;
      });
    },
  },
  {
    name: 'rain gauge dead for ten days',
    found: 'any',
    isSized: false,
    variables: [V.precipitation],
    plant: (one) => replace(one, 240, () => 0),
  },
  {
    name: 'clock an hour off for five days',
    found: 'any',
    isSized: false,
    variables: [V.temperature],
    plant(one) {
      const to = rowAfter(one, 120);
      for (const column of one.values.values()) column.copyWithin(one.row + 1, one.row, to - 1);
      return to;
    },
  },
];
