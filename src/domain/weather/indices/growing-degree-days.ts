import { rowsOf, isStart, type IndexRow } from './index-rows.js';
import type { IndexOfDays, YearStart } from './station-index.js';

/** How the degrees of a day are computed from its maximum and its minimum. */
export const GROWING_METHODS = ['average', 'clipped', 'single_sine'] as const;
export type GrowingMethod = (typeof GROWING_METHODS)[number];

export interface GrowingOptions {
  readonly method: GrowingMethod;
  /** Temperature in °C from which plants grow. */
  readonly base: number;
  /** Temperature in °C above which plants grow no faster; undefined for no such limit. Only `clipped` uses it. */
  readonly upper: number | undefined;
  readonly start: YearStart;
}

const DEGREE_DAY = { unit: '°C', isDifference: true, suffix: ' d' } as const;

export const growingDegreeDays: IndexOfDays<GrowingOptions> = {
  name: 'growing-degree-days',
  title: 'Growing degree days',
  source:
    'McMaster and Wilhelm (1997), Agric. For. Meteorol. 87, methods 1 (`average`) and 2 (`clipped`); Baskerville and Emin (1969), Ecology 50 (`single_sine`)',
  rule: 'a day: its maximum and its minimum are known; the sum: no day since the start is missing',
  columns: [
    { ...DEGREE_DAY, name: 'degree_days', decimals: 2, description: 'degrees of the day above the base' },
    { ...DEGREE_DAY, name: 'sum', decimals: 1, description: 'sum since the start; missing days add nothing' },
  ],
  leadDays: 0,
  hasStart: true,
  reads: 'days',
  gives: 'days',
  inputs: ['maximum', 'minimum'],
  compute: ({ dates, of }, options) => {
    const [maxima, minima] = [of('maximum'), of('minimum')];
    let [sum, missing] = [0, 0];
    const rows = Array.from(dates, (date, day): IndexRow => {
      if (isStart(date, options.start)) [sum, missing] = [0, 0];
      const degrees = degreesOf(maxima[day] as number, minima[day] as number, options);
      if (Number.isNaN(degrees)) missing += 1;
      else sum += degrees;
      return { values: [degrees, sum], missing, valid: missing === 0 };
    });
    return rowsOf(growingDegreeDays.columns, rows);
  },
};

/** Degrees of a day above the base, °C d; NaN if an extreme is unknown. */
export function degreesOf(
  maximum: number,
  minimum: number,
  { method, base, upper = Infinity }: Omit<GrowingOptions, 'start'>,
): number {
  if (Number.isNaN(maximum + minimum)) return Number.NaN;
  const mean = (maximum + minimum) / 2;
  if (method === 'average') return Math.max(0, mean - base);
  if (method === 'clipped') {
    const clip = (temperature: number) => Math.min(Math.max(temperature, base), upper);
    return (clip(maximum) + clip(minimum)) / 2 - base;
  }
  if (minimum >= base) return mean - base;
  if (maximum <= base) return 0;
  const amplitude = (maximum - minimum) / 2;
  const angle = Math.asin((base - mean) / amplitude);
  return ((mean - base) * (Math.PI / 2 - angle) + amplitude * Math.cos(angle)) / Math.PI;
}
