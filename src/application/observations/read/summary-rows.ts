import type { Station } from '../../../domain/weather/station.js';
import type { Statistics } from '../../../domain/weather/summaries/accumulator.js';
import type { Bucket } from '../../../domain/weather/summaries/bucket.js';
import { isComplete, type Summaries } from '../../../domain/weather/summaries/summaries.js';
import type { Variable } from '../../../domain/weather/variables.js';
import type { Stretch, SummaryParts } from './summary-parts.js';

export interface SummaryRow extends Bucket {
  /** Whether every variable has enough values; null if the expected number is unknown. */
  readonly complete: boolean | null;
  /** In the order of `variables`. */
  readonly statistics: readonly Statistics[];
  /** Expected number of values of each variable, or null if the reporting interval is unknown. */
  readonly expected: number | null;
}

/** The rows of a reply, made one after the other. */
export function summaryRows(
  station: Station,
  { intervals, ranges }: SummaryParts,
  variables: readonly Variable[],
  summaries: Summaries,
): Iterable<SummaryRow> {
  return {
    *[Symbol.iterator]() {
      for (const [index, interval] of intervals.entries()) {
        yield summaryOf(station, interval, ranges[index] as Stretch, variables, summaries);
      }
    },
  };
}

function summaryOf(
  { reportingInterval }: Station,
  interval: Bucket,
  [from, to]: Stretch,
  variables: readonly Variable[],
  summaries: Summaries,
): SummaryRow {
  const expected =
    reportingInterval === null
      ? null
      : Math.round((interval.end - interval.start) / 1000 / reportingInterval);
  const statistics = variables.map(({ number }) => summaries.statistics(number, from, to));
  const complete = statistics.map(({ count }, column) =>
    isComplete(variables[column] as Variable, count, expected),
  );
  return {
    ...interval,
    expected,
    statistics,
    complete: complete.includes(null) || complete.length === 0 ? null : complete.every(Boolean),
  };
}
