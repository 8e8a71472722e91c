import { DomainError } from '#domain/domain-error.js';
import type { SentColumn } from '#domain/weather/sent-rows.js';
import { converter } from '#domain/weather/units.js';
import { isVariable, variableNamed, variableNumbered } from '#domain/weather/variables.js';
import { pause } from '../../pause.js';

/** Number of values that are converted in one turn of the event loop. The conversion takes a few milliseconds. */
const CONVERTED = 8192;

/** A received column with the number of its variable. */
export interface NumberedColumn {
  readonly variable: number;
  /** Whether the catalog has the variable. */
  readonly isKnown: boolean;
  readonly values: Float64Array;
  /** Converts a value to the stored unit; undefined if the values already have the stored unit. */
  readonly toStored: ((value: number) => number) | undefined;
}

/**
 * Looks up the variable of a received column and the conversion to its stored unit.
 *
 * @param rows expected length of the column
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
    const message = `The column ${name} has ${values.length} values, but the column of times has ${rows}: all columns need the same length.`;
    throw new DomainError('REQUEST_INVALID', message);
  }
  const isStored = known === undefined || unit === undefined || unit === known.unit;
  const toStored = isStored ? undefined : converter(known, unit, 'stored');
  return { variable: number, isKnown: known !== undefined, values, toStored };
}

/** The values in the stored unit. Long columns are converted in several turns of the event loop. */
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
