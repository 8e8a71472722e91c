import type { SourceFlag } from './source-flags.js';

/**
 * Rows from a source, in columns. All formats (JSON, CSV, binary frames, files, uploads of weather stations) are converted to
 * this form. Nothing is checked yet. An example of one row of one station:
 *
 *     { stations: 'JFK', times: Float64Array.of(time),
 *       columns: [{ variable: 'air_temperature', unit: '°F', values: Float64Array.of(39.02) }] }
 */
export interface SentRows {
  /** The id of the station of all rows, or the id or the number of the station of each row. */
  readonly stations: string | readonly string[] | Uint32Array;
  /** Whole milliseconds since 1970-01-01T00:00:00Z; NaN if the time could not be parsed. */
  readonly times: Float64Array;
  /**
   * Whether the source states that each time is the end of the interval that the values describe. If the source does not state
   * this, `Station.stampInterval` says whether the times of the station are the starts or the ends of the intervals.
   */
  readonly atIntervalEnd?: boolean;
  /** One column for each variable. */
  readonly columns: readonly SentColumn[];
  /** The values and times that could not be parsed; absent if all were parsed. */
  readonly unreadable?: UnreadableRows;
}

export interface SentColumn {
  /**
   * A variable by its name or by its number. An unknown name is an error of the request. An unknown number can come from a
   * program whose catalog of variables is newer: then only the rows with a value for this variable are rejected.
   */
  readonly variable: string | number;
  /** The unit of the values. If absent, the values have the stored unit. */
  readonly unit?: string | undefined;
  /** A value for each row; NaN if absent. */
  readonly values: Float64Array;
  /**
   * What the source says about each value; undefined for a value without flags. The column has no list if the file has no flags
   * of the variable. Only imports keep them.
   */
  readonly flags?: readonly (SourceFlag | undefined)[];
}

/** A value or a time that could not be parsed. */
export interface Unreadable {
  /** Index of the row, from 0. */
  readonly row: number;
  /** Number of the variable; 0 for the time. */
  readonly variable: number;
  /** The end of a message about the field, after the name of the field: `"warm" is not a number`. */
  readonly text: string;
}

/** Largest number of listed faults. All rows with faults are counted. */
const MAX_LISTED = 1000;

/** The rows of a request with values or times that could not be parsed. */
export class UnreadableRows {
  /** The first `MAX_LISTED` faults. */
  readonly listed: Unreadable[] = [];
  #rows = new Uint8Array(256);

  /** @returns a byte for each of `rows` rows: 1 if a value or the time could not be parsed */
  bytes(rows: number): Uint8Array {
    const bytes = new Uint8Array(rows);
    bytes.set(this.#rows.subarray(0, rows));
    return bytes;
  }

  /** @param text returns the text of the fault; called only if the fault is listed */
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
