import type { ShownRange } from '../charts/model/span.js';

/**
 * A notice that observations have changed: those of `station`, in `range`. If `range` is absent, events were missed, so any data
 * may have changed.
 */
export interface ChangeNotice {
  readonly station?: string;
  readonly range?: ShownRange;
}

const listeners = new Set<(changed: ChangeNotice) => void>();

/** Notifies the parts of the page that read observations themselves. */
export function announceChange(changed: ChangeNotice): void {
  for (const listener of listeners) listener(changed);
}

/** Adds a listener for changes. @returns a function that removes the listener */
export function onChange(listener: (changed: ChangeNotice) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
