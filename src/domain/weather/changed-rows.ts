/**
 * What a write has changed, in columns: an entry for each stretch of rows of a station that were inserted or updated. A
 * station may have several.
 */
export interface ObservationChanges {
  /** `Station.number`. */
  readonly stations: Uint32Array;
  /** First and last time of the changed rows, both included, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** `Newest.revision` of the station after the commit. */
  readonly revisions: Float64Array;
}

/** Collects what a write changes. */
export class ChangedRows {
  readonly #entries: { station: number; from: number; to: number; revision: number }[] = [];

  /** @param times of the changed rows of one station, rising; an empty array adds nothing */
  add(station: number, times: Float64Array, revision: number): void {
    const [from, to] = [times[0], times.at(-1)];
    if (from !== undefined && to !== undefined) this.#entries.push({ station, from, to, revision });
  }

  get changes(): ObservationChanges {
    const entries = this.#entries;
    return {
      stations: Uint32Array.from(entries, ({ station }) => station),
      from: Float64Array.from(entries, ({ from }) => from),
      to: Float64Array.from(entries, ({ to }) => to),
      revisions: Float64Array.from(entries, ({ revision }) => revision),
    };
  }
}
