import { expectedReports } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { type Bucket, type CalendarInterval, isClockInterval } from '#domain/weather/summaries/bucket.js';
import { type Completeness, completenessOf, type MonthRule } from '#domain/weather/summaries/completeness.js';
import {
  type DayMean,
  type DayQuantities,
  type DegreeDayBases,
  quantitiesOfDays,
} from '#domain/weather/summaries/of-days.js';
import { COVERED } from '#domain/weather/summaries/layout.js';
import { NO_STATISTICS, type Statistics } from '#domain/weather/summaries/statistics.js';
import type { Summaries } from '#domain/weather/summaries/summaries.js';
import { traceVariableOf, V, type Variable } from '#domain/weather/variables.js';
import type { Inventory } from '../../ports/observation-store.js';
import type { PartRange, SummaryParts } from './summary-parts.js';

/** The summary of one interval. The lists are in the order of the variables. */
export interface SummaryRow extends Bucket {
  /** Whether all variables that count for completeness (`mustBeComplete`) are complete; null if this is unknown. */
  readonly complete: boolean | null;
  readonly statistics: readonly Statistics[];
  readonly completeness: readonly Completeness[];
  /** For precipitation, the number of amounts that were too small to be measured; otherwise undefined. */
  readonly traces: readonly (number | undefined)[];
  /**
   * Numbers that are computed from single days, such as degree days. Undefined for variables other than temperatures and rain,
   * and for intervals shorter than a day.
   */
  readonly ofDays: readonly (DayQuantities | undefined)[];
  /**
   * Expected number of values of each variable, from the reporting intervals of the station in this interval; null if one of the
   * reporting intervals is unknown.
   */
  readonly expected: number | null;
}

export interface SummaryRules {
  readonly interval: CalendarInterval;
  readonly monthRule: MonthRule;
  readonly bases: DegreeDayBases;
  readonly dayMean: DayMean;
}

/** The rows of a reply, created during iteration. */
export function summaryRows(
  station: Station,
  parts: SummaryParts,
  variables: readonly Variable[],
  summaries: Summaries,
  rules: SummaryRules,
): Iterable<SummaryRow> {
  return {
    *[Symbol.iterator]() {
      for (const index of parts.intervals.keys())
        yield summaryOf(station, parts, index, variables, summaries, rules);
    },
  };
}

function summaryOf(
  station: Station,
  { intervals, ranges, months }: SummaryParts,
  index: number,
  variables: readonly Variable[],
  summaries: Summaries,
  { interval: kind, monthRule, bases, dayMean }: SummaryRules,
): SummaryRow {
  const bucket = intervals[index] as Bucket;
  const [from, to] = ranges[index] as PartRange;
  const interval = { start: bucket.start, end: bucket.end, kind, months: months[index] ?? [] };
  const statistics: Statistics[] = [];
  const completeness: Completeness[] = [];
  const traces: (number | undefined)[] = [];
  const ofDays: (DayQuantities | undefined)[] = [];
  for (const variable of variables) {
    const sums = summaries.sumsOf(variable.number);
    const { lengths } = sums;
    const covered = sums.fields[COVERED] as Float64Array;
    statistics.push(summaries.statistics(variable.number, from, to));
    completeness.push(completenessOf(variable, interval, { lengths, covered, from, to }, monthRule));
    traces.push(tracesOf(variable, summaries, from, to));
    ofDays.push(
      isClockInterval(kind)
        ? undefined
        : quantitiesOfDays(
            variable,
            sums,
            { from, to, length: interval.end - interval.start },
            bases,
            dayMean,
          ),
    );
  }
  return {
    start: bucket.start,
    end: bucket.end,
    expected: expectedReports(station, bucket.start, bucket.end),
    statistics,
    completeness,
    traces,
    ofDays,
    complete: isCompleteIn(completeness.filter((_one, at) => mustBeComplete(variables[at], kind))),
  };
}

/** Number of amounts that are marked as too small to be measured (traces); undefined for variables without such a mark. */
function tracesOf({ number }: Variable, summaries: Summaries, from: number, to: number): number | undefined {
  const trace = traceVariableOf(number);
  if (trace === undefined) return undefined;
  const { count, sum } = summaries.has(trace.number)
    ? summaries.statistics(trace.number, from, to)
    : NO_STATISTICS;
  return count === 0 ? 0 : sum;
}

/**
 * Whether a variable counts for completeness. Daily values do not count in intervals shorter than a day, because most hours have
 * none. A variable that only marks values of another variable (`mark`) never counts. For example, `precipitation_trace` is
 * stored only for amounts that were too small to be measured, so a row without it is not incomplete.
 */
function mustBeComplete(variable: Variable | undefined, kind: CalendarInterval): boolean {
  return variable?.mark === undefined && !(variable?.period === 'day' && isClockInterval(kind));
}

/**
 * Whether all variables are complete. Null if no variable is incomplete but the completeness of a variable is unknown, or if
 * there are no variables.
 */
function isCompleteIn(variables: readonly Completeness[]): boolean | null {
  let all: boolean | null = variables.length > 0 ? true : null;
  for (const { complete } of variables) {
    if (complete === false) return false;
    if (complete === null) all = null;
  }
  return all;
}

/** Adds the variables that mark traces (amounts too small to be measured) of the given variables, if the station has them. */
export function withTraces(
  variables: readonly Variable[],
  { variables: stored }: Inventory,
): readonly Variable[] {
  const traces = variables.flatMap(({ number }) => traceVariableOf(number) ?? []);
  return [...new Set([...variables, ...traces.filter(({ number }) => stored.includes(number))])];
}

/**
 * Returns the numbers of the given variables, and of further variables that their statistics need. The mean of wind direction is
 * weighted by wind speed, and the direction of the maximum gust is computed too.
 */
export function withPartners(variables: readonly Variable[]): readonly number[] {
  const numbers = new Set(variables.map(({ number }) => number));
  if (variables.some(isWeighted)) numbers.add(V.windSpeed);
  if (numbers.has(V.gust)) numbers.add(V.windDirection).add(V.gustDirection);
  return [...numbers];
}

/** Whether the mean of the variable is weighted by wind speed. */
export function isWeighted({ aggregation, period }: Variable): boolean {
  return aggregation === 'direction' && period !== 'day';
}
