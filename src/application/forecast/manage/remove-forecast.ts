import type { Caller } from '#domain/accounts/audit-event.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';
import { type ForecastOrders, unknownForecast } from '../forecast-orders.js';

/** Ends the requests for the forecasts of a station. The issued forecasts, what was learned of them and their scores stay. */
export class RemoveForecast {
  readonly #stations: StationStore;
  readonly #orders: ForecastOrders;
  readonly #audit: AuditTrail;

  constructor(stations: StationStore, orders: ForecastOrders, audit: AuditTrail) {
    this.#stations = stations;
    this.#orders = orders;
    this.#audit = audit;
  }

  /** @throws DomainError STATION_UNKNOWN, FORECAST_UNKNOWN */
  async execute(id: string, caller: Caller): Promise<void> {
    const station = await findStation(this.#stations, id);
    // A damaged order can be removed too.
    if (!(await this.#orders.has(station.number))) throw unknownForecast(id);
    await this.#orders.remove(station.number);
    await this.#audit.record(caller, 'forecast-remove', id);
  }
}
