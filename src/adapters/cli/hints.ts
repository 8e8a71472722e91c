import { DomainError, type DomainErrorCode } from '#domain/domain-error.js';

/**
 * Hints by error code. A hint names the command that lists what exists. For example, the hint for STATION_UNKNOWN names the
 * command that lists all stations.
 */
const LISTS: Partial<Readonly<Record<DomainErrorCode, string>>> = {
  ALARM_UNKNOWN: '"weatherd alarm list" shows the alarms.',
  FORECAST_UNKNOWN: '"weatherd forecast list" shows the stations with forecasts.',
  HOOK_UNKNOWN: '"weatherd hook list" shows the hooks.',
  IMPORT_UNKNOWN: '"weatherd imports" shows the imports.',
  KEY_UNKNOWN: '"weatherd keys list" shows the keys.',
  SESSION_UNKNOWN: '"weatherd session list" shows the sessions.',
  SOURCE_UNKNOWN: '"weatherd source list" shows the sources.',
  STATION_REMOVED: '"weatherd station restore ID" restores a removed station.',
  STATION_UNKNOWN: '"weatherd station list" shows the stations.',
  UPLOAD_KEY_UNKNOWN: '"weatherd upload-key list" shows the keys.',
  UPLOAD_SENDER_UNKNOWN: '"weatherd upload pending" shows the senders.',
  USER_UNKNOWN: '"weatherd user list" shows the users.',
};

/** How to remove the stations of the demo. @param command the first words of a command line */
export function removesDemo(command: string): string {
  return `"${command} demo --remove" removes the stations of the demo.`;
}

/**
 * Adds a sentence from `LISTS` to the message of an error about an unknown thing. Errors that already name a command are returned
 * unchanged.
 */
export function withHint(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const hint = LISTS[error.code];
  if (hint === undefined || error.message.includes('"weatherd ')) return error;
  return new DomainError(error.code, `${error.message} ${hint}`, { cause: error.cause });
}
