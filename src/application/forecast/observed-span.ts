import { DAYS_BEFORE, type FinishedHour, type ForecastOfHour } from '#domain/forecast/learn.js';
import { observedHours } from '#domain/forecast/observed-hours.js';
import { REACH } from '#domain/weather/summaries/at-times.js';
import { MILLISECONDS } from '#domain/time.js';
import { concatenate } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';
import { reportingIntervalAt } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import type { ObservationStore } from '../ports/observation-store.js';

/** What a station observed in the hours of a span, and before it as far as persistence needs it. */
export class ObservedSpan {
  readonly #first: number;
  readonly #observed: ReadonlyMap<number, Float64Array>;

  private constructor(first: number, observed: ReadonlyMap<number, Float64Array>) {
    this.#first = first;
    this.#observed = observed;
  }

  /** Reads the hours in `[from, to)`, in milliseconds since 1970-01-01T00:00:00Z. May reject with STORE_UNAVAILABLE. */
  static async read(
    observations: ObservationStore,
    station: Station,
    from: number,
    to: number,
  ): Promise<ObservedSpan> {
    const hours = hoursOf(from - DAYS_BEFORE * MILLISECONDS.day, to);
    const batches: Series[] = [];
    const range = { from: (hours[0] ?? from) - MILLISECONDS.hour, to: to + REACH + 1 };
    for await (const batch of observations.read({ stations: [station.number], ...range }))
      batches.push(batch);
    const observed = observedHours(concatenate(batches), hours, (start) =>
      reportingIntervalAt(station, start),
    );
    return new ObservedSpan(hours[0] ?? from, observed);
  }

  /** What was observed at an hour, by number of the variable of forecasts. Without the variables that were not observed. */
  at(time: number): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    for (const number of this.#observed.keys()) {
      const value = this.#value(number, time);
      if (!Number.isNaN(value)) found.set(number, value);
    }
    return found;
  }

  /** The hours in `[from, to)` with their forecasts. @param forecasts the forecasts of an hour */
  finished(
    from: number,
    to: number,
    forecasts: (time: number) => readonly ForecastOfHour[] = () => [],
  ): readonly FinishedHour[] {
    return Array.from(hoursOf(from, to), (time) => ({
      time,
      forecasts: forecasts(time),
      observed: new Map([...this.#observed.keys()].map((number) => [number, this.#value(number, time)])),
      before: (number, days) => this.#value(number, time - days * MILLISECONDS.day),
    }));
  }

  #value(number: number, time: number): number {
    return this.#observed.get(number)?.[(time - this.#first) / MILLISECONDS.hour] ?? Number.NaN;
  }
}

/** The whole hours in `[from, to)`. */
function hoursOf(from: number, to: number): Float64Array {
  const first = Math.ceil(from / MILLISECONDS.hour);
  const count = Math.max(0, Math.ceil(to / MILLISECONDS.hour) - first);
  return Float64Array.from({ length: count }, (_, index) => (first + index) * MILLISECONDS.hour);
}
