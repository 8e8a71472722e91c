import type { Schemas } from '../../api.js';

type Figure = Schemas['ClimateFigure'];
/** The statistic of one element in a month or a year. */
export type Statistic = Pick<Figure, 'value'> &
  Partial<
    Omit<Figure, 'so_far' | 'source'> &
      Pick<Schemas['ClimateFigureSoFar'], 'until'> &
      Pick<Schemas['ClimateRecord'], 'source' | 'ties' | 'tie_count'>
  >;
/**
 * The statistics of a month or a year by element. In normals and records, `month` is `01` to `12`; in other replies, `month` has
 * the form `2013-07`.
 */
export type Statistics = { readonly month?: string; readonly year?: string } & Readonly<
  Record<string, Figure | Schemas['ClimateRecord'] | string | undefined>
>;

/**
 * The statistic of an element; undefined if the reply does not contain the element. If the period has not ended, the statistic
 * covers only the days so far.
 */
export function statistic(row: Statistics | undefined, element: string): Statistic | undefined {
  const found = row?.[element];
  return typeof found === 'object' ? { ...found, ...('so_far' in found && found.so_far) } : undefined;
}

/**
 * Whether the element is measured in any of the periods, which are months or years. The element counts as measured in a period if
 * the period has a day with a value. It also counts as measured if the period has no complete day yet, for example if the period
 * is the current month and today is the first day of the month.
 */
export function isMeasured(rows: readonly Statistics[], element: string): boolean {
  return rows.some((row) => {
    const found = statistic(row, element);
    return found !== undefined && (found.value !== null || (found.days ?? 0) > 0 || found.until === null);
  });
}
