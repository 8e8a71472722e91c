import { DomainError } from '#domain/domain-error.js';
import { delayOf } from '#domain/weather/computation/cell-methods.js';
import { CALM_BELOW, WindRose } from '#domain/weather/charts/wind-rose.js';
import type { Station } from '#domain/weather/station.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { ObservationStore } from '#application/ports/observation-store.js';
import type { StationSnapshot } from '../describe-station.js';
import { type RangeRequest, expectedRows, type ObservationRange, rangeOf } from '../observation-query.js';
import { type Permit, UNLIMITED } from '../gate/permit.js';
import { passing } from '../read-observations.js';

export interface CountWindsInput extends RangeRequest {
  readonly sectors: number;
  /** Lower bounds of the speed classes after the first class, in m/s. The bounds rise, and the first bound is above `CALM_BELOW`. */
  readonly bounds: readonly number[];
  /** `pass` omits values that did not pass quality control. */
  readonly quality: 'all' | 'pass';
}

export interface CountedWinds extends ObservationRange {
  readonly station: Station;
  readonly rose: WindRose;
}

/** Counts the wind observations of a range by direction and speed. */
export class CountWinds {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;

  constructor(calendar: Calendar, observations: ObservationStore) {
    this.#calendar = calendar;
    this.#observations = observations;
  }

  /**
   * Reads the whole range. Only one batch of the store is in memory at a time.
   *
   * @param permit limits the reads of the request; see `Permit`
   * @throws DomainError REQUEST_INVALID for an unknown time zone, if `to` is before `from`, or if the bounds do not rise;
   *   DATA_DAMAGED; RATE_LIMITED or SERVICE_UNAVAILABLE if there are too many reads (`Permit.acquire`)
   */
  async execute(
    { station, inventory, asOf }: StationSnapshot,
    input: CountWindsInput,
    permit: Permit = UNLIMITED,
  ): Promise<CountedWinds> {
    const { sectors, bounds, quality } = input;
    assertRising(bounds);
    const range = rangeOf(this.#calendar, station, inventory, input, asOf);
    // The wind speed may be a mean of the interval that ends at the time of its row. Then `delay` is 1 ms and moves the bounds,
    // so that the row at `from` is left out (its interval is before the range), and the row at `to` is read (its interval is in
    // the range). If no start was requested, the range starts at the first row, which must be read, so only the end is moved.
    const delay = delayOf(variableNumbered(V.windSpeed), station);
    const hasStart = input.from !== undefined || input.last !== undefined;
    const query = {
      stations: [station.number],
      from: range.from + (hasStart ? delay : 0),
      to: range.to + delay,
      variables: [V.windSpeed, V.windDirection],
    };
    await permit.acquire(expectedRows(inventory, range) * query.variables.length);
    const rose = new WindRose(sectors, bounds);
    for await (const series of this.#observations.read(query)) {
      permit.signal?.throwIfAborted();
      rose.add(quality === 'pass' ? passing(series) : series);
      await permit.turn();
    }
    return { station, ...range, rose };
  }
}

/** @throws DomainError REQUEST_INVALID if the bounds do not rise, or are not above `CALM_BELOW` */
function assertRising(bounds: readonly number[]): void {
  if (bounds.every((bound, index) => bound > (bounds[index - 1] ?? CALM_BELOW))) return;
  throw new DomainError(
    'REQUEST_INVALID',
    `The bounds of the speed classes must rise and be above ${CALM_BELOW} m/s, because a slower wind is a calm.`,
  );
}
