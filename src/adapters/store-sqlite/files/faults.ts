/** Which file has a fault. The data are restored from a backup; a backup is replaced by another. */
export type FaultyFile = 'data file' | 'backup';

/** What to do about a damaged file. */
export const DAMAGE_ADVICE: Readonly<Record<FaultyFile, string>> = {
  'data file': 'stop the service, and restore a backup',
  backup: 'use another backup, or make a new one with "weatherd backup", and check the disk',
};

/** What the result codes of SQLite (https://www.sqlite.org/rescode.html) mean, and what to do. Extended codes begin with them. */
const FAULTS: readonly (readonly [code: string, meaning: string, advice: string])[] = [
  ['SQLITE_NOTADB', 'it is no SQLite database', 'restore a backup, or name the right file'],
  ['SQLITE_CORRUPT', 'it is damaged', DAMAGE_ADVICE['data file']],
  ['SQLITE_FULL', 'the disk is full', 'remove other files, or move the data to a larger disk'],
  ['SQLITE_IOERR', 'the disk is full or does not work', 'make room, and look into the log of the system'],
  ['SQLITE_CANTOPEN', 'it cannot be opened', 'give it and its folder to the user of the service'],
  ['SQLITE_READONLY', 'it cannot be written', 'give it and its folder to the user of the service'],
  ['SQLITE_BUSY', 'another process uses it', 'stop that process, or try again'],
];

/** The message of an error; for faults of a data file in plain words, with what SQLite says in brackets. */
export function fileFaultText(error: unknown, file: FaultyFile = 'data file'): string {
  const { message, code } = error as { readonly message: string; readonly code?: unknown };
  const found = FAULTS.find(([prefix]) => typeof code === 'string' && code.startsWith(prefix));
  if (found === undefined) return message;
  const [prefix, meaning, advice] = found;
  const isDamage = prefix === 'SQLITE_NOTADB' || prefix === 'SQLITE_CORRUPT';
  return `${meaning} (${message}): ${file === 'backup' && isDamage ? DAMAGE_ADVICE.backup : advice}`;
}

const WRITE_FAULTS = FAULTS.filter(([code]) => /FULL|IOERR|READONLY/.test(code)).map(
  ([, meaning]) => `${meaning} (`,
);

/** Whether a message of `faultText` is about a file that cannot be written. Between threads and processes an error has only that. */
export function isWriteFaultText(message: string): boolean {
  return WRITE_FAULTS.some((start) => message.includes(start));
}

/** An error that can be sent to another thread, which the errors of the driver cannot. What the system says is sent as its cause. */
export function sendableError(error: unknown): Error {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  return new Error(fileFaultText(error), syscall === undefined ? {} : { cause: { code, syscall, path } });
}
