import type { DayColumn, Source } from '#domain/weather/climate/climate-days.js';
import type { Variable } from '#domain/weather/variables.js';
import type { SummaryRow } from '../read/summary-rows.js';

/** One statistic of a variable over a day, a month or a year, for the climate statistics. */
export interface SummaryValue {
  /** The statistic; NaN if there is no value. */
  readonly value: number;
  /** Time of an extreme; NaN for other statistics. */
  readonly time: number;
  /** Whether the period has enough values for the statistic. */
  readonly complete: boolean;
}

export const NO_VALUE: SummaryValue = { value: Number.NaN, time: Number.NaN, complete: false };

/** Sums are rounded to multiples of 1 / `ROUNDING`, so that ten times 0.1 mm is exactly 1 mm and the day counts as a wet day. */
const ROUNDING = 1e8;

/** Extracts one statistic from a row of `Summarize`. @param variables the variables of the row, in the order of its statistics */
export function summaryValue(
  { statistics, completeness }: SummaryRow,
  variables: readonly Variable[],
  { variable: name, statistic }: Source,
): SummaryValue {
  const index = variables.findIndex((variable) => variable.name === name);
  const found = statistics[index];
  if (found === undefined) return NO_VALUE;
  const complete = completeness[index]?.complete === true;
  if (statistic === 'min') return { value: found.min, time: found.minTime, complete };
  if (statistic === 'max') return { value: found.max, time: found.maxTime, complete };
  const value = statistic === 'sum' ? Math.round(found.sum * ROUNDING) / ROUNDING : found.mean;
  return { value, time: Number.NaN, complete };
}

/** Builds a column of a daily table row by row. */
export class SummaryColumn {
  readonly #values: number[] = [];
  readonly #times: number[] = [];
  readonly #complete: number[] = [];

  push({ value, time, complete }: SummaryValue): void {
    this.#values.push(value);
    this.#times.push(time);
    this.#complete.push(complete ? 1 : 0);
  }

  finish(): DayColumn {
    return {
      values: Float64Array.from(this.#values),
      times: Float64Array.from(this.#times),
      complete: Uint8Array.from(this.#complete),
    };
  }
}
