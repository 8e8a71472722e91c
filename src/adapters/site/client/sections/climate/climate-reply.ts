import type { Schemas } from '../../api.js';

type Figure = Schemas['ClimateFigure'];
/** A number of a month or a year. */
export type Statistic = Pick<Figure, 'value'> &
  Partial<Omit<Figure, 'so_far'> & Pick<Schemas['ClimateFigureSoFar'], 'until'>>;
/** The numbers of a month or a year, by element. Months of normals and records are `01` to `12`, others `2013-07`. */
export type Statistics = { readonly month?: string; readonly year?: string } & Readonly<
  Record<string, Figure | Schemas['ClimateRecord'] | string | undefined>
>;

/** The number of an element, if the reply has it; of a running period the one so far. */
export function statistic(row: Statistics | undefined, element: string): Statistic | undefined {
  const found = row?.[element];
  return typeof found === 'object' ? { ...found, ...('so_far' in found && found.so_far) } : undefined;
}

/** Whether any of some periods has a day with a value of the element, or is on its first day, when there cannot be one. */
export function isMeasured(rows: readonly Statistics[], element: string): boolean {
  return rows.some((row) => {
    const found = statistic(row, element);
    return found !== undefined && (found.value !== null || (found.days ?? 0) > 0 || found.until === null);
  });
}
