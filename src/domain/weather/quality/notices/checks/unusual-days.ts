import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';
import { byDate, dayFinding, daysOf } from '../day-findings.js';
import type { NoticeFacts } from '../notice.js';
import type { NoticeCheck } from '../notice-check.js';
import { medianOf } from '../robust.js';

const NUMBERS = {
  /** Days before and after a date, and smallest number of values in them (Durre et al.: 15 days, 100 values). */
  around: 7,
  values: 60,
  /** Number of robust standard deviations that is reported (Durre et al.: 6). */
  deviations: 6,
  /** Smallest reported difference in °C. */
  smallest: 8,
  /** Gap in °C between the values of a calendar month beyond which the outer values are reported (Durre et al.: 10 °C). */
  gap: 10,
  gapValues: 60,
} as const;

/** Finds daily extremes of the temperature that the station has never had near to at this date. */
export const unusualDay: NoticeCheck = {
  kind: 'unusual_day',
  span: 'years',
  source: 'Durre et al. (2010), climatological outlier and gap check of GHCN-Daily',
  finds: `a daily maximum or minimum differs from the biweight mean of its date by more than ${NUMBERS.deviations} biweight standard deviations, or is ${NUMBERS.gap} °C away from all others of its calendar month`,
  find: (input) =>
    [V.dailyMaximum, V.dailyMinimum].flatMap((variable) => {
      const days = daysOf(input);
      const column = days.columns.get(variable);
      if (column === undefined) return [];
      const found = new Map([...outliersIn(column, days.first), ...gapsIn(column, days.first)]);
      return [...found]
        .sort(([a], [b]) => a - b)
        .map(([day, facts]) => dayFinding(input, days, { variable, from: day, to: day + 1, facts }));
    }),
};

function* outliersIn(column: Float64Array, first: number): Generator<[number, NoticeFacts]> {
  const usualOf = byDate(
    column,
    first,
    NUMBERS.around,
    () => true,
    (values) => (values.length < NUMBERS.values ? null : biweight(values)),
  );
  for (const [day, value] of column.entries()) {
    if (Number.isNaN(value)) continue;
    const found = usualOf(first + day);
    if (found === null) continue;
    const difference = value - found.mean;
    if (Math.abs(difference) > Math.max(NUMBERS.smallest, NUMBERS.deviations * found.deviation))
      yield [day, { difference, value, usual: found.mean, usual_deviation: found.deviation }];
  }
}

/** Biweight mean and standard deviation: Lanzante (1996), with c = 7.5. */
function biweight(values: readonly number[]): { mean: number; deviation: number } {
  const middle = medianOf(values);
  const spread = medianOf(values.map((value) => Math.abs(value - middle)));
  if (spread === 0) return { mean: middle, deviation: 0 };
  let [weights, sum, above, below] = [0, 0, 0, 0];
  for (const value of values) {
    const u = (value - middle) / (7.5 * spread);
    if (Math.abs(u) >= 1) continue;
    const rest = 1 - u * u;
    weights += rest ** 2;
    sum += (value - middle) * rest ** 2;
    above += (value - middle) ** 2 * rest ** 4;
    below += rest * (1 - 5 * u * u);
  }
  return { mean: middle + sum / weights, deviation: Math.sqrt(values.length * above) / Math.abs(below) };
}

function* gapsIn(column: Float64Array, first: number): Generator<[number, NoticeFacts]> {
  const months = Array.from({ length: 12 }, (): { day: number; value: number }[] => []);
  for (const [day, value] of column.entries())
    if (!Number.isNaN(value))
      months[new Date((first + day) * MILLISECONDS.day).getUTCMonth()]?.push({ day, value });
  for (const month of months) {
    if (month.length < NUMBERS.gapValues) continue;
    const sorted = month.toSorted((a, b) => a.value - b.value);
    const middle = sorted.length >> 1;
    for (const side of [sorted.slice(middle), sorted.slice(0, middle + 1).reverse()]) {
      const at = side.findIndex(
        ({ value }, index) => index > 0 && Math.abs(value - (side[index - 1]?.value ?? value)) >= NUMBERS.gap,
      );
      const edge = side[at - 1]?.value ?? 0;
      if (at > 0)
        for (const { day, value } of side.slice(at))
          yield [day, { difference: value - edge, value, nearest_other: edge }];
    }
  }
}
