import { execFile } from 'node:child_process';
import type { Log } from '#adapters/log-pino/logger.js';
import type { Supervision } from '../config.js';

/**
 * Notifies systemd that the service listens and that its event loop runs. The notifications are sent with `systemd-notify`,
 * because Node.js cannot send datagrams to a Unix domain socket. The unit needs `NotifyAccess=all`.
 *
 * The notifications continue even if a health check fails, so systemd does not restart the service then. A restart would not
 * repair the usual reason, for example a database server that is down.
 *
 * @returns a function to call when the service begins to stop
 */
export function notifySupervisor({ watchdog }: Supervision, { logger }: Log): () => void {
  let hasFailed = false;
  const notify = (state: string) =>
    execFile('systemd-notify', [state], (error) => {
      if (error === null || hasFailed) return;
      hasFailed = true;
      logger.warn(
        { reason: error.message.trim() },
        'systemd-notify has failed; systemd may restart the service',
      );
    });
  notify('READY=1');
  const timer =
    watchdog === undefined ? undefined : setInterval(() => notify('WATCHDOG=1'), watchdog / 2).unref();
  return () => {
    clearInterval(timer);
    notify('STOPPING=1');
  };
}
