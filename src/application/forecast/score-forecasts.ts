import { MAX_LEAD, startOfPart } from '#domain/forecast/leads.js';
import { DAYS_BEFORE } from '#domain/forecast/learn.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { StationStore } from '../ports/station-store.js';
import type { ForecastRecords, ForecastSeries } from './forecast-records.js';
import { ForecastWindow } from './forecast-window.js';
import { addMonth, monthOf, NO_SCORES, scoredMonth, spanOfMonth } from './month-scores.js';
import { ObservedSpan } from './observed-span.js';

/**
 * Scores months again whose observations have changed since they were scored: some came late, or their quality was judged anew. So
 * scores can always be computed again from the forecasts and the observations.
 */
export class ScoreForecasts {
  readonly #observations: ObservationStore;
  readonly #stations: StationStore;
  readonly #records: ForecastRecords;

  constructor(observations: ObservationStore, stations: StationStore, records: ForecastRecords) {
    this.#observations = observations;
    this.#stations = stations;
    this.#records = records;
  }

  /**
   * Looks at all months with forecasts. Leaves the months alone whose forecasts or observations were removed because of their age.
   *
   * @param everything whether months are scored again whose observations have not changed, because forecasts were imported
   */
  async execute(
    station: Station,
    series: ForecastSeries,
    { everything = false, signal }: { readonly everything?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const first = await this.#records.first(series);
    if (first === undefined) return;
    const begin = startOfPart(first, station.longitude);
    const expired = (await this.#stations.expiredUntil()).get(station.number) ?? -Infinity;
    const { until } = await this.#records.learned(series);
    for (let from = begin; from < until;) {
      if (signal?.aborted === true) return;
      const [, end] = spanOfMonth(monthOf(from));
      if (from - DAYS_BEFORE * MILLISECONDS.day >= expired)
        // oxlint-disable-next-line no-await-in-loop -- one month in memory at a time
        await this.#score(station, series, { from, to: end, until, everything });
      from = end;
    }
  }

  async #score(
    station: Station,
    series: ForecastSeries,
    span: {
      readonly from: number;
      readonly to: number;
      readonly until: number;
      readonly everything: boolean;
    },
  ): Promise<void> {
    const { from } = span;
    const month = monthOf(from);
    const known = (await this.#records.monthScores(series, month)) ?? NO_SCORES;
    const until = Math.max(known.until, span.until);
    const to = Math.min(span.to, until);
    const observed = await ObservedSpan.read(this.#observations, station, from, to);
    if (!span.everything && scoredMonth(observed.finished(from, to), until).digest === known.digest) return;
    const window = new ForecastWindow();
    const waiting = this.#records.issued(series, from - MAX_LEAD, to);
    let next = await waiting.next();
    let scored = NO_SCORES;
    for (let day = from; day < to; day += MILLISECONDS.day) {
      const end = Math.min(to, day + MILLISECONDS.day);
      for (; next.done !== true && next.value.issued < end; next = await waiting.next())
        window.add(next.value);
      scored = addMonth(
        scored,
        scoredMonth(
          observed.finished(day, end, (time) => window.of(time)),
          until,
        ),
      );
      window.forget(end);
    }
    if (scored.forecasts > 0 && scored.forecasts >= known.forecasts)
      await this.#records.replaceScores(series, month, scored, known);
  }
}
