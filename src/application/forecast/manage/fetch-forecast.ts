import { DomainError } from '#domain/domain-error.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';
import { type ForecastOrders, unknownForecast } from '../forecast-orders.js';
import type { Issue, IssueForecast } from '../issue-forecast.js';
import type { ForecastProviders } from '../providers.js';

/** Asks for the newest forecast of a station now. */
export class FetchForecast {
  readonly #stations: StationStore;
  readonly #orders: ForecastOrders;
  readonly #providers: ForecastProviders;
  readonly #issue: IssueForecast;

  constructor(
    stations: StationStore,
    orders: ForecastOrders,
    providers: ForecastProviders,
    issue: IssueForecast,
  ) {
    this.#stations = stations;
    this.#orders = orders;
    this.#providers = providers;
    this.#issue = issue;
  }

  /** @throws DomainError STATION_UNKNOWN, FORECAST_UNKNOWN, REQUEST_INVALID; SOURCE_FAILED if the provider gives no forecast */
  async execute(id: string, signal: AbortSignal): Promise<Issue> {
    const station = await findStation(this.#stations, id);
    const order = await this.#orders.of(station.number);
    if (order === undefined) throw unknownForecast(id);
    try {
      return await this.#issue.execute(station, this.#providers.named(order.provider), signal);
    } catch (error) {
      if (error instanceof SourceFailure) throw new DomainError('SOURCE_FAILED', error.message);
      throw error;
    }
  }
}
