/** The replies of `/v1/stations/{id}/climate/…` as the site reads them. */

/** A number of a month or a year. */
export interface Statistic {
  /** null where too many days are missing. */
  readonly value: number | null;
  /** Of an extreme. */
  readonly date?: string | null;
  /** Days with enough values, and without. */
  readonly days?: number;
  readonly missing: number;
  readonly valid: boolean;
  /** Of normals: years with a valid month. */
  readonly years?: number;
}

export type Statistics = { readonly month?: string; readonly year?: number } & Readonly<
  Record<string, Statistic | string | number | undefined>
>;

export interface ClimateReply {
  readonly units: Readonly<Record<string, string>>;
  readonly years: { readonly from: number; readonly to: number };
  /** Of normals and records `01` to `12`, otherwise `2013-07`. */
  readonly months: readonly Statistics[];
}

/** The number of an element, if the reply has it. */
export function statistic(row: Statistics | undefined, element: string): Statistic | undefined {
  const found = row?.[element];
  return typeof found === 'object' ? found : undefined;
}
