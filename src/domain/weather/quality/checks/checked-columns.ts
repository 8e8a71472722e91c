import type { Series } from '../../series.js';

/** A series of rows while its values are checked. The checks add flags to its values and remove flags. */
export interface CheckedColumns extends Series {
  readonly flags: Map<number, Uint8Array>;
}

/** Adds a flag to the flags of a value. */
export function setFlag(
  { times, flags }: CheckedColumns,
  variable: number,
  row: number,
  check: number,
): void {
  let bytes = flags.get(variable);
  if (bytes === undefined) flags.set(variable, (bytes = new Uint8Array(times.length)));
  bytes[row] = (bytes[row] as number) | check;
}

/** Removes flags from the flags of a value. */
export function clearFlag({ flags }: CheckedColumns, variable: number, row: number, checks: number): void {
  const bytes = flags.get(variable);
  if (bytes !== undefined) bytes[row] = (bytes[row] as number) & ~checks;
}
