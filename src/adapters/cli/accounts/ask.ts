import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { read } from 'read';
import { DomainError } from '#domain/domain-error.js';
import type { Terminal } from '../terminal.js';

/**
 * Asks the person at the terminal. The question is written to standard error, because it is not a result.
 *
 * @throws DomainError REQUEST_INVALID if the input ends without an answer
 */
export async function askSecret(
  prompt: string,
  { input, errors }: Terminal,
  isSilent = false,
): Promise<string> {
  const asking = new AbortController();
  try {
    const answer = read({ prompt, silent: isSilent, input, output: errors });
    return await Promise.race([answer, unanswered(input, asking.signal)]);
  } finally {
    asking.abort();
  }
}

/** Rejects when the input ends, for example after Ctrl-D. Without this function, `read` would wait forever. */
async function unanswered(input: Readable, signal: AbortSignal): Promise<never> {
  // After an answer, three things happen in this order: the line editor closes and pauses the input, the promise of `read`
  // resolves with the answer, and `setImmediate` continues. The error below comes too late then, because `askSecret` already has
  // the answer.
  //
  // If the input ends without an answer, `read` never resolves, so that `askSecret` rejects with the error below.
  await Promise.race(['pause', 'end'].map((event) => once(input, event, { signal })));
  await setImmediate();
  throw new DomainError('REQUEST_INVALID', 'The input ended without an answer. Nothing was changed.');
}

/** Asks for confirmation. Every answer except yes means no. */
export async function askYes(question: string, terminal: Terminal): Promise<boolean> {
  const answer = await askSecret(`${question} [y/N] `, terminal);
  return /^y(?:es)?$/i.test(answer.trim());
}

/**
 * Reads a password. At a terminal a person types the password twice, without echo.
 *
 * Without a terminal, standard input is read to its end. If the text ends with a line end, this line end is not part of the
 * password. For example, `printf secret` and `echo secret` result in the same password, although only `echo` adds a line end.
 *
 * @throws DomainError REQUEST_INVALID if the two passwords differ
 */
export async function askPassword(prompt: string, terminal: Terminal): Promise<string> {
  if (!terminal.isInteractive) return (await text(terminal.input)).replace(/\r?\n$/, '');
  const password = await askSecret(prompt, terminal, true);
  if ((await askSecret('Again: ', terminal, true)) !== password)
    throw new DomainError(
      'REQUEST_INVALID',
      'The two passwords differ. Nothing was changed. Run the command again.',
    );
  return password;
}
