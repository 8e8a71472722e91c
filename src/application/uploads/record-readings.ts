import type { Gauge, RainCounter, Reading } from '../../domain/uploads/upload.js';

/** Readings of one source at one time, for one or several stations. */
export interface SourceReadings {
  /** Identifies the source of the rain counters, so that each has its own state: `key:3`, `mqtt:garden/weather/loop`. */
  readonly source: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** Readings by the id of their station. */
  readonly stations: ReadonlyMap<string, readonly Reading[]>;
  /** Rain counters and the id of the station that gets their rain. */
  readonly rain?: {
    readonly station: string;
    readonly counters: readonly RainCounter[];
    /** Which gauge makes `precipitation_amount`; by default the tipping one, unless it is absent or always 0 while the other counts. */
    readonly gauge?: Gauge;
    /** Seconds since the device has started. */
    readonly runtime?: number;
  };
}
