import type { Gauge, RainCounter, Reading } from '#domain/uploads/upload.js';

/** Readings of one source at one time, for one or several stations. */
export interface SourceReadings {
  /**
   * Identifies the source of the counters, so that each has its own state: `mqtt:garden/weather/loop`. Up to 200 characters,
   * and always the same for the same device.
   */
  readonly source: string;
  /** Number of the upload key whose counters these are; null for a source without a key. */
  readonly key: number | null;
  /** Milliseconds since 1970-01-01T00:00:00Z, whole. */
  readonly time: number;
  /**
   * Whether `time` is the time of receipt, because the sender gave none or its clock is wrong. Such readings are refused where
   * a station has a newer value, because then the clock of the service is behind.
   */
  readonly isReceiveTime: boolean;
  /** Whether the source has said that `time` is the end of an interval; see `SentRows.atIntervalEnd`. */
  readonly isEnd?: boolean;
  /** Readings by the id of their station. A variable occurs once for each station. */
  readonly stations: ReadonlyMap<string, readonly Reading[]>;
  /** Rain counters and the id of the station that gets their rain. */
  readonly rain?: {
    readonly station: string;
    readonly counters: readonly RainCounter[];
    /** Which gauge makes `precipitation_amount`; by default the tipping one, unless it is absent or always 0 while the other counts. */
    readonly gauge?: Gauge;
    /** Whether the rain is counted and not stored, because another sender stores that of the station. */
    readonly isLeftOut?: boolean;
  };
  /** Seconds since the device has started, where it tells. They support that a counter has begun anew. */
  readonly runtime?: number;
}

export type ReadingsOutcome =
  | {
      /** `unchanged`: nothing is new, or there was no value to store. */
      readonly kind: 'stored' | 'unchanged';
      /** The gauge whose rain is stored; undefined without rain counters. */
      readonly gauge?: Gauge;
      /** Sentences about counters that were held back or left out. */
      readonly reports: readonly string[];
      /** Other sources that have stored rain of the same station within a day, so that it may be counted twice. */
      readonly otherRain?: readonly string[];
      /** Ids that no station has. Their readings were left out. */
      readonly unknown: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: 'time'; readonly detail: string };
