/**
 * What a weather station or its software has sent in one request, after its dialect has read it and before anything is checked
 * against keys, stations or the catalogue. All dialects give this form, so nothing behind them knows a dialect.
 */
export interface Upload {
  /** Name of the dialect: `ecowitt`. */
  readonly dialect: string;
  readonly sender: Sender;
  readonly time: UploadTime;
  /** Values of variables of the catalogue, indoor and channel sensors excluded. A variable occurs once. */
  readonly readings: readonly Reading[];
  /** The rain counters that were sent. */
  readonly counters: readonly RainCounter[];
  /**
   * Values that are no variable of the station by themselves: channel sensors, indoor sensors, unknown fields. A key can map
   * them to variables. Numbers without missing codes, or text that is no number.
   */
  readonly fields: readonly UploadField[];
  readonly device: Device;
  /** Identifies the content: equal for two requests with the same fields and values. */
  readonly digest: string;
  /** Why the request cannot be read. Then it has no values, and only the status of its key tells of it. */
  readonly problem?: string;
  /** The request as text, with all secrets masked, at most 4 KiB: for people who look for a fault. */
  readonly raw: string;
}

/** How the sender says who it is. A key in the path or in the header counts more than an id and a password. */
export interface Sender {
  /** The upload key in the path (`/u/KEY/`) or as bearer token. */
  readonly key?: string;
  /** The id of a station and the password, where the dialect has them. */
  readonly id?: string;
  readonly password?: string;
  /** What the device sends by itself to tell it from others: PASSKEY, MAC. Anybody may repeat it. */
  readonly identity?: string;
}

export interface UploadTime {
  /** Milliseconds since 1970-01-01T00:00:00Z; undefined where the sender gave none that can be read. */
  readonly sent: number | undefined;
  /**
   * Whether the dialect sends values of now and never old ones (Ecowitt, Ambient, WSLink, `realtime=1`, `dateutc=now`). A live
   * sender with a wrong clock gets the time of receipt; other senders may send old rows.
   */
  readonly isLive: boolean;
}

export interface Reading {
  /** Name of the field as sent: `tempf`. */
  readonly field: string;
  /** Name of the variable. */
  readonly variable: string;
  /** A unit in which values of the variable are accepted; left out for the stored one. */
  readonly unit?: string;
  readonly value: number;
  /**
   * Whether the value is a counter that only rises until it begins anew, such as a number of lightning strikes. The variable,
   * which is a sum, gets the increase since the last upload. Rain counters are `Upload.counters`.
   */
  readonly counter?: boolean;
}

/** Rain gauges of one station. Each has counters of its own. */
export const GAUGES = ['tipping', 'piezo'] as const;
export type Gauge = (typeof GAUGES)[number];

/** What a rain counter counts from. `total` never begins anew, `event` after a dry spell. From short to long. */
export const RAIN_PERIODS = ['event', 'day', 'week', 'month', 'year', 'total'] as const;
export type RainPeriod = (typeof RAIN_PERIODS)[number];

export interface RainCounter {
  readonly gauge: Gauge;
  readonly period: RainPeriod;
  /** Millimeters. */
  readonly amount: number;
}

export interface UploadField {
  readonly name: string;
  readonly value: number | string;
  /** The unit of the value, where the dialect knows it: `°F`. It holds for a mapping that names no unit. */
  readonly unit?: string;
}

/** What the sender says about itself. It is shown, and never stored as a series. */
export interface Device {
  readonly model?: string;
  readonly firmware?: string;
  /** Batteries and signals by field, in words: `ok`, `low`, `60 %`, `1.4 V`. */
  readonly batteries: Readonly<Record<string, string>>;
  /** Seconds since the device has started, where it sends them. They support that a counter has begun anew. */
  readonly runtime?: number;
  /** Seconds between two uploads, where it sends them. */
  readonly interval?: number;
}

/** How an upload arrived. */
export interface Arrival {
  /** Whether it arrived at the external API, where weak keys are not accepted. */
  readonly isApi?: boolean;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly receivedAt: number;
  readonly address: string;
  /** The network of the address: for IPv6 its /64, because one sender has many addresses. The address where it is left out. */
  readonly network?: string;
}

/** What became of an upload. Each dialect words its reply for it. */
export type UploadOutcome =
  /** At least one value is new or changed. Values that fail quality control are stored too. */
  | { readonly kind: 'stored' }
  /** Nothing is new: a repetition, or no value that is kept. */
  | { readonly kind: 'unchanged' }
  /** The sender is unknown and waits in the list of pending senders. It is answered like `stored`. */
  | { readonly kind: 'pending' }
  /** `key`: a known station with a wrong key, or a wrong key in the path. `time`: a time that cannot be stored. `rate`: too often. `content`: it cannot be read. */
  | {
      readonly kind: 'refused';
      readonly reason: 'key' | 'time' | 'rate' | 'content';
      readonly detail: string;
    };
