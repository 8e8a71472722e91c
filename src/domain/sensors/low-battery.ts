import { MILLISECONDS } from '../time.js';
import { type SensorHistory, sinceOf } from './sensor-history.js';
import { isLow } from './sensor-state.js';

/**
 * Age in milliseconds of the newest state of a sensor from which its battery no longer counts as low, because the sensor was probably
 * removed. An empty battery silences its sensor, so this time is long.
 */
export const MAX_UNSEEN = 30 * MILLISECONDS.day;

/** A sensor whose battery is low. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface LowBattery {
  readonly sensor: string;
  readonly since: number;
  /** Time of the newest state of the sensor. */
  readonly time: number;
}

/**
 * The sensor whose battery has been low for the longest time; undefined if no battery is low.
 *
 * @param below as in `isLow`
 */
export function lowBatteryOf(
  sensors: readonly { readonly sensor: string; readonly history: SensorHistory }[],
  now: number,
  below?: number,
): LowBattery | undefined {
  return sensors
    .flatMap(({ sensor, history }): LowBattery[] => {
      const { last } = history;
      if (last === null || !isLow(last, below) || last.time <= now - MAX_UNSEEN) return [];
      return [{ sensor, since: sinceOf(history, below) ?? last.time, time: last.time }];
    })
    .toSorted((a, b) => a.since - b.since)[0];
}
