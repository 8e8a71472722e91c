import type { ClimateTable } from '#application/observations/climate/climate-table.js';
import type { DaySource } from '#domain/weather/climate/provenance.js';
import type { ValueStyle } from '../observations/weather-fields.js';
import { measureIn, toFigure } from './climate-reply.js';

type Cell = string | number | boolean | null | undefined;
/**
 * For each column heading, the function that returns the cell of a line. Each line has one figure: the value of a climate element
 * in a period, with further facts such as its date.
 */
type FigureCells = Readonly<
  Record<string, (figure: ReturnType<typeof toFigure>, source: DaySource | undefined) => Cell>
>;

/** The source of a figure is the source of its element, if it has none of its own. A figure without a day has no source. */
const SOURCE: FigureCells = {
  source: ({ source, days }, ofElement) => (days > 0 ? (source ?? ofElement) : undefined),
  daily_days: ({ daily_days: dailyDays }) => dailyDays,
  multiday_days: ({ multiday_days: multidayDays }) => multidayDays,
  split_days: ({ split_days: splitDays }) => splitDays,
};
const FIGURE: FigureCells = {
  value: ({ value }) => value,
  date: ({ date }) => date,
  years: ({ years }) => years,
  days: ({ days }) => days,
  missing: ({ missing }) => missing,
  rule: ({ rule }) => rule,
  valid: ({ valid }) => valid,
};
const FIGURE_SO_FAR: FigureCells = {
  ...FIGURE,
  so_far: ({ so_far: soFar }) => soFar?.value,
  so_far_date: ({ so_far: soFar }) => soFar?.date,
  so_far_days: ({ so_far: soFar }) => soFar?.days,
  so_far_missing: ({ so_far: soFar }) => soFar?.missing,
  so_far_until: ({ so_far: soFar }) => soFar?.until,
};

/** A table as CSV, with one line for each figure, which is the value of a climate element in a period. */
export function tableCsv(
  { elements, sections, sources }: ClimateTable,
  style: ValueStyle,
  figureCells: FigureCells = FIGURE,
): string {
  const cells = { ...figureCells, ...SOURCE };
  const measures = elements.map((element) => measureIn(element, style));
  const lines = Object.values(sections).flatMap((rows) =>
    rows.flatMap(({ label, figures }) =>
      figures.map((one, index) => {
        const { unit, convert } = measures[index] as (typeof measures)[number];
        const shown = toFigure(one, convert);
        const { name = '' } = elements[index] ?? {};
        return [label, name, unit, ...Object.values(cells).map((cell) => cell(shown, sources.get(name)))];
      }),
    ),
  );
  return csvOf(['period', 'element', 'unit', ...Object.keys(cells)], lines);
}

/** A table of months and years as CSV. */
export function monthsAndYearsCsv(table: ClimateTable, style: ValueStyle): string {
  return tableCsv(table, style, FIGURE_SO_FAR);
}

/** Writes CSV. The cells need no quotes, because they are numbers, dates, and names that this service defines. */
export function csvOf(headings: readonly string[], lines: readonly (readonly Cell[])[]): string {
  const texts = lines.map((cells) => cells.map((cell) => cell ?? '').join(','));
  return `${[headings.join(','), ...texts].join('\r\n')}\r\n`;
}
