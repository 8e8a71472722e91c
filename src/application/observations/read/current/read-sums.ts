import { MILLISECONDS } from '#domain/time.js';
import { rainOfHour, rainSince, sunshineSince } from '#domain/weather/current/today.js';
import { concatenate } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { V } from '#domain/weather/variables.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { ObservationStore } from '#application/ports/observation-store.js';

/** Sums of the values that passed quality control up to a time. */
export interface SumsUntil {
  readonly rain: RainUntil;
  /** Duration of sunshine since local midnight, in s; null if there is no value. */
  readonly sunshine: number | null;
}

/** Sums of amounts of precipitation, in mm; null if there is no value. */
export interface RainUntil {
  /** The last 60 minutes. Null too if the reporting interval is longer than an hour. */
  readonly hour: number | null;
  /** Since local midnight. */
  readonly day: number | null;
  readonly twentyFourHours: number | null;
}

/** Sums the rain of the last hours and the sunshine of the day of a station. */
export class ReadSums {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;

  constructor(calendar: Calendar, observations: ObservationStore) {
    this.#calendar = calendar;
    this.#observations = observations;
  }

  /**
   * @param until in milliseconds since 1970-01-01T00:00:00Z; later rows are ignored
   * @throws DomainError DATA_DAMAGED if some of the rows are damaged
   */
  async execute(station: Station, until: number): Promise<SumsUntil> {
    const date = this.#calendar.format(until, station.timeZone).slice(0, 10);
    const midnight = this.#calendar.startOfDay(date, station.timeZone, 0);
    const dayBefore = until - MILLISECONDS.day;
    const parts: Series[] = [];
    const query = {
      stations: [station.number],
      from: Math.min(midnight, dayBefore),
      to: until + 1,
      variables: [V.precipitation, V.sunshine],
    };
    for await (const { stations: _stations, ...series } of this.#observations.read(query)) parts.push(series);
    const series = concatenate(parts);
    return {
      rain: {
        hour: rainOfHour(series, station, until),
        day: rainSince(series, station, midnight, until),
        twentyFourHours: rainSince(series, station, dayBefore, until),
      },
      sunshine: sunshineSince(series, station, midnight, until),
    };
  }
}
