import { DomainError } from '#domain/domain-error.js';
import { type ForecastOrder, NO_ORDER_STATE, type OrderState } from '#domain/forecast/forecast-order.js';
import { quoted } from '#domain/quoted.js';
import { editRecord } from '../edit-record.js';
import type { RecordStore } from '../ports/record-store.js';
import { FORECAST_ORDERS, forecastRecordsOf } from '../record-forms.js';

const orderOf = (station: number) => `${forecastRecordsOf(station).order}order`;
const stateOf = (station: number) => `${forecastRecordsOf(station).learned}state`;
const SUBJECT = 'forecasts';

/** Reads and changes the orders of forecasts, which all instances share. Every method may reject with STORE_UNAVAILABLE. */
export class ForecastOrders {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  async list(): Promise<readonly ForecastOrder[]> {
    const records = await this.#store.records(FORECAST_ORDERS);
    return records.map(({ text }) => JSON.parse(text) as ForecastOrder);
  }

  /** The order of a station; undefined if it has none. */
  async of(station: number): Promise<ForecastOrder | undefined> {
    const record = await this.#store.record(orderOf(station));
    return record && (JSON.parse(record.text) as ForecastOrder);
  }

  /**
   * Stores an order in place of the order of its station. An order of the same provider stays as it is.
   *
   * @param check throws an error if the name of the present provider is not as expected; null if there is no order
   */
  async put(order: ForecastOrder, check: (provider: string | null) => void = () => undefined): Promise<void> {
    const edit = (text: string | undefined) => {
      const provider = text === undefined ? null : (JSON.parse(text) as ForecastOrder).provider;
      check(provider);
      return provider === order.provider ? undefined : { text: JSON.stringify(order), time: order.since };
    };
    await editRecord(this.#store, orderOf(order.station), edit, SUBJECT);
  }

  /** Removes the order of a station with its state. */
  async remove(station: number): Promise<void> {
    for (const name of [orderOf(station), stateOf(station)])
      // oxlint-disable-next-line no-await-in-loop -- two records
      await this.#store.purge(name, Number.MAX_SAFE_INTEGER);
  }

  async state(station: number): Promise<OrderState> {
    const record = await this.#store.record(stateOf(station));
    return record === undefined ? NO_ORDER_STATE : (JSON.parse(record.text) as OrderState);
  }

  /** @param now milliseconds since 1970-01-01T00:00:00Z */
  async putState(station: number, state: OrderState, now: number): Promise<void> {
    await editRecord(
      this.#store,
      stateOf(station),
      () => ({ text: JSON.stringify(state), time: now }),
      SUBJECT,
    );
  }
}

/** The error for a station without forecasts. @param id of the station */
export function unknownForecast(id: string): DomainError {
  return new DomainError('FORECAST_UNKNOWN', `There is no forecast of the station ${quoted(id)}.`);
}
