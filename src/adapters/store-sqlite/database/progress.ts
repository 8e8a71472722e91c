import type { Database, Statement } from 'better-sqlite3';

/**
 * Length in bytes of the shared memory in which a thread counts its progress for the main thread. The memory contains 32-bit
 * integers.
 */
export const SHARED_BYTES = 8;
/**
 * Index of the counter of steps. A step is counted before and after each statement, so the counter rises while a busy thread
 * makes progress. If the counter stays the same, the busy thread hangs.
 */
export const STEPS = 0;
/** Index of a flag that is 1 while the thread cannot write to the file. */
export const WRITE_FAULT = 1;

/** The start parameters of a thread. */
export interface ThreadData {
  readonly shared: Int32Array;
  /** Whether the operating system should prefer the main thread when there are not enough cores. */
  readonly hasLowPriority: boolean;
}

/** Counts a step before and after every statement of `database`. Each step costs about 20 ns. */
export function countSteps(database: Database, shared: Int32Array): void {
  const prepare = database.prepare.bind(database) as (sql: string) => Statement;
  const counted = (sql: string): Statement => {
    const statement = prepare(sql);
    for (const method of ['run', 'get', 'all', 'iterate'] as const) {
      const original = statement[method].bind(statement) as (...parameters: unknown[]) => never;
      statement[method] = (...parameters: unknown[]) => {
        count(shared);
        try {
          return original(...parameters);
        } finally {
          count(shared);
        }
      };
    }
    return statement;
  };
  database.prepare = counted as Database['prepare'];
}

/** Counts a step of the thread, so that the main thread sees that the thread makes progress. */
export function count(shared: Int32Array): void {
  Atomics.add(shared, STEPS, 1);
}
