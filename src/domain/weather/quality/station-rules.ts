import { MILLISECONDS } from '../../time.js';
import type { Station } from '../station.js';
import { type StepLimit, variableNamed } from '../variables.js';

/** The fields of a station on which the checks of its values depend. */
export interface StationRules {
  /** By number of variable. */
  readonly limits: ReadonlyMap<number, { readonly min: number; readonly max: number }>;
  /** Largest plausible changes that replace those of the catalogue, by number of variable. */
  readonly steps?: ReadonlyMap<number, StepLimit> | undefined;
  /** Milliseconds after which an unchanged value counts as stuck, in place of the usual ones, by number of variable. */
  readonly persistence?: ReadonlyMap<number, number> | undefined;
  /** Seconds, or null. */
  readonly reportingInterval: number | null;
  /** Degrees north and east. Needed to compare radiation with the sun, which is done only when stored values are judged again. */
  readonly position?: { readonly latitude: number; readonly longitude: number } | undefined;
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
  steps,
  persistence,
  reportingInterval,
  latitude,
  longitude,
}: Pick<Station, 'limits' | 'steps' | 'persistence' | 'reportingInterval'> &
  Partial<Pick<Station, 'latitude' | 'longitude'>>): StationRules {
  return {
    limits: byNumber(limits, (range) => range),
    reportingInterval,
    ...(latitude !== undefined && longitude !== undefined && { position: { latitude, longitude } }),
    ...(steps && { steps: byNumber(steps, (step) => step) }),
    ...(persistence && {
      persistence: byNumber(persistence, (seconds) => seconds * MILLISECONDS.second),
    }),
  };
}

function byNumber<T, R>(named: Readonly<Record<string, T>>, convert: (value: T) => R): Map<number, R> {
  return new Map(
    Object.entries(named).flatMap(([name, value]) => {
      const variable = variableNamed(name);
      return variable === undefined ? [] : [[variable.number, convert(value)] as const];
    }),
  );
}
