import type { Station } from '../station.js';
import { type StepLimit, variableNamed } from '../variables.js';

/** The fields of a station on which the checks of its values depend. */
export interface StationRules {
  /** By number of variable. */
  readonly limits: ReadonlyMap<number, { readonly min: number; readonly max: number }>;
  /** By number of variable. */
  readonly steps?: ReadonlyMap<number, StepLimit> | undefined;
  /** By number of variable: milliseconds. */
  readonly persistence?: ReadonlyMap<number, number> | undefined;
  /** Seconds, or null. */
  readonly reportingInterval: number | null;
  /**
   * End of the months whose rows were removed because of their age, in milliseconds since 1970-01-01T00:00:00Z. No row up to
   * this time, included, is written: an amount at this time is in the sums of the last of these months. Undefined if there
   * are none.
   */
  readonly removedUntil?: number | undefined;
}

export const NO_RULES: StationRules = { limits: new Map(), reportingInterval: null };

/** Extracts from a station the fields on which the checks depend. */
export function rulesOf({
  limits,
  reportingInterval,
}: Pick<Station, 'limits' | 'reportingInterval'>): StationRules {
  const own = Object.entries(limits).flatMap(([name, range]) => {
    const variable = variableNamed(name);
    return variable === undefined ? [] : [[variable.number, range] as const];
  });
  return { limits: new Map(own), reportingInterval };
}
