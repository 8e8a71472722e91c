/**
 * All refusals and failures of the service. One table in the HTTP adapter maps each code to a status. A code that is not in the
 * table is a compile error.
 */
export type DomainErrorCode =
  /** The input breaks a rule; the message says which rule and where. */
  | 'REQUEST_INVALID'
  /** The user is unknown or disabled, or the password is wrong. The caller does not learn which of these is true. */
  | 'AUTH_INVALID_CREDENTIALS'
  /** The token is missing, was not issued here, or is no longer valid. The caller does not learn which of these is true. */
  | 'AUTH_TOKEN_INVALID'
  /** The token is valid, but the action needs an elevated token, for which the user must give the password again. */
  | 'AUTH_ELEVATION_REQUIRED'
  /** The token is valid, but its user may not perform the action. */
  | 'AUTH_NOT_ALLOWED'
  /** Authentication is switched off, has no signing key or cannot reach its store. */
  | 'AUTH_NOT_READY_YET'
  /** The code for the first administrator is wrong. */
  | 'SETUP_CODE_INVALID'
  /** No code for the first administrator is accepted until the next start: it was used, is too old or was never made. */
  | 'SETUP_ENDED'
  /** An administrator exists already, so the first one cannot be created. */
  | 'ADMINISTRATOR_EXISTS'
  /** The setting cannot be changed in the running service, because its file of settings or the environment sets it. */
  | 'SETTING_FIXED'
  /** A listener cannot listen on its address, for example because another program uses the port. */
  | 'LISTENER_UNAVAILABLE'
  /** A user with this name or email exists already. */
  | 'USER_EXISTS'
  /** No session has this id. The session may have ended. */
  | 'SESSION_UNKNOWN'
  /** The object to change is not in the state that the caller expects. Nothing was changed. */
  | 'PRECONDITION_FAILED'
  /** No station has this id. */
  | 'STATION_UNKNOWN'
  /** Another station has this id, or an id that differs only in case. */
  | 'STATION_EXISTS'
  /** The id belongs to a removed station that can still be restored. */
  | 'STATION_REMOVED'
  /** No upload key has this number. */
  | 'UPLOAD_KEY_UNKNOWN'
  /** The sender has an upload key already. */
  | 'UPLOAD_KEY_EXISTS'
  /**
   * No pending sender has this id. A pending sender has sent uploads without an upload key, and waits for approval. It may have
   * been approved in the meantime, or has been silent for a day.
   */
  | 'UPLOAD_SENDER_UNKNOWN'
  /** No alarm has this name. */
  | 'ALARM_UNKNOWN'
  /** An alarm with this name exists already. */
  | 'ALARM_EXISTS'
  /** No hook has this name. */
  | 'HOOK_UNKNOWN'
  /** No source has this name. A source is a device or a service that is asked for values. */
  | 'SOURCE_UNKNOWN'
  /** The station has no forecast, or only one that is too old. */
  | 'FORECAST_UNKNOWN'
  /** The month of the station has no file: it has no rows or too many, or it is not settled. The message says which. */
  | 'FILE_UNKNOWN'
  /** A source has this name already. */
  | 'SOURCE_EXISTS'
  /** A source gave no report. The message has the reason. */
  | 'SOURCE_FAILED'
  /** No import has this number. */
  | 'IMPORT_UNKNOWN'
  /** This instance does not have the import: another instance has received it, or its file was removed. */
  | 'IMPORT_ELSEWHERE'
  /** Another import is open. The service imports one file at a time. */
  | 'IMPORT_RUNNING'
  /** The state of the import does not allow the action, for example because its rows are being written. */
  | 'IMPORT_STATE'
  /** The disk has no space for a file. */
  | 'DISK_FULL'
  /** A hook has this name already. */
  | 'HOOK_EXISTS'
  /** The station has no quality override with this id. An override is an administrator's verdict on stored values. */
  | 'OVERRULE_UNKNOWN'
  /** No user has this name. */
  | 'USER_UNKNOWN'
  /** A store failed or did not answer in time. A later attempt may succeed. */
  | 'STORE_UNAVAILABLE'
  /** Stored observations cannot be read. The message names the station and the day. A later attempt fails too. */
  | 'DATA_DAMAGED'
  /** There is no usable key to sign tokens. */
  | 'SIGNING_KEY_UNAVAILABLE'
  /** No signing key has this id. */
  | 'KEY_UNKNOWN'
  /** Too many attempts; `retryAfter` says when to try again. */
  | 'RATE_LIMITED'
  /** The service has too much work at present; `retryAfter` says when to try again. */
  | 'SERVICE_UNAVAILABLE';

export interface DomainErrorDetails {
  /** The underlying error. It is logged, and never shown to a caller. */
  readonly cause?: unknown;
  /** Seconds after which the caller may try again. If undefined, the `retryAfter` of `cause` is used. */
  readonly retryAfter?: number;
  /** With STORE_UNAVAILABLE: the store works and only this call failed, so that another attempt may succeed at once. */
  readonly callOnly?: boolean;
  /** With STORE_UNAVAILABLE: only some of the data cannot be reached. Calls that need other data may succeed. */
  readonly partOnly?: boolean;
  /**
   * With STORE_UNAVAILABLE: the store works, but another of its users has held a lock for too long. A later attempt may succeed. An
   * attempt at once would wait for the same lock.
   */
  readonly locked?: boolean;
  /** With STORE_UNAVAILABLE: the data can be read but not be written at present, as on a full disk. */
  readonly readOnly?: boolean;
  /** With RATE_LIMITED: the name of the limit that was reached. Undefined means `attempts`, the limit of sign-in attempts. */
  readonly quota?: string;
}

/** A refusal or failure with a stable code and a message that may be shown to anyone. */
export class DomainError extends Error {
  override readonly name: string = 'DomainError';
  readonly code: DomainErrorCode;
  readonly retryAfter: number | undefined;
  readonly callOnly: boolean;
  readonly partOnly: boolean;
  readonly locked: boolean;
  readonly readOnly: boolean;
  readonly quota: string;

  constructor(code: DomainErrorCode, message: string, details: DomainErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    const { cause } = details;
    this.retryAfter = details.retryAfter ?? (cause instanceof DomainError ? cause.retryAfter : undefined);
    this.callOnly = details.callOnly ?? false;
    this.partOnly = details.partOnly ?? false;
    this.locked = details.locked ?? false;
    this.readOnly = details.readOnly ?? false;
    this.quota = details.quota ?? 'attempts';
  }
}

/** Whether `error` is a DomainError with one of `codes`. Without `codes`, every DomainError matches. */
export function isDomainError(error: unknown, ...codes: DomainErrorCode[]): error is DomainError {
  return error instanceof DomainError && (codes.length === 0 || codes.includes(error.code));
}

/**
 * The error for a change of an object that is not in the state that the caller expects.
 *
 * @param kind the word for the object, such as `station`
 */
export function changedInMeantime(kind: string, name: string): DomainError {
  return new DomainError(
    'PRECONDITION_FAILED',
    `The ${kind} ${JSON.stringify(name)} is not as expected: it was created, changed or removed in the meantime. Read it again.`,
  );
}
