import type { HttpServer } from '../adapters/http/server/http-server.js';
import type { Log } from '../adapters/log-pino/logger.js';
import { AuditTrail } from '../application/accounts/audit-trail.js';
import { FLUSH_INTERVAL, WriteTally } from '../application/observations/ingest/write-tally.js';
import type { ApiName } from '../application/operation/get-info.js';
import { HOUSEKEEPING_INTERVAL, Housekeep } from '../application/operation/housekeep.js';
import { CHECK_INTERVAL, MonitorHealth } from '../application/operation/monitor-health.js';
import type { Config } from './config.js';
import { type Application, openApplication } from './container.js';
import { dataWarnings } from './data/data-warnings.js';
import * as tokens from './modules/tokens.js';
import { reasonOf } from './reason.js';
import { makeServer } from './servers.js';
import { socketPath } from './settings/settings.js';
import { readTlsFiles } from './settings/tls-files.js';

/** The running service: the same thing for `weatherd serve` and for the tests. */
export interface Service {
  readonly externalUrl: string;
  readonly internalUrl: string;
  /** Where the data is, for people. */
  readonly location: string;
  readonly application: Application;
  /**
   * Reads the TLS files anew; connections from now on get them.
   *
   * @throws Error that says what is wrong with them; those in force stay
   */
  reloadTls(config: Config): void;
  /**
   * Ends in order: liveliness fails, new work is refused, work in flight finishes, stores close.
   *
   * @returns whether all work finished within the deadline
   */
  stop(): Promise<boolean>;
}

/**
 * Opens the stores, runs the first checks and listens on both ports. When it rejects nothing is left open.
 *
 * @throws Error whose message says in one line what is in the way
 */
export async function startService(config: Config, log: Log): Promise<Service> {
  const { logger } = log;
  for (const warning of dataWarnings(config)) logger.warn(warning);
  const application = await openApplication(config, ({ name, state, detail }, reason) => {
    if (state === 'ok') logger.info({ check: name }, 'works again');
    else if (state === 'degraded') logger.warn({ check: name, detail }, 'works with a defect');
    else logger.error({ check: name, reason: reasonOf(reason) }, 'does not work');
  });
  const health = application.container.get(MonitorHealth);
  let closing = false;
  const settings = { config, container: application.container, log, isClosing: () => closing };
  const servers: HttpServer[] = [];
  const stop = async () => {
    closing = true;
    health.beginShutdown();
    const finished = await Promise.all(
      servers.map((server) => server.close(config.SHUTDOWN_DEADLINE * 1000)),
    );
    clearInterval(timer);
    await housekeeping.stop();
    clearInterval(flushing);
    await flushAudit(application, log);
    await application.close();
    return finished.every(Boolean);
  };
  await health.execute();
  const timer = watch(health);
  const housekeeping = tidy(application, log);
  const flushing = flushTally(application, log);
  try {
    await tellNewReaders(application, log);
    const listen = async (name: ApiName, host: string, port: number) => {
      const server = await makeServer(name, settings);
      servers.push(server);
      const path = socketPath(host);
      const listening = path === undefined ? server.listen(host, port) : server.listenOnSocket(path);
      return await listening.catch((error: NodeJS.ErrnoException) => {
        throw new Error(explainListen(name, host, port, error), { cause: error });
      });
    };
    const externalUrl = await listen('external', config.EXTERNAL_HOST, config.EXTERNAL_PORT);
    const internalUrl = await listen('internal', config.INTERNAL_HOST, config.INTERNAL_PORT);
    const reloadTls = (fresh: Config) => {
      const pair = readTlsFiles(fresh);
      if ((pair === undefined) !== (config.EXTERNAL_TLS_CERT === undefined)) {
        throw new Error('TLS can be switched on and off by a restart only.');
      }
      if (pair !== undefined) servers[0]?.setTls(pair);
    };
    return { externalUrl, internalUrl, location: application.location, application, reloadTls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function watch(health: MonitorHealth): NodeJS.Timeout {
  return setInterval(() => void health.execute(), CHECK_INTERVAL);
}

/** At once, for what has gathered while nothing ran, and then every hour. */
function tidy(application: Application, { logger }: Log): { stop(): Promise<void> } {
  const housekeep = application.container.get(Housekeep);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const round = () => {
    // A round that deletes many observations may take longer than the interval.
    running ??= housekeep
      .execute(stopping.signal)
      .catch((error: unknown) => logger.error({ reason: reasonOf(error) }, 'housekeeping failed'))
      .finally(() => (running = undefined));
  };
  round();
  const timer = setInterval(round, HOUSEKEEPING_INTERVAL).unref();
  const stop = async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
  return { stop };
}

/** What is left when the service stops is written by closing the application. */
function flushTally(application: Application, { logger }: Log): NodeJS.Timeout {
  const tally = application.container.get(WriteTally);
  const flush = () =>
    tally
      .flush()
      .catch((error: unknown) =>
        logger.error({ reason: reasonOf(error) }, 'writes are missing in the audit trail for now'),
      );
  return setInterval(() => void flush(), FLUSH_INTERVAL).unref();
}

/** Users of older versions could all write; an operator must learn why they no longer can. */
async function tellNewReaders(application: Application, { logger }: Log): Promise<void> {
  // It is told once: not into a log that leaves it out.
  if (!logger.isLevelEnabled('warn')) return;
  const users = await application.container.get(tokens.CredentialStore).takeNewReaders();
  if (users === 0) return;
  logger.warn(
    { users },
    `${users === 1 ? '1 user is not an administrator and' : `${users} users are not administrators and`} can only read ` +
      'from this version on. "weatherd user grant NAME STATION..." lets a user write observations of stations, ' +
      '"weatherd user grant NAME --all" of all stations.',
  );
}

/** The counts of throttled attempts that are not written yet. */
async function flushAudit(application: Application, { logger }: Log): Promise<void> {
  try {
    await application.container.get(AuditTrail).flush();
  } catch (error) {
    logger.error({ reason: reasonOf(error) }, 'the audit trail lacks counts of throttled attempts');
  }
}

function explainListen(api: ApiName, host: string, port: number, error: NodeJS.ErrnoException): string {
  const isSocket = socketPath(host) !== undefined;
  const prefix = `WEATHERD_${api.toUpperCase()}`;
  const settings = isSocket ? `${prefix}_HOST sets it` : `${prefix}_HOST and ${prefix}_PORT set it`;
  const inUse = isSocket ? 'somebody listens there, or it is no socket' : 'the port is in use';
  const reason = error.code === 'EADDRINUSE' ? inUse : error.message;
  return `The ${api} API cannot listen on ${host}${isSocket ? '' : ` port ${port}`}: ${reason} (${settings}).`;
}
