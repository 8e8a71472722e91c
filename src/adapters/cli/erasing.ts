import { DomainError } from '#domain/domain-error.js';
import { askYes } from './accounts/ask.js';
import { makeBar } from './progress-bar.js';
import type { Terminal } from './terminal.js';

/** Collects the values of an option that may be repeated. */
export function addText(text: string, texts: readonly string[] | undefined): string[] {
  return [...(texts ?? []), text];
}

/** Asks for confirmation. @throws DomainError REQUEST_INVALID for every answer except yes */
export async function agree(question: string, terminal: Terminal): Promise<void> {
  if (!(await askYes(question, terminal)))
    throw new DomainError('REQUEST_INVALID', 'The answer was not yes. Nothing was erased.');
}

/**
 * Displays a progress bar during work that consists of several steps.
 *
 * @param work gets a function that it must call with the number of remaining steps
 */
export async function withProgress<T>(
  terminal: Terminal,
  parts: number,
  work: (onRemaining: (parts: number) => void) => Promise<T>,
): Promise<T> {
  const bar = await makeBar(parts, terminal);
  bar.start(parts, 0);
  try {
    return await work((remaining) => bar.update(parts - remaining));
  } finally {
    bar.stop();
  }
}
