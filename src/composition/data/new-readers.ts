import type { Log } from '#adapters/log-pino/logger.js';
import type { Application } from '../container.js';

/** Logs once, after an upgrade, that some users can no longer write. In older versions all users could write. */
export async function warnAboutNewReaders(application: Application, { logger }: Log): Promise<void> {
  // The store returns the number of users who can no longer write only once. It must not be asked if the log level would drop the message.
  if (!logger.isLevelEnabled('warn')) return;
  const users = await application.updates.takeNewReaders();
  if (users === 0) return;
  logger.warn(
    { users },
    `${users === 1 ? '1 user is not an administrator and' : `${users} users are not administrators and`} can only read ` +
      'from this version on. "weatherd user grant NAME STATION..." lets a user write observations of stations, ' +
      '"weatherd user grant NAME --all" of all stations.',
  );
}
