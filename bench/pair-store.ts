import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Figures, type Measure, oneAfterTheOther } from './pair-builds.js';

/**
 * Measures the observation store through the interface `ObservationStore`, with a new process for each measurement; see
 * `pair-store-case.ts`.
 */
export async function pairStore(): Promise<Measure> {
  const script = fileURLToPath(new URL('pair-store-case.js', import.meta.url));
  return oneAfterTheOther(
    async (checkout, folder) =>
      JSON.parse(execFileSync(process.execPath, [script, checkout, folder]).toString()) as Figures,
  );
}
