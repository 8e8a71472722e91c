import { V } from '#domain/weather/variables.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';
import { type Reference, referenceOf } from '../reference.js';
import { deviationOf, medianOf } from '../robust.js';

const NUMBERS = {
  /** Smallest number of hours of a day with a difference. */
  hours: 12,
  /** Days before and after a day from which its usual difference is the median. */
  usualDays: 30,
  /** Smallest number of days with a difference in this time. */
  minDays: 10,
  /** Smallest number of days of an offset. */
  offsetDays: 2,
  /** Days before and after a change of level that are compared: of a sudden change, and of a slow one. */
  levelDays: [15, 30],
  /** Number of standard deviations of the daily differences that is reported: of an offset, and of a change of level. */
  deviations: 6,
  levelDeviations: 4,
  /** Smallest reported difference, in the unit of the variable. */
  smallest: new Map<number, number>([
    [V.temperature, 2],
    [V.dewPoint, 2],
    [V.humidity, 10],
    [V.pressure, 1.5],
    [V.seaLevelPressure, 1.5],
  ]),
} as const;

/** Finds an offset of days, and a level that changes for long, suddenly or slowly, against the stations around. */
export const levelsBesideNeighbors: NoticeCheck = {
  kind: 'level',
  span: 'weeks',
  source:
    'Alexandersson (1986), homogeneity test; differences from neighbors as in Menne and Williams (2009)',
  finds: `the daily difference from the median of at least 3 neighbors leaves its usual value for ${NUMBERS.offsetDays} days, or changes its level, by more than ${NUMBERS.deviations} standard deviations`,
  find({ own, neighbors }: NoticeInput): readonly Finding[] {
    return [...NUMBERS.smallest].flatMap(([variable, smallest]) => {
      const column = own.columns.get(variable);
      const reference = referenceOf(variable, own.hours, neighbors);
      if (column === undefined || reference === undefined) return [];
      return levelsIn(variable, dailyDifferences(column, reference), smallest, reference.stations);
    });
  },
};

/** The median difference from the reference for each day of 24 hours; NaN for a day with too few hours. */
function dailyDifferences(column: Float64Array, { values }: Reference): Float64Array {
  const days = new Float64Array(Math.floor(column.length / 24)).fill(Number.NaN);
  const differences = new Float64Array(24);
  for (let day = 0; day < days.length; day += 1) {
    let count = 0;
    for (let hour = 24 * day; hour < 24 * (day + 1); hour += 1) {
      const difference = (column[hour] as number) - (values[hour] as number);
      if (!Number.isNaN(difference)) differences[count++] = difference;
    }
    if (count >= NUMBERS.hours) days[day] = medianOf(differences, 0, count);
  }
  return days;
}

function levelsIn(
  variable: number,
  days: Float64Array,
  smallest: number,
  comparedWith: readonly number[],
): Finding[] {
  const usual = days.map((_, day) =>
    medianBetween(days, day - NUMBERS.usualDays, day + NUMBERS.usualDays + 1),
  );
  const residuals = days.map((value, day) => value - (usual[day] as number));
  const deviation = deviationOf(residuals);
  if (Number.isNaN(deviation)) return [];
  const offset = Math.max(smallest, NUMBERS.deviations * deviation);
  const level = Math.max(smallest, NUMBERS.levelDeviations * deviation);
  const finding = (from: number, to: number, facts: Finding['facts']): Finding => ({
    variable,
    from: 24 * from,
    to: 24 * Math.min(days.length, to),
    facts: { ...facts, usual_deviation: deviation },
    comparedWith,
  });
  const shifts = shiftsIn(days, level).map(({ day, days: length, change }) =>
    finding(day, day + length, { change }),
  );
  const offsets = runsIn(residuals, offset).map(({ from, to }) =>
    finding(from, to, { difference: medianOf(residuals.subarray(from, to)) }),
  );
  return [...shifts, ...offsets].sort((a, b) => a.from - b.from);
}

function medianBetween(days: Float64Array, from: number, to: number): number {
  const [first, end] = [Math.max(0, from), Math.min(days.length, to)];
  let count = 0;
  for (let day = first; day < end; day += 1) if (!Number.isNaN(days[day])) count += 1;
  return count < NUMBERS.minDays ? Number.NaN : medianOf(days, first, end);
}

/** Runs of days with a residual of the same sign above a limit. Days without a value do not end a run. */
function runsIn(residuals: Float64Array, limit: number): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let [from, to, days, sign] = [0, 0, 0, 0];
  for (let day = 0; day <= residuals.length; day += 1) {
    const value = residuals[day] ?? 0;
    if (Number.isNaN(value)) continue;
    const own = Math.abs(value) > limit ? Math.sign(value) : 0;
    if (own !== 0 && own === sign) {
      days += 1;
      to = day + 1;
      continue;
    }
    if (sign !== 0 && days >= NUMBERS.offsetDays) runs.push({ from, to });
    [from, to, days, sign] = [day, day + 1, own === 0 ? 0 : 1, own];
  }
  return runs;
}

interface Shift {
  readonly day: number;
  /** Number of days before and after `day` that were compared. */
  readonly days: number;
  readonly change: number;
}

/**
 * The days at which the median of the following days differs most from the median of the days before. A slow change is reported only
 * where there is no sudden one.
 */
function shiftsIn(values: Float64Array, limit: number): Shift[] {
  const shifts: Shift[] = [];
  for (const days of NUMBERS.levelDays) {
    // The median of the days before a day is the median of the days after an earlier day.
    const after = Float64Array.from({ length: values.length + days }, (_, index) =>
      medianBetween(values, index - days, index),
    );
    const changes = values.map((_, day) => (after[day + days] as number) - (after[day] as number));
    for (let day = 0; day < changes.length; day += 1) {
      const change = changes[day] as number;
      if (!(Math.abs(change) > limit)) continue;
      const around = changes.subarray(Math.max(0, day - days), day + days + 1);
      const largest = around.reduce((most, one) => Math.max(most, Math.abs(one) || 0), 0);
      const isKnown = shifts.some((shift) => Math.abs(day - shift.day) < Math.max(days, shift.days));
      if (Math.abs(change) === largest && !isKnown) shifts.push({ day, days, change });
    }
  }
  return shifts;
}
