import type { Database, Statement } from 'better-sqlite3';

/** What a thread shows of itself to the main thread while it works: 32-bit integers in shared memory. */
export const SHARED_BYTES = 8;
/** Counts the statements that have been run. While it moves the thread is busy; while it stands still the thread hangs. */
export const STEPS = 0;
/** 1 while the thread cannot write to the file. */
export const WRITE_FAULT = 1;

/** What a thread is started with. */
export interface ThreadData {
  readonly file: string;
  readonly shared: Int32Array;
  /** Whether it lets the main thread go first where there are fewer cores than work. */
  readonly givesWay: boolean;
}

/** Counts every statement of `database` before and after it is run. Costs about 20 ns each time. */
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

/** Shows that the thread goes on. */
export function count(shared: Int32Array): void {
  Atomics.add(shared, STEPS, 1);
}
