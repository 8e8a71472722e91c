import { DomainError } from '#domain/domain-error.js';
import { type ForecastOrder, NO_ORDER_STATE, type OrderState } from '#domain/forecast/forecast-order.js';
import { quoted } from '#domain/quoted.js';
import { editRecord } from '../edit-record.js';
import type { RecordStore } from '../ports/record-store.js';
import { FORECAST_ORDERS } from '../record-forms.js';
import { DamagedForecasts } from './damaged-forecasts.js';
import { forecastRecordNamed, orderIn, orderOf, orderStateIn, stateOf } from './record-texts.js';

const SUBJECT = 'forecasts';

/** Reads and changes the orders of forecasts, which all instances share. Every method may reject with STORE_UNAVAILABLE. */
export class ForecastOrders {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /** All orders. Damaged ones are left out, so that the forecasts of the other stations go on. */
  async list(): Promise<readonly ForecastOrder[]> {
    const records = await this.#store.records(FORECAST_ORDERS);
    return records.flatMap(({ name, text }) => {
      const station = forecastRecordNamed(name)?.station;
      return (station !== undefined && orNothing(() => orderIn(text, station))) || [];
    });
  }

  /** The order of a station; undefined if it has none. May reject with `DamagedForecasts`. */
  async of(station: number): Promise<ForecastOrder | undefined> {
    const record = await this.#store.record(orderOf(station));
    if (record === undefined) return undefined;
    const order = orNothing(() => orderIn(record.text, station));
    if (order === undefined)
      throw new DamagedForecasts(
        (name) => `The order of forecasts of station ${name} is damaged and cannot be read.`,
        station,
      );
    return order;
  }

  /** Whether a station has an order, which may be damaged. */
  async has(station: number): Promise<boolean> {
    return (await this.#store.record(orderOf(station))) !== undefined;
  }

  /**
   * Stores an order in place of the order of its station, also of a damaged one. An order of the same provider stays as it is.
   *
   * @param check throws an error if the name of the present provider is not as expected; null if there is no order
   */
  async put(order: ForecastOrder, check: (provider: string | null) => void = () => undefined): Promise<void> {
    const edit = (text: string | undefined) => {
      const known = text === undefined ? undefined : orNothing(() => orderIn(text, order.station));
      const provider = known?.provider ?? null;
      check(provider);
      return provider === order.provider ? undefined : { text: JSON.stringify(order), time: order.since };
    };
    await editRecord(this.#store, orderOf(order.station), edit, SUBJECT);
  }

  /** Removes the order of a station with its state. */
  async remove(station: number): Promise<void> {
    await this.#store.purge(orderOf(station), Number.MAX_SAFE_INTEGER);
    await this.removeState(station);
  }

  async removeState(station: number): Promise<void> {
    await this.#store.purge(stateOf(station), Number.MAX_SAFE_INTEGER);
  }

  /** What has become of the requests. A damaged state counts as none, because the next request replaces it. */
  async state(station: number): Promise<OrderState> {
    const record = await this.#store.record(stateOf(station));
    return (record && orNothing(() => orderStateIn(record.text))) ?? NO_ORDER_STATE;
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

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The error for a station without forecasts. @param id of the station */
export function unknownForecast(id: string): DomainError {
  return new DomainError('FORECAST_UNKNOWN', `There is no forecast of the station ${quoted(id)}.`);
}
