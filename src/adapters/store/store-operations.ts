import type { Operation } from './run-operation.js';

/**
 * How an operation accesses the data:
 *
 * - `read` reads in one statement. The read does not have to wait for a write. For such reads, SQLite has a separate thread,
 *   which is started when it is first needed.
 * - `present` reads in one statement too, for example in background work, but never starts this separate thread. If the thread
 *   is not running, SQLite reads in the writing thread.
 * - `write` writes in one statement.
 * - `transaction` commits all of its statements or none. SQLite begins the transaction as a writer, so that no other writer
 *   writes between the statements.
 */
export type Use = 'read' | 'present' | 'write' | 'transaction';

/**
 * A method of a store, written as an operation: a generator that yields SQL statements. `begin` creates a new generator for each
 * call, because a generator cannot run twice.
 */
export interface StoreOperation<P extends readonly unknown[], T> {
  readonly use: Use;
  readonly begin: (...parameters: P) => Operation<T>;
}

/** The operations of a store, by the names of its methods. `Port` is the interface of the store. */
export type OperationsOf<Port> = {
  readonly [K in keyof Port]: Port[K] extends (...parameters: infer P) => Promise<infer T>
    ? StoreOperation<P, T>
    : never;
};

const used =
  (use: Use) =>
  <P extends readonly unknown[], T>(begin: (...parameters: P) => Operation<T>): StoreOperation<P, T> => ({
    use,
    begin,
  });
export const read = used('read');
export const present = used('present');
export const write = used('write');
export const transaction = used('transaction');

/**
 * Creates a store, which has one method for each of the operations.
 *
 * @param perform runs an operation; gets its name and its parameters
 */
export function storeOf<Port>(
  operations: OperationsOf<Port>,
  perform: (
    name: string,
    operation: StoreOperation<readonly unknown[], unknown>,
    parameters: readonly unknown[],
  ) => Promise<unknown>,
): Port {
  const methods = Object.entries<StoreOperation<readonly unknown[], unknown>>(operations).map(
    ([name, operation]) =>
      [name, (...parameters: unknown[]) => perform(name, operation, parameters)] as const,
  );
  return Object.fromEntries(methods) as Port;
}
