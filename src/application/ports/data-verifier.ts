import type { Bucket } from '#domain/weather/summaries/bucket.js';

/** Stored observations that cannot be read. */
export interface DamagedData {
  /** Ids of the stations to which the rows may belong; null where that is unknown too. */
  readonly stations: readonly string[] | null;
  /** First and last possible time of the rows, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly first: number;
  readonly last: number;
  /** Number of rows; 0 where it is unknown. */
  readonly rows: number;
  /** The cause, in words for the operator. */
  readonly reason: string;
}

/** Something that can be read and contradicts the rows that it was made from, or the order that all rows have. */
export interface Difference {
  /** Id of the station; null for what belongs to several. */
  readonly station: string | null;
  /** First and last time to which it belongs, in milliseconds since 1970-01-01T00:00:00Z; null without a time. */
  readonly first: number | null;
  readonly last: number | null;
  /** The difference, in words for the operator. */
  readonly reason: string;
  /** Whether it is about what `discard` computes again or gives up, and not about the observations themselves. */
  readonly isDerived: boolean;
}

export interface Verification {
  /** Number of blobs that were read. */
  readonly verified: number;
  /** Faults of the file itself, in words for the operator; empty where it is sound. */
  readonly faults: readonly string[];
  readonly damage: readonly DamagedData[];
  readonly differences: readonly Difference[];
}

/** What a verification needs, and where it reports its progress. */
export interface VerifyWatch {
  /** The days of a time zone that overlap `[start, end)`. */
  readonly daysOf: (timeZone: string, start: number, end: number) => readonly Bucket[];
  /** Called once, with the number of all rows as the totals have it. */
  readonly onStart?: ((rows: number) => void) | undefined;
  readonly onRows?: ((rows: number) => void) | undefined;
  /** Ends a verification between two parts. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads all stored observations and compares what was computed from them: totals, newest values and tables of days. Every
 * method may reject with STORE_UNAVAILABLE, or with the reason of the signal.
 */
export interface DataVerifier {
  /** Changes nothing. Takes as long as reading all data. The stations are read one block after the other. */
  verify(watch: VerifyWatch): Promise<Verification>;
  /**
   * Verifies first. Then it deletes damaged observations permanently, so that the other observations of their days can be
   * read again, and makes what differs from the rows again.
   *
   * @returns what was found
   */
  discard(watch: VerifyWatch): Promise<Verification>;
}
