import type { ShownRange } from '../charts/model/span.js';

/** A change of the observations of a station. Without a range, changes were missed, so all data may have changed. */
export interface Changed {
  readonly station?: string;
  readonly range?: ShownRange;
}

const listeners = new Set<(changed: Changed) => void>();

/** Notifies the parts of the page that read observations themselves. */
export function announce(changed: Changed): void {
  for (const hear of listeners) hear(changed);
}

/** Adds a listener for changes. @returns a function that removes it */
export function onChange(hear: (changed: Changed) => void): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}
