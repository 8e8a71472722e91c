import type { ForecastOrder, OrderState } from '#domain/forecast/forecast-order.js';
import { unknownStation } from '../../stations/find-station.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import { namingDamage } from '../damaged-forecasts.js';
import { type ForecastOrders, unknownForecast } from '../forecast-orders.js';

/** An order as a person sees it. */
export interface ListedForecast extends Pick<ForecastOrder, 'provider' | 'since'>, OrderState {
  /** Id of the station. */
  readonly station: string;
}

/** Lists the stations that have forecasts, in the order of their ids. */
export class ListForecasts {
  readonly #directory: StationDirectory;
  readonly #orders: ForecastOrders;

  constructor(directory: StationDirectory, orders: ForecastOrders) {
    this.#directory = directory;
    this.#orders = orders;
  }

  /** The order of a station. @throws DomainError STATION_UNKNOWN, FORECAST_UNKNOWN, DATA_DAMAGED */
  async find(id: string): Promise<Pick<ListedForecast, 'station' | 'provider' | 'since'>> {
    const station = (await this.#directory.current()).byId.get(id);
    if (station === undefined) throw unknownStation(id);
    const order = await namingDamage(id, () => this.#orders.of(station.number));
    if (order === undefined) throw unknownForecast(id);
    return { ...order, station: id };
  }

  async execute(): Promise<readonly ListedForecast[]> {
    const { byNumber } = await this.#directory.current();
    const listed: ListedForecast[] = [];
    for (const { station, provider, since } of await this.#orders.list()) {
      const found = byNumber.get(station);
      if (found === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- at most 200 small records
      listed.push({ station: found.id, provider, since, ...(await this.#orders.state(station)) });
    }
    return listed.toSorted((a, b) => (a.station < b.station ? -1 : 1));
  }
}
