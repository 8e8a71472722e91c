import { setImmediate as nextTask } from 'node:timers/promises';
import type { RecordStore } from '#application/ports/record-store.js';

/** Largest number of reads: a read calls the store too. */
const MAX_READS = 20;

/** Tasks of other work that go on between a call and its result. A list arrives after a write that began later. */
const TASKS = { record: 1, records: 5, put: 1 } as const;

/**
 * Begins a read before each of the next calls of a store, and lets other work go on between the call and its result.
 *
 * @returns the reads, which may not have ended
 */
export function readsBetween<T>(store: RecordStore, read: () => Promise<T>): readonly Promise<T>[] {
  const reads: Promise<T>[] = [];
  for (const [name, tasks] of Object.entries(TASKS) as [keyof typeof TASKS, number][]) {
    const call = store[name].bind(store) as (...given: unknown[]) => Promise<never>;
    store[name] = async (...given: unknown[]) => {
      if (reads.length < MAX_READS) reads.push(read());
      const result = await call(...given);
      for (let task = 0; task < tasks; task += 1) await nextTask();
      return result;
    };
  }
  return reads;
}
