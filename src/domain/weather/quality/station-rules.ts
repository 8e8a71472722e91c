import { MILLISECONDS } from '../../time.js';
import type { Station } from '../station.js';
import { type StepLimit, variableNamed } from '../variables.js';

/** The fields of a station on which the checks of its values depend. */
export interface StationRules {
  /** Gross limits by number of the variable. */
  readonly limits: ReadonlyMap<number, { readonly min: number; readonly max: number }>;
  /** Largest plausible changes by number of the variable. They replace the changes in the catalog of variables (`VARIABLES`). */
  readonly steps?: ReadonlyMap<number, StepLimit> | undefined;
  /** Milliseconds after which an unchanged value is stuck, by number of the variable. They replace the default limits. */
  readonly persistence?: ReadonlyMap<number, number> | undefined;
  /** Seconds between two observations; null if unknown. */
  readonly reportingInterval: number | null;
  /** Degrees north and east. Only rechecks of stored values need the position, to compare radiation with the sun. */
  readonly position?: { readonly latitude: number; readonly longitude: number } | undefined;
  /**
   * End of the last expired month, in milliseconds since 1970-01-01T00:00:00Z; undefined if no month has expired. A month has
   * expired if its rows were removed because of their age.
   *
   * New rows with a time up to and including this end are not written. A row at the end itself may have an amount, such as rain,
   * that fell in the expired month. The stored sums of the month already contain this amount.
   */
  readonly expiredUntil?: number | undefined;
}

export const NO_RULES: StationRules = { limits: new Map(), reportingInterval: null };

/** Extracts the fields of a station on which the checks depend. */
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
