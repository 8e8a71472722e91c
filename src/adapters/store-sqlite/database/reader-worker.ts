import type { Database } from 'better-sqlite3';
import { workerData } from 'piscina';
import { lowerThreadPriority } from '#adapters/formats/thread-priority.js';
import { damageFoundIn } from '#adapters/packed-store/damage.js';
import { fileFaultText } from '../files/file-faults.js';
import { Sqlite } from './driver.js';
import { count, countSteps, type ThreadData } from './progress.js';
import { storedOperations } from './stored-operations.js';
import { readOperations } from '../observations/read-operations.js';

const { shared, hasLowPriority } = workerData as ThreadData;
if (hasLowPriority) lowerThreadPriority();

function open(file: string) {
  const database: Database = new Sqlite(file, { readonly: true, fileMustExist: true });
  countSteps(database, shared);
  return { ...readOperations(database), stored: storedOperations(database), database };
}

type Opened = ReturnType<typeof open>;
export type ReadOperations = Omit<Opened, 'inTransaction' | 'stored' | 'database'>;
/** Operations that take less than a millisecond. They read the states (such as the newest values) of a few stations. */
export type LookupOperations = Pick<Opened, 'states'>;
let opened: Opened | undefined;

export interface ReadCall {
  /** The data file. It is opened by the first call after `close`. */
  readonly file: string;
  /**
   * Name of the operation: `close`, a key of `ReadOperations` such as `states`, or a store of `adapters/store` and its method,
   * such as `stations.find`.
   */
  readonly operation: string;
  readonly parameters: readonly unknown[];
}

export default function perform({ file, operation, parameters }: ReadCall): unknown {
  count(shared);
  try {
    if (operation === 'close') return close();
    opened ??= open(file);
    const named = opened.stored[operation] ?? opened[operation as keyof ReadOperations];
    return opened.inTransaction(() => (named as (...values: readonly unknown[]) => unknown)(...parameters));
  } catch (error) {
    // An error of the driver cannot be sent to another thread. A new error with its text is thrown instead. If the driver has
    // found damaged data, the description of the damage is the cause of the new error.
    const found = damageFoundIn(error);
    // oxlint-disable-next-line eslint/preserve-caught-error
    throw new Error(fileFaultText(error), {
      cause: found && { ...found, id: opened?.idOf(found.station) ?? '' },
    });
  } finally {
    count(shared);
  }
}

function close(): void {
  opened?.database.close();
  opened = undefined;
}
