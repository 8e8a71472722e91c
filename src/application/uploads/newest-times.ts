import type { Clock } from '../ports/clock.js';
import type { ObservationStore } from '../ports/observation-store.js';

/** Milliseconds after which the time of the newest row is read again, because other processes may have written rows. */
const MAX_AGE = 60_000;

/**
 * Caches the time of the newest row of each station. This time is needed for a reading without a usable time, which gets its time
 * of receipt: such a reading is refused if the station already has a newer row.
 */
export class NewestTimes {
  readonly #clock: Clock;
  readonly #observations: ObservationStore;
  /**
   * The time of the newest row of each station, by number of the station. `time` is in milliseconds since 1970-01-01T00:00:00Z,
   * `readAt` is a `Clock.uptime`.
   */
  readonly #known = new Map<number, { time: number; readonly readAt: number }>();

  constructor(clock: Clock, observations: ObservationStore) {
    this.#clock = clock;
    this.#observations = observations;
  }

  /** The latest time of a row of these stations; -Infinity if they have no rows. */
  async latestOf(stations: readonly number[]): Promise<number> {
    const now = this.#clock.uptime();
    const old = stations.filter((station) => now - (this.#known.get(station)?.readAt ?? -Infinity) > MAX_AGE);
    if (old.length > 0) {
      for (const { station, lastSeen } of await this.#observations.newest(old))
        this.#known.set(station, { time: lastSeen ?? -Infinity, readAt: now });
    }
    return Math.max(-Infinity, ...stations.map((station) => this.#known.get(station)?.time ?? -Infinity));
  }

  /** Must be called after rows were written. */
  wrote(stations: readonly number[], time: number): void {
    for (const station of stations) {
      const known = this.#known.get(station);
      if (known !== undefined) known.time = Math.max(known.time, time);
    }
  }
}
