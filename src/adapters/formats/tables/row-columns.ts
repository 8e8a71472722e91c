import type { SentRows } from '#domain/weather/sent-rows.js';
import type { SourceFlag } from '#domain/weather/source-flags.js';

/**
 * Rows as columns, with the line number of each row. All rows come from one chunk, which is up to 8,192 rows that are read
 * together.
 */
export interface ReadPart {
  readonly lines: Float64Array;
  readonly rows: SentRows;
}

/** A variable in one unit. */
export interface OutputColumn {
  readonly variable: string;
  readonly unit: string;
  /** Whether the file has flags of the values. */
  isFlagged: boolean;
}

interface RowGroup {
  /**
   * For each variable that has several output columns (one for each unit), the index of the column that has the values in the
   * rows of this group. A variable without a value in these rows has no entry.
   */
  readonly units: ReadonlyMap<string, number>;
  /** The indexes of the rows. Undefined means all rows. */
  readonly rows?: readonly number[];
}

/**
 * Collects the rows of a chunk as columns, while they are read. A chunk is up to 8,192 rows that are read together. A variable
 * may have several columns with different units. Values that are not set are absent.
 */
export class RowColumns {
  readonly lines: Float64Array;
  readonly times: Float64Array;
  readonly values: readonly Float64Array[];
  /** The flags of the values, for each column; undefined for a column without flags. */
  readonly flags: readonly ((SourceFlag | undefined)[] | undefined)[];
  readonly stations: string[] = [];
  length = 0;
  readonly #atIntervalEnd: boolean;
  readonly #columns: readonly OutputColumn[];
  /** Indexes of the columns whose variable has several columns. In each row at most one column of a variable has a value. */
  readonly #rivals: readonly number[];

  /**
   * @param atIntervalEnd whether each time is the end of the interval that the values of the row describe; see
   *   `SentRows.atIntervalEnd`
   */
  constructor(columns: readonly OutputColumn[], capacity: number, atIntervalEnd: boolean) {
    this.#atIntervalEnd = atIntervalEnd;
    this.#columns = columns;
    this.#rivals = [...columns.keys()].filter((index) =>
      columns.some((other, at) => at !== index && other.variable === columns[index]?.variable),
    );
    this.lines = new Float64Array(capacity);
    this.times = new Float64Array(capacity);
    this.values = columns.map(() => new Float64Array(capacity).fill(Number.NaN));
    this.flags = columns.map(({ isFlagged }) =>
      isFlagged ? Array.from({ length: capacity }, () => undefined) : undefined,
    );
  }

  /** Adds a row without values. @returns its index */
  add(line: number, station: string, time: number): number {
    const row = this.length;
    this.lines[row] = line;
    this.stations[row] = station;
    this.times[row] = time;
    this.length += 1;
    return row;
  }

  /** Whether a row has a value. */
  hasValue(row: number): boolean {
    return this.values.some((column) => !Number.isNaN(column[row]));
  }

  /** Removes the last row, which has no values. */
  drop(): void {
    this.length -= 1;
    this.stations.pop();
  }

  /**
   * Removes and returns the rows, except for the last `kept` rows. If a variable has values in different units, the rows are
   * divided into parts. In each part, all values of a variable have the same unit and are in one column.
   */
  take(kept = 0): ReadPart[] {
    const count = this.length - kept;
    const parts = this.#groups(count).map((group) => this.#part(count, group));
    for (const column of [this.lines, this.times, ...this.values]) column.copyWithin(0, count, this.length);
    for (const column of this.values) column.fill(Number.NaN, kept, this.length);
    for (const column of this.flags)
      column?.copyWithin(0, count, this.length).fill(undefined, kept, this.length);
    this.stations.splice(0, count);
    this.length = kept;
    return parts;
  }

  /** Groups the rows so that each group has one unit for each variable. Each row is in one group. */
  #groups(count: number): RowGroup[] {
    if (this.#rivals.length === 0) return count === 0 ? [] : [{ units: new Map() }];
    const groups: { readonly units: Map<string, number>; readonly rows: number[] }[] = [];
    for (let row = 0; row < count; row += 1) {
      const filled = this.#rivals.filter((index) => !Number.isNaN(this.values[index]?.[row]));
      const fits = ({ units }: RowGroup) =>
        filled.every((index) => (units.get(this.#variable(index)) ?? index) === index);
      let group = groups.find(fits);
      if (group === undefined) groups.push((group = { units: new Map(), rows: [] }));
      for (const index of filled) group.units.set(this.#variable(index), index);
      group.rows.push(row);
    }
    return groups;
  }

  #variable(index: number): string {
    return this.#columns[index]?.variable ?? '';
  }

  #part(count: number, { units, rows }: RowGroup): ReadPart {
    const pick = (column: Float64Array) =>
      rows === undefined ? column.slice(0, count) : Float64Array.from(rows, (row) => column[row] as number);
    const stations =
      rows === undefined ? this.stations.slice(0, count) : rows.map((row) => this.stations[row] as string);
    const columns = this.#columns.flatMap(({ variable, unit }, index) => {
      const isSent = !this.#rivals.includes(index) || units.get(variable) === index;
      if (!isSent) return [];
      const all = this.flags[index];
      const flags = rows === undefined ? all?.slice(0, count) : all && rows.map((row) => all[row]);
      return [{ variable, unit, values: pick(this.values[index] as Float64Array), ...(flags && { flags }) }];
    });
    return {
      lines: pick(this.lines),
      rows: { stations, times: pick(this.times), atIntervalEnd: this.#atIntervalEnd, columns },
    };
  }
}
