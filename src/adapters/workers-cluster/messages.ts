import type { Caller } from '#domain/accounts/audit-event.js';
import type { UploadsReach } from '#domain/uploads/uploads-reach.js';
import type { SetupCode } from '#application/ports/setup-code.js';

/** Names of the requests and messages to the main process. */
/**
 * Requests the start payload: the data that a worker process needs to start. Before this request, the worker process cannot
 * receive messages.
 */
export const BEGIN = 'begin';
export const SERVES = 'serves';
export const FAILED = 'failed';
export const PERFORM = 'perform';
export const IMPORTS = 'imports';
export const MAIN_HEALTH = 'main health';
/** Calls a method of the code for the first administrator, which is in the main process. */
export const SETUP_CODE = 'setup code';
/** Changes the setting of uploads. */
export const CHANGE_UPLOADS = 'change uploads';
/**
 * Reports that a command of the command line has ended normally. The command has told the other processes of all changes that it
 * has made.
 */
export const LEAVE = 'leave';

/** A write operation of the store, as it is sent to the process that writes. */
export interface OperationCall {
  readonly operation: string;
  readonly parameters: readonly unknown[];
}

/** A call of a method of `SetupCode`. */
export interface SetupCodeCall {
  readonly method: keyof SetupCode;
  /** The digest of a code; empty for methods without parameters. */
  readonly digest: string;
}

/** A change of the setting of uploads. */
export interface UploadsCall {
  readonly reach: UploadsReach;
  readonly caller: Caller;
}

/** Names of the messages to a worker process. */
export const HEALTH = 'health';
export const STOP = 'stop';
export const METRICS = 'metrics';

/** The answer to `HEALTH`. */
export interface WorkerHealth {
  readonly isAlive: boolean;
  /** A sentence that describes a defect, without secrets and paths. */
  readonly defect: string | undefined;
}
