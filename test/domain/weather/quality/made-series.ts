import { recheckRange, type Neighbor } from '#domain/weather/quality/recheck-range.js';
import { NO_RULES, type StationRules } from '#domain/weather/quality/station-rules.js';
import { checksOf, type Series } from '#domain/weather/series.js';
import { variableNamed } from '#domain/weather/variables.js';

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const START = Date.UTC(2024, 2, 1);

/** Columns by name of the variable. */
export type Columns = Readonly<Record<string, readonly number[]>>;

/** A series with a row at each interval. */
export function seriesOf(interval: number, columns: Columns): Series {
  const values = new Map(
    Object.entries(columns).map(([name, column]) => [
      variableNamed(name)?.number ?? Number.NaN,
      Float64Array.from(column),
    ]),
  );
  const rows = Math.max(...Object.values(columns).map(({ length }) => length));
  return {
    times: Float64Array.from({ length: rows }, (_, row) => START + row * interval),
    values,
    flags: new Map(),
  };
}

/** Temperatures of mild days: they vary by 3 °C in a day, and by tenths from value to value. */
export function mildDays(rows: number, interval: number, mean = 10): number[] {
  return Array.from({ length: rows }, (_, row) => {
    const daily = 3 * Math.sin((2 * Math.PI * row * interval) / (24 * HOUR));
    return Math.round(10 * (mean + daily) + (row % 3)) / 10;
  });
}

/** Replaces values from an index on. */
export function changed(values: readonly number[], at: number, by: readonly number[]): number[] {
  return [...values.slice(0, at), ...by, ...values.slice(at + by.length)];
}

export const ALL = { from: -Infinity, to: Infinity };

/** What is flagged: by name of the variable the checks of each flagged row, as `row check,check`. */
export function flagged(
  series: Series,
  names: readonly string[],
  { rules = NO_RULES, neighbors = [] }: { rules?: StationRules; neighbors?: readonly Neighbor[] } = {},
): Record<string, string[]> {
  const flags = recheckRange(series, ALL, rules, neighbors);
  return Object.fromEntries(
    names.map((name) => {
      const bytes = flags.get(variableNamed(name)?.number ?? Number.NaN) ?? new Uint8Array(0);
      const rows = [...bytes.entries()].filter(([, flag]) => flag !== 0);
      return [name, rows.map(([row, flag]) => `${row} ${checksOf(flag).join()}`)];
    }),
  );
}

/** `12 step`, `13 step` … for the rows from one to another, both included. */
export function each(from: number, to: number, check: string): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index} ${check}`);
}
