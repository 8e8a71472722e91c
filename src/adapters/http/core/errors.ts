import type { DomainErrorCode } from '../../../domain/domain-error.js';

/** Codes of errors that exist in HTTP only, not in the domain. */
export type ProtocolErrorCode =
  | 'AUTH_TOKEN_INVALID'
  | 'BODY_TOO_LARGE'
  | 'BULK_REQUESTS_TOO_MANY'
  | 'EXPECTATION_FAILED'
  | 'FRAMES_TOO_MANY'
  | 'FRAME_INVALID'
  | 'FRAME_TOO_LARGE'
  | 'HEADERS_TOO_LARGE'
  | 'HOST_NOT_ALLOWED'
  | 'INTERNAL_ERROR'
  | 'MEDIA_TYPE_UNSUPPORTED'
  | 'METHOD_NOT_ALLOWED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'RATE_LIMITED'
  | 'REQUEST_TIMEOUT'
  | 'ROUTE_NOT_FOUND';

/** The closed list behind the field `error` of every error body. */
export type ErrorCode = DomainErrorCode | ProtocolErrorCode;

/** The HTTP status of each code. The only such table; a code that it lacks does not compile. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  REQUEST_INVALID: 400,
  FRAME_INVALID: 400,
  AUTH_ELEVATION_REQUIRED: 401,
  AUTH_TOKEN_INVALID: 401,
  AUTH_INVALID_CREDENTIALS: 403,
  AUTH_NOT_ALLOWED: 403,
  HOST_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  KEY_UNKNOWN: 404,
  ROUTE_NOT_FOUND: 404,
  SESSION_UNKNOWN: 404,
  STATION_UNKNOWN: 404,
  USER_UNKNOWN: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  STATION_EXISTS: 409,
  STATION_REMOVED: 409,
  USER_EXISTS: 409,
  BODY_TOO_LARGE: 413,
  FRAMES_TOO_MANY: 413,
  FRAME_TOO_LARGE: 413,
  MEDIA_TYPE_UNSUPPORTED: 415,
  EXPECTATION_FAILED: 417,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  AUTH_NOT_READY_YET: 500,
  INTERNAL_ERROR: 500,
  BULK_REQUESTS_TOO_MANY: 503,
  DATA_DAMAGED: 503,
  SERVICE_UNAVAILABLE: 503,
  SIGNING_KEY_UNAVAILABLE: 503,
  STORE_UNAVAILABLE: 503,
};

/**
 * A request that HTTP itself refuses. The message and the headers go to the caller. It has no stack: it tells of the
 * request and not of the code. It is an `Error` by its prototype alone, because V8 makes a stack even for an error that
 * shows none, which costs a twentieth of a refusal.
 */
export class ProtocolError implements Error {
  declare readonly name: 'ProtocolError';
  readonly code: ProtocolErrorCode | 'REQUEST_INVALID';
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProtocolError['code'], message: string, headers: Readonly<Record<string, string>> = {}) {
    this.code = code;
    this.message = message;
    this.headers = headers;
  }

  static {
    Object.setPrototypeOf(this.prototype, Error.prototype);
    Object.assign(this.prototype, { name: 'ProtocolError' });
  }
}
