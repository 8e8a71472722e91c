import type { Station } from '../../../domain/weather/station.js';
import type { Calendar } from '../../ports/calendar.js';
import type { Inventory, ObservationStore } from '../../ports/observation-store.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';
import { type AskedRange, type Range, rangeOf } from './observation-query.js';

/** A station, its inventory, and the range that a read has asked for. */
export interface StationRange {
  readonly station: Station;
  readonly inventory: Inventory;
  readonly range: Range;
}

/** Resolves the station and the range of a read: an open range ends where the data of the station end. */
export class StationRanges {
  readonly #stations: StationStore;
  readonly #observations: ObservationStore;
  readonly #calendar: Calendar;

  constructor(stations: StationStore, observations: ObservationStore, calendar: Calendar) {
    this.#stations = stations;
    this.#observations = observations;
    this.#calendar = calendar;
  }

  /** @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for an unknown time zone and for a range that is none */
  async of(asked: AskedRange & { readonly station: string }): Promise<StationRange> {
    const station = await findStation(this.#stations, asked.station);
    const [found] = await this.#observations.inventory([station.number]);
    const inventory = found as Inventory;
    return { station, inventory, range: rangeOf(this.#calendar, station, inventory, asked) };
  }
}
