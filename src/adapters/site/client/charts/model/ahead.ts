import { MILLISECONDS } from '#domain/time.js';
import type { Forecast } from '../../forecast/read-forecast.js';
import type { DisplayUnit } from '../../format/units.js';
import { type Drawing, type DrawnPoint, isValue } from './drawing.js';
import type { Quantity } from './quantities.js';
import type { ShownRange, SpanName } from './span.js';

/** Milliseconds by which a span that ends now goes on for the forecast. Longer spans have none, because it would be too narrow. */
export const AHEAD_OF_SPAN: Readonly<Partial<Record<SpanName, number>>> = {
  '24h': MILLISECONDS.day,
  '7d': 2 * MILLISECONDS.day,
};

/** The part of a chart behind now. */
export interface Ahead {
  /** The current time in ms since 1970. */
  readonly from: number;
  /** The forecast. A line without a forecast has no values. `lows` and `highs` are the bounds of 8 of 10 outcomes. */
  readonly drawing: Drawing;
}

/** What a chart shows at a time: measured values, or the forecast. */
export function drawingAt<D extends Drawing | undefined>(
  { drawing, ahead }: { readonly drawing: D; readonly ahead?: Ahead | undefined },
  time: number,
): D | Drawing {
  return ahead !== undefined && time > ahead.from ? ahead.drawing : drawing;
}

/** Computes the forecast of a chart. @param range from now to the end of the chart */
export function drawAhead(
  { kind, lines, arrows }: Quantity,
  { times: seconds, values, p10, p90 }: Forecast,
  unit: Pick<DisplayUnit, 'convert'>,
  { from, to }: ShownRange,
): Drawing {
  const times = seconds.map((time) => time * MILLISECONDS.second);
  const rows = [...times.keys()].filter((row) => (times[row] ?? 0) > from && (times[row] ?? 0) <= to);
  const valueAt = (columns: Forecast['values'], variable: string, row: number): DrawnPoint => {
    const value = columns[variable]?.[row] ?? undefined;
    return value === undefined ? undefined : unit.convert(value);
  };
  if (kind === 'bars') {
    // An amount has the time of the end of its hour.
    const hours = rows.filter((row) => (times[row] ?? 0) - MILLISECONDS.hour >= from);
    return {
      step: 'hour',
      times: hours.map((row) => (times[row] ?? 0) - MILLISECONDS.hour / 2),
      intervals: hours.map((row) => ({
        from: (times[row] ?? 0) - MILLISECONDS.hour,
        to: times[row] ?? 0,
      })),
      lines: lines.map(({ variable, shape }) => ({
        variable,
        shape,
        values: hours.map((row) => valueAt(values, variable, row)),
        doubtful: [],
        gaps: [],
      })),
      arrows: [],
    };
  }
  const [first = times.length] = rows;
  const [before, after] = [times[first - 1], times[first]];
  /** The value now, between the values of the hours around. A maximum of an hour has none. */
  const valueNow = (columns: Forecast['values'], variable: string): DrawnPoint => {
    const [low, high] = [valueAt(columns, variable, first - 1), valueAt(columns, variable, first)];
    if (before === undefined || after === undefined || !isValue(low) || !isValue(high)) return undefined;
    return low + ((high - low) * (from - before)) / (after - before);
  };
  const column = (columns: Forecast['values'], variable: string, hasNow: boolean): DrawnPoint[] => [
    hasNow ? valueNow(columns, variable) : undefined,
    ...rows.map((row) => valueAt(columns, variable, row)),
  ];
  return {
    step: 'value',
    times: [from, ...rows.map((row) => times[row] ?? 0)],
    lines: lines.map(({ variable, shape }) => {
      const isLine = shape === 'line';
      const lows = column(p10, variable, isLine);
      return {
        variable,
        shape,
        values: column(values, variable, isLine),
        ...(lows.some((value) => isValue(value)) && { lows, highs: column(p90, variable, isLine) }),
        doubtful: [],
        gaps: [],
      };
    }),
    arrows: rows.flatMap((row) => {
      const direction = arrows === undefined ? undefined : values[arrows]?.[row];
      return typeof direction === 'number' ? [{ time: times[row] ?? 0, from: direction }] : [];
    }),
  };
}
