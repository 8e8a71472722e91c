import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import type { RecheckRequest } from '../ports/recheck-store.js';

/** How far back the rows of the stations around a changed one are judged again. */
export const JUDGED_AROUND = 30 * MILLISECONDS.day;
/** Largest time of a row, in milliseconds since 1970-01-01T00:00:00Z. */
const END = 8.64e15;

/** A station before and after a change; undefined if it did not exist. */
export interface StationTransition {
  readonly before?: Station | undefined;
  readonly after?: Station | undefined;
}

/** The fields of a station on which the flags of its values and of those of its neighbors depend. */
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
 * The requests to judge again the rows of changed stations, all of them, and those of the stations around them.
 *
 * @param around time from which on the rows of the stations around are judged, in milliseconds since 1970-01-01T00:00:00Z
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
  return FIELDS.some((field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]));
}

function positionOf({ latitude, longitude }: Station) {
  return { latitude, longitude };
}
