import type { ShownRange } from '../charts/model/span.js';

/** What has changed at a station. Without a range, changes were missed, and everything may be another. */
export interface Changed {
  readonly station?: string;
  readonly range?: ShownRange;
}

const listeners = new Set<(changed: Changed) => void>();

/** Tells the parts of the page that read observations for themselves. */
export function announce(changed: Changed): void {
  for (const hear of listeners) hear(changed);
}

/** @returns ends it */
export function onChange(hear: (changed: Changed) => void): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}
