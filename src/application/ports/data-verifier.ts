/** Observations that are kept and cannot be read. */
export interface DamagedData {
  /** Ids of the stations whose rows they may have been; null where that cannot be read either. */
  readonly stations: readonly string[] | null;
  /** Their times lie in `[first, last]`, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly first: number;
  readonly last: number;
  /** Number of rows; 0 where that is not known. */
  readonly rows: number;
  /** For people. */
  readonly reason: string;
}

export interface Verification {
  /** Blobs of observations that were read. */
  readonly verified: number;
  /** Faults of the file itself, for people; none where it is sound. */
  readonly faults: readonly string[];
  readonly damage: readonly DamagedData[];
}

/** Reads everything that is kept, to see whether it can be read. Every method may reject with STORE_UNAVAILABLE. */
export interface DataVerifier {
  /** Changes nothing. Takes as long as reading all of the data. */
  verify(): Promise<Verification>;
  /**
   * Deletes the observations that cannot be read, for good, so that the rest of their days is served again.
   *
   * @returns what was deleted
   */
  discard(): Promise<readonly DamagedData[]>;
}
