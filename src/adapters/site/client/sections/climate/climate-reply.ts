/** The replies of `/v1/stations/{id}/climate/…` as the site reads them. */

/** A number of a month or a year. */
export interface Statistic {
  /** null where too many days are missing; of a running period, where no day that is over has a value. */
  readonly value: number | null;
  /** Of an extreme. */
  readonly date?: string | null;
  /** Days with enough values, and without. */
  readonly days?: number;
  readonly missing: number;
  readonly valid: boolean;
  /** Of normals: years with a valid month. */
  readonly years?: number;
  /** Of a running month or year: the last day that is over; null on its first day. */
  readonly until?: string | null;
}

interface StatisticField extends Statistic {
  /** Of a running month or year: the number of its days that are over. */
  readonly so_far?: Omit<Statistic, 'valid'>;
}

export type Statistics = { readonly month?: string; readonly year?: string } & Readonly<
  Record<string, StatisticField | string | undefined>
>;

export interface ClimateReply {
  readonly units: Readonly<Record<string, string>>;
  readonly years: { readonly from: number; readonly to: number };
  /** Of normals and records `01` to `12`, otherwise `2013-07`. */
  readonly months: readonly Statistics[];
}

/** The number of an element, if the reply has it; of a running period the one so far. */
export function statistic(row: Statistics | undefined, element: string): Statistic | undefined {
  const found = row?.[element];
  return typeof found === 'object' ? { ...found, ...found.so_far } : undefined;
}

/** Whether any of some periods has a day with a value of the element, or is on its first day, when there cannot be one. */
export function isMeasured(rows: readonly Statistics[], element: string): boolean {
  return rows.some((row) => {
    const found = statistic(row, element);
    return found !== undefined && (found.value !== null || (found.days ?? 0) > 0 || found.until === null);
  });
}
