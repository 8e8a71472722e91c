import type { DomainErrorCode } from '#domain/domain-error.js';

/** Codes of errors that exist only in the HTTP adapter and not in the domain. */
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
  | 'PRECONDITION_FAILED'
  | 'RANGE_INVALID'
  | 'RATE_LIMITED'
  | 'REQUEST_TIMEOUT'
  | 'ROUTE_NOT_FOUND'
  | 'SETUP_NOT_LOCAL'
  | 'TLS_REQUIRED';

/** All values of the field `error` in error bodies. */
export type ErrorCode = DomainErrorCode | ProtocolErrorCode;

/** The HTTP status of each code. Every status comes from this table. TypeScript refuses the table if a code is missing. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  REQUEST_INVALID: 400,
  FRAME_INVALID: 400,
  AUTH_ELEVATION_REQUIRED: 401,
  AUTH_TOKEN_INVALID: 401,
  AUTH_INVALID_CREDENTIALS: 403,
  AUTH_NOT_ALLOWED: 403,
  SETUP_CODE_INVALID: 403,
  SETUP_NOT_LOCAL: 403,
  HOST_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  TLS_REQUIRED: 403,
  KEY_UNKNOWN: 404,
  ROUTE_NOT_FOUND: 404,
  SESSION_UNKNOWN: 404,
  STATION_UNKNOWN: 404,
  HOOK_UNKNOWN: 404,
  SOURCE_UNKNOWN: 404,
  FORECAST_UNKNOWN: 404,
  FILE_UNKNOWN: 404,
  IMPORT_UNKNOWN: 404,
  OVERRULE_UNKNOWN: 404,
  ALARM_UNKNOWN: 404,
  ALARM_EXISTS: 409,
  ADMINISTRATOR_EXISTS: 409,
  SETTING_FIXED: 409,
  LISTENER_UNAVAILABLE: 409,
  UPLOAD_KEY_UNKNOWN: 404,
  UPLOAD_SENDER_UNKNOWN: 404,
  USER_UNKNOWN: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  HOOK_EXISTS: 409,
  SOURCE_EXISTS: 409,
  SOURCE_FAILED: 502,
  IMPORT_RUNNING: 409,
  IMPORT_STATE: 409,
  STATION_EXISTS: 409,
  STATION_REMOVED: 409,
  UPLOAD_KEY_EXISTS: 409,
  USER_EXISTS: 409,
  SETUP_ENDED: 410,
  PRECONDITION_FAILED: 412,
  BODY_TOO_LARGE: 413,
  FRAMES_TOO_MANY: 413,
  FRAME_TOO_LARGE: 413,
  MEDIA_TYPE_UNSUPPORTED: 415,
  RANGE_INVALID: 416,
  EXPECTATION_FAILED: 417,
  IMPORT_ELSEWHERE: 421,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  AUTH_NOT_READY_YET: 500,
  INTERNAL_ERROR: 500,
  BULK_REQUESTS_TOO_MANY: 503,
  DATA_DAMAGED: 503,
  SERVICE_UNAVAILABLE: 503,
  SIGNING_KEY_UNAVAILABLE: 503,
  STORE_UNAVAILABLE: 503,
  DISK_FULL: 507,
};

/**
 * A refusal by the HTTP adapter. The message and the headers are sent to the caller.
 *
 * A refusal has no stack trace. The request is the cause, so a stack trace would not help, and it would double the cost of a
 * refusal. The class therefore has the prototype of `Error`, but does not call the constructor of `Error`. The constructor
 * captures the stack even if nobody reads it, and the capture alone would cost a twentieth of a refusal.
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
