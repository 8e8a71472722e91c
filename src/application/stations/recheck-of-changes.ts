import { MILLISECONDS } from '#domain/time.js';
import { withoutObservationTimes } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import type { RecheckRequest } from '../ports/recheck-store.js';

/** Largest age in milliseconds of the rows of nearby stations that are checked again after a change of a station. */
export const RECHECK_PERIOD = 30 * MILLISECONDS.day;
/** Largest time of a row, in milliseconds since 1970-01-01T00:00:00Z. */
const END = 8.64e15;

/**
 * A station before and after a change. `before` is undefined if the station did not exist, and `after` if it no longer exists.
 */
export interface StationTransition {
  readonly before?: Station | undefined;
  readonly after?: Station | undefined;
}

/** The fields of a station on which the flags of its own values and of the values of its neighbors depend. */
const FIELDS = [
  'latitude',
  'longitude',
  'elevation',
  'reportingInterval',
  'limits',
  'steps',
  'persistence',
  'earlier',
  'damaged',
] as const satisfies readonly (keyof Station)[];

/**
 * Returns the requests to check two groups of rows again: all rows of changed stations, and the recent rows of the stations near
 * the changed stations.
 *
 * @param around time from which on the rows of nearby stations are checked, in milliseconds since 1970-01-01T00:00:00Z
 */
export function recheckRequestsOf(
  transitions: readonly StationTransition[],
  around: number,
): RecheckRequest[] {
  return transitions.filter(hasChanged).flatMap(({ before, after }): RecheckRequest[] => {
    const own = after === undefined ? [] : [{ station: after.number, from: -END, to: END, spreads: false }];
    const hasMoved = before?.latitude !== after?.latitude || before?.longitude !== after?.longitude;
    const near = [after, hasMoved ? before : undefined].flatMap((one) =>
      one === undefined
        ? []
        : [{ station: null, near: positionOf(one), from: around, to: END, spreads: false }],
    );
    return [...own, ...near];
  });
}

function hasChanged({ before, after }: StationTransition): boolean {
  // No flag depends on times of observation, so an import that sets them causes no check of all rows.
  const [old, now] = [before, after].map((station) => station && withoutObservationTimes(station));
  return FIELDS.some((field) => JSON.stringify(old?.[field]) !== JSON.stringify(now?.[field]));
}

function positionOf({ latitude, longitude }: Station) {
  return { latitude, longitude };
}
