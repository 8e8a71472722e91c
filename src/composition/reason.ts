import { userInfo } from 'node:os';

/** What the system says of a failed call, as `NodeJS.ErrnoException` has it. Such errors lose all but these on the way between threads. */
interface SystemError {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
}

/** Faults of the system by the code of POSIX. `path` is `it` where the system does not name it. */
const FAULTS: Readonly<Record<string, (path: string, syscall: unknown) => string>> = {
  EACCES: mayNotUse,
  EPERM: mayNotUse,
  ENOENT: (path) => `${path} does not exist`,
  ENOTDIR: (path) => `${path} is no folder, or a part of its path is a file`,
  EISDIR: (path) => `${path} is a folder and not a file`,
  EEXIST: (path, syscall) => `${path} ${syscall === 'mkdir' ? 'is not a folder' : 'exists already'}`,
  ENOSPC: (path) => `the disk is full${placeOf(path)}: remove files, or use another disk`,
  EDQUOT: (path) =>
    `the disk quota of ${thisUser()} is used up${placeOf(path)}: remove files, or use another disk`,
  EFBIG: (path) => `the file system, or a limit of this user, does not allow so large a file${placeOf(path)}`,
  EROFS: (path) => `${path} is on a disk that is mounted read-only: mount it for writing, or use another`,
  EIO: (path) => `the disk reports an error${placeOf(path)}: look into the log of the system`,
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  ENAMETOOLONG: (path) => `${path} is too long`,
  ELOOP: (path) => `${path} leads through symbolic links in a circle`,
};

/**
 * The message of an error and that of its cause in one line, in plain words: what the system says is replaced by what it means.
 * The messages of OpenSSL are left out, because they do not help; an error with such a cause describes the fault itself.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = plainMessage(error);
  const { message, cause } = error;
  if (!(cause instanceof Error) || isOpenSsl(cause) || message.includes(cause.message)) return own;
  const reason = plainMessage(cause);
  return own.includes(reason) ? own : withoutRepetition(`${own} ${reason}`);
}

/** The message, in which what the system says is replaced. The message of a wrapping error usually repeats that of its cause. */
function plainMessage(error: Error): string {
  const { message, cause } = error;
  if (!(cause instanceof Error)) return faultOf(error) ?? faultOf(cause, message) ?? message;
  return withoutRepetition(message.replace(cause.message, () => plainMessage(cause)));
}

/** `/x: /x is a folder` → `/x is a folder` */
function withoutRepetition(text: string): string {
  return text.replace(/(?<!\S)(\S+): \1 /, '$1 ');
}

/** The message of an error that a file has caused, in plain words and with the path of the file. Its cause may quote the file. */
export function reasonAt(file: string, error: unknown): string {
  const reason = error instanceof Error ? plainMessage(error) : String(error);
  return reason.includes(file) ? reason : `${file}: ${reason}`;
}

/** Ends a reason with a full stop. A list, or a command to type at the end, has none. */
export function sentenceOf(reason: string): string {
  const lastLine = reason.slice(reason.lastIndexOf('\n') + 1);
  const isList = lastLine !== reason && lastLine.startsWith('  ');
  return isList || lastLine.includes(' Type: ') || /[.?!]$/.test(lastLine) ? reason : `${reason}.`;
}

/** What an error of the system means; undefined for other errors. @param text its message, if it has none */
function faultOf(error: unknown, text = ''): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { message = text, code, syscall, path } = error as SystemError;
  if (typeof code !== 'string' || !/^E[A-Z\d]+$/.test(code) || typeof syscall !== 'string') return undefined;
  const known = FAULTS[code];
  if (known !== undefined) return known(typeof path === 'string' ? path : 'it', syscall);
  const plain = String(message).replace(`${code}: `, '');
  return plain.includes(code) ? plain : `${plain} (${code})`;
}

function isOpenSsl(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('ERR_OSSL_');
}

function mayNotUse(path: string): string {
  return `${path} may not be used by ${thisUser()}: give this user the rights to it and to the folders above it, or choose another place`;
}

function tooManyFiles(): string {
  return 'too many files are open: raise the limit (LimitNOFILE= in the unit, or ulimit -n)';
}

function placeOf(path: string): string {
  return path === 'it' ? '' : ` (${path})`;
}

/** The user of this process. Containers run it with ids that have no name. */
export function thisUser(): string {
  try {
    return `the user ${userInfo().username}`;
  } catch {
    return `the user with the id ${process.getuid?.()}`;
  }
}
