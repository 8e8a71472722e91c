import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { type Forecast, uncorrected } from '#domain/forecast/forecast.js';
import { roundedForecast } from '#domain/forecast/forecast-text.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Announcer } from '../../ports/announcer.js';
import type { Clock } from '../../ports/clock.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation } from '../../stations/find-station.js';
import { namingDamage } from '../damaged-forecasts.js';
import { type ForecastOrders, unknownForecast } from '../forecast-orders.js';
import type { ForecastRecords } from '../forecast-records.js';
import type { IssueForecast } from '../issue-forecast.js';
import type { LearnForecasts } from '../learn-forecasts.js';
import type { ForecastProviders } from '../providers.js';
import type { ScoreForecasts } from '../score-forecasts.js';

export interface TrainForecastDependencies {
  readonly clock: Clock;
  readonly stations: StationStore;
  readonly orders: ForecastOrders;
  readonly providers: ForecastProviders;
  readonly records: ForecastRecords;
  readonly issue: IssueForecast;
  readonly learn: LearnForecasts;
  readonly score: ScoreForecasts;
  readonly announcer: Announcer;
  readonly audit: AuditTrail;
}

/** What a training has brought. */
export interface Training {
  /** Number of forecasts that were not stored before. */
  readonly added: number;
}

/** Learns from forecasts of the past: those that a provider keeps, and those of files. */
export class TrainForecast {
  readonly #with: TrainForecastDependencies;

  constructor(dependencies: TrainForecastDependencies) {
    this.#with = dependencies;
  }

  /**
   * Asks a provider for what it forecast for a station since a time, and learns from it.
   *
   * @param from milliseconds since 1970-01-01T00:00:00Z
   * @param name of the provider. Default: the one that the station has
   * @throws DomainError STATION_UNKNOWN, FORECAST_UNKNOWN, SOURCE_FAILED; REQUEST_INVALID if the provider keeps no forecasts
   */
  async execute(
    id: string,
    from: number,
    caller: Caller,
    signal: AbortSignal,
    name?: string,
  ): Promise<Training> {
    const { clock, stations, orders, providers, issue } = this.#with;
    const station = await findStation(stations, id);
    const asked = name ?? (await namingDamage(id, () => orders.of(station.number)))?.provider;
    if (asked === undefined) throw unknownForecast(id);
    const provider = providers.named(asked);
    const parts = issue.past(station, provider, { from, to: clock.now() }, signal);
    try {
      return await this.import(id, parts, caller, { provider: provider.name, signal });
    } catch (error) {
      if (error instanceof SourceFailure) throw new DomainError('SOURCE_FAILED', error.message);
      throw error;
    }
  }

  /**
   * Stores forecasts of the past, learns from all again, and issues the newest forecast again with what was learned. Forecasts that are
   * stored already change nothing.
   *
   * @param parts the forecasts in any order
   * @throws DomainError STATION_UNKNOWN, REQUEST_INVALID; errors of `parts`
   */
  async import(
    id: string,
    parts: AsyncIterable<readonly Forecast[]>,
    caller: Caller,
    { provider, signal }: { readonly provider?: string | undefined; readonly signal: AbortSignal },
  ): Promise<Training> {
    const { clock, stations, orders, providers, records, issue, learn, score, announcer, audit } = this.#with;
    const station = await findStation(stations, id);
    const name = provider ?? (await orders.of(station.number))?.provider ?? 'open-meteo';
    if (providers.find(name) === undefined) providers.named(name);
    const series = { station: station.number, provider: name };
    let added = 0;
    for await (const part of parts)
      added += await records.add(
        series,
        part.map((forecast) => roundedForecast(uncorrected(forecast))),
      );
    if (added > 0) {
      await learn.again(station, series, clock.now(), signal);
      const newest = await issue.again(station, series, signal);
      if (newest !== undefined)
        announcer.announce({ kind: 'forecast', station: station.number, issued: newest.issued });
      await namingDamage(id, () => score.execute(station, series, { everything: true, signal }));
    }
    await audit.record(caller, 'forecast-train', id, 'done', { rows: added });
    return { added };
  }
}
