import { expectedReports } from '../../../domain/weather/station-history.js';
import type { Station } from '../../../domain/weather/station.js';
import type { Bucket, CalendarInterval } from '../../../domain/weather/summaries/bucket.js';
import {
  type Completeness,
  completenessOf,
  type MonthRule,
} from '../../../domain/weather/summaries/completeness.js';
import {
  type DayQuantities,
  type DegreeDayBases,
  quantitiesOfDays,
} from '../../../domain/weather/summaries/of-days.js';
import { COVERED } from '../../../domain/weather/summaries/layout.js';
import type { Statistics } from '../../../domain/weather/summaries/statistics.js';
import type { Summaries } from '../../../domain/weather/summaries/summaries.js';
import type { Variable } from '../../../domain/weather/variables.js';
import type { Stretch, SummaryParts } from './summary-parts.js';

/** The summary of one interval. Lists are in the order of the variables. */
export interface SummaryRow extends Bucket {
  /** Whether every variable is complete; null if that is unknown. */
  readonly complete: boolean | null;
  readonly statistics: readonly Statistics[];
  readonly completeness: readonly Completeness[];
  /** Of temperatures and rain, for days and longer intervals; otherwise undefined. */
  readonly ofDays: readonly (DayQuantities | undefined)[];
  /** Expected number of values of each variable, by the reporting intervals that were in force; null if one is unknown. */
  readonly expected: number | null;
}

export interface SummaryRules {
  readonly interval: CalendarInterval;
  readonly monthRule: MonthRule;
  readonly bases: DegreeDayBases;
}

/** The rows of a reply, made one after the other. */
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
  { interval: kind, monthRule, bases }: SummaryRules,
): SummaryRow {
  const bucket = intervals[index] as Bucket;
  const [from, to] = ranges[index] as Stretch;
  const interval = { start: bucket.start, end: bucket.end, kind, months: months[index] ?? [] };
  const statistics: Statistics[] = [];
  const completeness: Completeness[] = [];
  const ofDays: (DayQuantities | undefined)[] = [];
  for (const variable of variables) {
    const sums = summaries.sumsOf(variable.number);
    const { lengths } = sums;
    const covered = sums.fields[COVERED] as Float64Array;
    statistics.push(summaries.statistics(variable.number, from, to));
    completeness.push(completenessOf(variable, interval, { lengths, covered, from, to }, monthRule));
    ofDays.push(
      kind === 'hour'
        ? undefined
        : quantitiesOfDays(variable, sums, { from, to, length: interval.end - interval.start }, bases),
    );
  }
  return {
    start: bucket.start,
    end: bucket.end,
    expected: expectedReports(station, bucket.start, bucket.end),
    statistics,
    completeness,
    ofDays,
    complete: isCompleteIn(completeness),
  };
}

/** False if a variable is not complete, otherwise null if that is unknown of one, or there are none. */
function isCompleteIn(variables: readonly Completeness[]): boolean | null {
  let all: boolean | null = variables.length > 0 ? true : null;
  for (const { complete } of variables) {
    if (complete === false) return false;
    if (complete === null) all = null;
  }
  return all;
}
