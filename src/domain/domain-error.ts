/**
 * Everything that the service itself can refuse or fail to do. A transport maps each code to a status of its
 * own in one table; a new code does not compile until that table knows it.
 */
export type DomainErrorCode =
  /** The input breaks a rule; the message says which and where. */
  | 'REQUEST_INVALID'
  /** The user is unknown or disabled, or the password is wrong: which of them is never told. */
  | 'AUTH_INVALID_CREDENTIALS'
  /** A token is missing, or is not one of ours, or no longer holds: which of them is never told. */
  | 'AUTH_TOKEN_INVALID'
  /** The token is good, but the action needs an elevated one. */
  | 'AUTH_ELEVATION_REQUIRED'
  /** The token is good, and its user may not do this. */
  | 'AUTH_NOT_ALLOWED'
  /** Authentication is switched off, has no signing key or cannot reach its store. */
  | 'AUTH_NOT_READY_YET'
  /** A user with this name or email exists already. */
  | 'USER_EXISTS'
  /** There is no such session; it may have ended. */
  | 'SESSION_UNKNOWN'
  /** There is no station with this id. */
  | 'STATION_UNKNOWN'
  /** There is a station with this id already, or with one that differs only in case. */
  | 'STATION_EXISTS'
  /** The id belongs to a removed station that can still be restored. */
  | 'STATION_REMOVED'
  /** There is no user with this name. */
  | 'USER_UNKNOWN'
  /** A store did not answer, or not in time. Trying again later may work. */
  | 'STORE_UNAVAILABLE'
  /** Stored observations cannot be read; the message names station and day. Trying again later does not help. */
  | 'DATA_DAMAGED'
  /** There is no usable key to sign tokens with. */
  | 'SIGNING_KEY_UNAVAILABLE'
  /** There is no such signing key. */
  | 'KEY_UNKNOWN'
  /** Too many attempts; `retryAfter` says when to come back. */
  | 'RATE_LIMITED'
  /** More work than can be taken on now; `retryAfter` says when to come back. */
  | 'SERVICE_UNAVAILABLE';

export interface DomainErrorDetails {
  /** What happened underneath. It is logged and never shown to a caller. */
  readonly cause?: unknown;
  /** Seconds after which another try makes sense. */
  readonly retryAfter?: number;
  /** Of STORE_UNAVAILABLE: whether the store works and failed this call alone, so that another may succeed at once. */
  readonly callOnly?: boolean;
  /** With RATE_LIMITED: what is counted; sign-in attempts when left out. */
  readonly quota?: string;
}

/** A refusal or failure with a stable code and a message that may be shown to anyone. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;
  readonly retryAfter: number | undefined;
  readonly callOnly: boolean;
  readonly quota: string;

  constructor(code: DomainErrorCode, message: string, details: DomainErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.retryAfter = details.retryAfter;
    this.callOnly = details.callOnly ?? false;
    this.quota = details.quota ?? 'attempts';
  }
}

/** Whether `error` is a DomainError with one of `codes` (any code when none is given). */
export function isDomainError(error: unknown, ...codes: DomainErrorCode[]): error is DomainError {
  return error instanceof DomainError && (codes.length === 0 || codes.includes(error.code));
}
