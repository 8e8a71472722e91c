import { V } from '#domain/weather/variables.js';
import { dayFinding } from '../day-findings.js';
import type { NoticeFacts } from '../notice.js';
import type { NoticeCheck } from '../notice-check.js';

const NUMBERS = {
  /**
   * A maximum below the minimum of the next day, or a minimum above the maximum of the next day, by this number of °C. Durre et al. use 1 °C.
   * But values of whole hours do not include the temperature at midnight, and some services end the days of maxima and minima at different hours.
   */
  tolerance: 5,
  /** Difference in °C from both the day before and the day after, in the same direction (Durre et al.). */
  spike: 25,
  /** Difference in °C between a maximum and the highest minimum, or a minimum and the lowest maximum, of three days (Durre et al.). */
  range: 40,
  /** Lowest minimum of three days in °C at which snow does not fall (Durre et al.). */
  snowless: 7,
} as const;

/** Finds published daily values that contradict those of the day before or after. Values of the same day are compared by a verdict. */
export const contradictoryDays: NoticeCheck = {
  kind: 'contradictory_days',
  span: 'weeks',
  source: 'Durre et al. (2010), internal and temporal consistency checks of GHCN-Daily',
  finds: `a published daily maximum is below the minimum of the next day, or a minimum above the maximum of the next day, by more than ${NUMBERS.tolerance} °C; a daily extreme differs from the day before and the day after by ${NUMBERS.spike} °C; an extreme is ${NUMBERS.range} °C away from each opposite extreme of three days; or snow falls while the minima of three days are ${NUMBERS.snowless} °C and more`,
  find(input) {
    const days = input.published;
    const columnOf = (variable: number) =>
      days.columns.get(variable) ?? new Float64Array(days.days).fill(Number.NaN);
    const columns = {
      maximum: columnOf(V.dailyMaximum),
      minimum: columnOf(V.dailyMinimum),
      snow: columnOf(V.dailySnow),
    };
    return Array.from({ length: days.days }, (_, day) => day).flatMap((day) =>
      contradictionsOf(columns, day).map(([variable, facts]) =>
        dayFinding(input, days, { variable, from: day, to: day + 1, facts }),
      ),
    );
  },
};

interface Columns {
  readonly maximum: Float64Array;
  readonly minimum: Float64Array;
  readonly snow: Float64Array;
}

function contradictionsOf(
  { maximum, minimum, snow }: Columns,
  day: number,
): (readonly [number, NoticeFacts])[] {
  const at = (column: Float64Array, index: number) => column[index] ?? Number.NaN;
  const near = (column: Float64Array) =>
    [day - 1, day, day + 1].map((index) => at(column, index)).filter((value) => !Number.isNaN(value));
  const found: (readonly [number, NoticeFacts])[] = [];
  const [high, low] = [at(maximum, day), at(minimum, day)];
  const [nextHigh, nextLow] = [at(maximum, day + 1), at(minimum, day + 1)];
  const [highs, lows] = [near(maximum), near(minimum)];
  for (const [variable, column, value] of [
    [V.dailyMaximum, maximum, high],
    [V.dailyMinimum, minimum, low],
  ] as const) {
    const [before, after] = [value - at(column, day - 1), value - at(column, day + 1)];
    if (
      Math.sign(before) === Math.sign(after) &&
      Math.min(Math.abs(before), Math.abs(after)) >= NUMBERS.spike
    )
      found.push([
        variable,
        { difference: Math.sign(before) * Math.min(Math.abs(before), Math.abs(after)), value },
      ]);
  }
  // All three days have an opposite extreme, so that a single one cannot be the wrong value.
  if (lows.length === 3 && high - Math.max(...lows) >= NUMBERS.range)
    found.push([
      V.dailyMaximum,
      { difference: high - Math.max(...lows), value: high, highest_minimum: Math.max(...lows) },
    ]);
  if (highs.length === 3 && Math.min(...highs) - low >= NUMBERS.range)
    found.push([
      V.dailyMinimum,
      { difference: low - Math.min(...highs), value: low, lowest_maximum: Math.min(...highs) },
    ]);
  if (nextLow - high > NUMBERS.tolerance)
    found.push([V.dailyMaximum, { difference: high - nextLow, value: high, minimum_of_next_day: nextLow }]);
  if (low - nextHigh > NUMBERS.tolerance)
    found.push([V.dailyMinimum, { difference: low - nextHigh, value: low, maximum_of_next_day: nextHigh }]);
  if (at(snow, day) > 0 && lows.length > 0 && Math.min(...lows) >= NUMBERS.snowless)
    // The temperature in a fact of snow is in °C, not in the unit of the amount.
    found.push([V.dailySnow, { amount: at(snow, day), lowest_minimum_celsius: Math.min(...lows) }]);
  return found.filter(([variable], index) => found.findIndex(([other]) => other === variable) === index);
}
