import type { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

/** Creates a progress bar. It is displayed only if standard error is a terminal. */
export async function makeBar(size: number, { errors }: Terminal): Promise<SingleBar> {
  const { default: cliProgress } = await import('cli-progress');
  const format = '{bar} {percentage} % | {eta_formatted} left';
  const bar = new cliProgress.SingleBar(
    { format, stream: errors, clearOnComplete: true, noTTYOutput: false },
    cliProgress.Presets.shades_classic,
  );
  bar.setTotal(size);
  return bar;
}
