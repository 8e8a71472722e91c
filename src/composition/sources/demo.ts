import type { Log } from '#adapters/log-pino/logger.js';
import { ContinueDemo, DEMO_INTERVAL } from '#application/demo/continue-demo.js';
import type { Lease } from '#application/ports/lease.js';
import * as t from '../graph/tokens.js';
import { type Wiring, wireFactory } from '../graph/wiring.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';

/**
 * Writes the next rows of the live stations of the demo while the service runs. If several instances use the same data, only one
 * of them writes.
 */
export function demoWriter(): readonly Wiring[] {
  return [
    wireFactory(t.DemoLease, (leases) => leases('demo'), [t.Leases]),
    wireFactory(t.Runnable, writer, [ContinueDemo, t.DemoLease, t.Log]),
  ];
}

function writer(demo: ContinueDemo, lease: Lease, { logger }: Log): Runnable {
  const rounds = periodic({
    work: async (signal) => {
      if (!(await demo.isNeeded())) await lease.release();
      else if (await lease.acquire()) await demo.execute(signal);
    },
    onFailure: (error) => logger.error({ reason: reasonOf(error) }, 'the demo could not be continued'),
    interval: DEMO_INTERVAL,
    atOnce: true,
  });
  return {
    ...rounds,
    stop: async (deadline) => {
      await rounds.stop(deadline);
      // If the release fails, another instance takes over after some time.
      await lease.release().catch(() => undefined);
      return undefined;
    },
  };
}
