import { checksOf, type Series, verdictOf } from '#domain/weather/series.js';
import { cellConversion, type TextColumn } from '../text/text-column.js';

/** A page: consecutive rows of one station. All pages of an export have the same columns. */
export interface ExportedPage {
  readonly columns: readonly TextColumn[];
  readonly series: Series;
  /**
   * How a Parquet file shows the results of quality control. `text` (the default): one column of text for all variables. `flags`: a
   * column of numbers for each variable, with the bits of `FLAG`.
   */
  readonly verdicts?: 'text' | 'flags';
}

export type Pages = AsyncGenerator<ExportedPage>;

/** The stored values of a column; NaN for absent values. */
export function pageColumnOf({ series }: ExportedPage, { number }: TextColumn): Float64Array {
  return series.values.get(number) ?? new Float64Array(series.times.length).fill(Number.NaN);
}

/** The values of a column in the unit of the column; NaN for absent values. */
export function convertedColumnOf(page: ExportedPage, column: TextColumn): Float64Array {
  const values = pageColumnOf(page, column);
  const convert = cellConversion(column);
  return convert === undefined ? values : values.map(convert);
}

/** The name of the column with the flags of a variable. */
export function flagColumnOf({ name }: TextColumn): string {
  return `${name}_qc`;
}

/** The result of quality control for a row: `wind_speed fail gross_range; …`; empty if all values passed. */
export function qualityOf({ series, columns }: ExportedPage, row: number): string {
  if (!isFlagged(series, row)) return '';
  return columns
    .flatMap(({ number, name }) => {
      const flag = series.flags.get(number)?.[row] ?? 0;
      return flag === 0 ? [] : [[name, verdictOf(flag), ...checksOf(flag)].join(' ')];
    })
    .join('; ');
}

function isFlagged({ flags }: Series, row: number): boolean {
  for (const bytes of flags.values()) if (bytes[row] !== 0) return true;
  return false;
}
