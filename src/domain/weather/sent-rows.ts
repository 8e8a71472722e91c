/**
 * Rows as a source sent them, in columns: the one form in which JSON, CSV, frames, files and uploads hand over observations.
 * Nothing is checked yet. One row of one station:
 *
 *     { stations: 'JFK', times: Float64Array.of(time),
 *       columns: [{ variable: 'air_temperature', unit: '°F', values: Float64Array.of(39.02) }] }
 */
export interface SentRows {
  /** The id of the station of all rows; or for each row the id, or the number, of its station. */
  readonly stations: string | readonly string[] | Uint32Array;
  /** Whole milliseconds since 1970-01-01T00:00:00Z; NaN where none could be read. */
  readonly times: Float64Array;
  /**
   * Whether the source has said itself that times are the end of their interval. Otherwise `Station.stampInterval` says what
   * they are.
   */
  readonly atIntervalEnd?: boolean;
  /** Each variable once. */
  readonly columns: readonly SentColumn[];
  /** What the reader could not read; left out where it has read everything. */
  readonly unreadable?: UnreadableRows;
}

export interface SentColumn {
  /**
   * A variable by its name or by its number. An unknown name is an error of the request. An unknown number may be that of a
   * newer catalogue: only the rows that have a value for it are rejected.
   */
  readonly variable: string | number;
  /** The unit of the values; left out where it is the stored one. */
  readonly unit?: string | undefined;
  /** A value for each row, NaN for absent. */
  readonly values: Float64Array;
}

/** A value or a time that could not be read. */
export interface Unreadable {
  /** Index of the row, from 0. */
  readonly row: number;
  /** Number of the variable; 0 where it is the time. */
  readonly variable: number;
  /** Follows the name of the field in a message: `"warm" is not a number`. */
  readonly text: string;
}

/** Largest number of faults that are listed. All rows are counted. */
const MAX_LISTED = 1000;

/** The rows of a request in which something could not be read. */
export class UnreadableRows {
  /** The first `MAX_LISTED` that were added. */
  readonly listed: Unreadable[] = [];
  #rows = new Uint8Array(256);

  /** @returns a byte for each of `rows` rows: 1 where something could not be read */
  bytes(rows: number): Uint8Array {
    const bytes = new Uint8Array(rows);
    bytes.set(this.#rows.subarray(0, rows));
    return bytes;
  }

  /** @param text is called only for a fault that is listed */
  add(row: number, variable: number, text: () => string): void {
    if (this.listed.length < MAX_LISTED) this.listed.push({ row, variable, text: text() });
    if (row >= this.#rows.length) {
      const larger = new Uint8Array(2 * Math.max(row, this.#rows.length));
      larger.set(this.#rows);
      this.#rows = larger;
    }
    this.#rows[row] = 1;
  }
}
