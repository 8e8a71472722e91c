import type { TargetSettings } from '#domain/hooks/hook-target.js';

/**
 * A kind of service that receives the weather of a station (`windy`) or messages for people (`ntfy`). A kind only knows the
 * protocol: what to send and what a reply means. When it is sent, how often after a failure, which addresses are allowed, and what
 * is shown of an exchange, is decided by the service, the same for all kinds.
 */
export interface TargetKind {
  /** Name in commands, 1 to 40 lower-case letters, digits and hyphens: `windy`. Not `post`, `command`, `upload` or `service`. */
  readonly name: string;
  /** Title for people: `Windy`. */
  readonly title: string;
  /** The settings that a target of this kind needs (`true`) or may have (`false`). Settings that are not named are refused. */
  readonly settings: Readonly<Partial<Record<keyof TargetSettings, boolean>>>;
  /** The schemes that the setting `url` may have; `https` and `http` if absent. */
  readonly schemes?: readonly ('https' | 'http' | 'tcp')[];
  /** A fault of the settings that only this kind can find, as a sentence without secrets. Undefined if there is none. */
  faultOf?(settings: TargetSettings): string | undefined;
  /** Present if the kind receives the weather of a station. */
  readonly weather?: WeatherTarget;
  /**
   * Present if the kind receives messages for people. Resolves when the service has accepted the message.
   *
   * @throws TargetFailure; any other error is a defect of the kind
   */
  notify?(message: PersonalMessage, to: TargetExchange): Promise<void>;
}

export interface WeatherTarget {
  /** The shortest time between two uploads that the service allows, in seconds. */
  readonly interval: number;
  /**
   * Present if the station sends at the same second of each interval, which follows from its account, so that stations do not send
   * together. Only the first upload follows at once.
   */
  readonly atOwnSecond?: true;
  /**
   * Sends the newest row. Resolves when the service has accepted it.
   *
   * @throws TargetFailure; any other error is a defect of the kind
   */
  send(weather: SentWeather, to: TargetExchange): Promise<void>;
}

/** The newest row of a station, without values that failed quality control. */
export interface SentWeather extends SentSums {
  readonly station: {
    readonly id: string;
    readonly name: string;
    /** Degrees north and east. */
    readonly latitude: number;
    readonly longitude: number;
    /** Meters above mean sea level; null if unknown. */
    readonly elevation: number | null;
    /** Name of the time zone: `Europe/Amsterdam`. */
    readonly timeZone: string;
  };
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** The measured values by name of the variable, in stored units. */
  readonly values: Readonly<Record<string, number>>;
  /**
   * The value of a variable (`air_temperature`) or of a derived quantity (`sea_level_pressure`, `altimeter_setting`, `dew_point`) at
   * `time`. A derived quantity is computed only from values that passed quality control.
   *
   * @param unit the stored unit if absent
   * @returns undefined if the value is unknown
   * @throws Error if there is no such variable, quantity or unit
   */
  value(name: string, unit?: string): number | undefined;
}

/** Sums of the values that passed quality control until the time of the row. */
export interface SentSums {
  /** Amounts of precipitation in mm; null if there is no value. */
  readonly rain: SentRain;
  /** Duration of sunshine since local midnight, in s; null if there is no value. */
  readonly sunshine: number | null;
}

export interface SentRain {
  /** The last 60 minutes. Null too if the station reports less often than once an hour. */
  readonly hour: number | null;
  /** Since local midnight. */
  readonly day: number | null;
  readonly twentyFourHours: number | null;
}

/** A message for people, in the language of the operator. */
export interface PersonalMessage {
  /** The same for every attempt. */
  readonly id: string;
  /** One line: `Garden: wind gust above 20 m/s`. */
  readonly title: string;
  /** Lines of plain text. */
  readonly text: string;
  /** `low` for a message that a state has ended. */
  readonly urgency: 'low' | 'normal' | 'high';
  readonly station?: { readonly id: string; readonly name: string };
  /** Address of the page of the station; absent if the service does not know its public address. */
  readonly link?: string;
  /** Draws the station as a PNG. Undefined if there is no picture. */
  picture?(): Promise<Uint8Array | undefined>;
  /** Parts of the message by name, for templates: `text`, `title`, `station.name`. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * What a kind uses to reach its service. All exchanges are limited in size and time, and one attempt at a time for a target. The
 * secret is never shown, in no encoding.
 */
export interface TargetExchange extends TargetSettings {
  /** The present time in milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Lives as long as the service runs and the target does not change, for example for ids that the service has given. */
  readonly memory: Map<string, string>;
  /** Names a further text that must never be shown, such as a hash of the secret. Call it before the text is sent. */
  hide(text: string): void;
  /**
   * The address to which the kind sends. A setting `url` without a path replaces the host of the service, and a setting `url` with a
   * path replaces its host and its path.
   *
   * @param address the address of the service, with its path: `https://example.org/api/upload`, `tcp://example.org:14580`
   */
  address(address: string): URL;
  /**
   * Sends a request. A reply with a status of 300 or above is a TargetFailure, with `Retry-After` and with the beginning of the
   * reply, unless `accepts` names its status. The failure is permanent for 400, 410, 413, 415 and 422.
   *
   * @throws TargetFailure
   */
  fetch(request: TargetRequest): Promise<TargetReply>;
  /**
   * Speaks a protocol of lines over TCP, and closes the connection.
   *
   * @param address with a port: `tcp://example.org:14580`
   * @throws TargetFailure
   */
  converse(address: URL, speak: (connection: LineConnection) => Promise<void>): Promise<void>;
  /**
   * Records an exchange that the kind makes by other means than `fetch` and `converse`, for people who test a target. Secrets are
   * masked.
   */
  record(sent: string, received: string): void;
}

export interface TargetRequest {
  readonly url: URL;
  /** `GET` without a body and `POST` with one if absent. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Statuses from 300 on that are not a failure. */
  readonly accepts?: readonly number[];
}

export interface TargetReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as UTF-8. It may repeat the secret: show it as `TargetFailure.reply` only. */
  readonly text: string;
  /** Parses the body. @throws TargetFailure if it is not JSON */
  json(): unknown;
}

export interface LineConnection {
  /** The next line without its end. @throws TargetFailure if the connection has ended */
  readonly read: () => Promise<string>;
  /** Sends a line. `\r\n` is added. */
  readonly write: (line: string) => void;
}

export type { TargetSettings };
