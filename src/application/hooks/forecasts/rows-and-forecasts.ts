import type { HookTarget } from '#domain/hooks/hook-target.js';
import type { Message } from '../../ports/delivery.js';
import type { RowOutbox } from '../observations/row-outbox.js';
import type { Outbox } from '../outbox.js';
import type { ForecastOutbox } from './forecast-outbox.js';

/**
 * The messages of a hook with forecasts. Waiting forecasts are sent before waiting rows, because there is at most one of each station.
 * Both use one queue, so that the target has one attempt at a time, and one pause after a failure.
 */
export class RowsAndForecasts implements Outbox {
  readonly #rows: RowOutbox;
  readonly #forecasts: ForecastOutbox;
  /** Whether the result of the last call of `next` was a forecast. */
  #isForecast = false;

  constructor(rows: RowOutbox, forecasts: ForecastOutbox) {
    this.#rows = rows;
    this.#forecasts = forecasts;
  }

  get name(): string {
    return this.#rows.name;
  }

  get target(): HookTarget {
    return this.#rows.target;
  }

  async next(): Promise<Message | undefined> {
    const forecast = await this.#forecasts.next();
    this.#isForecast = forecast !== undefined;
    return forecast ?? (await this.#rows.next());
  }

  async done(): Promise<void> {
    await (this.#isForecast ? this.#forecasts : this.#rows).done();
  }
}
