import type { StationRules } from '../domain/quality-control.js';
import { reordered } from '../domain/row-order.js';
import { isVariable } from '../domain/variables.js';

/** Rows of many stations as they were sent, in stored units. */
export interface NumberedObservations {
  /** `Station.number` of each row. */
  readonly stations: Uint32Array;
  /** Whole milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: Float64Array;
  /** By number of variable, known or not; NaN for absent. */
  readonly values: ReadonlyMap<number, Float64Array>;
}

export type Refusal = 'station' | 'time' | 'variable' | 'value' | 'row';

/** A row that was not taken, for the first reason that was found. */
export interface RefusedRow {
  /** From 0, over everything that was sent. */
  readonly row: number;
  /** Number of the variable, or 0 where it is none's fault. */
  readonly variable: number;
  readonly reason: Refusal;
}

export interface Sifted {
  readonly accepted: NumberedObservations;
  readonly rejected: number;
  /** The first of them. */
  readonly refused: readonly RefusedRow[];
}

const REFUSALS: readonly Refusal[] = ['station', 'time', 'variable', 'value', 'row'];

/**
 * Takes out the rows that cannot be taken. Where there are none the columns are not copied.
 *
 * @param stations whatever has the numbers of the stations that there are
 * @param most refused rows that are listed
 */
export function sift(
  sent: NumberedObservations,
  stations: ReadonlyMap<number, StationRules>,
  earliest: number,
  latest: number,
  most: number,
): Sifted {
  const rows = sent.times.length;
  /** 0 for a good row, or one more than the index of its refusal. */
  const found = new Uint8Array(rows);
  const culprits = new Uint16Array(rows);
  const filled = new Uint8Array(rows);
  let rejected = 0;
  const refuse = (row: number, refusal: number, variable: number) => {
    if (found[row] !== 0) return;
    found[row] = refusal + 1;
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
    if (!isKnown) refuse(row, 0, 0);
    else if (!(time >= earliest && time <= latest)) refuse(row, 1, 0);
  }
  for (const [variable, column] of sent.values) {
    const unknown = !isVariable(variable);
    for (let row = 0; row < rows; row += 1) {
      const value = column[row] as number;
      if (value - value === 0 && !unknown) filled[row] = 1;
      else if (!Number.isNaN(value)) refuse(row, unknown ? 2 : 3, variable);
    }
  }
  for (let row = 0; row < rows; row += 1) if (filled[row] === 0) refuse(row, 4, 0);
  const known = [...sent.values].filter(([variable]) => isVariable(variable));
  const values = new Map(known);
  if (rejected === 0) return { accepted: { ...sent, values }, rejected, refused: [] };
  const refused: RefusedRow[] = [];
  for (let row = 0; row < rows && refused.length < most; row += 1) {
    if (found[row] === 0) continue;
    const reason = REFUSALS[(found[row] as number) - 1] as Refusal;
    refused.push({ row, variable: culprits[row] as number, reason });
  }
  return { accepted: without({ ...sent, values }, found), rejected, refused };
}

/** The rows that are not marked. */
function without(
  { stations, times, values }: NumberedObservations,
  marked: Uint8Array,
): NumberedObservations {
  const kept = Uint32Array.from(marked.keys()).filter((row) => marked[row] === 0);
  const columns = [...values].map(([variable, column]) => [variable, reordered(column, kept)] as const);
  return {
    stations: Uint32Array.from(kept, (row) => stations[row] as number),
    times: reordered(times, kept),
    values: new Map(columns),
  };
}
