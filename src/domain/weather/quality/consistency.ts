import { ROUNDING, saturationVapourPressure } from '../derived/vapour.js';
import { FLAG } from '../series.js';
import { V } from '../variables.js';
import { type JudgedColumns, setFlag } from './judged-columns.js';

/**
 * How far the relative humidity may differ from that which dew point and temperature give, in %. Temperature and dew point in
 * whole °C give it to 7 %, and sensors to 5 %.
 */
export const HUMIDITY_TOLERANCE = 15;
/** A value with one of these flags is wrong in itself. It says nothing about other values of its row. */
const FAILED = FLAG.grossRange | FLAG.step | FLAG.spike | FLAG.persistence | FLAG.neighbours;
/** Below this temperature (°C), dew points may be frost points. */
const FREEZING = 0;

/** Values of a row that can contradict each other. */
interface Contradiction {
  /** Numbers of the variables that are compared. */
  readonly variables: readonly [number, number] | readonly [number, number, number];
  /** Numbers of the variables that are flagged. */
  readonly flagged: readonly number[];
  /** False if a value is NaN. */
  readonly contradict: (a: number, b: number, c: number) => boolean;
}

/** If it is unknown which of the values is wrong, all of them are flagged. */
const CONTRADICTIONS: readonly Contradiction[] = [
  {
    variables: [V.temperature, V.dewPoint],
    flagged: [V.temperature, V.dewPoint],
    contradict: (temperature, dewPoint) => dewPoint > temperature + ROUNDING,
  },
  {
    variables: [V.temperature, V.dewPoint, V.humidity],
    flagged: [V.dewPoint, V.humidity],
    contradict: isOtherHumidity,
  },
  {
    variables: [V.windSpeed, V.gust],
    flagged: [V.windSpeed, V.gust],
    contradict: (speed, gust) => gust < speed && gust !== 0,
  },
  // Some stations send a gust of 0 if there was none.
  {
    variables: [V.windSpeed, V.gust],
    flagged: [V.gust],
    contradict: (speed, gust) => gust < speed && gust === 0,
  },
  {
    variables: [V.windSpeed, V.windDirection],
    flagged: [V.windDirection],
    contradict: (speed, direction) => speed === 0 && direction > 0,
  },
];

function isOtherHumidity(temperature: number, dewPoint: number, humidity: number): boolean {
  // A dew point above the temperature is another contradiction.
  if (dewPoint > temperature + ROUNDING) return false;
  const saturation = saturationVapourPressure(temperature);
  const overWater = (100 * saturationVapourPressure(dewPoint)) / saturation;
  if (!(Math.abs(humidity - overWater) > HUMIDITY_TOLERANCE)) return false;
  if (dewPoint > FREEZING) return true;
  const overIce = (100 * saturationVapourPressure(dewPoint, 'ice')) / saturation;
  return Math.abs(humidity - overIce) > HUMIDITY_TOLERANCE;
}

/** A contradiction with the columns that it compares. */
export interface ColumnContradiction {
  readonly contradiction: Contradiction;
  readonly columns: readonly Float64Array[];
}

/** The contradictions of which all columns are present. */
export function contradictionsIn(values: ReadonlyMap<number, Float64Array>): ColumnContradiction[] {
  return CONTRADICTIONS.flatMap((contradiction) => {
    const columns = contradiction.variables.flatMap((number) => values.get(number) ?? []);
    return columns.length === contradiction.variables.length ? [{ contradiction, columns }] : [];
  });
}

/**
 * Judges rows for values that contradict each other. A value that failed another check is treated as absent.
 *
 * @param touched 1 for each row that is judged; all rows if left out
 */
export function judgeConsistency(
  judged: JudgedColumns,
  { contradiction, columns }: ColumnContradiction,
  from: number,
  to: number,
  touched: Uint8Array | undefined,
): void {
  const { variables, flagged, contradict } = contradiction;
  const [first, second, third] = columns as [Float64Array, Float64Array, Float64Array?];
  for (let row = from; row < to; row += 1) {
    if (touched !== undefined && touched[row] !== 1) continue;
    if (!contradict(first[row] as number, second[row] as number, third?.[row] ?? Number.NaN)) continue;
    if (variables.some((variable) => ((judged.flags.get(variable)?.[row] ?? 0) & FAILED) !== 0)) continue;
    for (const variable of flagged) setFlag(judged, variable, row, FLAG.consistency);
  }
}
