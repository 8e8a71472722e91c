import { signal } from '@preact/signals-core';

/** How the page gets new values. */
export type LiveConnection =
  | { readonly state: 'none' | 'live' | 'polling' }
  /** `since` is the time at which the service could no longer be reached, in ms since 1970. */
  | { readonly state: 'offline'; readonly since: number };

export const connection = signal<LiveConnection>({ state: 'none' });

const checks = new Set<() => void>();

/** A request found no service. A stream may be broken too, which shows only after a long silence: it is opened again. */
export function doubtConnection(): void {
  for (const check of checks) check();
}

/** @returns ends it */
export function onDoubt(check: () => void): () => void {
  checks.add(check);
  return () => checks.delete(check);
}

/** Notes a change. A second failure does not move the beginning of the time offline. */
export function setConnection(next: LiveConnection): void {
  if (next.state !== connection.value.state) connection.value = next;
}
