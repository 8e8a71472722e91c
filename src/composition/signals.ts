import { EXIT } from '#adapters/cli/program.js';
import type { Log } from '#adapters/log-pino/logger.js';
import type { Config } from './config.js';
import { reasonOf } from './reason.js';
import type { Service } from './service.js';
import { type SettingName, SETTING_TABLE } from './settings/settings.js';

/** The objects on which the signals act. */
export interface Serving {
  readonly service: Service;
  readonly log: Log;
  readonly config: Config;
  /** Reads the configuration again. */
  readonly readConfig: () => Config;
  /**
   * Whether a standard stream was a terminal at the start. If true, SIGHUP means that the terminal was closed. If false, SIGHUP
   * comes from a supervisor and means "reload".
   */
  readonly hasTerminal: boolean;
  /** Called when the service begins to stop. */
  readonly onStop?: (() => void) | undefined;
}

/**
 * Stops the service in an orderly way on SIGTERM, on SIGINT and when the terminal is closed. A second signal ends the process at
 * once.
 */
export function listenToSignals(serving: Serving): void {
  const { log, hasTerminal, onStop } = serving;
  let ending = false;
  const end = (signal: NodeJS.Signals) => {
    if (ending) process.exit(EXIT.failed);
    ending = true;
    onStop?.();
    log.logger.info(
      { signal },
      signal === 'SIGHUP'
        ? 'the terminal was closed; the service is shutting down'
        : 'the service is shutting down',
    );
    void stop(serving).then(async (status) => {
      await log.close();
      process.exit(status);
    });
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('SIGHUP', hasTerminal ? end : () => reload(serving));
}

/** @returns the exit status */
async function stop({ service, log: { logger } }: Serving): Promise<number> {
  try {
    const finished = await service.stop();
    if (!finished) logger.warn('the deadline has passed; requests in progress were cut off');
    logger.info('stopped');
    return EXIT.done;
  } catch (error) {
    logger.error({ reason: reasonOf(error) }, 'the service could not stop in an orderly way');
    return EXIT.failed;
  }
}

/**
 * Reads the configuration and the TLS files again. If one of them has a fault, the current configuration and the current
 * certificate stay in use.
 */
function reload({ service, log, config, readConfig }: Serving): void {
  try {
    const fresh = readConfig();
    // This call may fail, so it comes first. If it fails, the log level stays unchanged too.
    service.reload(fresh);
    log.setLevel(fresh.LOG_LEVEL);
    const names = Object.keys(SETTING_TABLE) as SettingName[];
    const notReloaded = names.filter((name) => !SETTING_TABLE[name].reloads && differs(fresh, config, name));
    log.logger.info('reloaded the TLS files and the log level');
    if (notReloaded.length > 0) {
      const settings = notReloaded.map((name) => `WEATHERD_${name}`);
      log.logger.warn({ settings }, 'these settings have changed too; they take effect at the next start');
    }
  } catch (error) {
    log.logger.error(
      { reason: reasonOf(error) },
      'the service could not reload; the current settings stay in use',
    );
  }
}

function differs(a: Config, b: Config, name: SettingName): boolean {
  return JSON.stringify(a[name]) !== JSON.stringify(b[name]);
}
