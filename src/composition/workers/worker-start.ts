import type { TlsPair } from '#adapters/http/server/tls.js';
import type { Check } from '#application/ports/check.js';
import type { Config } from '../config.js';
import type { Sharing } from '../container.js';

/** The command with which the service starts its worker processes. It is not for people. */
export const WORKER_COMMAND = 'serve-external';

/** Names of messages to a worker process besides those of the cluster adapter. */
export const RELOAD = 'reload';

/** What a worker process gets at its start. */
export interface WorkerStart {
  /** From 1 on. */
  readonly number: number;
  /** The configuration of the main process, so that all have the same. */
  readonly config: Config;
  readonly tls: TlsPair | undefined;
  /** `ServiceRole.command` of the main process. */
  readonly command: string | undefined;
  /** Start of the main process in milliseconds since 1970. */
  readonly startedAt: number;
}

/** What may change while a worker process runs. */
export type WorkerReload = Pick<WorkerStart, 'config' | 'tls'>;

/** The part of the service that a worker process has. */
export interface WorkerRole {
  readonly sharing: Sharing;
  readonly tls: TlsPair | undefined;
  /** Checks whether the rest of the service works. */
  readonly check: Check;
}
