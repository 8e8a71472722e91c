import type { Scores } from '#domain/forecast/learn.js';
import { addAllScores, type LeadScores } from '#domain/forecast/verification.js';
import { type Audience, stationFor } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import type { ForecastProvider } from '../../ports/forecast-provider.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation, unknownStation } from '../../stations/find-station.js';
import { namingDamage } from '../damaged-forecasts.js';
import { unknownForecast } from '../forecast-orders.js';
import type { ForecastRecords } from '../forecast-records.js';
import { spanOfMonth } from '../month-scores.js';
import type { FindShownSeries } from './shown-series.js';

/** Whole months, as `2026-11`. Undefined means from the first month, and to the last one. */
export interface MonthRange {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** How good the forecasts of a station were. */
export interface Verification {
  readonly station: Station;
  readonly provider: Pick<ForecastProvider, 'name' | 'title' | 'model' | 'attribution'>;
  /** Whether the provider is still asked for forecasts. */
  readonly isOrdered: boolean;
  /** Time of issue of the first forecast, in milliseconds since 1970-01-01T00:00:00Z; undefined if there is none. */
  readonly firstIssued: number | undefined;
  /** The first and the last month with scores; null if there is none. */
  readonly months: { readonly first: string; readonly last: string } | null;
  /** The end of the hours that the scores include, in milliseconds since 1970-01-01T00:00:00Z; null if there are none. */
  readonly scoredUntil: number | null;
  /** The sums of each class of leads, by number of the variable of forecasts; see `FROST`. */
  readonly scores: Scores;
}

/** Reads how good the forecasts of a station were, by class of lead times. */
export class GetVerification {
  readonly #stations: StationStore;
  readonly #shown: FindShownSeries;
  readonly #records: ForecastRecords;

  constructor(stations: StationStore, shown: FindShownSeries, records: ForecastRecords) {
    this.#stations = stations;
    this.#shown = shown;
    this.#records = records;
  }

  /** @throws DomainError STATION_UNKNOWN, also if the audience does not see the station; FORECAST_UNKNOWN; DATA_DAMAGED */
  async execute(
    id: string,
    { since = '', until = '9999-12' }: MonthRange,
    audience: Audience = 'everybody',
  ): Promise<Verification> {
    const station = stationFor(audience, await findStation(this.#stations, id));
    if (station === undefined) throw unknownStation(id);
    const shown = await namingDamage(id, () => this.#shown.execute(station.number));
    if (shown === undefined) throw unknownForecast(id);
    const { series, provider, isOrdered } = shown;
    const [months, firstIssued] = await namingDamage(
      id,
      async () =>
        [[...(await this.#records.scores(series, since, until))], await this.#records.first(series)] as const,
    );
    const sums = new Map<number, readonly LeadScores[]>();
    for (const [, { scores }] of months) addAllScores(sums, scores);
    const [first, end] = [months[0]?.[0], months.at(-1)];
    const last = end?.[0];
    return {
      station,
      provider,
      isOrdered,
      firstIssued,
      months: first === undefined || last === undefined ? null : { first, last },
      scoredUntil: end === undefined ? null : Math.min(end[1].until, spanOfMonth(end[0])[1]),
      scores: sums,
    };
  }
}
