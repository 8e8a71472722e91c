import { pino } from 'pino';

/** The fields of an error in the log: those of pino, and a message that joins the messages of the error and of its causes. */
export function errorFields(error: Error): object {
  return Object.assign(pino.stdSerializers.err(error), { message: joinedMessage(error) });
}

/** The messages of an error and of its causes. A message that ends like a sentence gets no colon before its cause. */
function joinedMessage(error: Error, seen: ReadonlySet<unknown> = new Set()): string {
  const { message, cause } = error;
  if (!isErrorLike(cause) || seen.has(cause)) return message;
  const rest = joinedMessage(cause, new Set([...seen, error]));
  if (message === '') return rest;
  return `${message}${/[.:!?]$/.test(message) ? '' : ':'} ${rest}`;
}

/** Whether a value has a message. Errors from other threads and described errors are plain objects. */
function isErrorLike(value: unknown): value is Error {
  return typeof (value as Partial<Error> | null | undefined)?.message === 'string';
}
