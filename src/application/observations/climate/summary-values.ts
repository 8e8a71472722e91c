import type { DayColumn, Source } from '#domain/weather/climate/climate-days.js';
import type { Variable } from '#domain/weather/variables.js';
import type { SummaryRow } from '../read/summary-rows.js';

/** What climate statistics need of the summary of a variable over a day, a month or a year. */
export interface SummaryValue {
  /** NaN without a value. */
  readonly value: number;
  /** When an extreme occurred; NaN for other statistics. */
  readonly time: number;
  /** Whether enough values exist for it to stand for the period. */
  readonly complete: boolean;
}

export const NO_VALUE: SummaryValue = { value: Number.NaN, time: Number.NaN, complete: false };

/** Sums are rounded to this part, so that ten times 0.1 mm is 1 mm, and a day with them a wet day. */
const PARTS = 1e8;

/** The one place that reads the rows of `Summarize` for climate statistics. @param variables those of the row, in its order */
export function summaryValue(
  { statistics, completeness }: SummaryRow,
  variables: readonly Variable[],
  { variable: name, statistic }: Source,
): SummaryValue {
  const index = variables.findIndex((variable) => variable.name === name);
  const found = statistics[index];
  if (found === undefined || found.count === 0) return NO_VALUE;
  const complete = completeness[index]?.complete === true;
  if (statistic === 'min') return { value: found.min, time: found.minTime, complete };
  if (statistic === 'max') return { value: found.max, time: found.maxTime, complete };
  const value = statistic === 'sum' ? Math.round(found.sum * PARTS) / PARTS : found.mean;
  return { value, time: Number.NaN, complete };
}

/** A column of a table of days that grows row by row. */
export class SummaryColumn {
  readonly #values: number[] = [];
  readonly #times: number[] = [];
  readonly #complete: number[] = [];

  push({ value, time, complete }: SummaryValue): void {
    this.#values.push(value);
    this.#times.push(time);
    this.#complete.push(complete ? 1 : 0);
  }

  take(): DayColumn {
    return {
      values: Float64Array.from(this.#values),
      times: Float64Array.from(this.#times),
      complete: Uint8Array.from(this.#complete),
    };
  }
}
