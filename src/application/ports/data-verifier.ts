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

export interface Verification {
  /** Number of blobs of observations that were read. */
  readonly verified: number;
  /** Faults of the file itself, in words for the operator; empty where it is sound. */
  readonly faults: readonly string[];
  readonly damage: readonly DamagedData[];
}

/** Reads all stored data to verify that they can be read. Every method may reject with STORE_UNAVAILABLE. */
export interface DataVerifier {
  /** Changes nothing. Takes as long as reading all data. */
  verify(): Promise<Verification>;
  /**
   * Deletes damaged observations permanently, so that the other observations of their days can be read again.
   *
   * @returns the deleted observations
   */
  discard(): Promise<readonly DamagedData[]>;
}
