import type { TlsPair } from '#adapters/http/server/tls.js';
import type { Check } from '#application/ports/check.js';
import type { Config } from '../config.js';
import type { Sharing } from '../container.js';

/** The internal command with which the service starts its worker processes. */
export const WORKER_COMMAND = 'serve-external';

/** Name of the message by which a worker process gets a changed log level or certificate (`WorkerReload`). */
export const RELOAD = 'reload';

/** The data that a worker process receives at its start. */
export interface WorkerStart {
  /** Number of the worker process; the first is 1. */
  readonly number: number;
  /** The configuration of the main process. All processes of the service have the same configuration. */
  readonly config: Config;
  readonly tls: TlsPair | undefined;
  /** The value of `ServiceRole.command` in the main process. */
  readonly command: string | undefined;
  /** Start of the main process in milliseconds since 1970. */
  readonly startedAt: number;
}

/** The data that may change while a worker process runs. */
export type WorkerReload = Pick<WorkerStart, 'config' | 'tls'>;

/** The data that a worker process gets at its start, and its connection to the main process. */
export interface WorkerRole {
  readonly sharing: Sharing;
  readonly tls: TlsPair | undefined;
  /** Checks whether the main process works. */
  readonly check: Check;
}
