import { MILLISECONDS } from '#domain/time.js';
import { lowerBound, type Series } from '../../series.js';
import { V } from '../../variables.js';

/** Milliseconds after a change in which other variables may still show the weather that caused it. */
export const SIGN_REACH = MILLISECONDS.hour;
/**
 * Longest time in milliseconds between two values whose change can be explained by signs of weather. In a longer time there is
 * always some weather, so that its signs explain nothing.
 */
export const MAX_EXPLAINED = 3 * MILLISECONDS.hour;

/**
 * Sizes of the changes that count as one sign of a front, an outflow, a shower, a foehn or a sea breeze. Twice the size counts as
 * two signs, four times the size as three signs. The project has chosen these numbers.
 */
export const SIGNS = {
  /** Turn of the wind in degrees, if its speed is at least `turningWind` (m/s) before and after the turn. */
  turn: 60,
  turningWind: 2,
  /** Rise of the wind speed or of the gust in m/s. */
  gust: 5,
  /** Rise of the pressure in hPa. */
  pressure: 2,
  /** Change of the relative humidity in %, opposite to the change of the temperature. */
  humidity: 12,
  /**
   * Change of the temperature in °C. For a change of the relative humidity, only a change of the temperature in the opposite
   * direction is a sign.
   */
  temperature: 3,
  /** Amount of precipitation in mm. Precipitation is a sign only for a fall of the temperature. */
  rain: 1,
  /**
   * A change of the temperature counts as having two more signs if its lower temperature is below this number of °C. In such cold
   * the ground has often cooled the air above it (an inversion). The temperature then changes suddenly when wind or clouds end
   * the inversion.
   */
  inversion: -15,
} as const;

/** Factors by which the allowed change is multiplied: without a sign, with one sign, with two signs, and with more signs. */
export const LENIENCY = [1, 1.3, 1.8, 3] as const;
/**
 * The factors of `LENIENCY` for changes of the wind speed. They are smaller, because the allowed change of the wind speed is
 * larger.
 */
export const WIND_LENIENCY = [1, 1.1, 1.4, 2] as const;

type Column = Float64Array | undefined;

/**
 * Returns a function that gives a factor from the times of two values and the change between them. The allowed change of the
 * variable is multiplied by this factor. The factor is 1, or more if other variables change at about the same time: the more such
 * signs of weather, the larger the factor (`LENIENCY`).
 *
 * A fault of a sensor changes one variable, but weather changes several. For example, in a thunderstorm the temperature falls,
 * the humidity and the pressure rise, and the wind turns and rises, all within the same hour.
 */
export function signsOfWeather(
  variable: number,
  { times, values }: Pick<Series, 'times' | 'values'>,
): (from: number, to: number, change: number) => number {
  const others = (...numbers: number[]): Column[] =>
    numbers.map((number) => (number === variable ? undefined : values.get(number)));
  const winds = others(V.windSpeed, V.gust);
  // Both pressures come from one sensor, so a change of one does not explain a change of the other.
  const isPressure = variable === V.pressure || variable === V.seaLevelPressure;
  const pressures = isPressure ? [] : others(V.pressure, V.seaLevelPressure);
  const [temperatures, humidities, rain] = others(V.temperature, V.humidity, V.precipitation);
  const numbers = variable === V.windSpeed ? WIND_LENIENCY : LENIENCY;
  return (from, to, change) => {
    if (to - from > MAX_EXPLAINED) return 1;
    const rows: Rows = [lowerBound(times, from), lowerBound(times, to + SIGN_REACH + 1)];
    const against = -Math.sign(change);
    let signs =
      signsOf(largestOf(winds, rows), SIGNS.gust) +
      signsOf(largestOf(pressures, rows), SIGNS.pressure) +
      signsOf(largestTurn(values, rows), SIGNS.turn);
    if (variable === V.temperature) {
      if (change < 0) signs += signsOf(totalOf(rain, rows), SIGNS.rain);
      signs += signsOf(largestChange(humidities, rows, against), SIGNS.humidity);
      if ((values.get(V.temperature)?.[rows[0]] ?? 0) + Math.min(0, change) < SIGNS.inversion) signs += 2;
    } else {
      const sign = variable === V.humidity ? against : 0;
      signs += signsOf(largestChange(temperatures, rows, sign), SIGNS.temperature);
    }
    return numbers[Math.min(signs, numbers.length - 1)] as number;
  };
}

/** The first row, and the row behind the last row. */
type Rows = readonly [from: number, to: number];

function signsOf(size: number, one: number): number {
  return size < one ? 0 : size < 2 * one ? 1 : size < 4 * one ? 2 : 3;
}

/** The largest rise in any of several columns; 0 without a rise. */
function largestOf(columns: readonly Column[], rows: Rows): number {
  return columns.reduce((most, column) => Math.max(most, largestChange(column, rows, 1)), 0);
}

/** The largest change from the first value to a later value. @param sign 1 for a rise, -1 for a fall, 0 for both */
function largestChange(column: Column, [from, to]: Rows, sign: number): number {
  let [first, most] = [Number.NaN, 0];
  for (let row = from; row < to; row += 1) {
    const value = column?.[row] ?? Number.NaN;
    if (Number.isNaN(first)) first = value;
    const change = sign === 0 ? Math.abs(value - first) : sign * (value - first);
    if (change > most) most = change;
  }
  return most;
}

function totalOf(column: Column, [from, to]: Rows): number {
  let sum = 0;
  // The rain of the first row came before the change, so it is left out.
  for (let row = from + 1; row < to; row += 1) sum += column?.[row] || 0;
  return sum;
}

function largestTurn(values: Series['values'], [from, to]: Rows): number {
  const [directions, speeds] = [values.get(V.windDirection), values.get(V.windSpeed)];
  let [first, most] = [Number.NaN, 0];
  for (let row = from; row < to; row += 1) {
    if (!((speeds?.[row] ?? 0) >= SIGNS.turningWind)) continue;
    const direction = directions?.[row] ?? Number.NaN;
    if (Number.isNaN(first)) first = direction;
    const turn = Math.abs(((direction - first + 540) % 360) - 180);
    if (turn > most) most = turn;
  }
  return most;
}
