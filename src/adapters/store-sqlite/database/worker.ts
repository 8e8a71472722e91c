import { workerData } from 'node:worker_threads';
import { damagedReads } from '../damage/quarantine.js';
import { sendableError } from '../files/file-faults.js';
import { formerBlobs } from '../formats/former-blobs.js';
import { observationOperations } from '../observations/observation-operations.js';
import { stationRemoval } from '../stations/station-removal.js';
import { SqliteConnection } from './sqlite-connection.js';
import { storedOperations } from './stored-operations.js';
import { count, countSteps, type ThreadData, WRITE_FAULT } from './progress.js';

/**
 * Opens the data file in this thread, which is not the main thread of the process. SQLite blocks its thread while it reads,
 * writes or waits for a lock. The main thread is not blocked, so no request is delayed.
 *
 * This thread runs one operation at a time, so there is one writer and never the error "database is locked".
 */
function open(file: string) {
  const connection = new SqliteConnection(file);
  const { database } = connection;
  countSteps(database, shared);
  const observations = observationOperations(database);
  const operations = {
    ...observations,
    ...stationRemoval(database, observations.mergeAllRuns),
    ...formerBlobs(database),
    ...damagedReads(database),
  };
  return { connection, operations, stored: storedOperations(database) };
}

const { shared } = workerData as ThreadData;

type Opened = ReturnType<typeof open>;
let opened: Opened | undefined;

export type Operations = Opened['operations'] & {
  /** Opens the file and migrates its schema. */
  open(): void;
  /** Throws if the file on disk is no longer the open file, or cannot be read. */
  check(): void;
};

export interface WorkerCall {
  /** The data file. It is opened by the first call after `close`. */
  readonly file: string;
  /**
   * Name of the operation: `close`, a key of `Operations` such as `check`, or a store of `adapters/store` and its method, such as
   * `stations.find`.
   */
  readonly operation: string;
  readonly parameters: readonly unknown[];
}

export default function run(call: WorkerCall): unknown {
  count(shared);
  try {
    return perform(call);
  } catch (error) {
    opened?.connection.noteFailure(error);
    throw sendableError(error);
  } finally {
    count(shared);
    Atomics.store(shared, WRITE_FAULT, opened?.connection.cannotWrite === true ? 1 : 0);
  }
}

function perform({ file, operation, parameters }: WorkerCall): unknown {
  if (operation === 'close') {
    opened?.connection.database.close();
    opened = undefined;
    return undefined;
  }
  opened ??= open(file);
  if (operation === 'open') return undefined;
  if (operation === 'check') return opened.connection.check();
  opened.connection.assertUsable();
  const { operations, stored } = opened;
  const named = stored[operation] ?? operations[operation as keyof typeof operations];
  return (named as (...values: readonly unknown[]) => unknown)(...parameters);
}
