import type { Caller } from '#domain/accounts/audit-event.js';
import { changedInMeantime, DomainError } from '#domain/domain-error.js';
import { MAX_ORDERS } from '#domain/forecast/forecast-order.js';
import { quoted } from '#domain/quoted.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';
import type { ForecastOrders } from '../forecast-orders.js';
import type { ForecastProviders } from '../providers.js';

/** Orders the forecasts of a provider for stations. Nothing is asked of anybody before. */
export class AddForecast {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #orders: ForecastOrders;
  readonly #providers: ForecastProviders;
  readonly #audit: AuditTrail;

  constructor(
    clock: Clock,
    stations: StationStore,
    orders: ForecastOrders,
    providers: ForecastProviders,
    audit: AuditTrail,
  ) {
    this.#clock = clock;
    this.#stations = stations;
    this.#orders = orders;
    this.#providers = providers;
    this.#audit = audit;
  }

  /**
   * @param ids of stations. A station that has forecasts of another provider gets those of this one
   * @param expected name of the provider that the stations have; null if they have none; undefined for any state
   * @throws DomainError STATION_UNKNOWN, PRECONDITION_FAILED; REQUEST_INVALID if the provider cannot be used, or if there are too many orders
   */
  async execute(
    ids: readonly string[],
    provider: string,
    caller: Caller,
    expected?: string | null,
  ): Promise<void> {
    const { name, title, isSimulated = false } = this.#providers.named(provider);
    const stations = await Promise.all(ids.map((id) => findStation(this.#stations, id)));
    for (const { id, demo } of stations)
      if (isSimulated !== (demo === 'live'))
        throw new DomainError(
          'REQUEST_INVALID',
          demo === 'live'
            ? `The weather of ${quoted(id)} was recorded in another year. Only simulated forecasts fit it.`
            : `${title} is for stations of the live demo only.`,
        );
    const ordered = await this.#orders.list();
    const added = stations.filter(({ number }) => !ordered.some((order) => order.station === number));
    if (ordered.length + added.length > MAX_ORDERS)
      throw new DomainError(
        'REQUEST_INVALID',
        `At most ${MAX_ORDERS} stations have forecasts: remove the forecasts of others first.`,
      );
    const since = this.#clock.now();
    for (const { id, number } of stations) {
      // oxlint-disable-next-line no-await-in-loop -- one station after the other
      await this.#orders.put({ station: number, provider: name, since }, (present) => {
        if (expected !== undefined && expected !== present)
          throw changedInMeantime('order of forecasts for', id);
      });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await this.#audit.record(caller, 'forecast-add', id, 'done', { target: title });
    }
  }
}
