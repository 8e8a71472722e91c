import { DomainError } from '../domain-error.js';

/** Times from `first` to `last`, both included, in milliseconds since 1970-01-01T00:00:00Z. */
export interface DamagedSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * The error of a read that needs damaged observations. The error has no cause: a cause would be logged with every read, but the
 * background check of the store already logs the damage once.
 *
 * @param station id of the station
 * @param time time of the first damaged observation, in milliseconds since 1970-01-01T00:00:00Z; -8.64e15 if it is unknown
 */
export function damagedData(station: string, time: number): DomainError {
  const when = time > -8.64e15 ? ` on ${dateOf(time)} (UTC)` : '';
  const message = `The observations of station ${JSON.stringify(station)}${when} are damaged and cannot be read.`;
  return new DomainError('DATA_DAMAGED', message);
}

/** The UTC date of a time: `2024-02-29`. */
export function dateOf(time: number): string {
  return new Date(time).toISOString().replace(/T.*/, '');
}
