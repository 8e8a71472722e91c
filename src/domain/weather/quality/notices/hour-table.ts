import { MILLISECONDS } from '#domain/time.js';
import { FLAG, type Series } from '../../series.js';
import { variableNumbered } from '../../variables.js';

/**
 * The values of a station by hours. Hour `i` has the values from `begin + i` hours (not included) to `begin + i + 1` hours
 * (included), because an amount or a mean belongs to the interval that ends at its time.
 */
export interface HourTable {
  /** Begin of the first hour, in milliseconds since 1970-01-01T00:00:00Z. A multiple of an hour. */
  readonly begin: number;
  readonly hours: number;
  /** Columns by number of the variable: the mean of the values of the hour, the sum of amounts, the largest gust. NaN if absent. */
  readonly columns: ReadonlyMap<number, Float64Array>;
}

/** Values with one of these flags are left out. Other flagged values stay, because notices look for what lasts. */
const ABSENT = FLAG.grossRange | FLAG.overridden;

/** Builds the hour table of a range from its rows, which can come in several parts. */
export class HourTableBuilder {
  readonly #begin: number;
  readonly #hours: number;
  readonly #sums = new Map<number, { readonly values: Float64Array; readonly counts: Uint16Array }>();

  /** @param from @param to the range, in milliseconds since 1970-01-01T00:00:00Z; it is extended to whole hours */
  constructor(from: number, to: number) {
    this.#begin = Math.floor(from / MILLISECONDS.hour) * MILLISECONDS.hour;
    this.#hours = Math.max(0, Math.ceil((to - this.#begin) / MILLISECONDS.hour));
  }

  add({ times, values, flags }: Series): void {
    for (const [variable, column] of values) {
      const { aggregation, period } = variableNumbered(variable);
      if (aggregation === 'direction' || period === 'day') continue;
      const own = this.#columnOf(variable);
      const bytes = flags.get(variable);
      for (let row = 0; row < times.length; row += 1) {
        const value = column[row] as number;
        if (Number.isNaN(value) || ((bytes?.[row] ?? 0) & ABSENT) !== 0) continue;
        const hour = Math.ceil(((times[row] as number) - this.#begin) / MILLISECONDS.hour) - 1;
        if (hour < 0 || hour >= this.#hours) continue;
        const before = own.counts[hour] as number;
        own.counts[hour] = before + 1;
        own.values[hour] =
          aggregation === 'maximum' && before > 0
            ? Math.max(own.values[hour] as number, value)
            : (own.values[hour] as number) + value;
      }
    }
  }

  table(): HourTable {
    const columns = new Map<number, Float64Array>();
    for (const [variable, { values, counts }] of this.#sums) {
      const isMean = variableNumbered(variable).aggregation === 'mean';
      columns.set(
        variable,
        values.map((value, hour) => {
          const count = counts[hour] as number;
          if (count === 0) return Number.NaN;
          return isMean ? value / count : value;
        }),
      );
    }
    return { begin: this.#begin, hours: this.#hours, columns };
  }

  #columnOf(variable: number) {
    let own = this.#sums.get(variable);
    if (own === undefined) {
      own = { values: new Float64Array(this.#hours), counts: new Uint16Array(this.#hours) };
      this.#sums.set(variable, own);
    }
    return own;
  }
}
