import type { Database } from 'better-sqlite3';
import { STORES } from '#adapters/store/shared-stores.js';
import type { StoreOperation } from '#adapters/store/store-operations.js';
import { type DomainErrorCode, isDomainError } from '#domain/domain-error.js';
import { CHECKED_STATIONS } from '../ledgers/station-names.js';
import { runOn } from './statements.js';

/**
 * The result of an operation for another thread. A domain error loses its class between threads, so its code and message are
 * returned instead.
 */
export type OperationOutcome =
  | { readonly value: unknown }
  | { readonly refused: DomainErrorCode; readonly message: string };

export type Stored = Readonly<Record<string, (...parameters: readonly unknown[]) => OperationOutcome>>;

/**
 * The methods of the stores, such as `stations.find`, over a connection to a data file. The key is the store and its method. Each
 * method runs an operation of `adapters/store`; these operations are the same for all databases.
 */
export function storedOperations(database: Database): Stored {
  const begun = Object.entries({ ...STORES, stations: CHECKED_STATIONS }).flatMap(([store, operations]) =>
    Object.entries(operations as Readonly<Record<string, StoreOperation<readonly unknown[], unknown>>>).map(
      ([method, { use, begin }]) => {
        const perform = (...parameters: readonly unknown[]) => runOn(database, begin(...parameters));
        const together = use === 'transaction' ? database.transaction(perform) : undefined;
        const whole =
          together === undefined
            ? perform
            : (...parameters: readonly unknown[]) => together.immediate(...parameters);
        return [
          `${store}.${method}`,
          (...parameters: readonly unknown[]) => outcomeOf(() => whole(...parameters)),
        ] as const;
      },
    ),
  );
  return Object.fromEntries(begun);
}

function outcomeOf(work: () => unknown): OperationOutcome {
  try {
    return { value: work() };
  } catch (error) {
    if (isDomainError(error)) return { refused: error.code, message: error.message };
    throw error;
  }
}
