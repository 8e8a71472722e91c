import type { Bucket } from '#domain/weather/summaries/bucket.js';

/** Stored observations that cannot be read. */
export interface DamagedData {
  /** Ids of the stations to which the rows may belong; null if unknown. */
  readonly stations: readonly string[] | null;
  /** First and last possible time of the rows, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly first: number;
  readonly last: number;
  /** Number of rows; 0 if unknown. */
  readonly rows: number;
  /** The cause, as text for the operator. */
  readonly reason: string;
}

/** Readable data that contradict the rows from which they were computed, or rows in the wrong order. */
export interface Difference {
  /** Id of the station; null if the data belong to several stations. */
  readonly station: string | null;
  /** First and last time of the data, in milliseconds since 1970-01-01T00:00:00Z; null for data without a time. */
  readonly first: number | null;
  readonly last: number | null;
  /** The difference, as text for the operator. */
  readonly reason: string;
  /** Whether the difference is in data that `discard` computes again or drops, and not in the observations themselves. */
  readonly isDerived: boolean;
}

export interface Verification {
  /** Number of blobs that were read. A blob is one stored binary value, with observations or data that belong to them. */
  readonly verified: number;
  /** Faults of the file itself, as text for the operator; empty if there are none. */
  readonly faults: readonly string[];
  readonly damage: readonly DamagedData[];
  readonly differences: readonly Difference[];
}

/** The calendar for a verification, and the callbacks that report its progress. */
export interface VerifyWatch {
  /** The days of a time zone that overlap `[start, end)`. */
  readonly daysOf: (timeZone: string, start: number, end: number) => readonly Bucket[];
  /** Called once at the start, with the number of all rows from the stored totals. */
  readonly onStart?: ((rows: number) => void) | undefined;
  readonly onRows?: ((rows: number) => void) | undefined;
  /** Ends a verification between two parts. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads all stored observations and checks the data that were computed from them: totals, newest values and daily aggregates.
 * Every method may reject with STORE_UNAVAILABLE, or with the reason of the signal.
 */
export interface DataVerifier {
  /** Reads all data, one part after the other, and changes nothing. */
  verify(watch: VerifyWatch): Promise<Verification>;
  /**
   * Verifies first. Then it deletes damaged observations permanently, so that the other observations of their days can be
   * read again, and computes again the data that differ from the rows.
   *
   * @returns the result of the verification
   */
  discard(watch: VerifyWatch): Promise<Verification>;
}
