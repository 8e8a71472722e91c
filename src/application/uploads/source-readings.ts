import type { Gauge, RainCounter, Reading } from '#domain/uploads/upload.js';

/**
 * Readings of one source at one time, for one or several stations. A source is a device that sends values, for example a console.
 */
export interface SourceReadings {
  /**
   * Identifies the device whose counters are read, for example `mqtt:garden/weather/loop`. Each device has its own state of the
   * counters. The text has up to 200 characters and is always the same for the same device.
   */
  readonly source: string;
  /** For the metrics: where the readings come from, if not from an upload or a broker. */
  readonly origin?: 'sources';
  /** Number of the upload key that the counters belong to; null for a source without a key. */
  readonly key: number | null;
  /** Time of the readings: a whole number of milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /**
   * Whether `time` is the time of receipt, because the sender gave no time or its clock is wrong. Such readings are refused if a
   * station already has a newer value, because the clock of the service may then be behind.
   */
  readonly isReceiveTime: boolean;
  /** Whether the source states that `time` is the end of an interval; see `SentRows.atIntervalEnd`. */
  readonly isEnd?: boolean;
  /** Readings by the id of their station. Each variable occurs at most once for a station. */
  readonly stations: ReadonlyMap<string, readonly Reading[]>;
  /** Rain counters, and the id of the station to which the rain belongs. */
  readonly rain?: {
    readonly station: string;
    readonly counters: readonly RainCounter[];
    /**
     * The gauge whose rain is stored as `precipitation_amount`. If undefined, the counters decide. The piezo gauge is chosen if
     * there is no tipping-bucket gauge, or if the tipping-bucket gauge always shows 0 while the piezo gauge counts. In all other
     * cases the tipping-bucket gauge is chosen.
     */
    readonly gauge?: Gauge;
    /** Whether the rain is counted but not stored, because another sender stores the rain of the station. */
    readonly isLeftOut?: boolean;
  };
  /**
   * Seconds since the start of the device, if the device reports them. If the number is smaller than in the previous readings,
   * the device has restarted, so its counters may have been reset.
   */
  readonly runtime?: number;
}

export type ReadingsOutcome =
  | {
      /** `unchanged`: no value is new, or there was no value to store. */
      readonly kind: 'stored' | 'unchanged';
      /** The gauge whose rain is stored; undefined without rain counters. */
      readonly gauge?: Gauge;
      /** The increase of the rain counters in mm; undefined if there is none, or if it is not known. */
      readonly rain?: number;
      /**
       * Sentences for people about counters that rose implausibly or fell, so that their increase was not stored with this
       * upload. A sentence says "held back" if the next upload decides what is counted, and "left out" if the increase is never
       * stored.
       */
      readonly reports: readonly string[];
      /** Other sources that have stored rain of the same station within a day, so that rain may be counted twice. */
      readonly otherRain?: readonly string[];
      /** Ids of stations that do not exist. Their readings were left out. */
      readonly unknown: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: 'time'; readonly detail: string };
