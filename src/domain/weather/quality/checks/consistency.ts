import { ROUNDING, saturationVaporPressure } from '../../derived/vapor.js';
import { FLAG } from '../../series.js';
import { V } from '../../variables.js';
import { type CheckedColumns, setFlag } from './checked-columns.js';

/**
 * Largest difference between the measured relative humidity and the humidity from dew point and temperature, in %. If both are in
 * whole °C, the computed humidity has an error of up to 7 %, and sensors have an error of up to 5 %.
 */
export const HUMIDITY_TOLERANCE = 15;
/** A value with one of these flags is wrong itself, and is not compared with other values of its row. */
const FAILED = FLAG.grossRange | FLAG.step | FLAG.spike | FLAG.persistence | FLAG.neighbors;
/**
 * Tolerance in °C: a mean that is rounded to whole °F or °C may exceed the maximum, or be below the minimum, by half of the last
 * digit.
 */
export const DAILY_ROUNDING = 0.5;
/** Below this temperature (°C), dew points may be frost points. */
const FREEZING = 0;

/** One bit for each compared value. The bit is set if the value is suspect. */
const SUSPECT = { none: 0, first: 1, second: 2, third: 4 } as const;

/** Values of a row that can contradict each other. */
interface Contradiction {
  /** Numbers of the variables that are compared. */
  readonly variables: readonly number[];
  /** Whether two of three variables are compared if the third variable is absent. */
  readonly isOfPairs?: true;
  /**
   * Returns the suspect values as bits of `SUSPECT`. If it is unknown which value is wrong, all values are suspect. NaN
   * contradicts no value.
   */
  readonly suspects: (first: number, second: number, third: number) => number;
}

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    variables: [V.temperature, V.dewPoint],
    suspects: (temperature, dewPoint) =>
      dewPoint > temperature + ROUNDING ? SUSPECT.first | SUSPECT.second : SUSPECT.none,
  },
  {
    variables: [V.temperature, V.dewPoint, V.humidity],
    suspects: (temperature, dewPoint, humidity) =>
      isOtherHumidity(temperature, dewPoint, humidity) ? SUSPECT.second | SUSPECT.third : SUSPECT.none,
  },
  {
    variables: [V.windSpeed, V.gust],
    // Some stations send a gust of 0 if there was no gust.
    suspects: (speed, gust) =>
      gust < speed ? (gust === 0 ? SUSPECT.second : SUSPECT.first | SUSPECT.second) : SUSPECT.none,
  },
  { variables: [V.dailyMinimum, V.dailyMaximum, V.dailyMean], isOfPairs: true, suspects: suspectsOfDay },
];

/**
 * The suspect values of a day. A value that contradicts both other values is wrong:
 *
 *     minimum 20, maximum 10, mean 25     the maximum
 *     minimum 20, maximum 10, mean 15     minimum and maximum: exchanged
 *     minimum  3, maximum 12, mean 26     the mean: with a maximum of 26, the range of the day (9) would more than double
 *     minimum 20, maximum 24, mean 26     maximum and mean: either may be wrong
 */
function suspectsOfDay(minimum: number, maximum: number, mean: number): number {
  const isBelow = mean < minimum - DAILY_ROUNDING;
  const isAbove = mean > maximum + DAILY_ROUNDING;
  if (minimum > maximum) {
    if (isBelow === isAbove) return SUSPECT.first | SUSPECT.second;
    return isAbove ? SUSPECT.second : SUSPECT.first;
  }
  if (!isBelow && !isAbove) return SUSPECT.none;
  const beyond = isAbove ? mean - maximum : minimum - mean;
  if (beyond > maximum - minimum) return SUSPECT.third;
  return SUSPECT.third | (isAbove ? SUSPECT.second : SUSPECT.first);
}

/**
 * Tables of saturation vapor pressures in steps of 0.1 °C, beginning at `MIN_TABLE`. Computing them for each row would take as
 * long as all other checks.
 */
const MIN_TABLE = -80;
const TENTHS = Array.from({ length: 1401 }, (_, index) => MIN_TABLE + index / 10);
const OVER_WATER = Float64Array.from(TENTHS, (temperature) => saturationVaporPressure(temperature));
const OVER_ICE = Float64Array.from(TENTHS, (temperature) => saturationVaporPressure(temperature, 'ice'));

function isOtherHumidity(temperature: number, dewPoint: number, humidity: number): boolean {
  // A dew point above the temperature is not compared here, because another entry of `CONTRADICTIONS` compares it.
  if (!(dewPoint <= temperature + ROUNDING)) return false;
  const index = Math.round((dewPoint - MIN_TABLE) * 10);
  const saturation = OVER_WATER[Math.round((temperature - MIN_TABLE) * 10)] ?? Number.NaN;
  const overWater = (100 * (OVER_WATER[index] ?? Number.NaN)) / saturation;
  if (!(Math.abs(humidity - overWater) > HUMIDITY_TOLERANCE)) return false;
  if (dewPoint > FREEZING) return true;
  const overIce = (100 * (OVER_ICE[index] ?? Number.NaN)) / saturation;
  return Math.abs(humidity - overIce) > HUMIDITY_TOLERANCE;
}

/** A contradiction with the columns that it compares. */
export interface ColumnContradiction {
  readonly contradiction: Contradiction;
  readonly columns: readonly Float64Array[];
}

/** Placeholder of an absent column. */
const ABSENT = new Float64Array(0);

/**
 * Returns those comparisons of `CONTRADICTIONS` that can be made with the present columns. Each comparison needs the columns of
 * all its variables. If `isOfPairs` is set, two of its three columns are enough.
 */
export function contradictionsIn(values: ReadonlyMap<number, Float64Array>): ColumnContradiction[] {
  return CONTRADICTIONS.flatMap((contradiction) => {
    const { variables, isOfPairs } = contradiction;
    const missing = variables.filter((number) => !values.has(number)).length;
    if (missing > (isOfPairs === undefined ? 0 : 1)) return [];
    return [{ contradiction, columns: variables.map((number) => values.get(number) ?? ABSENT) }];
  });
}

/**
 * Flags the values of rows that contradict each other. A value that failed another check is treated as absent.
 *
 * @param touched 1 for each row to check; if undefined, all rows are checked
 * @returns whether a value was flagged
 */
export function checkConsistency(
  checked: CheckedColumns,
  { contradiction, columns }: ColumnContradiction,
  from: number,
  to: number,
  touched: Uint8Array | undefined,
): boolean {
  const { variables, suspects } = contradiction;
  // Destructuring would create an iterator, which is slow in a commit of many stations.
  const first = columns[0] as Float64Array;
  const second = columns[1] as Float64Array;
  const third = columns[2] ?? second;
  let hasFlagged = false;
  for (let row = from; row < to; row += 1) {
    if (touched !== undefined && touched[row] !== 1) continue;
    let suspectBits = suspects(first[row] as number, second[row] as number, third[row] as number);
    if (suspectBits === SUSPECT.none) continue;
    if (checked.flags.size > 0) {
      const valueOf = (index: number, column: Float64Array) =>
        hasFailed(checked, variables[index], row) ? Number.NaN : (column[row] as number);
      suspectBits = suspects(valueOf(0, first), valueOf(1, second), valueOf(2, third));
    }
    if (suspectBits !== SUSPECT.none) hasFlagged = true;
    for (let index = 0; index < variables.length; index += 1)
      if ((suspectBits & (1 << index)) !== 0)
        setFlag(checked, variables[index] as number, row, FLAG.consistency);
  }
  return hasFlagged;
}

function hasFailed({ flags }: CheckedColumns, variable: number | undefined, row: number): boolean {
  return variable !== undefined && ((flags.get(variable)?.[row] ?? 0) & FAILED) !== 0;
}
