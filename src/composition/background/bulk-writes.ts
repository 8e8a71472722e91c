import type { Announcer } from '#application/ports/announcer.js';
import { MILLISECONDS } from '#domain/time.js';

/** Length in ms of the times of a write from which it counts as a bulk write, such as an import. */
const BULK = MILLISECONDS.day;
/** Milliseconds after the last bulk write until its rows are checked. During an import, its rows still change. */
const BULK_END = 3000;

/** Calls `onEnd` when a series of bulk writes has ended. @returns a function that ends this */
export function afterBulkWrites(announcer: Announcer, onEnd: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const unsubscribe = announcer.subscribe(['observations'], (announcement) => {
    if (announcement.kind !== 'observations') return;
    const { from, to } = announcement.changes;
    if (from.every((first, index) => (to[index] as number) - first < BULK)) return;
    clearTimeout(timer);
    timer = setTimeout(onEnd, BULK_END).unref();
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}
