import type { IssuedForecast } from '#domain/forecast/forecast.js';
import type { ForecastOfHour } from '#domain/forecast/learn.js';
import { leadClass } from '#domain/forecast/leads.js';

/** The forecasts of the hours that are not over yet. */
export class ForecastWindow {
  readonly #byHour = new Map<number, ForecastOfHour[]>();

  add(forecast: IssuedForecast): void {
    for (const [index, time] of forecast.times.entries()) {
      if (leadClass(time - forecast.issued) < 0) continue;
      const found = this.#byHour.get(time);
      if (found === undefined) this.#byHour.set(time, [{ forecast, index }]);
      else found.push({ forecast, index });
    }
  }

  of(time: number): readonly ForecastOfHour[] {
    return this.#byHour.get(time) ?? [];
  }

  forget(before: number): void {
    for (const time of this.#byHour.keys()) if (time < before) this.#byHour.delete(time);
  }
}
