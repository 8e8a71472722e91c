import { DomainError } from '#domain/domain-error.js';
import { type ForecastOrder, NO_ORDER_STATE, type OrderState } from '#domain/forecast/forecast-order.js';
import { quoted } from '#domain/quoted.js';
import { NEVER } from './forecast-records.js';
import type { RecordStore } from '../ports/record-store.js';

/** Names of the records: the list of all orders, and the state of each. */
const ALL = 'forecast/orders';
const stateOf = (station: number) => `forecast/state/${station}/`;
/** Maximum number of attempts to write while another process changes the orders. */
const MAX_ATTEMPTS = 5;

/** Reads and changes the orders of forecasts, which all instances share. Every method may reject with STORE_UNAVAILABLE. */
export class ForecastOrders {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  async list(): Promise<readonly ForecastOrder[]> {
    const record = await this.#store.record(ALL);
    return record === undefined ? [] : (JSON.parse(record.text) as readonly ForecastOrder[]);
  }

  /** The order of a station; undefined if it has none. */
  async of(station: number): Promise<ForecastOrder | undefined> {
    return (await this.list()).find((order) => order.station === station);
  }

  /**
   * Changes the list. If another process changes it at the same time, the change is tried again.
   *
   * @param edit returns the new list; its errors are passed on
   * @param now milliseconds since 1970-01-01T00:00:00Z
   */
  async change(
    edit: (orders: readonly ForecastOrder[]) => readonly ForecastOrder[],
    now: number,
  ): Promise<void> {
    await this.#edit<readonly ForecastOrder[]>(ALL, [], edit, now);
  }

  async state(station: number): Promise<OrderState> {
    const record = await this.#store.record(stateOf(station));
    return record === undefined ? NO_ORDER_STATE : (JSON.parse(record.text) as OrderState);
  }

  async putState(station: number, state: OrderState, now: number): Promise<void> {
    await this.#edit(stateOf(station), NO_ORDER_STATE, () => state, now);
  }

  /** Removes the state of an order. */
  async forget(station: number): Promise<void> {
    await this.#store.purge(stateOf(station), NEVER);
  }

  async #edit<T>(name: string, absent: T, edit: (value: T) => T, now: number): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- an attempt follows a refused one
      const stored = await this.#store.record(name);
      const value = edit(stored === undefined ? absent : (JSON.parse(stored.text) as T));
      const record = {
        name,
        key: null,
        revision: stored?.revision ?? 0,
        text: JSON.stringify(value),
        time: now,
      };
      // oxlint-disable-next-line no-await-in-loop -- as above
      if ((await this.#store.put([record])).length === 0) return;
      if (attempt === MAX_ATTEMPTS)
        throw new DomainError(
          'SERVICE_UNAVAILABLE',
          'The forecasts are changed by another process. Try again.',
        );
    }
  }
}

/** @throws DomainError FORECAST_UNKNOWN */
export function orderIn(
  orders: readonly ForecastOrder[],
  station: { readonly number: number; readonly id: string },
): ForecastOrder {
  const found = orders.find((order) => order.station === station.number);
  if (found === undefined)
    throw new DomainError('FORECAST_UNKNOWN', `The station ${quoted(station.id)} has no forecast.`);
  return found;
}
