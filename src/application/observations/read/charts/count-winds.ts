import { DomainError } from '../../../../domain/domain-error.js';
import { CALM_BELOW, WindRose } from '../../../../domain/weather/charts/wind-rose.js';
import type { Station } from '../../../../domain/weather/station.js';
import { V } from '../../../../domain/weather/variables.js';
import type { Calendar } from '../../../ports/calendar.js';
import type { ObservationStore } from '../../../ports/observation-store.js';
import type { DescribedStation } from '../describe-station.js';
import { type AskedRange, expectedRows, type Range, rangeOf } from '../observation-query.js';
import { type Reader, type ReadGate, UNLIMITED } from '../read-gate.js';
import { passing } from '../read-observations.js';

export interface CountWindsInput extends AskedRange {
  readonly sectors: number;
  /** Lower bounds of the classes of speed but the first, in m/s. They rise from above `CALM_BELOW`. */
  readonly bounds: readonly number[];
  /** `pass` omits the values that did not pass quality control. */
  readonly quality: 'all' | 'pass';
}

export interface CountedWinds extends Range {
  readonly station: Station;
  readonly rose: WindRose;
}

/** Counts the winds of a range by direction and speed. */
export class CountWinds {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #gate: ReadGate;

  constructor(calendar: Calendar, observations: ObservationStore, gate: ReadGate) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#gate = gate;
  }

  /**
   * Reads the whole range, of which one batch of the store is in memory at a time.
   *
   * @param reader the caller, as the read gate counts it; without it the read has no limit
   * @throws DomainError REQUEST_INVALID for an unknown time zone, if `to` is before `from`, or if the bounds do not rise;
   *   DATA_DAMAGED; RATE_LIMITED or SERVICE_UNAVAILABLE at the gate
   */
  async execute(
    { station, inventory, asOf }: DescribedStation,
    input: CountWindsInput,
    reader?: Reader,
  ): Promise<CountedWinds> {
    const { sectors, bounds, quality } = input;
    assertRising(bounds);
    const range = rangeOf(this.#calendar, station, inventory, input, asOf);
    const query = { stations: [station.number], ...range, variables: [V.windSpeed, V.windDirection] };
    const cells = expectedRows(inventory, range) * query.variables.length;
    const place = reader ? await this.#gate.enter(reader, cells) : UNLIMITED;
    try {
      const rose = new WindRose(sectors, bounds);
      for await (const series of this.#observations.read(query)) {
        reader?.signal.throwIfAborted();
        rose.add(quality === 'pass' ? passing(series) : series);
        await place.turn();
      }
      return { station, ...range, rose };
    } finally {
      place.leave();
    }
  }
}

/** @throws DomainError REQUEST_INVALID */
function assertRising(bounds: readonly number[]): void {
  if (bounds.every((bound, index) => bound > (bounds[index - 1] ?? CALM_BELOW))) return;
  throw new DomainError(
    'REQUEST_INVALID',
    `The bounds of the classes must rise, and be above ${CALM_BELOW} m/s: a slower wind is a calm.`,
  );
}
