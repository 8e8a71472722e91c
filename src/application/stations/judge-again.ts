import { MILLISECONDS } from '../../domain/time.js';
import type { Station } from '../../domain/weather/station.js';
import type { Clock } from '../ports/clock.js';
import type { JudgingRequest, JudgingStore } from '../ports/judging-store.js';

/** How far back the rows of the stations around a changed one are judged again. */
const BACK = 30 * MILLISECONDS.day;
/** Largest time of a row, in milliseconds since 1970-01-01T00:00:00Z. */
const END = 8.64e15;

/** A station before and after a change; undefined if it did not exist. */
export interface StationTransition {
  readonly before?: Station | undefined;
  readonly after?: Station | undefined;
}

/** The fields of a station on which the flags of its values and of those of its neighbours depend. */
const FIELDS = [
  'latitude',
  'longitude',
  'elevation',
  'reportingInterval',
  'limits',
  'steps',
  'persistence',
  'earlier',
] as const satisfies readonly (keyof Station)[];

/**
 * Requests that the rows of changed stations are judged again, all of them, and those of the stations around them for the
 * last 30 days.
 */
export class JudgeAgain {
  readonly #clock: Clock;
  readonly #judging: JudgingStore;

  constructor(clock: Clock, judging: JudgingStore) {
    this.#clock = clock;
    this.#judging = judging;
  }

  /** Must be called after the commit. */
  async execute(changes: readonly StationTransition[]): Promise<void> {
    const from = this.#clock.now() - BACK;
    const requests = changes.filter(hasChanged).flatMap(({ before, after }): JudgingRequest[] => {
      const own = after === undefined ? [] : [{ station: after.number, from: -END, to: END, spreads: false }];
      const hasMoved = before?.latitude !== after?.latitude || before?.longitude !== after?.longitude;
      const around = [after, hasMoved ? before : undefined].flatMap((one) =>
        one === undefined ? [] : [{ station: null, near: positionOf(one), from, to: END, spreads: false }],
      );
      return [...own, ...around];
    });
    if (requests.length > 0) await this.#judging.request(requests);
  }
}

function hasChanged({ before, after }: StationTransition): boolean {
  return FIELDS.some((field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]));
}

function positionOf({ latitude, longitude }: Station) {
  return { latitude, longitude };
}
