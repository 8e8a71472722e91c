import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { read } from 'read';
import { DomainError } from '../../../domain/domain-error.js';
import type { Terminal } from '../terminal.js';

/**
 * What the person at the terminal answers. The question is no result: it goes to standard error.
 *
 * @throws DomainError REQUEST_INVALID when the input ends without an answer
 */
export async function ask(prompt: string, { input, errors }: Terminal, isSilent = false): Promise<string> {
  const asking = new AbortController();
  try {
    const answer = read({ prompt, silent: isSilent, input, output: errors });
    return await Promise.race([answer, unanswered(input, asking.signal)]);
  } finally {
    asking.abort();
  }
}

/** Fails when the input ends, as at Ctrl-D: `read` would wait for ever. */
async function unanswered(input: Readable, signal: AbortSignal): Promise<never> {
  // The line editor pauses the input when it closes; after an answer too, which then has come first.
  await Promise.race(['pause', 'end'].map((event) => once(input, event, { signal })));
  await setImmediate();
  throw new DomainError('REQUEST_INVALID', 'Nobody has answered; nothing was changed.');
}

/** Whether the person at the terminal agrees. Anything but yes is no. */
export async function askYes(question: string, terminal: Terminal): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `, terminal);
  return /^y(?:es)?$/i.test(answer.trim());
}

/**
 * A password from the terminal, asked for twice and without echo, or else from standard input: all of it but for one
 * line end, so that `printf`, `echo` and a file give the same.
 *
 * @throws DomainError REQUEST_INVALID when the two differ
 */
export async function askPassword(prompt: string, terminal: Terminal): Promise<string> {
  if (!terminal.isInteractive) return (await text(terminal.input)).replace(/\r?\n$/, '');
  const password = await ask(prompt, terminal, true);
  if ((await ask('Again: ', terminal, true)) !== password)
    throw new DomainError('REQUEST_INVALID', 'The two passwords differ.');
  return password;
}
