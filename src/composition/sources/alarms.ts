import type { Container } from 'inversify';
import type { Log } from '#adapters/log-pino/logger.js';
import { AlarmBook } from '#application/alarms/alarm-book.js';
import { AlarmMessages } from '#application/alarms/alarm-messages.js';
import { ALARM_INTERVAL, EvaluateAlarms } from '#application/alarms/evaluate-alarms.js';
import { ReadStation } from '#application/alarms/read-station.js';
import { DeliveryMetrics } from '#application/hooks/delivery-metrics.js';
import { Dispatcher } from '#application/hooks/dispatcher.js';
import { describeFailing } from '#application/hooks/failing-targets.js';
import type { DispatchNotice } from '#application/hooks/lane.js';
import type { Lease } from '#application/ports/lease.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { Application } from '../container.js';
import * as tokens from '../modules/tokens.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';
import { logDispatch } from './hooks.js';

/** Name of the lease. */
const LEASE = 'alarm-sender';

/** Evaluates alarms and sends their messages while the service runs. Of several instances on the same data only one does it. */
export function openAlarms({ container, leaseOf }: Application, { logger }: Log): Runnable {
  const onNotice = (notice: DispatchNotice) => logDispatch(logger, notice);
  const { evaluate, dispatcher, messages } = makeEvaluation(container, onNotice, leaseOf(LEASE));
  const clock = container.get(tokens.Clock);
  container.get(DeliveryMetrics).reportWaiting('alarm', () => messages.waiting);
  const rounds = periodic({
    name: 'alarms',
    work: (signal) => evaluate.execute(signal),
    onFailure: (error) => logger.error({ reason: reasonOf(error) }, 'alarms are not raised for now'),
    defect: () => describeFailing('alarm', messages.failing, clock.now()),
    interval: ALARM_INTERVAL,
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
        await dispatcher.close();
      }
      return undefined;
    },
  };
}

export function makeEvaluation(
  container: Container,
  onNotice: (notice: DispatchNotice) => void,
  lease: Pick<Lease, 'hold' | 'release'>,
) {
  const [clock, store] = [container.get(tokens.Clock), container.get(tokens.AlarmStore)];
  const [directory, book] = [container.get(StationDirectory), container.get(AlarmBook)];
  const metrics = container.get(DeliveryMetrics);
  const dispatcher = new Dispatcher({
    clock,
    delivery: container.get(tokens.Delivery),
    onNotice,
    onFate: (_outbox, { facts }, fate) => metrics.count('alarm', facts?.['alarm'] ?? '', fate),
  });
  const messages = new AlarmMessages(clock, dispatcher, directory, store, book);
  const evaluate = new EvaluateAlarms({
    clock,
    ids: container.get(tokens.IdSource),
    announcer: container.get(tokens.Announcer),
    directory,
    observations: container.get(tokens.ObservationStore),
    store,
    lease,
    book,
    messages,
    read: container.get(ReadStation),
  });
  return { evaluate, dispatcher, messages };
}
