import { toForecastFields } from '#adapters/http/external/forecast/forecast-reply.js';
import type { Log } from '#adapters/log-pino/logger.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { DeliveryMetrics } from '#application/hooks/delivery-metrics.js';
import { Dispatcher } from '#application/hooks/dispatcher.js';
import { describeFailing } from '#application/hooks/failing-targets.js';
import type { DispatchNotice } from '#application/hooks/delivery-queue.js';
import { HOOKS_INTERVAL, RunHooks } from '#application/hooks/run-hooks.js';
import { TargetKinds } from '#application/hooks/target-kinds.js';
import { ReadSums } from '#application/observations/read/current/read-sums.js';
import type { Clock } from '#application/ports/clock.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { describeTarget } from '#domain/hooks/hook-target.js';
import * as t from '../graph/tokens.js';
import { wireFactory, wireValue, useCase, type Wiring } from '../graph/wiring.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';

/** Sends new rows and forecasts to the targets of hooks while the service runs. If several instances use the same data, only one of them sends. */
export function hookSender(): readonly Wiring[] {
  return [
    wireFactory(
      t.HookDispatcher,
      (clock, delivery, metrics, log) =>
        new Dispatcher({
          clock,
          delivery,
          onNotice: (notice) => logDispatch(log.logger, notice),
          onOutcome: ({ name }, _message, outcome) => metrics.count('hook', name, outcome),
        }),
      [t.Clock, t.Delivery, DeliveryMetrics, t.Log],
    ),
    wireFactory(t.HookLease, (leases) => leases('hook-sender'), [t.Leases]),
    wireValue(t.ForecastFields, (forecast) => toForecastFields(forecast, { units: 'metric' })),
    useCase(RunHooks, [
      {
        clock: t.Clock,
        store: t.HookStore,
        dispatcher: t.HookDispatcher,
        announcer: t.Announcer,
        directory: StationDirectory,
        observations: t.ObservationStore,
        sums: ReadSums,
        kinds: TargetKinds,
        orders: ForecastOrders,
        forecasts: GetForecast,
        forecastFields: t.ForecastFields,
        lease: t.HookLease,
      },
    ]),
    wireFactory(t.Runnable, sender, [t.Clock, RunHooks, t.HookDispatcher, DeliveryMetrics, t.Log]),
  ];
}

function sender(
  clock: Clock,
  hooks: RunHooks,
  dispatcher: Dispatcher,
  metrics: DeliveryMetrics,
  { logger }: Log,
): Runnable {
  metrics.reportWaiting('hook', () => hooks.waiting);
  const rounds = periodic({
    name: 'hooks',
    work: () => hooks.execute(),
    onFailure: (error) => logger.error({ reason: reasonOf(error) }, 'hooks could not be read'),
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
        logger.error({ reason: reasonOf(error) }, 'the last rows and forecasts may be sent to hooks again');
      } finally {
        await dispatcher.closeAll();
      }
      return undefined;
    },
  };
}

/**
 * Logs that a target fails, that it works again, or that messages to it were given up. A target, for example a URL, receives the
 * messages of a hook or an alarm.
 */
export function logDispatch(logger: Log['logger'], notice: DispatchNotice): void {
  const { name, target } = notice.outbox;
  const fields = { hook: name, target: describeTarget(target) };
  switch (notice.kind) {
    case 'failing':
      return logger.warn(
        { ...fields, reason: notice.reason },
        'the target of a hook or an alarm fails; the delivery is tried again',
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
