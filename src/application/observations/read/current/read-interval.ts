import type { KnownInterval } from '#domain/alarms/alarm-state.js';
import { intervalOf } from '#domain/alarms/observed-interval.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import { REPORTED } from '#domain/weather/variables.js';
import type { Clock } from '#application/ports/clock.js';
import type { ObservationStore } from '#application/ports/observation-store.js';

/**
 * Milliseconds. If the reporting interval of a station is unknown, it is estimated from the rows of this time, which ends at the
 * newest row.
 */
const OBSERVED_TIME = MILLISECONDS.day;
/** Maximum number of rows for an estimate of the reporting interval. */
const MAX_OBSERVED_ROWS = 1000;
/**
 * Milliseconds for which the reporting interval of a station is cached. `observed`: an interval that was estimated from rows.
 * `default`: the default interval of a station with too few rows.
 */
const INTERVAL_AGE = { observed: MILLISECONDS.hour, default: 5 * MILLISECONDS.minute };

/** Finds the reporting interval of a station: the configured interval, or one that is estimated from its rows. */
export class ReadInterval {
  readonly #clock: Clock;
  readonly #observations: ObservationStore;
  readonly #observed = new Map<number, { readonly interval: KnownInterval; readonly until: number }>();

  constructor(clock: Clock, observations: ObservationStore) {
    this.#clock = clock;
    this.#observations = observations;
  }

  /** @param lastSeen time of the newest row of the station, in milliseconds since 1970-01-01T00:00:00Z; null without rows */
  async execute({ number, reportingInterval }: Station, lastSeen: number | null): Promise<KnownInterval> {
    if (reportingInterval !== null || lastSeen === null)
      return intervalOf(reportingInterval, new Float64Array());
    const known = this.#observed.get(number);
    if (known !== undefined && known.until > this.#clock.uptime()) return known.interval;
    const range = { from: lastSeen - OBSERVED_TIME, to: lastSeen + 1, rows: MAX_OBSERVED_ROWS };
    const times: number[] = [];
    for await (const batch of this.#observations.read({ stations: [number], ...range, variables: REPORTED }))
      times.push(...batch.times);
    const interval = intervalOf(null, Float64Array.from(times));
    const age = interval.source === 'default' ? INTERVAL_AGE.default : INTERVAL_AGE.observed;
    this.#observed.set(number, { interval, until: this.#clock.uptime() + age });
    return interval;
  }
}
