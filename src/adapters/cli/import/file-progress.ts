import { statSync } from 'node:fs';
import type { SingleBar } from 'cli-progress';
import { DomainError } from '../../../domain/domain-error.js';

/** Only on a terminal: elsewhere it would be noise. */
export async function makeBar(size: number): Promise<SingleBar> {
  const { default: cliProgress } = await import('cli-progress');
  const format = '{bar} {percentage} % | {eta_formatted} left';
  const bar = new cliProgress.SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, noTTYOutput: false },
    cliProgress.Presets.shades_classic,
  );
  bar.setTotal(size);
  return bar;
}

/** @throws DomainError REQUEST_INVALID when there is no such file */
export function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    throw new DomainError('REQUEST_INVALID', `The file cannot be read: ${(error as Error).message}`);
  }
}
