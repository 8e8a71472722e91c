import type { ObservationWrite, WriteOutcome } from '#application/ports/observation-store.js';
import { copySeriesRows, emptySeries, ROW_OUTCOME, type Merged } from '#domain/weather/merge-series.js';
import type { CheckedColumns } from '#domain/weather/quality-control.js';
import { reordered, type RowOrder, type StationPart, type StationRows } from '#domain/weather/row-order.js';
import { type ObservationBatch, type Series, sliceSeries } from '#domain/weather/series.js';
import type { RunPlace } from '#adapters/formats/packed/run-codec.js';
import { isDailySeries, stationOf } from './days/daily-series.js';
import { OUTCOMES } from './days/twin-outcomes.js';

/** Sorts the rows of a batch by (station, time). */

export function sortedColumns({ times, values }: ObservationBatch, { rows }: RowOrder): CheckedColumns {
  const columns = [...values].map(([variable, column]) => [variable, reordered(column, rows)] as const);
  return { times: reordered(times, rows), values: new Map(columns), flags: new Map() };
}

/** Returns the rows of one station from columns that are sorted by station and time. All times of the station must differ. */
export function slicePart(columns: Series, { from, to }: StationRows): StationPart {
  const series = sliceSeries({ ...columns, flags: new Map() }, from, to);
  return { series, folded: 0 };
}

/** Rows of a station that are written as a part of a run. A run has the rows of one commit. */
export interface Piece {
  readonly station: number;
  readonly columns: Series;
  readonly from: number;
  /** Index after the last row. */
  readonly to: number;
  /** Number of rows whose times were not stored before. */
  readonly inserted: number;
  /** Whether the rows are stored rows that quality control has already checked. Writing such rows only changes their flags. */
  readonly isChecked?: boolean;
}

/**
 * Joins pieces, each of which has rows of one station. If the pieces are adjacent in the columns of one batch, these columns are
 * used without a copy.
 */
export function assemble(pieces: readonly Piece[]): {
  readonly places: readonly RunPlace[];
  readonly columns: Series;
} {
  const rows = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
  const { columns, from: begin } = pieces[0] as Piece;
  const isWhole = pieces.every(
    (piece, index) => piece.columns === columns && piece.from === (pieces[index - 1]?.to ?? begin),
  );
  const all = isWhole ? undefined : emptySeries(rows);
  const places: RunPlace[] = [];
  let at = 0;
  let place: { station: number; from: number; inserted: number } | undefined;
  for (const { station, columns: source, from, to, inserted } of pieces) {
    if (from === to) continue;
    if (place?.station === station) place.inserted += inserted;
    else places.push((place = { station, from: at, inserted }));
    if (all !== undefined) copySeriesRows(source, from, to, all, at);
    at += to - from;
  }
  if (all !== undefined) return { places, columns: all };
  return {
    places,
    columns: rows === columns.times.length ? columns : sliceSeries(columns, begin, begin + rows),
  };
}

/** Counts the rows of each write that were inserted, updated or unchanged. */
export class Tally {
  readonly outcomes: (WriteOutcome & {
    inserted: number;
    updated: number;
    unchanged: number;
    unknown: number[];
  })[];
  readonly #order: RowOrder;
  /** Index of the write of each row; undefined if there is only one write. */
  readonly #writeOf: Uint16Array | undefined;

  constructor(writes: readonly ObservationWrite[], order: RowOrder) {
    this.outcomes = writes.map(() => ({ inserted: 0, updated: 0, unchanged: 0, unknown: [] }));
    this.#order = order;
    if (writes.length === 1) return;
    this.#writeOf = new Uint16Array(writes.reduce((sum, { batch }) => sum + batch.times.length, 0));
    let at = 0;
    for (const [index, { batch }] of writes.entries()) {
      this.#writeOf.fill(index, at, at + batch.times.length);
      at += batch.times.length;
    }
  }

  unknown({ station, from, to }: StationRows): void {
    const writes = new Set<number>();
    for (let row = from; row < to; row += 1) writes.add(this.#writeIndexOf(row));
    const number = stationOf(station);
    for (const write of writes) {
      const unknown = this.outcomes[write]?.unknown;
      if (!isDailySeries(station) || unknown?.includes(number) !== true) unknown?.push(number);
    }
  }

  inserted({ from, to }: StationRows): void {
    if (this.#writeOf === undefined) this.#add(from, ROW_OUTCOME.inserted, to - from);
    else for (let row = from; row < to; row += 1) this.#add(row, ROW_OUTCOME.inserted, 1);
  }

  /**
   * Counts rows of one station that were merged with stored rows: how many were inserted, updated or unchanged.
   *
   * @param first index of the first of these rows among all sent rows of the station, in order of time
   */
  merged({ from, distinct }: StationRows, first: number, { rowOutcomes }: Merged): void {
    for (let row = 0; row < rowOutcomes.length; row += 1) {
      // `distinct` is false if two rows of the station have the same time. There is then only one write, because `RunWriter` does
      // not store several writes together if two of their rows have the same station and time. So the write of the first row is
      // the write of all rows.
      this.#add(distinct ? from + first + row : from, rowOutcomes[row] as number, 1);
    }
  }

  /**
   * Counts `count` rows of one station as unchanged. If several sent rows of the station had the same time, they were merged into
   * one row, which is counted elsewhere. This method counts the other rows.
   */
  folded({ from }: StationRows, count: number): void {
    this.#add(from, ROW_OUTCOME.unchanged, count);
  }

  #add(row: number, rowOutcome: number, count: number): void {
    const outcome = this.outcomes[this.#writeIndexOf(row)];
    if (outcome !== undefined) outcome[OUTCOMES[rowOutcome] as 'inserted'] += count;
  }

  /**
   * Index of the write that contains a row.
   *
   * @param row index of the row after sorting by station and time
   */
  #writeIndexOf(row: number): number {
    if (this.#writeOf === undefined) return 0;
    const { rows } = this.#order;
    return this.#writeOf[rows === undefined ? row : (rows[row] as number)] as number;
  }
}
