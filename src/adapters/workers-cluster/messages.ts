/** Names of the requests and messages to the main process. */
/** Asks what to do. Until then the process cannot receive messages. */
export const BEGIN = 'begin';
export const SERVES = 'serves';
export const FAILED = 'failed';
export const PERFORM = 'perform';
export const MAIN_HEALTH = 'main health';
/** Says that a command has ended in order, and has announced all that it has changed. */
export const LEAVE = 'leave';

/** An operation of the store, as it is sent to the process that writes. */
export interface Performed {
  readonly operation: string;
  readonly parameters: readonly unknown[];
}

/** Names of the messages to a worker process. */
export const LOOK = 'look';
export const STOP = 'stop';
export const METRICS = 'metrics';

/** The answer to a look. */
export interface WorkerHealth {
  readonly isAlive: boolean;
  /** A sentence about a defect, without secrets and paths. */
  readonly defect: string | undefined;
}
