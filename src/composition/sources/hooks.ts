import type { Container } from 'inversify';
import type { Log } from '../../adapters/log-pino/logger.js';
import { Dispatcher } from '../../application/hooks/dispatcher.js';
import type { DispatchNotice } from '../../application/hooks/lane.js';
import { HOOKS_INTERVAL, RunHooks } from '../../application/hooks/run-hooks.js';
import { SenderLease } from '../../application/hooks/sender-lease.js';
import { ReadRecent } from '../../application/observations/read/present/read-recent.js';
import { StationDirectory } from '../../application/stations/station-directory.js';
import { describeTarget } from '../../domain/hooks/target.js';
import * as tokens from '../modules/tokens.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';

/**
 * Sends new rows to the targets of hooks while the service runs.
 *
 * @param isShared whether other instances can use the same data; only one of them sends then
 */
export function openHooks(container: Container, { logger }: Log, isShared: boolean): Runnable {
  const [clock, store] = [container.get(tokens.Clock), container.get(tokens.UploadStore)];
  const onNotice = (notice: DispatchNotice) => logDispatch(logger, notice);
  const dispatcher = new Dispatcher({ clock, delivery: container.get(tokens.Delivery), onNotice });
  const hooks = new RunHooks({
    clock,
    store,
    dispatcher,
    announcer: container.get(tokens.Announcer),
    directory: container.get(StationDirectory),
    observations: container.get(tokens.ObservationStore),
    recent: container.get(ReadRecent),
    lease: isShared ? new SenderLease(clock, store, container.get(tokens.IdSource).next()) : undefined,
  });
  const rounds = periodic({
    name: 'hooks',
    work: () => hooks.execute(),
    onFailure: (error) => logger.error({ reason: reasonOf(error) }, 'hooks cannot be read for now'),
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
        'the target of a hook fails; it is tried again',
      );
    case 'recovered':
      return logger.info({ ...fields, failures: notice.failures }, 'the target of a hook works again');
    case 'givenUp':
      return logger.error(
        { ...fields, count: notice.count, message: notice.message.id, reason: notice.reason },
        'messages for a hook were given up',
      );
  }
}
