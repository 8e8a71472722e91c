import { DomainError } from '#domain/domain-error.js';
import type { SentColumn } from '#domain/weather/sent-rows.js';
import { converter } from '#domain/weather/units.js';
import { isVariable, variableNamed, variableNumbered } from '#domain/weather/variables.js';
import { pause } from '../../pause.js';

/** Number of values that are converted in one turn of the event loop. They take a few milliseconds. */
const CONVERTED = 8192;

/** A sent column whose variable is known by its number. */
export interface NumberedColumn {
  readonly variable: number;
  /** Whether the catalogue has the variable. */
  readonly isKnown: boolean;
  readonly values: Float64Array;
  /** Converts to the stored unit; undefined where the column has the stored unit already. */
  readonly toStored: ((value: number) => number) | undefined;
}

/**
 * @param rows that a column must have
 * @throws DomainError REQUEST_INVALID for an unknown name of a variable, an unknown unit or a wrong length
 */
export function numberedColumn({ variable: sent, unit, values }: SentColumn, rows: number): NumberedColumn {
  const number = typeof sent === 'number' ? sent : variableNamed(sent)?.number;
  if (number === undefined) {
    throw new DomainError('REQUEST_INVALID', `There is no variable ${JSON.stringify(sent)}.`);
  }
  const known = isVariable(number) ? variableNumbered(number) : undefined;
  if (values.length !== rows) {
    const name = known?.name ?? sent;
    throw new DomainError('REQUEST_INVALID', `${name} has ${values.length} values and time ${rows}.`);
  }
  const isStored = known === undefined || unit === undefined || unit === known.unit;
  const toStored = isStored ? undefined : converter(known, unit, 'stored');
  return { variable: number, isKnown: known !== undefined, values, toStored };
}

/** The values in the stored unit. Gives way to other requests between two parts of a long column. */
export async function converted(
  values: Float64Array,
  toStored: (value: number) => number,
): Promise<Float64Array> {
  const stored = new Float64Array(values.length);
  for (let row = 0; row < values.length; row += 1) {
    if (row > 0 && row % CONVERTED === 0) await pause();
    const value = values[row] as number;
    stored[row] = Number.isNaN(value) ? value : toStored(value);
  }
  return stored;
}
