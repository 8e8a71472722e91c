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
  hasDayQuantities,
  quantitiesOfDays,
} from '../../../domain/weather/summaries/of-days.js';
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
  /** Expected number of values of each variable, or null if the reporting interval is unknown. */
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
  { reportingInterval }: Station,
  { intervals, ranges, parts, months }: SummaryParts,
  index: number,
  variables: readonly Variable[],
  summaries: Summaries,
  { interval: kind, monthRule, bases }: SummaryRules,
): SummaryRow {
  const bucket = intervals[index] as Bucket;
  const [from, to] = ranges[index] as Stretch;
  const length = bucket.end - bucket.start;
  const days = parts.slice(from, to);
  const interval = { ...bucket, kind, days, months: months[index] ?? [] };
  const completeness = variables.map((variable) =>
    completenessOf(variable, interval, summaries.covered(variable.number, from, to), monthRule),
  );
  return {
    ...bucket,
    expected: reportingInterval === null ? null : Math.round(length / 1000 / reportingInterval),
    statistics: variables.map(({ number }) => summaries.statistics(number, from, to)),
    completeness,
    ofDays: variables.map((variable) =>
      kind !== 'hour' && hasDayQuantities(variable)
        ? quantitiesOfDays(variable, summaries.sumsOf(variable.number), from, to, bases)
        : undefined,
    ),
    complete: allOf(completeness.map(({ complete }) => complete)),
  };
}

/** False if any is false, otherwise null if any is null or there are none. */
function allOf(parts: readonly (boolean | null)[]): boolean | null {
  if (parts.includes(false)) return false;
  return parts.length === 0 || parts.includes(null) ? null : true;
}
