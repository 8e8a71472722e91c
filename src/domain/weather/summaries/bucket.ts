/** An interval of the calendar: `[start, end)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface Bucket {
  readonly start: number;
  readonly end: number;
}

/** The fields of an `Accumulator` or a `DirectionMean`, by number of variable. */
export type BucketSums = ReadonlyMap<number, readonly Float64Array[]>;
