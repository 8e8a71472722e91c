import type { Caller } from '#domain/accounts/audit-event.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';
import { type ForecastOrders, orderIn } from '../forecast-orders.js';

/** Ends the requests for the forecasts of a station. The issued forecasts, what was learned of them and their scores stay. */
export class RemoveForecast {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #orders: ForecastOrders;
  readonly #audit: AuditTrail;

  constructor(clock: Clock, stations: StationStore, orders: ForecastOrders, audit: AuditTrail) {
    this.#clock = clock;
    this.#stations = stations;
    this.#orders = orders;
    this.#audit = audit;
  }

  /** @throws DomainError STATION_UNKNOWN, FORECAST_UNKNOWN */
  async execute(id: string, caller: Caller): Promise<void> {
    const station = await findStation(this.#stations, id);
    await this.#orders.change((orders) => {
      const removed = orderIn(orders, station);
      return orders.filter((order) => order !== removed);
    }, this.#clock.now());
    await this.#orders.forget(station.number);
    await this.#audit.record(caller, 'forecast-remove', id);
  }
}
