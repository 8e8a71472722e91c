import type { SensorState } from '#domain/sensors/sensor-state.js';
import type { SettingName, SourceSettings } from '#domain/sources/source.js';
import type { RainCounter, Reading, UploadField } from '#domain/uploads/upload.js';

/**
 * A kind of device or service that is asked for its values, for example `weatherlink-live`. A kind only knows the protocol: what to
 * ask and what a reply means. When it is asked, how often after a failure, which addresses it may reach, and what is stored, is
 * decided by the service, the same for all kinds.
 */
export interface SourceKind {
  /** Name in commands, 1 to 40 lower-case letters, digits and hyphens: `weatherlink-live`. */
  readonly name: string;
  /** Title for people: `Davis WeatherLink Live`. */
  readonly title: string;
  /** `local`: a device in the network of the service, with a private address. `public`: a service on the internet. */
  readonly reach: 'local' | 'public';
  /**
   * The shortest time between two requests that the device or the service allows, in seconds. It also holds for two sources with the same
   * local device.
   */
  readonly shortestInterval: number;
  /** Port of a device whose address names none; 80 if absent. */
  readonly port?: number;
  /**
   * The longest time between two reports of a device that works, in seconds; 300 if absent. A source that answers, but without a new
   * report for three times as long, is shown as silent.
   */
  readonly longestInterval?: number;
  /** The settings that a source of this kind needs (`true`) or may have (`false`). Settings that are not named are refused. */
  readonly settings: Readonly<Partial<Record<SettingName, boolean>>>;
  /** Names of the lines that the file with secrets must have (`true`) or may have (`false`). */
  readonly secrets?: Readonly<Record<string, boolean>>;
  /** A fault of the settings that only this kind can find, as a sentence. Undefined if there is none. */
  faultOf?(settings: SourceSettings): string | undefined;
  /**
   * Asks for reports.
   *
   * @param span undefined for the newest report. Otherwise the reports in this span, only for a kind with `history`.
   * @returns the reports, the oldest first. A report that is returned again changes nothing.
   * @throws SourceFailure if the device gives no report; any other error is a defect of the kind
   */
  ask?(device: SourceDevice, span?: Span): Promise<readonly SourceReport[]>;
  /** Present if the kind can be asked for a span of the past. */
  readonly history?: {
    /** The longest span of one request, in milliseconds. Longer spans are asked for in parts. */
    readonly longest: number;
    /**
     * A silence of more than this number of intervals is a gap; 2 if absent. Less for a device that sends amounts, because each of its
     * reports counts.
     */
    readonly gapIntervals?: number;
    /** The secrets without which the past cannot be asked for. */
    readonly secrets?: readonly string[];
    /** Who has the past, if it is not who has the present: `public` for a local device whose service keeps its reports. */
    readonly reach?: SourceKind['reach'];
  };
  /** Present if devices of this kind send datagrams by themselves. */
  readonly datagrams?: DatagramProtocol;
  /** False if `ask` is only for the past, because the device sends its reports by itself. */
  readonly isPolled?: false;
  /** Looks for devices in the local network. Called only by the command `weatherd source find`. */
  find?(search: SourceSearch): AsyncIterable<FoundDevice>;
}

/** A span `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a source has reported for one time. */
export interface SourceReport {
  /** Milliseconds since 1970-01-01T00:00:00Z. Undefined means the time of receipt. */
  readonly time: number | undefined;
  /** Values of variables of the catalog. Each variable occurs at most once. */
  readonly readings: readonly Reading[];
  /** Rain counters. Their increase is stored as rain. */
  readonly counters?: readonly RainCounter[];
  /** Values that are stored only if the owner maps them to a variable. */
  readonly fields?: readonly UploadField[];
  /** Batteries and signals of the sensors, as the source reports them. */
  readonly sensors?: readonly SensorState[];
  /** Seconds since the start of the device, if it reports them. A restart explains the reset of a counter. */
  readonly runtime?: number;
}

/** What a kind uses to reach a device. All exchanges are limited in size and time, and one at a time for a source. */
export interface SourceDevice extends SourceSettings {
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of the fields that the owner has mapped to variables. Most kinds report all fields and do not need the names. */
  readonly fields: readonly string[];
  /**
   * Time of the newest stored report, in milliseconds since 1970-01-01T00:00:00Z. Undefined if there is none, and for a request whose
   * reports are not stored. A device that keeps its reports can be asked for all reports since this time.
   */
  readonly since?: number;
  /** The present time in milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /**
   * The instant of a local time of the station (`2024-09-01T12:05:00`), in milliseconds since 1970-01-01T00:00:00Z. NaN if it does not
   * exist.
   */
  instant(local: string): number;
  /**
   * Sends a request. A reply with a status of 300 or above is a SourceFailure, with `Retry-After`, unless `accepts` names its
   * status.
   *
   * @throws SourceFailure
   */
  fetch(request: SourceRequest): Promise<SourceReply>;
  /**
   * Sends bytes over TCP and reads the reply.
   *
   * @param isWhole whether the bytes so far are a whole reply
   * @throws SourceFailure
   */
  exchange(
    host: string,
    port: number,
    sent: Uint8Array,
    isWhole: (reply: Uint8Array) => boolean,
  ): Promise<Uint8Array>;
  /** Stores new values of secrets, before the old ones end. @throws SourceFailure if they could not be stored */
  keep(secrets: Readonly<Record<string, string>>): Promise<void>;
}

export interface SourceRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form or a text; the request is then a POST. */
  readonly body?: string;
  /** Statuses from 300 on that are not a failure. */
  readonly accepts?: readonly number[];
}

export interface SourceReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** The body as UTF-8. */
  readonly text: string;
  /** Parses the body. @throws SourceFailure if it is not JSON */
  json(): unknown;
}

/** A protocol of datagrams that devices broadcast. One socket a port serves all sources. */
export interface DatagramProtocol {
  readonly port: number;
  /**
   * @param settings of the source that may have sent the datagram; a source with a `device` gets only reports of this device
   * @returns what the datagram says; an empty list for a datagram that says nothing or is of another device
   */
  decode(datagram: Uint8Array, settings: SourceSettings, receivedAt: number): readonly SourceReport[];
}

/** What a kind uses to look for devices. */
export interface SourceSearch {
  /** Asks at this address instead of the whole network. */
  readonly address: string | undefined;
  readonly signal: AbortSignal;
  /** Sends a datagram, to the address or as a broadcast, and returns the replies until the search ends. */
  broadcast(port: number, datagram: Uint8Array): AsyncIterable<Answer>;
  /** Returns the services of this type (`_weatherlinklive._tcp.local`) that answer to multicast DNS. */
  services(
    type: string,
  ): AsyncIterable<{ readonly name: string; readonly address: string; readonly port: number }>;
  /** Returns the datagrams that devices broadcast to a port until the search ends. */
  listen(port: number): AsyncIterable<Answer>;
}

export interface Answer {
  readonly address: string;
  readonly bytes: Uint8Array;
}

export interface FoundDevice {
  /** For `--address`. */
  readonly address?: string;
  /** For `--device`. */
  readonly device?: string;
  /** What the device says of itself, for people: `GW2000A V3.3.2`. */
  readonly description: string;
}

export type { SensorState, SettingName, SourceSettings };
