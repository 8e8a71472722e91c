import { dateText } from '#domain/weather/climate/climate-days.js';
import type { NoaaAmount, NoaaGap, NoaaReport } from '#domain/weather/climate/noaa/noaa-report.js';
import { MONTH_NAMES, NOAA_UNITS } from './noaa-cells.js';

/** Width of a line that lists days, the same as the width of the table of a month. */
const WIDTH = 87;

/**
 * Notes below the table: where the values of each column come from, as numbers of days, and when daily values were read. Empty if all
 * come from observations.
 */
export function sourceLines({ sources, observationTimes = [] }: NoaaReport): string[] {
  if (sources === undefined) return [];
  const line = (...cells: readonly [string, ...(string | number)[]]) =>
    cells.map((cell, index) => (index === 0 ? `${cell}`.padEnd(24) : `${cell}`.padStart(17))).join('');
  return [
    '',
    line('SOURCES (DAYS)', 'DAILY VALUES', 'OBSERVATIONS', '(HIGH + LOW) / 2'),
    ...sources.map(({ column, daily, observations, midranges = '' }) =>
      line(`  ${column}`, daily, observations, midranges),
    ),
    ...(observationTimes.every((time) => time === null)
      ? []
      : ['', `DAILY VALUES READ AT ${observationTimes.map((time) => time ?? 'unknown').join(', ')}`]),
  ];
}

/** Notes below the table: the amounts of rain of several days. */
export function rainOfDaysLines({ rainOfDays = [], units }: NoaaReport): string[] {
  if (rainOfDays.length === 0) return [];
  const { rain, rainDecimals } = NOAA_UNITS[units];
  const line = ({ first, last, amount, isInTotal }: NoaaAmount) => {
    const days = `${dateText(first).slice(5)} to ${dateText(last).slice(5)}`;
    const note = isInTotal ? '' : '  not in the total, because a part of its days is outside';
    return `  ${days} ${amount.toFixed(rainDecimals).padStart(8)} ${rain}${note}`;
  };
  return [
    '',
    'RAIN OF SEVERAL DAYS is in the total, in place of any amounts of these days.',
    ...rainOfDays.map(line),
  ];
}

/** Notes below the table: the days with too few data, and the quantities that were never observed. */
export function gapLines({ gaps, month }: NoaaReport): string[] {
  const incomplete = gaps.filter(({ isObserved, dates }) => isObserved && dates.length > 0);
  const never = gaps.filter(({ isObserved }) => !isObserved);
  const lines: string[] = [];
  if (incomplete.length > 0)
    lines.push(
      '',
      'INCOMPLETE DAYS have no data or too few data. Their lines, and the totals and means',
      'that include them, are calculated from the data that exist.',
      ...incomplete.flatMap((gap) => linesOf(gap, month === undefined)),
    );
  if (never.length > 0) lines.push('', `NOT OBSERVED: ${never.map(({ what }) => what).join(', ')}`);
  return lines;
}

function linesOf({ what, dates }: NoaaGap, isYear: boolean): string[] {
  const begin = `  ${what.padEnd(11)} ${String(dates.length).padStart(3)} ${dates.length === 1 ? 'day: ' : 'days:'}`;
  const lines = [begin];
  for (const [index, part] of (isYear ? byMonth(dates) : asRuns(dates)).entries()) {
    const text = index === 0 ? ` ${part}` : `, ${part}`;
    const last = lines.at(-1) as string;
    if (last.length + text.length < WIDTH) lines[lines.length - 1] = last + text;
    else {
      lines[lines.length - 1] = index === 0 ? last : `${last},`;
      lines.push(`${' '.repeat(begin.length)} ${part}`);
    }
  }
  return lines;
}

/** Number of days in each month: `Jan: 3`, `Feb: 28`. Without the colon the texts would look like dates. */
function byMonth(dates: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const date of dates) {
    const name = MONTH_NAMES[Number(date.slice(5, 7)) - 1] as string;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name}: ${count}`);
}

/** Days of a month, with consecutive days joined to a range: `04-06`, `17`. */
function asRuns(dates: readonly string[]): string[] {
  const runs: { first: number; last: number }[] = [];
  for (const day of dates.map((date) => Number(date.slice(8)))) {
    const run = runs.at(-1);
    if (run !== undefined && day === run.last + 1) run.last = day;
    else runs.push({ first: day, last: day });
  }
  const text = (day: number) => String(day).padStart(2, '0');
  return runs.map(({ first, last }) => (first === last ? text(first) : `${text(first)}-${text(last)}`));
}
