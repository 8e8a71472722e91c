import type { Log } from '#adapters/log-pino/logger.js';
import { DeliveryMetrics } from '#application/hooks/delivery-metrics.js';
import { Dispatcher } from '#application/hooks/dispatcher.js';
import { describeFailing } from '#application/hooks/failing-targets.js';
import type { DispatchNotice } from '#application/hooks/lane.js';
import { HOOKS_INTERVAL, RunHooks } from '#application/hooks/run-hooks.js';
import { ReadRecent } from '#application/observations/read/present/read-recent.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { describeTarget } from '#domain/hooks/target.js';
import type { Application } from '../container.js';
import * as tokens from '../modules/tokens.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';

/** Name of the lease. */
const LEASE = 'hook-sender';

/** Sends new rows to the targets of hooks while the service runs. Of several instances on the same data only one sends. */
export function openHooks({ container, leaseOf }: Application, { logger }: Log): Runnable {
  const [clock, store] = [container.get(tokens.Clock), container.get(tokens.HookStore)];
  const onNotice = (notice: DispatchNotice) => logDispatch(logger, notice);
  const metrics = container.get(DeliveryMetrics);
  const dispatcher = new Dispatcher({
    clock,
    delivery: container.get(tokens.Delivery),
    onNotice,
    onFate: ({ name }, _message, fate) => metrics.count('hook', name, fate),
  });
  const hooks = new RunHooks({
    clock,
    store,
    dispatcher,
    announcer: container.get(tokens.Announcer),
    directory: container.get(StationDirectory),
    observations: container.get(tokens.ObservationStore),
    recent: container.get(ReadRecent),
    lease: leaseOf(LEASE),
  });
  metrics.reportWaiting('hook', () => hooks.waiting);
  const rounds = periodic({
    name: 'hooks',
    work: () => hooks.execute(),
    onFailure: (error) => logger.error({ reason: reasonOf(error) }, 'hooks cannot be read for now'),
    defect: () => describeFailing('hook', hooks.failing, clock.now()),
    interval: HOOKS_INTERVAL,
    atOnce: true,
  });
  return {
    ...rounds,
    stop: async (deadline) => {
      await rounds.stop(deadline);
      try {
        await hooks.close();
      } catch (error) {
        logger.error({ reason: reasonOf(error) }, 'the last rows may be sent to hooks again');
      } finally {
        await dispatcher.close();
      }
      return undefined;
    },
  };
}

/** Logs what operators should know about a target of messages. */
export function logDispatch(logger: Log['logger'], notice: DispatchNotice): void {
  const { name, target } = notice.outbox;
  const fields = { hook: name, target: describeTarget(target) };
  switch (notice.kind) {
    case 'failing':
      return logger.warn(
        { ...fields, reason: notice.reason },
        'the target of a hook or an alarm fails; it is tried again',
      );
    case 'recovered':
      return logger.info(
        { ...fields, failures: notice.failures },
        'the target of a hook or an alarm works again',
      );
    case 'givenUp':
      return logger.error(
        { ...fields, count: notice.count, message: notice.message.id, reason: notice.reason },
        'messages of a hook or an alarm were given up',
      );
  }
}
