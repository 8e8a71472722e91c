import type { Forecast } from '#domain/forecast/forecast.js';
import type { SourceReply, SourceRequest, Span } from './source-kind.js';

/** A service that publishes forecasts for places. It only knows the protocol; when it is asked is decided by the service. */
export interface ForecastProvider {
  /** Name in commands: `open-meteo`. */
  readonly name: string;
  /** Title for people: `Open-Meteo`. */
  readonly title: string;
  /** Name of the model in replies, as the provider names it. */
  readonly model: string;
  /** Shown wherever a forecast of the provider is shown. */
  readonly attribution: { readonly text: string; readonly url: string };
  /** `any` if the operator has set an address, which may be one of his own network. */
  readonly reach: 'public' | 'any';
  /** Seconds between two requests that the provider allows at least. */
  readonly shortestInterval: number;
  /** Present if the provider invents forecasts, for stations of the demo only. */
  readonly isSimulated?: true;
  /** The reason why the provider cannot be used with the settings, as a sentence; undefined if it can be used. */
  readonly fault?: string;
  /**
   * Asks for the newest forecast.
   *
   * @throws SourceFailure if the provider gives no forecast
   */
  ask(place: AskedPlace, exchange: ForecastExchange): Promise<ProviderForecast>;
  /**
   * Asks for what was forecast in a span of the past, for as many lead times as the provider has. Absent if it keeps no forecasts.
   *
   * @throws SourceFailure
   */
  past?(place: AskedPlace, span: Span, exchange: ForecastExchange): AsyncIterable<readonly Forecast[]>;
}

/** A forecast without its time of issue, which is the time of its receipt. */
export interface ProviderForecast extends Omit<Forecast, 'issued'> {
  /** What the provider warns of, as a sentence. */
  readonly warning?: string;
}

/** A place as it is sent: its position is rounded. */
export interface AskedPlace {
  /** Id of the station, which is never sent. */
  readonly station: string;
  /** Degrees north and east. */
  readonly latitude: number;
  readonly longitude: number;
  /** Meters above mean sea level, in whole meters; null if unknown. */
  readonly elevation: number | null;
}

export interface ForecastExchange {
  /**
   * Sends a request. A reply with a status of 300 or above is a SourceFailure, with `Retry-After`.
   *
   * @throws SourceFailure
   */
  fetch(request: SourceRequest): Promise<SourceReply>;
}
