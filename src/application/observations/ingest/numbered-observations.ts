import { reordered } from '../../../domain/weather/row-order.js';
import { isVariable } from '../../../domain/weather/variables.js';

/** Rows of many stations as they were sent, in stored units. */
export interface NumberedObservations {
  /** `Station.number` of each row. */
  readonly stations: Uint32Array;
  /** Whole milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: Float64Array;
  /** By number of variable, known or not; NaN for absent. */
  readonly values: ReadonlyMap<number, Float64Array>;
}

export type Refusal = keyof typeof REFUSED;

/** A row that cannot be stored, with the first reason that was found. */
export interface RefusedRow {
  /** Index of the row among all rows of the request, from 0. */
  readonly row: number;
  /** Number of the variable that is wrong, or 0 where the reason is not a value. */
  readonly variable: number;
  readonly reason: Refusal;
}

export interface Sifted {
  readonly accepted: NumberedObservations;
  /** For each accepted row its index among the sent rows; undefined where all rows were accepted. */
  readonly places: Uint32Array | undefined;
  readonly rejected: number;
  /** The first of them. */
  readonly refused: readonly RefusedRow[];
}

/** The codes in the byte of each row; 0 is an accepted row. */
const REFUSED = { station: 1, time: 2, variable: 3, value: 4, row: 5 } as const;
const REASONS: readonly (Refusal | undefined)[] = [undefined, ...(Object.keys(REFUSED) as Refusal[])];

/**
 * Takes out the rows that cannot be taken. Where there are none the columns are not copied.
 *
 * @param stations by the numbers that there are
 * @param earliest first time that is taken, milliseconds since 1970-01-01T00:00:00Z
 * @param latest last time that is taken
 * @param most refused rows that are listed
 */
export function sift(
  sent: NumberedObservations,
  stations: ReadonlyMap<number, unknown>,
  earliest: number,
  latest: number,
  most: number,
): Sifted {
  const rows = sent.times.length;
  const found = new Uint8Array(rows);
  const culprits = new Uint16Array(rows);
  const filled = new Uint8Array(rows);
  let rejected = 0;
  const refuse = (row: number, refusal: number, variable = 0) => {
    if (found[row] !== 0) return;
    found[row] = refusal;
    culprits[row] = variable;
    rejected += 1;
  };
  let [station, isKnown] = [-1, false];
  for (let row = 0; row < rows; row += 1) {
    if (sent.stations[row] !== station) {
      station = sent.stations[row] as number;
      isKnown = stations.has(station);
    }
    const time = sent.times[row] as number;
    if (!isKnown) refuse(row, REFUSED.station);
    else if (!(time >= earliest && time <= latest)) refuse(row, REFUSED.time);
  }
  const values = new Map<number, Float64Array>();
  for (const [variable, column] of sent.values) {
    const isKnownVariable = isVariable(variable);
    if (isKnownVariable) values.set(variable, column);
    for (let row = 0; row < rows; row += 1) {
      const value = column[row] as number;
      if (value - value === 0 && isKnownVariable) filled[row] = 1;
      else if (!Number.isNaN(value))
        refuse(row, isKnownVariable ? REFUSED.value : REFUSED.variable, variable);
    }
  }
  for (let row = 0; row < rows; row += 1) if (filled[row] === 0) refuse(row, REFUSED.row);
  if (rejected === 0) return { accepted: { ...sent, values }, places: undefined, rejected, refused: [] };
  const refused: RefusedRow[] = [];
  for (let row = 0; row < rows && refused.length < most; row += 1) {
    const reason = REASONS[found[row] as number];
    if (reason !== undefined) refused.push({ row, variable: culprits[row] as number, reason });
  }
  const places = Uint32Array.from(found.keys()).filter((row) => found[row] === 0);
  return { accepted: select({ ...sent, values }, places), places, rejected, refused };
}

function select({ stations, times, values }: NumberedObservations, rows: Uint32Array): NumberedObservations {
  return {
    stations: Uint32Array.from(rows, (row) => stations[row] as number),
    times: reordered(times, rows),
    values: new Map([...values].map(([variable, column]) => [variable, reordered(column, rows)])),
  };
}

/** The refused rows of several batches with the lowest indexes. Batches may finish in any order. */
export class FirstRefused {
  readonly most: number;
  #rows: RefusedRow[] = [];

  constructor(most: number) {
    this.most = most;
  }

  add(row: RefusedRow): void {
    this.#rows.push(row);
    if (this.#rows.length >= 4 * this.most) this.#rows = this.inOrder();
  }

  inOrder(): RefusedRow[] {
    return this.#rows.toSorted((a, b) => a.row - b.row).slice(0, this.most);
  }
}
