import type { Station } from '#domain/weather/station.js';

/** A quantity of a station with its newest value. */
export interface PublishedValue {
  /** Name of a variable (`air_temperature`), a derived quantity (`feels_like`) or a total of the day (`rain_today`). */
  readonly name: string;
  /** In the stored unit. Null if the value is too old, has failed quality control, or does not exist. */
  readonly value: number | null;
}

/** The forecast of a station for today and tomorrow. */
export interface PublishedForecast {
  /** Time of issue, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly issued: number;
  /** Name of the provider: `open-meteo`. */
  readonly provider: string;
  /** Must be shown wherever the forecast is shown. */
  readonly attribution: string;
  /** Whether the forecast is invented, for a station of the demo. */
  readonly isSimulated: boolean;
  /** `forecast_minimum_today`, `forecast_rain_chance_tomorrow` and so on, in °C and percent. */
  readonly values: readonly PublishedValue[];
  /** Age in seconds up to which the forecast is shown. */
  readonly maxAge: number;
}

/** The current weather of a station. */
export interface PublishedState {
  readonly station: Station;
  /** The id of the station in programs that allow only letters, digits, `_` and `-` in ids. Unique among all stations. */
  readonly plainId: string;
  /** Time of the newest row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** The quantities of the station. A quantity without a current value is among them. */
  readonly values: readonly PublishedValue[];
  /** Whether reports of the station are missing. */
  readonly isSilent: boolean;
  /** Undefined if the station has no forecast. */
  readonly forecast?: PublishedForecast | undefined;
  /** Age in seconds up to which values are current. */
  readonly maxAge: number;
}

/**
 * Publishes the current weather of stations to programs such as Home Assistant. Only the newest state of a station matters: states
 * that could not be published are replaced by the next state and not kept.
 */
export interface StatePublisher {
  /** Begins to connect to the receiver. Does nothing if it has begun. Does not wait for the receiver. */
  start(): void;
  /** Replaces the state of a station. It is published at once, or when the receiver can be reached. */
  publish(state: PublishedState): void;
  /**
   * Sets which stations are published. What was published of other stations is withdrawn, also if an earlier run of the service has
   * published it. A station without a state, whose data cannot be read now, keeps what was published.
   *
   * @param stations their plain ids (`PublishedState.plainId`) by their ids
   */
  keepOnly(stations: ReadonlyMap<string, string>): void;
  /**
   * Disconnects, and forgets all states. Takes at most a few seconds.
   *
   * @param isLast whether the receiver is told that no states follow; false if another instance continues
   */
  stop(isLast: boolean): Promise<void>;
  /** Number of stations with something to publish or to withdraw. */
  readonly waiting: number;
  /** A sentence about a defect, without secrets; undefined if there is none. */
  readonly defect: string | undefined;
}
