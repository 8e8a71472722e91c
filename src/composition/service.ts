import type { Container } from 'inversify';
import type { Mapper } from '../adapters/formats/mapping/mapper.js';
import type { Log } from '../adapters/log-pino/logger.js';
import { AuditTrail } from '../application/accounts/audit-trail.js';
import { FLUSH_INTERVAL, WriteTally } from '../application/observations/ingest/write-tally.js';
import {
  JUDGING_INTERVAL,
  JudgeObservations,
} from '../application/observations/judging/judge-observations.js';
import { TABLE_INTERVAL, KeepDayTables } from '../application/observations/read/keep-day-tables.js';
import type { ApiName } from '../application/operation/get-info.js';
import { HOUSEKEEPING_INTERVAL, Housekeep } from '../application/operation/housekeep.js';
import { PendingSenders } from '../application/uploads/pending/pending-senders.js';
import { STATUS_INTERVAL, UploadStatuses } from '../application/uploads/status/upload-statuses.js';
import { CHECK_INTERVAL, MonitorHealth } from '../application/operation/monitor-health.js';
import { RecordReadings } from '../application/uploads/record-readings.js';
import { openBroker, openMapper } from './sources/broker.js';
import type { Config } from './config.js';
import { type Application, openApplication } from './container.js';
import { dataWarnings } from './data/data-warnings.js';
import * as tokens from './modules/tokens.js';
import { listening } from './listening.js';
import { reasonOf } from './reason.js';
import { periodic, type Runnable, Runnables, together } from './runnables.js';
import { makeServer, type ServerSettings } from './servers.js';
import { socketPath } from './settings/settings.js';
import { readTlsFiles } from './settings/tls-files.js';

/** The running service, as `weatherd serve` and the tests use it. */
export interface Service {
  readonly externalUrl: string;
  readonly internalUrl: string;
  /** Undefined if uploads are switched off. */
  readonly uploadsUrl: string | undefined;
  /** Location of the data, as shown to people. */
  readonly location: string;
  readonly application: Application;
  /**
   * Reads the TLS files again, for new connections.
   *
   * @throws Error that describes their fault; the present certificate stays in use
   */
  reloadTls(config: Config): void;
  /**
   * Stops in an orderly way: liveliness fails, new work is refused, work in progress finishes, stores close.
   *
   * @returns whether all work finished within the deadline
   */
  stop(): Promise<boolean>;
}

/**
 * Opens the stores, runs the first checks and listens on both ports. If it rejects, nothing is left open.
 *
 * @throws Error with the reason in one line
 */
export async function startService(config: Config, log: Log): Promise<Service> {
  const { logger } = log;
  for (const warning of dataWarnings(config)) logger.warn(warning);
  const application = await openApplication(config, ({ name, state, detail }, reason) => {
    if (state === 'ok') logger.info({ check: name }, 'works again');
    else if (state === 'degraded') logger.warn({ check: name, detail }, 'works with a defect');
    else logger.error({ check: name, reason: reasonOf(reason) }, 'does not work');
  });
  const { container } = application;
  application.listenToOthers();
  const health = container.get(MonitorHealth);
  let closing = false;
  const runnables = new Runnables((checks) => health.watch(checks));
  const stop = async () => {
    closing = true;
    health.beginShutdown();
    const finished = await runnables.stop(config.SHUTDOWN_DEADLINE * 1000);
    await flushAudit(application, log);
    await application.close();
    return finished;
  };
  try {
    const mapper = openMapper(config, container.get(tokens.Calendar));
    const parts = [...background(application, log), ...(await broker(config, application, log, mapper))];
    await health.execute();
    for (const part of parts) await runnables.start(part);
    await warnAboutNewReaders(application, log);
    const uploads = await makeUploads(config, container, log, mapper);
    const settings = { config, container, log, isClosing: () => closing, uploads: uploads?.find };
    const [external, internal] = [await listener('external', settings), await listener('internal', settings)];
    const listeners = [external, internal, ...(uploads ? [uploads.listener] : [])];
    await runnables.start(together(listeners));
    const reloadTls = (fresh: Config) => {
      const pair = readTlsFiles(fresh);
      if ((pair === undefined) !== (config.EXTERNAL_TLS_CERT === undefined)) {
        throw new Error('TLS can be switched on and off by a restart only.');
      }
      if (pair !== undefined) external.server.setTls(pair);
    };
    const { location } = application;
    return {
      externalUrl: external.url(),
      internalUrl: internal.url(),
      uploadsUrl: uploads?.listener.url(),
      location,
      application,
      reloadTls,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The background work: health checks, housekeeping, and writing what is collected in memory. */
function background({ container }: Application, { logger }: Log): readonly Runnable[] {
  const logFailure = (what: string) => (error: unknown) => logger.error({ reason: reasonOf(error) }, what);
  const [health, housekeep, tally, statuses, pending, dayTables, judge] = [
    container.get(MonitorHealth),
    container.get(Housekeep),
    container.get(WriteTally),
    container.get(UploadStatuses),
    container.get(PendingSenders),
    container.get(KeepDayTables),
    container.get(JudgeObservations),
  ];
  return [
    // Overlapping, so that a check that hangs does not delay the others. MonitorHealth itself notices missing rounds.
    periodic({ work: () => health.execute(), interval: CHECK_INTERVAL, overlapping: true }),
    // A round that deletes many observations may take longer than the interval.
    periodic({
      name: 'housekeeping',
      work: (signal) => housekeep.execute(signal),
      onFailure: logFailure('housekeeping failed'),
      interval: HOUSEKEEPING_INTERVAL,
      atOnce: true,
    }),
    // Counts that are left when the service stops are written when the application closes.
    periodic({
      name: 'audit of bulk writes',
      work: () => tally.flush(),
      onFailure: logFailure('writes are missing in the audit trail for now'),
      interval: FLUSH_INTERVAL,
    }),
    periodic({
      name: 'tables of days',
      work: (signal) => dayTables.execute(signal),
      onFailure: logFailure('tables of days are not kept for now'),
      interval: TABLE_INTERVAL,
    }),
    periodic({
      name: 'quality control',
      work: async (signal) => void (await judge.execute(signal)),
      onFailure: logFailure('observations are not judged for now'),
      interval: JUDGING_INTERVAL,
    }),
    periodic({
      name: 'status of uploads',
      work: async () => void (await Promise.all([statuses.flush(), pending.flush()])),
      onFailure: logFailure('the status of uploads is not stored for now'),
      interval: STATUS_INTERVAL,
    }),
  ];
}

/** The listener for uploads; undefined if uploads are switched off. */
async function makeUploads(config: Config, container: Container, log: Log, mapper: Mapper | undefined) {
  if (!config.UPLOADS_ENABLED) return undefined;
  const { UPLOADS_HOST: host, UPLOADS_PORT: port } = config;
  const { openUploads } = await import('./sources/uploads.js');
  const { server, find } = openUploads(config, container, log, mapper);
  return {
    find,
    listener: listening('uploads', host, port, {
      listen: () => server.listen(host, port),
      assertListening: () => server.assertListening(),
      close: (deadline) => server.close(deadline),
    }),
  };
}

/** The client of the configured broker. */
async function broker(
  config: Config,
  { container }: Application,
  log: Log,
  mapper: Mapper | undefined,
): Promise<readonly Runnable[]> {
  if (mapper === undefined) return [];
  const record: RecordReadings['execute'] = (readings) => container.get(RecordReadings).execute(readings);
  const client = await openBroker({ config, mapper, clock: container.get(tokens.Clock), record, log });
  return client === undefined ? [] : [client];
}

/** The server of an API. */
async function listener(name: ApiName, settings: ServerSettings) {
  const { config } = settings;
  const [host, port] =
    name === 'external'
      ? [config.EXTERNAL_HOST, config.EXTERNAL_PORT]
      : [config.INTERNAL_HOST, config.INTERNAL_PORT];
  const server = await makeServer(name, settings);
  const path = socketPath(host);
  const runnable = listening(name, host, port, {
    listen: () => (path === undefined ? server.listen(host, port) : server.listenOnSocket(path)),
    assertListening: () => server.listener.assertListening(),
    close: (deadline) => server.close(deadline),
  });
  return { ...runnable, server };
}

/** In older versions all users could write. The log tells the operator why they no longer can. */
async function warnAboutNewReaders(application: Application, { logger }: Log): Promise<void> {
  // The store reports it once, so it must not be asked while the log level would drop the message.
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

/** Writes the counts of throttled attempts that are still in memory. */
async function flushAudit(application: Application, { logger }: Log): Promise<void> {
  try {
    await application.container.get(AuditTrail).flush();
  } catch (error) {
    logger.error({ reason: reasonOf(error) }, 'the audit trail lacks counts of throttled attempts');
  }
}
