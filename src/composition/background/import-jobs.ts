import { ImportJobs } from '#application/observations/imports/import-jobs.js';
import { MILLISECONDS } from '#domain/time.js';
import * as t from '../graph/tokens.js';
import { wireFactory, type Wiring } from '../graph/wiring.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';

/** Continues the imports over HTTP of an earlier run, removes files whose time is over, and stops imports with the service. */
export function importJobs(): readonly Wiring[] {
  return [
    wireFactory(
      t.Runnable,
      (jobs, { logger }): Runnable => {
        const failed = (error: unknown) =>
          logger.error({ reason: reasonOf(error) }, 'a step of an import has failed');
        const rounds = periodic({
          name: 'imports',
          work: () => jobs.cleanUp(),
          onFailure: failed,
          interval: MILLISECONDS.minute,
        });
        return {
          checks: rounds.checks,
          start: async () => {
            await jobs.start(failed);
            rounds.start();
          },
          stop: async (deadline) => {
            await rounds.stop(deadline);
            await jobs.stop();
            return undefined;
          },
        };
      },
      [ImportJobs, t.Log],
    ),
  ];
}
