import { DomainError } from '#domain/domain-error.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import type { Announcer } from '../../ports/announcer.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';
import { namingDamage } from '../damaged-forecasts.js';
import { type ForecastOrders, unknownForecast } from '../forecast-orders.js';
import type { Issue, IssueForecast } from '../issue-forecast.js';
import type { ForecastProviders } from '../providers.js';

/** Asks for the newest forecast of a station now, and announces it if it is new. */
export class FetchForecast {
  readonly #stations: StationStore;
  readonly #orders: ForecastOrders;
  readonly #providers: ForecastProviders;
  readonly #issue: IssueForecast;
  readonly #announcer: Announcer;

  constructor(
    stations: StationStore,
    orders: ForecastOrders,
    providers: ForecastProviders,
    issue: IssueForecast,
    announcer: Announcer,
  ) {
    this.#stations = stations;
    this.#orders = orders;
    this.#providers = providers;
    this.#issue = issue;
    this.#announcer = announcer;
  }

  /** @throws DomainError STATION_UNKNOWN, FORECAST_UNKNOWN, REQUEST_INVALID; SOURCE_FAILED if the provider gives no forecast */
  async execute(id: string, signal: AbortSignal): Promise<Issue> {
    const station = await findStation(this.#stations, id);
    const order = await namingDamage(id, () => this.#orders.of(station.number));
    if (order === undefined) throw unknownForecast(id);
    try {
      const provider = this.#providers.named(order.provider);
      const found = await this.#issue.execute(station, provider, signal);
      if (found.isNew)
        this.#announcer.announce({
          kind: 'forecast',
          station: station.number,
          issued: found.forecast.issued,
        });
      return found;
    } catch (error) {
      if (error instanceof SourceFailure) throw new DomainError('SOURCE_FAILED', error.message);
      throw error;
    }
  }
}
