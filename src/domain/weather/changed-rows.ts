/**
 * The changes of a write, in columns: one entry for each range of rows of a station that were inserted or updated. A
 * station may have several entries.
 */
export interface ObservationChanges {
  /** `Station.number`. */
  readonly stations: Uint32Array;
  /** First and last time of the changed rows, both included, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** The revision of the station after the commit: a number that changes with every write that changes data of the station. */
  readonly revisions: Float64Array;
}

/**
 * Collects the changes of a write. A commit may change thousands of stations, so no object is created for each station.
 */
export class ChangedRows {
  readonly #stations: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #revisions: number[] = [];

  /**
   * @param from time of the first changed row of the range, in milliseconds since 1970-01-01T00:00:00Z
   * @param to time of the last changed row, in the same unit
   */
  add(station: number, from: number, to: number, revision: number): void {
    this.#stations.push(station);
    this.#from.push(from);
    this.#to.push(to);
    this.#revisions.push(revision);
  }

  /** Adds one range from the first to the last of `times`, which are in ascending order. Adds nothing if `times` is empty. */
  addAll(station: number, times: Float64Array, revision: number): void {
    const [from, to] = [times[0], times.at(-1)];
    if (from !== undefined && to !== undefined) this.add(station, from, to, revision);
  }

  get changes(): ObservationChanges {
    return {
      stations: new Uint32Array(this.#stations),
      from: new Float64Array(this.#from),
      to: new Float64Array(this.#to),
      revisions: new Float64Array(this.#revisions),
    };
  }
}
