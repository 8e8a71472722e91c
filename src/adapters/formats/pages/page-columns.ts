import { checksOf, type Series, verdictOf } from '#domain/weather/series.js';
import type { TextColumn } from '../text/text-column.js';

/** Rows of one station, page by page. All pages have the same columns. */
export interface ExportedPage {
  readonly columns: readonly TextColumn[];
  readonly series: Series;
}

export type Pages = AsyncGenerator<ExportedPage>;

/** The stored values of a column; NaN where there is none. */
export function pageColumnOf({ series }: ExportedPage, { number }: TextColumn): Float64Array {
  return series.values.get(number) ?? new Float64Array(series.times.length).fill(Number.NaN);
}

/** What quality control has found in a row: `wind_speed fail gross_range; …`; empty where all passed. */
export function qualityOf({ series, columns }: ExportedPage, row: number): string {
  if (!isFlagged(series, row)) return '';
  return columns
    .flatMap(({ number, name }) => {
      const found = series.flags.get(number)?.[row] ?? 0;
      return found === 0 ? [] : [[name, verdictOf(found), ...checksOf(found)].join(' ')];
    })
    .join('; ');
}

function isFlagged({ flags }: Series, row: number): boolean {
  for (const bytes of flags.values()) if (bytes[row] !== 0) return true;
  return false;
}
