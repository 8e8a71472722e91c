import type { Parameter } from '../database/query.js';

/** Maximum number of parameters of a statement. The limit of the protocol is 65,535. */
const MAX_PARAMETERS = 16_384;
/** Approximate size of a statement in bytes. */
const MAX_BYTES = 4 * 2 ** 20;

/**
 * Makes the values and parameters of statements such as `INSERT … VALUES ($1, $2), ($3, $4)`. Many rows are split into several
 * statements. Each value is a parameter of its own, because the driver sends a blob as bytes only then. In an array of values,
 * the driver would send the blob as text.
 *
 * @returns pairs of the text `($1, $2), ($3, $4) …` and its parameters
 */
export function* tuples(rows: readonly (readonly Parameter[])[]): Generator<[values: string, Parameter[]]> {
  let texts: string[] = [];
  let parameters: Parameter[] = [];
  let bytes = 0;
  for (const row of rows) {
    const begin = parameters.length + 1;
    texts.push(`(${row.map((_value, index) => `$${begin + index}`).join(', ')})`);
    parameters.push(...row);
    for (const value of row) if (value instanceof Buffer) bytes += value.length;
    if (parameters.length + row.length <= MAX_PARAMETERS && bytes < MAX_BYTES) continue;
    yield [texts.join(', '), parameters];
    [texts, parameters, bytes] = [[], [], 0];
  }
  if (texts.length > 0) yield [texts.join(', '), parameters];
}
