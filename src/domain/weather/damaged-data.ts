import { DomainError } from '../domain-error.js';

/** Times from `first` to `last`, both included, in milliseconds since 1970-01-01T00:00:00Z. */
export interface DamagedSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * The error of a read that needs damaged observations. It has no cause, because a cause would be logged with every
 * read; the background check of the store logs the damage once.
 *
 * @param station its id
 * @param time time of the first damaged observation; the first of all times where it is unknown
 */
export function damagedData(station: string, time: number): DomainError {
  const when = time > -8.64e15 ? ` on ${dateOf(time)} (UTC)` : '';
  const message = `The observations of station ${JSON.stringify(station)}${when} are damaged and cannot be read.`;
  return new DomainError('DATA_DAMAGED', message);
}

/** `2024-02-29`, in UTC. */
export function dateOf(time: number): string {
  return new Date(time).toISOString().replace(/T.*/, '');
}
