import type { ErrorCode } from './errors.js';

/** By error code, the sentence that names the route that lists what exists. */
const LISTS: Partial<Readonly<Record<ErrorCode, string>>> = {
  ALARM_UNKNOWN: 'GET /v1/alarms lists the alarms.',
  SOURCE_UNKNOWN: 'GET /v1/sources lists the sources.',
  HOOK_UNKNOWN: 'GET /v1/hooks lists the hooks.',
  ROUTE_NOT_FOUND: 'GET /openapi.json lists the routes.',
  STATION_UNKNOWN: 'GET /v1/stations lists the stations.',
  UPLOAD_KEY_UNKNOWN: 'GET /v1/upload-keys lists the keys.',
  UPLOAD_SENDER_UNKNOWN: 'GET /v1/uploads/pending lists the senders.',
  USER_UNKNOWN: 'GET /v1/users lists the users.',
};

/** Adds the sentence of the code to a message. */
export function withHint(code: ErrorCode, message: string): string {
  const hint = LISTS[code];
  return hint === undefined ? message : `${message} ${hint}`;
}
