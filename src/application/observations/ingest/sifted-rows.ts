import { reordered } from '#domain/weather/row-order.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { type Rejection, type RejectionReason, rowTimeFault } from './rejection.js';
import type { NumberedColumn } from './stored-columns.js';

/** The reasons for a rejection, as bits. A row without any of these bits is accepted. `UnreadableRows` sets the bit `unreadable`. */
export const FAULT = { unreadable: 1, station: 2, time: 4, value: 8, row: 16, removed: 32 } as const;

/** Rows with station numbers, variable numbers and stored units. */
export type NumberedRows = Pick<ObservationBatch, 'stations' | 'times' | 'values'>;

/** The received rows after all checks, including the rejected rows. */
export class SiftedRows implements NumberedRows {
  /** `Station.number` of each row; 0 for an id that no station has. */
  readonly stations: Uint32Array;
  readonly times: Float64Array;
  /** The columns by number of the variable, in stored units. */
  readonly values: ReadonlyMap<number, Float64Array>;
  /** A byte for each row, with the bits of `FAULT`; 0 for an accepted row. */
  readonly faults: Uint8Array;
  /** Number of rejected rows. */
  readonly rejected: number;
  readonly #sent: SentRows;
  readonly #columns: readonly NumberedColumn[];
  readonly #now: number;

  constructor(
    sent: SentRows,
    columns: readonly NumberedColumn[],
    { stations, times, values }: NumberedRows,
    faults: Uint8Array,
    rejected: number,
    now: number,
  ) {
    this.stations = stations;
    this.times = times;
    this.values = values;
    this.faults = faults;
    this.rejected = rejected;
    this.#sent = sent;
    this.#columns = columns;
    this.#now = now;
  }

  /** The indexes of the accepted rows; undefined if all rows are accepted. */
  accepted(): Uint32Array | undefined {
    if (this.rejected === 0) return undefined;
    return Uint32Array.from(this.faults.keys()).filter((row) => this.faults[row] === 0);
  }

  /** The number of rejected rows, by station number. Stations without a rejected row are absent. */
  rejectedByStation(): Map<number, number> {
    const counts = new Map<number, number>();
    if (this.rejected === 0) return counts;
    let [station, count] = [0, 0];
    for (let row = 0; row < this.faults.length; row += 1) {
      if (this.faults[row] === 0) continue;
      if (this.stations[row] !== station) {
        counts.set(station, count);
        station = this.stations[row] as number;
        count = counts.get(station) ?? 0;
      }
      count += 1;
    }
    counts.set(station, count);
    return counts;
  }

  /**
   * All rejections: first the values that could not be read (`SentRows.unreadable`), then the other rejections in the order of
   * their rows.
   */
  *rejections(): Generator<Rejection> {
    if (this.rejected === 0) return;
    for (const { row, variable, text } of this.#sent.unreadable?.listed ?? []) {
      yield { row, reason: variable === 0 ? 'time' : 'value', variable, text };
    }
    for (let row = 0; row < this.faults.length; row += 1) {
      if (this.faults[row] !== 0) yield* this.#reasonsOf(row);
    }
  }

  *#reasonsOf(row: number): Generator<Rejection> {
    const faults = this.faults[row] as number;
    const time = this.times[row] as number;
    if ((faults & FAULT.unreadable) !== 0 && Number.isNaN(time)) return;
    const because = (reason: RejectionReason, text: string, variable = 0) => ({
      row,
      reason,
      variable,
      text,
    });
    if ((faults & FAULT.station) !== 0) yield because('station', 'is not known');
    if ((faults & FAULT.time) !== 0) yield because('time', rowTimeFault(time, this.#now));
    if ((faults & FAULT.removed) !== 0) yield because('time', 'is older than the observations that are kept');
    if ((faults & FAULT.value) !== 0) {
      for (const column of this.#columns) {
        const isBad = column.isKnown
          ? Infinity === Math.abs(this.values.get(column.variable)?.[row] ?? 0)
          : !Number.isNaN(column.values[row]);
        if (isBad && column.isKnown) yield because('value', 'is not finite', column.variable);
        else if (isBad) yield because('variable', 'is not known', column.variable);
      }
    }
    if ((faults & FAULT.row) !== 0) yield because('row', 'has no value');
  }
}

/** The given rows as a batch of the store. If `rows` is undefined, the batch has all rows and the columns are not copied. */
export function batchOf(
  { stations, times, values }: NumberedRows,
  rows: Uint32Array | undefined,
): ObservationBatch {
  return {
    stations: rows === undefined ? stations : rows.map((row) => stations[row] as number),
    times: reordered(times, rows),
    values: new Map([...values].map(([variable, column]) => [variable, reordered(column, rows)])),
    flags: new Map(),
  };
}
