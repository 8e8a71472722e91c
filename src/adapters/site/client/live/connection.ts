import { signal } from '@preact/signals-core';

/** How the page gets new values. */
export type LiveConnection =
  | { readonly state: 'none' | 'live' | 'polling' }
  /** `since` is the time of the first failed request, in ms since 1970. */
  | { readonly state: 'offline'; readonly since: number };

export const connection = signal<LiveConnection>({ state: 'none' });

const checks = new Set<() => void>();

/**
 * Makes the page open its event stream again. The function is called when a request cannot reach the service. The stream may be
 * broken too, and the page would notice a broken stream only after a long silence.
 */
export function recheckConnection(): void {
  for (const check of checks) check();
}

/** Adds a listener that checks the connection. @returns a function that removes the listener */
export function onRecheck(check: () => void): () => void {
  checks.add(check);
  return () => checks.delete(check);
}

/** Sets the state of the connection. A repeated state is ignored, so that `since` keeps the time of the first failure. */
export function setConnection(next: LiveConnection): void {
  if (next.state !== connection.value.state) connection.value = next;
}
