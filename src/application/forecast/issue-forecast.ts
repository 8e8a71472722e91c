import { DomainError } from '#domain/domain-error.js';
import { correct } from '#domain/forecast/correct.js';
import { roundedForecast } from '#domain/forecast/forecast-text.js';
import { roundedPosition } from '#domain/forecast/forecast-order.js';
import { FORECAST_VARIABLES } from '#domain/forecast/forecast-variables.js';
import type { Forecast, IssuedForecast } from '#domain/forecast/forecast.js';
import { leadClass } from '#domain/forecast/leads.js';
import { freshFor } from '#domain/sources/fresh-for.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import { verdictOf } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { variableNamed } from '#domain/weather/variables.js';
import { KeyedQueue } from '../keyed-queue.js';
import type { Clock } from '../ports/clock.js';
import type { ForecastExchange, ForecastProvider, ProviderForecast } from '../ports/forecast-provider.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { Span } from '../ports/source-kind.js';
import type { SourceNetwork } from '../ports/source-network.js';
import { namingDamage } from './damaged-forecasts.js';
import type { ForecastRecords, ForecastSeries } from './forecast-records.js';
import type { LearnForecasts } from './learn-forecasts.js';

/** The largest age of an observation that corrects the first hours of a forecast, in milliseconds. */
const NEWEST_AGE = MILLISECONDS.hour;
/** Milliseconds after which an equal forecast is stored again, so that the age of the newest one says whether the provider answers. */
const SAME_AGE = 6 * MILLISECONDS.hour;

/** Settings of requests for forecasts. */
export interface ForecastSettings {
  /** Number of decimals of the degrees that are sent. */
  readonly decimals: number;
}

export interface IssueForecastDependencies {
  readonly clock: Clock;
  readonly network: SourceNetwork;
  readonly observations: ObservationStore;
  readonly records: ForecastRecords;
  readonly learn: LearnForecasts;
  readonly settings: ForecastSettings;
}

/** What a request has brought. */
export interface Issue {
  readonly forecast: IssuedForecast;
  /** False if the provider has returned the forecast that is stored already. */
  readonly isNew: boolean;
  /** Milliseconds for which the reply stays valid. */
  readonly freshFor: number;
  /** What the provider warns of, as a sentence. */
  readonly warning?: string | undefined;
}

/** Asks a provider for the newest forecast of a station, corrects it, and keeps it. One request at a time for a provider. */
export class IssueForecast {
  readonly #with: IssueForecastDependencies;
  readonly #queue = new KeyedQueue();

  constructor(dependencies: IssueForecastDependencies) {
    this.#with = dependencies;
  }

  /** @throws SourceFailure if the provider gives no forecast; DomainError STORE_UNAVAILABLE; DATA_DAMAGED if it cannot be learned */
  async execute(station: Station, provider: ForecastProvider, signal: AbortSignal): Promise<Issue> {
    const { clock, records, settings } = this.#with;
    let fresh = 0;
    const place = roundedPosition(station, settings.decimals);
    const exchange = this.#exchange(provider, signal, (one) => (fresh = one));
    const { warning, ...reply } = await readable(provider, signal, () => provider.ask(place, exchange));
    const series = { station: station.number, provider: provider.name };
    const issued = clock.now();
    if (!reply.times.some((time) => leadClass(time - issued) >= 0))
      throw new SourceFailure(`The reply of ${provider.title} has no hours that are to come.`);
    const newest = await records.newestReadable(series, issued, SAME_AGE);
    // An imported forecast has only the corrections that were known before its issue.
    if (newest !== undefined && !newest.isImported && isEqual(newest, reply))
      return { forecast: newest, isNew: false, freshFor: fresh, warning };
    const forecast = await this.#correct(station, series, { ...reply, issued }, signal);
    return { forecast, isNew: true, freshFor: fresh, warning };
  }

  /**
   * Issues the newest forecast of the last hours again, with what was learned since its issue. Nothing is asked of the provider, whose next
   * reply may be the same for hours. Imported forecasts are not issued again.
   *
   * @returns undefined if there is none
   * @throws DomainError STORE_UNAVAILABLE
   */
  async again(
    station: Station,
    series: ForecastSeries,
    signal: AbortSignal,
  ): Promise<IssuedForecast | undefined> {
    const { clock, records } = this.#with;
    const issued = clock.now();
    const newest = await records.newestReadable(series, issued, SAME_AGE);
    if (newest === undefined || newest.isImported) return undefined;
    const { times, values } = newest;
    return await this.#correct(station, series, { times, values, issued }, signal);
  }

  /** Corrects a forecast with what was learned before its issue, and keeps it. */
  async #correct(
    station: Station,
    series: ForecastSeries,
    forecast: Forecast,
    signal: AbortSignal,
  ): Promise<IssuedForecast> {
    const { learn, records } = this.#with;
    const { issued } = forecast;
    const { learned } = await namingDamage(station.id, () => learn.execute(station, series, issued, signal));
    const newest = await this.#newest(station, issued);
    const knowledge = { learned: learned.errors, chance: learned.chance, newest };
    const corrected = correct(forecast, station, knowledge);
    const made = roundedForecast({ isImported: false, ...forecast, ...corrected });
    await records.add(series, [made]);
    return made;
  }

  /**
   * Asks a provider for what it forecast in a span of the past.
   *
   * @throws SourceFailure; DomainError REQUEST_INVALID if the provider keeps no forecasts
   */
  async *past(
    station: Station,
    provider: ForecastProvider,
    span: Span,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Forecast[]> {
    const place = roundedPosition(station, this.#with.settings.decimals);
    const parts = provider.past?.(place, span, this.#exchange(provider, signal))[Symbol.asyncIterator]();
    if (parts === undefined)
      throw new DomainError(
        'REQUEST_INVALID',
        `${provider.title} keeps no forecasts of the past. Import a file of forecasts.`,
      );
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      const next = await readable(provider, signal, () => parts.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** @param fresh called with the milliseconds for which a reply stays valid */
  #exchange(
    provider: ForecastProvider,
    signal: AbortSignal,
    fresh: (milliseconds: number) => void = () => undefined,
  ): ForecastExchange {
    const { clock, network } = this.#with;
    return {
      fetch: (request) =>
        this.#queue.run(provider.name, async () => {
          const reply = await network.fetch(request, { rule: provider.reach, signal });
          fresh(freshFor(reply.headers, clock.now()));
          return reply;
        }),
    };
  }

  /** The newest observations that passed, by number of the variable of forecasts. */
  async #newest(station: Station, now: number): Promise<ReadonlyMap<number, number>> {
    const found = new Map<number, number>();
    const [newest] = await this.#with.observations.newest([station.number]);
    newest?.each((number, time, value, flags) => {
      const variable = FORECAST_VARIABLES.find(
        ({ name, observed }) => observed === 'at' && variableNamed(name)?.number === number,
      );
      if (variable === undefined || now - time > NEWEST_AGE || verdictOf(flags) !== 'pass') return;
      found.set(variable.number, value);
    });
    return found;
  }
}

/** Whether a reply says the same for all hours that both have. */
function isEqual(known: IssuedForecast, reply: ProviderForecast): boolean {
  if (
    known.times.length !== reply.times.length ||
    known.times.some((time, index) => time !== reply.times[index])
  )
    return false;
  const empty = { corrected: new Map(), low: new Map(), high: new Map(), published: new Map() };
  const { values } = roundedForecast({ isImported: false, issued: known.issued, ...reply, ...empty });
  if (values.size !== known.values.size) return false;
  return [...values].every(([number, column]) => {
    const other = known.values.get(number);
    return (
      other !== undefined &&
      column.every((value, index) => Object.is(value, other[index]) || value === other[index])
    );
  });
}

/** Turns every error of a provider into a SourceFailure: a reply of a shape that nobody has seen before must not end the service. */
async function readable<T>(
  provider: ForecastProvider,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    if (signal.aborted) throw new SourceFailure('The service stops.');
    throw new SourceFailure(`The reply of ${provider.title} cannot be read.`);
  }
}
