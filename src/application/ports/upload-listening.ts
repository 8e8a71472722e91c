import type { DomainErrorCode } from '#domain/domain-error.js';
import type { UploadsReach } from '#domain/uploads/uploads-reach.js';

/** The state of the listener for uploads. */
export interface UploadListening {
  readonly reach: UploadsReach;
  /** The source of the setting. The environment overrides the file, which overrides the data. */
  readonly source: 'default' | 'data' | 'file' | 'environment';
  readonly host: string;
  readonly port: number;
}

/** The listener for uploads in the running service. */
export interface UploadListener {
  state(): UploadListening;
  /**
   * Starts, stops or moves the listener, in all processes of the service. Rejects with LISTENER_UNAVAILABLE if it cannot listen;
   * it then is as before.
   */
  switchTo(reach: UploadsReach): Promise<void>;
}

/** The reply to a change of the setting. `refused` has the code and the message of the DomainError with which it was refused. */
export type UploadsChange =
  | { readonly listening: UploadListening }
  | { readonly refused: { readonly code: DomainErrorCode; readonly message: string } };
