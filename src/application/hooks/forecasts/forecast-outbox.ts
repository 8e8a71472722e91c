import { isDomainError } from '#domain/domain-error.js';
import type { Hook } from '#domain/hooks/hook.js';
import { isAmongAll } from '#domain/weather/stations/demo.js';
import type { Station } from '#domain/weather/station.js';
import type { ForecastOrders } from '../../forecast/forecast-orders.js';
import type { GetForecast, ShownForecast } from '../../forecast/read/get-forecast.js';
import type { Message } from '../../ports/delivery.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { Positions } from '../observations/positions.js';

/** The fields of a forecast in the reply of `GET /v1/stations/{id}/forecast`. They can be written as JSON. */
export type ForecastFields = (forecast: ShownForecast) => Readonly<Record<string, unknown>>;

export interface ForecastSource {
  readonly directory: StationDirectory;
  readonly orders: Pick<ForecastOrders, 'list'>;
  readonly forecasts: Pick<GetForecast, 'issueOf' | 'execute'>;
  readonly forecastFields: ForecastFields;
}

/** The forecast that the last call of `next` returned and that `done` has not confirmed yet. */
interface Attempt {
  /** `Station.number` */
  readonly station: number;
  /** Time of issue, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly issued: number;
}

const EVENT = 'forecast';

/**
 * The newest forecast of each station of a hook, as the forecast is shown when it is sent. A forecast that was issued while the
 * target failed replaces the one that waits.
 */
export class ForecastOutbox {
  readonly #name: string;
  readonly #positions: Positions;
  readonly #with: ForecastSource;
  readonly #stations: ReadonlySet<number> | undefined;
  /** Stations that may have a forecast to deliver. */
  readonly #due = new Set<number>();
  #attempt: Attempt | undefined;

  constructor(
    { name, stations }: Pick<Hook, 'name' | 'stations'>,
    positions: Positions,
    source: ForecastSource,
  ) {
    this.#name = name;
    this.#positions = positions;
    this.#with = source;
    this.#stations = stations === null ? undefined : new Set(stations);
  }

  /** Number of stations that have a forecast to deliver, or that may have one. */
  get waiting(): number {
    const current = this.#attempt?.station;
    return this.#due.size + (current === undefined || this.#due.has(current) ? 0 : 1);
  }

  /** Finds forecasts of which this hook was not told, for example those that were issued before the hook was started. */
  async catchUp(): Promise<void> {
    const { directory, orders, forecasts } = this.#with;
    const { byNumber } = await directory.current();
    for (const { station: number } of await orders.list()) {
      const station = byNumber.get(number);
      if (station === undefined || !this.#sends(station)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one forecast in memory at a time
      const issued = await forecasts.issueOf(station);
      if (issued !== null && issued > this.#positions.forecastOf(number)) this.#due.add(number);
    }
  }

  /** Notes that a forecast was issued. @returns whether it may be for the target */
  note(station: number): boolean {
    if (this.#stations?.has(station) === false) return false;
    this.#due.add(station);
    return true;
  }

  /** See `Outbox.next`. */
  async next(): Promise<Message | undefined> {
    // After a failed attempt the forecast is read again, because a newer one may have been issued.
    if (this.#attempt !== undefined) this.#due.add(this.#attempt.station);
    this.#attempt = undefined;
    for (const station of this.#due) {
      // The station is removed before its forecast is read, so that a forecast that is announced during the read adds it again.
      this.#due.delete(station);
      try {
        // oxlint-disable-next-line no-await-in-loop -- one forecast in memory at a time
        const message = await this.#read(station);
        if (message !== undefined) return message;
      } catch (error) {
        this.#due.add(station);
        throw error;
      }
    }
    return undefined;
  }

  /** See `Outbox.done`. */
  async done(): Promise<void> {
    if (this.#attempt === undefined) return;
    this.#positions.setForecast(this.#attempt.station, this.#attempt.issued);
    this.#attempt = undefined;
  }

  /** Whether forecasts of a station are sent, by the same rule as its rows. */
  #sends(station: Station): boolean {
    return this.#stations?.has(station.number) ?? isAmongAll(station);
  }

  /** @returns undefined if the station has no forecast that the target lacks */
  async #read(number: number): Promise<Message | undefined> {
    const station = (await this.#with.directory.current()).byNumber.get(number);
    if (station === undefined || !this.#sends(station)) return undefined;
    const shown = await this.#shown(station.id);
    const issued = shown?.forecast.issued ?? -Infinity;
    if (shown === undefined || issued <= this.#positions.forecastOf(number)) return undefined;
    this.#attempt = { station: number, issued };
    return forecastMessage(this.#name, number, shown, this.#with.forecastFields);
  }

  /** @returns undefined if the station was removed, has no order any more, or has only a forecast that is too old to be shown */
  async #shown(id: string): Promise<ShownForecast | undefined> {
    try {
      // Administrators make hooks. So hooks send forecasts of hidden stations too, as they send the rows of these stations.
      return await this.#with.forecasts.execute(id, undefined, 'users');
    } catch (error) {
      if (isDomainError(error, 'FORECAST_UNKNOWN') || isDomainError(error, 'STATION_UNKNOWN'))
        return undefined;
      throw error;
    }
  }
}

/** @param number `Station.number`. It is part of the id of the message, because the id of the station may change */
function forecastMessage(
  hook: string,
  number: number,
  shown: ShownForecast,
  fields: ForecastFields,
): Message {
  const { station, forecast } = shown;
  const id = `${hook}/${number}/forecast/${forecast.issued}`;
  const body = { id, event: EVENT, hook, ...fields(shown) };
  const facts = { hook, station: station.id, time: new Date(forecast.issued).toISOString() };
  return { event: EVENT, id, body: JSON.stringify(body), facts };
}
