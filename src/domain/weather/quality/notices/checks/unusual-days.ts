import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';
import { type DatedTable, daysOfHours } from '../dated-table.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';
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
  /** Equal daily extremes in a row (Durre et al.: 20). */
  streak: 20,
} as const;

const SOURCE = 'Durre et al. (2010), checks of GHCN-Daily';

export const unusualDay: NoticeCheck = {
  kind: 'unusual_day',
  span: 'years',
  source: SOURCE,
  finds: `a daily maximum or minimum differs from the biweight mean of its date by more than ${NUMBERS.deviations} biweight standard deviations, or is ${NUMBERS.gap} °C away from all others of its calendar month`,
  find: (input) =>
    [V.dailyMaximum, V.dailyMinimum].flatMap((variable) => {
      const days = daysOf(input);
      const column = days.columns.get(variable);
      if (column === undefined) return [];
      const found = new Map([...outliersIn(column, days.first), ...gapsIn(column, days.first)]);
      return [...found]
        .sort(([a], [b]) => a - b)
        .map(([day, facts]) => findingOf(input, days, variable, day, day + 1, facts));
    }),
};

export const dailyStreak: NoticeCheck = {
  kind: 'daily_streak',
  span: 'years',
  source: SOURCE,
  finds: `${NUMBERS.streak} equal daily maxima or minima in a row`,
  find: (input) =>
    [V.dailyMaximum, V.dailyMinimum].flatMap((variable) => {
      const days = daysOf(input);
      const column = days.columns.get(variable) ?? new Float64Array();
      const findings: Finding[] = [];
      let [from, last, count] = [0, Number.NaN, 0];
      for (let day = 0; day <= column.length; day += 1) {
        const value = column[day] ?? Infinity;
        if (Number.isNaN(value)) continue;
        if (value === last) {
          count += 1;
          continue;
        }
        if (count >= NUMBERS.streak)
          findings.push(findingOf(input, days, variable, from, day, { value: last, days: count }));
        [from, last, count] = [day, value, 1];
      }
      return findings;
    }),
};

function daysOf({ own, position, published }: NoticeInput): DatedTable {
  return daysOfHours(own, position?.longitude ?? 0, published);
}

function findingOf(
  { own, position }: NoticeInput,
  days: DatedTable,
  variable: number,
  from: number,
  to: number,
  facts: Finding['facts'],
): Finding {
  const shift = Math.round((position?.longitude ?? 0) / 15);
  const hourOf = (day: number) => 24 * (days.first + day) - shift - own.begin / MILLISECONDS.hour;
  return { variable, from: hourOf(from), to: hourOf(to), facts, comparedWith: [] };
}

/** Days in the year of a day since 1970-01-01, from 0. */
function dayOfYear(day: number): number {
  const time = day * MILLISECONDS.day;
  return Math.floor((time - Date.UTC(new Date(time).getUTCFullYear(), 0, 1)) / MILLISECONDS.day);
}

function* outliersIn(column: Float64Array, first: number): Generator<[number, Finding['facts']]> {
  const byDate = Array.from({ length: 366 }, (): number[] => []);
  for (const [day, value] of column.entries())
    if (!Number.isNaN(value)) byDate[dayOfYear(first + day)]?.push(value);
  const known = new Map<number, { mean: number; deviation: number } | undefined>();
  const usual = (date: number) => {
    if (!known.has(date)) {
      const values: number[] = [];
      for (let near = date - NUMBERS.around; near <= date + NUMBERS.around; near += 1)
        values.push(...(byDate[(near + 366) % 366] ?? []));
      known.set(date, values.length < NUMBERS.values ? undefined : biweight(values));
    }
    return known.get(date);
  };
  for (const [day, value] of column.entries()) {
    if (Number.isNaN(value)) continue;
    const found = usual(dayOfYear(first + day));
    if (found === undefined) continue;
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

function* gapsIn(column: Float64Array, first: number): Generator<[number, Finding['facts']]> {
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
