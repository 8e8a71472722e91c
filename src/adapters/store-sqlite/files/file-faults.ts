/**
 * The kind of a faulty file. The advice depends on the kind: a faulty data file is restored from a backup, and a faulty backup is
 * replaced by another backup.
 */
export type FaultyFile = 'data file' | 'backup';

/** Advice for a damaged file. */
export const DAMAGE_ADVICE: Readonly<Record<FaultyFile, string>> = {
  'data file': 'stop the service, and restore a backup',
  backup: 'use another backup, or write a new one with "weatherd backup", and check the disk',
};

/**
 * The meaning of the result codes of SQLite (https://www.sqlite.org/rescode.html), and the advice for each code. Extended codes
 * begin with these codes.
 */
const FAULTS: readonly (readonly [code: string, meaning: string, advice: string])[] = [
  ['SQLITE_NOTADB', 'the file is not an SQLite database', 'restore a backup, or name the right file'],
  ['SQLITE_CORRUPT', 'the file is damaged', DAMAGE_ADVICE['data file']],
  ['SQLITE_FULL', 'the disk is full', 'remove other files, or move the data to a larger disk'],
  ['SQLITE_IOERR', 'the disk is full or does not work', 'free disk space, and read the system log'],
  [
    'SQLITE_CANTOPEN',
    'the file cannot be opened',
    'make the user of the service the owner of the file and of its folder',
  ],
  [
    'SQLITE_READONLY',
    'the file cannot be written',
    'make the user of the service the owner of the file and of its folder',
  ],
  ['SQLITE_BUSY', 'another process uses the file', 'stop that process, or try again'],
];

/**
 * The message of an error. For a fault of a data file, the message is a plain explanation with the message of SQLite in brackets and
 * advice.
 */
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

/**
 * Whether a message of `fileFaultText` reports that a file cannot be written. The message is compared because an error keeps only
 * its message between threads and processes.
 */
export function isWriteFaultText(message: string): boolean {
  return WRITE_FAULTS.some((start) => message.includes(start));
}

/**
 * Returns an error that can be sent to another thread, in place of an error of the driver, which cannot be sent. The code, the
 * system call and the path become the cause of the returned error.
 */
export function sendableError(error: unknown): Error {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  return new Error(fileFaultText(error), syscall === undefined ? {} : { cause: { code, syscall, path } });
}
