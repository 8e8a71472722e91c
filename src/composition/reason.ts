import { userInfo } from 'node:os';

/** The fields of a failed system call (`NodeJS.ErrnoException`). An error that comes from another thread has only these fields. */
interface SystemError {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
}

/** Stands for the path in a message if the error of the system does not name a path. */
const UNNAMED = 'the path';

/** The messages for faults of the system, by the code of POSIX. `path` is `UNNAMED` if the error does not name a path. */
const FAULTS: Readonly<Record<string, (path: string, syscall: unknown) => string>> = {
  EACCES: notAccessible,
  EPERM: notAccessible,
  ENOENT: (path) => `${path} does not exist`,
  ENOTDIR: (path) => `${path} is not a folder, or a part of the path is a file`,
  EISDIR: (path) => `${path} is a folder and not a file`,
  EEXIST: (path, syscall) => `${path} ${syscall === 'mkdir' ? 'is not a folder' : 'exists already'}`,
  ENOSPC: (path) => `the disk is full${placeOf(path)}: remove files, or use another disk`,
  EDQUOT: (path) =>
    `the disk quota of ${thisUser()} is used up${placeOf(path)}: remove files, or use another disk`,
  EFBIG: (path) => `the file is larger than the file system or a limit of this user allows${placeOf(path)}`,
  EROFS: (path) =>
    `${path} is on a disk that is mounted read-only: mount the disk for writing, or use another disk`,
  EIO: (path) => `the disk reports an error${placeOf(path)}: read the log of the system`,
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  ENAMETOOLONG: (path) => `${path} is too long`,
  ELOOP: (path) => `${path} contains a cycle of symbolic links`,
};

/**
 * Returns the message of an error and the message of its cause in one line. Messages of the operating system are replaced by
 * plain messages. A message of OpenSSL as the cause is left out, because the error itself already describes the fault.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = plainMessage(error);
  const { message, cause } = error;
  if (!(cause instanceof Error) || isOpenSsl(cause) || message.includes(cause.message)) return own;
  const reason = plainMessage(cause);
  return own.includes(reason) ? own : withoutRepetition(`${own} ${reason}`);
}

/**
 * Returns the message of an error in plain words. If the message contains a message of the operating system, that part is
 * replaced.
 */
function plainMessage(error: Error): string {
  const { message, cause } = error;
  if (!(cause instanceof Error)) return faultOf(error) ?? faultOf(cause, message) ?? message;
  return withoutRepetition(message.replace(cause.message, () => plainMessage(cause)));
}

/** Removes a repeated path: `/x: /x is a folder` → `/x is a folder`. */
function withoutRepetition(text: string): string {
  return text.replace(/(?<!\S)(\S+): \1 /, '$1 ');
}

/**
 * The message of an error about a file, with the path of the file. The message of the cause is left out, because it may quote the
 * content of the file.
 */
export function reasonAt(file: string, error: unknown): string {
  const reason = error instanceof Error ? plainMessage(error) : String(error);
  return reason.includes(file) ? reason : `${file}: ${reason}`;
}

/**
 * Adds a full stop to a reason. A reason that ends with a list, with a command to type or with a punctuation mark is not changed.
 */
export function sentenceOf(reason: string): string {
  const lastLine = reason.slice(reason.lastIndexOf('\n') + 1);
  const isList = lastLine !== reason && lastLine.startsWith('  ');
  return isList || lastLine.includes(' Type: ') || /[.?!]$/.test(lastLine) ? reason : `${reason}.`;
}

/** The plain message for an error of the operating system; undefined for other errors. @param text the message, if the error has none */
function faultOf(error: unknown, text = ''): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { message = text, code, syscall, path } = error as SystemError;
  if (typeof code !== 'string' || !/^E[A-Z\d]+$/.test(code) || typeof syscall !== 'string') return undefined;
  const known = FAULTS[code];
  if (known !== undefined) return known(typeof path === 'string' ? path : UNNAMED, syscall);
  const plain = String(message).replace(`${code}: `, '');
  return plain.includes(code) ? plain : `${plain} (${code})`;
}

function isOpenSsl(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('ERR_OSSL_');
}

function notAccessible(path: string): string {
  return `${path} is not accessible to ${thisUser()}: give this user access to it and to the folders above it, or choose another path`;
}

function tooManyFiles(): string {
  return 'too many files are open: raise the limit (LimitNOFILE= in the unit, or ulimit -n)';
}

function placeOf(path: string): string {
  return path === UNNAMED ? '' : ` (${path})`;
}

/** A description of the user of this process. In a container, the user may have no name. */
export function thisUser(): string {
  try {
    return `the user ${userInfo().username}`;
  } catch {
    return `the user with the id ${process.getuid?.()}`;
  }
}
