import { DomainError } from '../../../domain/domain-error.js';
import { reordered } from '../../../domain/weather/row-order.js';
import { converter } from '../../../domain/weather/units.js';
import { type Variable, variableNamed } from '../../../domain/weather/variables.js';
import { pause } from '../../pause.js';

/** Number of rows that are converted and written together. They take a few milliseconds. */
export const SLICE = 8192;

/** A column as it was sent. */
export interface SentColumn {
  readonly name: string;
  readonly variable: Variable;
  readonly column: Float64Array;
  /** Converts to the stored unit; undefined where the column has the stored unit already. */
  readonly toStored: ((value: number) => number) | undefined;
}

/**
 * @param rows that a column must have
 * @param unit of its values; the stored one when undefined
 * @throws DomainError REQUEST_INVALID for an unknown variable, unit or a wrong length
 */
export function columnOf(
  name: string,
  column: Float64Array,
  rows: number,
  unit: string | undefined,
): SentColumn {
  const variable = variableNamed(name);
  if (variable === undefined) {
    throw new DomainError('REQUEST_INVALID', `There is no variable ${JSON.stringify(name)}.`);
  }
  if (column.length !== rows) {
    throw new DomainError('REQUEST_INVALID', `${name} has ${column.length} values and time ${rows}.`);
  }
  const isStored = unit === undefined || unit === variable.unit;
  return { name, variable, column, toStored: isStored ? undefined : converter(variable, unit, 'stored') };
}

/** The chosen rows in stored units, by number of variable. @param values by name; used instead of those of `columns` */
export async function convert(
  columns: readonly SentColumn[],
  values: ReadonlyMap<string, Float64Array>,
  rows: Uint32Array,
): Promise<Map<number, Float64Array>> {
  const converted = new Map<number, Float64Array>();
  for (const { name, variable, column, toStored } of columns) {
    const chosen = reordered(values.get(name) ?? column, rows);
    const stored =
      toStored === undefined
        ? chosen
        : chosen.map((value) => (Number.isNaN(value) ? value : toStored(value)));
    converted.set(variable.number, stored);
    if (toStored !== undefined && rows.length === SLICE) await pause();
  }
  return converted;
}

/** Yields the rows from 0 to `count` for which `chosen` is true, in slices of at most `SLICE` rows. */
export function* slices(count: number, chosen: (row: number) => boolean): Generator<Uint32Array> {
  let rows = new Uint32Array(Math.min(count, SLICE));
  let length = 0;
  for (let row = 0; row < count; row += 1) {
    if (!chosen(row)) continue;
    rows[length] = row;
    length += 1;
    if (length < SLICE) continue;
    yield rows;
    rows = new Uint32Array(Math.min(count - row - 1, SLICE));
    length = 0;
  }
  if (length > 0) yield rows.subarray(0, length);
}
