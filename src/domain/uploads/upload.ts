/**
 * One upload of a weather station or its software. It was parsed by a dialect, which is the parser of one upload protocol, for
 * example of `ecowitt`. It is not yet checked against keys, stations or the catalog of variables. All dialects produce this form,
 * so the code that processes uploads does not depend on a dialect.
 */
export interface Upload {
  /** Name of the dialect: `ecowitt`. */
  readonly dialect: string;
  readonly sender: Sender;
  readonly time: UploadTime;
  /**
   * Values of variables of the catalog, without indoor sensors and without extra sensors that have channel numbers. Each variable
   * occurs at most once.
   */
  readonly readings: readonly Reading[];
  /** The rain counters that were sent. */
  readonly counters: readonly RainCounter[];
  /**
   * Values that are stored only if a mapping assigns them to a variable: extra sensors with channel numbers, indoor sensors and
   * unknown fields. A value is a number, or a text that is not a number. Codes for missing values are left out.
   */
  readonly fields: readonly UploadField[];
  readonly device: Device;
  /** Identifies the content: equal for two requests with the same fields and values. */
  readonly digest: string;
  /** The reason why the request cannot be parsed. Such an upload has no values and appears only in the status of its key. */
  readonly problem?: string;
  /** The request as text for troubleshooting, with all secrets masked, at most 4 KiB. */
  readonly raw: string;
}

/** The credentials of a sender. A key in the path or in the header has precedence over an id and a password. */
export interface Sender {
  /** The upload key in the path (`/u/KEY/`) or as bearer token. */
  readonly key?: string;
  /** The id of a station and the password, if the dialect has them. */
  readonly id?: string;
  readonly password?: string;
  /** The identifier that the device sends by itself: PASSKEY, MAC. It is not a secret. */
  readonly identity?: string;
}

export interface UploadTime {
  /** Milliseconds since 1970-01-01T00:00:00Z; undefined if the sender gave no time, or a time that cannot be parsed. */
  readonly sent: number | undefined;
  /**
   * Whether the sender sends only current values, which the parser knows from the protocol (Ecowitt, Ambient, WSLink) or from the
   * upload (`realtime=1`, `dateutc=now`). If the clock of such a live sender is wrong, the time of receipt is used. Other senders
   * may send old rows.
   */
  readonly isLive: boolean;
}

export interface Reading {
  /** Name of the field in the upload: `tempf`. */
  readonly field: string;
  /** Name of the variable. */
  readonly variable: string;
  /** An accepted unit of the variable. If absent, the value has the stored unit. */
  readonly unit?: string;
  readonly value: number;
  /**
   * Whether the value is a counter that increases until it is reset, such as a number of lightning strikes. The variable is a
   * sum and gets the increase since the last upload. Rain counters are in `Upload.counters`.
   */
  readonly counter?: boolean;
}

/** Rain gauges of one station. Each gauge has its own counters. */
export const GAUGES = ['tipping', 'piezo'] as const;
export type Gauge = (typeof GAUGES)[number];

/** Periods after which rain counters are reset, from short to long. `event` is reset after a dry spell, `total` never. */
export const RAIN_PERIODS = ['event', 'day', 'week', 'month', 'year', 'total'] as const;
export type RainPeriod = (typeof RAIN_PERIODS)[number];

export interface RainCounter {
  readonly gauge: Gauge;
  readonly period: RainPeriod;
  /** Amount of rain that the counter shows, in millimeters. */
  readonly amount: number;
}

export interface UploadField {
  readonly name: string;
  readonly value: number | string;
  /** The unit of the value, if the upload protocol defines it: `°F`. A mapping without a unit uses this unit. */
  readonly unit?: string;
}

/** Information about the device, which is shown and never stored as a series. */
export interface Device {
  readonly model?: string;
  readonly firmware?: string;
  /** States of batteries and signals by field, as text: `ok`, `low`, `60 %`, `1.4 V`. */
  readonly batteries: Readonly<Record<string, string>>;
  /** Seconds since the start of the device, if the device sends this number. A restart explains the reset of a counter. */
  readonly runtime?: number;
  /** Seconds between two uploads, if the device sends this number. */
  readonly interval?: number;
}

/** Time and origin of an upload. */
export interface Arrival {
  /**
   * Whether the upload arrived at the external API. This API does not accept weak keys, which other people may know
   * (`UploadKey.weak`).
   */
  readonly isApi?: boolean;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly receivedAt: number;
  readonly address: string;
  /**
   * The network of the address. For an IPv6 address it is the /64 network, because one sender has many addresses. If absent, the
   * address is used.
   */
  readonly network?: string;
}

/** The outcome of an upload. Each upload protocol has its own reply for each outcome. */
export type UploadOutcome =
  /** At least one value is new or changed. Values that fail quality control are stored too. */
  | { readonly kind: 'stored' }
  /** The upload changed nothing: it is a repetition, or has no values to store. */
  | { readonly kind: 'unchanged' }
  /** The sender is unknown and is now in the list of pending senders. The reply is the same as for `stored`. */
  | { readonly kind: 'pending' }
  /**
   * `key`: the key in the path is wrong, or the key of a known station is wrong. `time`: the time cannot be stored. `rate`: the
   * sender sends too often. `content`: the request cannot be parsed.
   */
  | {
      readonly kind: 'refused';
      readonly reason: 'key' | 'time' | 'rate' | 'content';
      readonly detail: string;
    };
