import type { Log } from '#adapters/log-pino/logger.js';
import { AlarmCache } from '#application/alarms/alarm-cache.js';
import { AlarmMessages } from '#application/alarms/alarm-messages.js';
import { ALARM_INTERVAL, EvaluateAlarms } from '#application/alarms/evaluate-alarms.js';
import { PersonalMessages } from '#application/alarms/personal-messages.js';
import { ReadStation } from '#application/alarms/read-station.js';
import { DeliveryMetrics } from '#application/hooks/delivery-metrics.js';
import { Dispatcher } from '#application/hooks/dispatcher.js';
import { describeFailing } from '#application/hooks/failing-targets.js';
import type { Clock } from '#application/ports/clock.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as t from '../graph/tokens.js';
import { wireFactory, useCase, type Wiring } from '../graph/wiring.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';
import { logDispatch } from './hooks.js';

/**
 * Alarms are evaluated in rounds, one after the other. The health check reports a round that takes more than this number of
 * milliseconds. The default, three times the interval between rounds, is too short for thousands of alarms for all stations.
 */
const LATE = 6000;

/**
 * Evaluates alarms and sends their messages while the service runs. If several instances use the same data, only one of them does
 * this work.
 */
export function alarmSender(): readonly Wiring[] {
  return [
    wireFactory(t.AlarmLease, (leases) => leases('alarm-sender'), [t.Leases]),
    ...alarmEvaluation(),
    wireFactory(t.Runnable, sender, [
      t.Clock,
      EvaluateAlarms,
      t.AlarmDispatcher,
      AlarmMessages,
      DeliveryMetrics,
      t.Log,
    ]),
  ];
}

/** The classes that evaluate alarms, without the periodic rounds. */
export function alarmEvaluation(): readonly Wiring[] {
  return [
    wireFactory(
      t.AlarmDispatcher,
      (clock, delivery, metrics, log) =>
        new Dispatcher({
          clock,
          delivery,
          onNotice: (notice) => logDispatch(log.logger, notice),
          onOutcome: (_outbox, { facts }, outcome) => metrics.count('alarm', facts?.['alarm'] ?? '', outcome),
        }),
      [t.Clock, t.Delivery, DeliveryMetrics, t.Log],
    ),
    useCase(AlarmMessages, [
      t.Clock,
      t.AlarmDispatcher,
      StationDirectory,
      t.AlarmStore,
      AlarmCache,
      PersonalMessages,
    ]),
    useCase(EvaluateAlarms, [
      {
        clock: t.Clock,
        ids: t.IdSource,
        announcer: t.Announcer,
        directory: StationDirectory,
        observations: t.ObservationStore,
        store: t.AlarmStore,
        lease: t.AlarmLease,
        cache: AlarmCache,
        messages: AlarmMessages,
        read: ReadStation,
      },
    ]),
  ];
}

function sender(
  clock: Clock,
  evaluate: EvaluateAlarms,
  dispatcher: Dispatcher,
  messages: AlarmMessages,
  metrics: DeliveryMetrics,
  { logger }: Log,
): Runnable {
  metrics.reportWaiting('alarm', () => messages.waiting);
  const rounds = periodic({
    name: 'alarms',
    work: (signal) => evaluate.execute(signal),
    onFailure: (error) => logger.error({ reason: reasonOf(error) }, 'alarms could not be evaluated'),
    defect: () => describeFailing('alarm', messages.failing, clock.now()),
    interval: ALARM_INTERVAL,
    late: LATE,
  });
  return {
    ...rounds,
    stop: async (deadline) => {
      await rounds.stop(deadline);
      try {
        await evaluate.close();
      } catch (error) {
        logger.error({ reason: reasonOf(error) }, 'another instance takes over the alarms with a delay');
      } finally {
        await dispatcher.closeAll();
      }
      return undefined;
    },
  };
}
