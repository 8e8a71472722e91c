import { DomainError } from '#domain/domain-error.js';

/** The command that lists the things of which one is unknown, by code of the error. */
const LISTS: Readonly<Record<string, string>> = {
  ALARM_UNKNOWN: '"weatherd alarm list" shows the alarms.',
  KEY_UNKNOWN: '"weatherd keys list" shows the keys.',
  SESSION_UNKNOWN: '"weatherd session list" shows the sessions.',
  STATION_UNKNOWN: '"weatherd station list" shows the stations.',
  UPLOAD_KEY_UNKNOWN: '"weatherd upload-key list" shows the keys.',
  UPLOAD_SENDER_UNKNOWN: '"weatherd upload pending" shows the senders.',
  USER_UNKNOWN: '"weatherd user list" shows the users.',
};

/** Adds the command to use to an error about an unknown thing. Errors that name a command already are returned unchanged. */
export function withHint(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const hint = LISTS[error.code];
  if (hint === undefined || error.message.includes('"weatherd ')) return error;
  return new DomainError(error.code, `${error.message} ${hint}`, { cause: error.cause });
}
