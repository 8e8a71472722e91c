import { text } from 'node:stream/consumers';
import { read } from 'read';
import { DomainError } from '../../domain/domain-error.js';

/**
 * A password from the terminal, asked for twice and without echo, or else from standard input: all of it but for one
 * line end, so that `printf`, `echo` and a file give the same.
 *
 * @throws DomainError REQUEST_INVALID when the two differ
 */
export async function askPassword(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const ask = (question: string) => read({ prompt: question, silent: true, output: process.stderr });
  const password = await ask(prompt);
  if ((await ask('Again: ')) !== password)
    throw new DomainError('REQUEST_INVALID', 'The two passwords differ.');
  return password;
}
