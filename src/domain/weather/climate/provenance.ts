import type { Rows } from './rows.js';

/**
 * Sources of the values of days: computed from the observations of each day, published for each day, or both. `both` uses the
 * published value of a day if there is one, otherwise the computed one.
 */
export const SOURCES_OF_DAYS = ['observations', 'daily', 'both'] as const;
export type DaySource = (typeof SOURCES_OF_DAYS)[number];

/** Where the value of a day comes from, as bits. A value that is computed from values of both sources has both bits. */
export const ORIGIN = { observations: 1, daily: 2 } as const;

/** Where the values of a quantity come from. */
export interface Provenance {
  readonly source: DaySource;
  /** With the source `both`: where the value of each day comes from (`ORIGIN`). Otherwise undefined. */
  readonly origins: Uint8Array | undefined;
}

export const FROM_OBSERVATIONS: Provenance = { source: 'observations', origins: undefined };

/** The source with these bits of `ORIGIN`. Without a bit it is `observations`. */
export function sourceNamed(origin: number): DaySource {
  if (origin === ORIGIN.daily) return 'daily';
  return origin === (ORIGIN.observations | ORIGIN.daily) ? 'both' : 'observations';
}

/** The bits of `ORIGIN` of a source. */
export function originOf(source: DaySource | undefined): number {
  if (source === undefined) return 0;
  return source === 'both' ? ORIGIN.observations | ORIGIN.daily : ORIGIN[source];
}

/**
 * Where numbers come from that are computed from several quantities.
 *
 * @param parts the provenances of the quantities
 * @param length number of days
 */
export function combineProvenances(parts: readonly Provenance[], length: number): Provenance {
  const source = sourceNamed(parts.reduce((bits, part) => bits | originOf(part.source), 0));
  if (source !== 'both') return { source, origins: undefined };
  const originIn = (row: number) =>
    parts.reduce((bits, part) => bits | (part.origins?.[row] ?? originOf(part.source)), 0);
  return { source, origins: Uint8Array.from({ length }, (_, row) => originIn(row)) };
}

/** The source of a number. Fields are left out if all values of its quantity have the same source, or if no day has a value. */
export interface NumberSource {
  /** For an extreme: the source of its day. */
  readonly source?: DaySource;
  /** Number of the days whose value comes from daily values alone. */
  readonly dailyDays?: number;
}

/** The source of a number that is computed from the known values of the days in `rows`. */
export function sourceIn(
  origins: Uint8Array | undefined,
  values: Float64Array,
  { from, to }: Rows,
): NumberSource {
  if (origins === undefined) return {};
  let [all, dailyDays] = [0, 0];
  for (let row = from; row < to; row += 1) {
    if (Number.isNaN(values[row])) continue;
    all |= origins[row] as number;
    if (origins[row] === ORIGIN.daily) dailyDays += 1;
  }
  return numberSource(all, dailyDays);
}

export function numberSource(origin: number, dailyDays: number): NumberSource {
  return origin === 0 ? {} : { source: sourceNamed(origin), dailyDays };
}
