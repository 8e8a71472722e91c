import type { ForecastProvider } from '../../ports/forecast-provider.js';
import type { ForecastOrders } from '../forecast-orders.js';
import type { ForecastRecords, ForecastSeries } from '../forecast-records.js';
import type { ForecastProviders } from '../providers.js';

/** The forecasts of a station that are shown. */
export interface ShownSeries {
  readonly series: ForecastSeries;
  readonly provider: ForecastProvider;
  /** Whether the provider is still asked. */
  readonly isOrdered: boolean;
}

/** Finds the forecasts of a station that are shown: those of its order, or, after the order was removed, those that were learned last. */
export class FindShownSeries {
  readonly #orders: ForecastOrders;
  readonly #providers: ForecastProviders;
  readonly #records: ForecastRecords;

  constructor(orders: ForecastOrders, providers: ForecastProviders, records: ForecastRecords) {
    this.#orders = orders;
    this.#providers = providers;
    this.#records = records;
  }

  /** The forecasts that are ordered now. @param station `Station.number` */
  async ordered(station: number): Promise<ShownSeries | undefined> {
    const order = await this.#orders.of(station);
    const provider = order && this.#providers.find(order.provider);
    return order && provider && { series: order, provider, isOrdered: true };
  }

  /** @param station `Station.number` @returns undefined if the station never had forecasts that were learned */
  async execute(station: number): Promise<ShownSeries | undefined> {
    const ordered = await this.ordered(station);
    if (ordered !== undefined) return ordered;
    let [found, newest]: [ShownSeries | undefined, number] = [undefined, -Infinity];
    for (const provider of this.#providers.list) {
      const series = { station, provider: provider.name };
      // oxlint-disable-next-line no-await-in-loop -- a record of each of the few providers
      const { until } = await this.#records.learned(series);
      if (until > newest) [found, newest] = [{ series, provider, isOrdered: false }, until];
    }
    return found;
  }
}
