import type { Mapper } from '#adapters/formats/mapping/mapper.js';
import type { TlsPair } from '#adapters/http/server/tls.js';
import type { Log } from '#adapters/log-pino/logger.js';
import { processMetrics } from '#adapters/telemetry-registry/process-metrics.js';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { ChangeUploads } from '#application/uploads/listening/change-uploads.js';
import { ObservationFeed } from '#application/observations/live/observation-feed.js';
import { ManageImports } from '#application/observations/imports/manage-imports.js';
import { MonitorHealth } from '#application/operation/monitor-health.js';
import { scheduledBackups } from './backups/scheduled-backups.js';
import { alarmSender } from './sources/alarms.js';
import { brokerParts, openMapper } from './sources/broker.js';
import { demoWriter } from './sources/demo.js';
import { UploadsSwitch } from './sources/uploads-switch.js';
import { sourceAsker } from './sources/asked-sources.js';
import { forecastAsker } from './sources/forecasts.js';
import { hookSender } from './sources/hooks.js';
import type { Config } from './config.js';
import { type Application, openApplication, type Sharing } from './container.js';
import { dataWarnings } from './data/data-warnings.js';
import { warnAboutNewReaders } from './data/new-readers.js';
import { healthLog } from './background/health-log.js';
import { importJobs } from './background/import-jobs.js';
import { periodicWork } from './background/periodic-work.js';
import * as tokens from './graph/tokens.js';
import { useCase, wireFactory, wireValue, moduleOf, type Wiring } from './graph/wiring.js';
import { commandListener } from './owner/command-listener.js';
import { reasonOf } from './reason.js';
import { type Runnable, Runnables, thenClose, together } from './runnables.js';
import { makeApi, makeOpenMeteoApi } from './servers.js';
import { withStoredReach } from './settings/uploads-reach.js';
import { expiryFault, readTlsFiles } from './settings/tls-files.js';
import { announceMigration } from './start/older-schema.js';
import { reportIfSlow } from './start/slow-opening.js';
import type { WorkerRole } from './workers/worker-start.js';

/** The running service. `weatherd serve` and the tests use this interface. */
export interface Service {
  readonly externalUrl: string;
  /** The URL of the internal API; empty in a worker process. */
  readonly internalUrl: string;
  /** The URL of the listener for clients of Open-Meteo; undefined if no port is set. */
  readonly openMeteoUrl: string | undefined;
  /** The URL of the listener for uploads; undefined if uploads are switched off. */
  readonly uploadsUrl: string | undefined;
  /** Location of the data, as shown to people. */
  readonly location: string;
  readonly application: Application;
  /**
   * Applies changed settings: certificate and key for new connections, and the log level of worker processes.
   *
   * @param tls certificate and key; by default they are read from the TLS files
   * @throws Error that describes a fault of the files. The current certificate then stays in use.
   */
  reload(config: Config, tls?: TlsPair): void;
  /** Follows a change of the setting of uploads in the main process, in a worker process. */
  followUploads(config: Config): Promise<void>;
  /**
   * Stops in an orderly way, in this order: the health endpoint `liveliness` reports a failure, new requests are refused,
   * requests in progress finish, the stores are closed.
   *
   * @returns whether all work finished within the deadline
   */
  stop(): Promise<boolean>;
}

/** The role of a process in the service. */
export interface ServiceRole {
  /** The first words of a command line that uses the data of this service, for example `weatherd --config /etc/weatherd.json`. */
  readonly command?: string | undefined;
  /** The data that only a worker process has; undefined in the main process. */
  readonly worker?: WorkerRole;
}

/**
 * Opens the stores, runs the first checks and listens on both ports. If the start fails, everything is closed again.
 *
 * @throws Error with the reason in one line
 */
export async function startService(
  ownConfig: Config,
  log: Log,
  { command, worker }: ServiceRole = {},
): Promise<Service> {
  const { logger } = log;
  const isMain = worker === undefined;
  if (isMain) for (const warning of dataWarnings(ownConfig)) logger.warn(warning);
  const processes = isMain ? await openProcesses(ownConfig, log, command) : undefined;
  const isMigration = isMain && (await announceMigration(ownConfig, (text) => logger.info(text)));
  const opening = openApplication(ownConfig, healthLog(log), worker?.sharing ?? processes?.sharing);
  const application = await reportIfSlow(opening, (text) => logger.info(text), isMigration);
  const { container } = application;
  application.listenToOthers();
  const health = container.get(MonitorHealth);
  const readPair = (from: Config) => readValidPair(from, container.get(tokens.Clock).now(), log);
  // A worker process gets the settings of the main process.
  const stored = isMain ? await container.get(tokens.SettingStore).find('uploads') : undefined;
  const config = withStoredReach(ownConfig, stored);
  processes?.followUploads(config);
  let closing = false;
  const runnables = new Runnables((checks) => health.watch(checks));
  const stop = async () => {
    closing = true;
    health.beginShutdown();
    return await thenClose(
      () => runnables.stop(config.SHUTDOWN_DEADLINE * 1000),
      async () => {
        await flushAudit(application, log);
        await application.close();
      },
    );
  };
  try {
    const mapper = openMapper(config, container.get(tokens.Calendar));
    const work = [...periodicWork(isMain), ...(isMain ? await mainWork(config, log, mapper) : [])];
    const uploads = new UploadsSwitch({
      config,
      open: async () => (await import('./sources/uploads.js')).openUploads(config, mapper, container, log),
      listens: isMain,
      health,
      onSwitch: (changed) => processes?.followUploads(changed),
    });
    container.load(
      moduleOf([
        wireValue(tokens.Log, log),
        ...work,
        ...uploadsControl(uploads, worker?.sharing.changeUploads),
      ]),
    );
    const parts = container.getAll(tokens.Runnable);
    if (!isMain) await health.watch([worker.check]);
    await health.execute();
    for (const part of parts) await runnables.start(part);
    if (isMain) await warnAboutNewReaders(application, log);
    if (application.movedRows > 0)
      logger.info(
        { rows: application.movedRows },
        'the daily values of an earlier version were moved: they are now stored apart from the reports',
      );
    const tls = isMain ? readPair(config) : worker.tls;
    const settings = {
      config,
      container,
      log,
      command,
      isClosing: () => closing,
      uploads,
      tls,
    };
    const external = processes?.externalApi(application, tls) ?? (await makeApi('external', settings));
    const internal = isMain ? await makeApi('internal', settings) : undefined;
    const openMeteo = isMain ? await makeOpenMeteoApi(settings) : undefined;
    const others = [internal, openMeteo].filter((api) => api !== undefined);
    await runnables.start(together([external, ...others, uploads]));
    await runnables.start(eventStreams([container.get(ObservationFeed), container.get(ManageImports)]));
    await runnables.start(processMetrics(container.get(tokens.Metrics)));
    for (const part of isMain ? commandListener(config, application, log) : []) await runnables.start(part);
    const reload = (fresh: Config, pair = readPair(fresh)) => {
      if ((pair === undefined) !== (config.EXTERNAL_TLS_CERT === undefined)) {
        throw new Error('TLS cannot be switched on or off by a reload: restart the service.');
      }
      external.reload(pair, fresh);
      openMeteo?.reload(pair, fresh);
    };
    const { location } = application;
    return {
      externalUrl: external.url(),
      internalUrl: internal?.url() ?? '',
      openMeteoUrl: openMeteo?.url(),
      get uploadsUrl() {
        return uploads.url;
      },
      followUploads: (changed) => uploads.follow(changed),
      location,
      application,
      reload,
      stop,
    };
  } catch (error) {
    // The reason of the failed start is thrown. An error of stopping is only logged.
    await stop().catch((fault: unknown) =>
      logger.error({ reason: reasonOf(fault) }, 'a part of the service could not be stopped'),
    );
    throw error;
  }
}

/** Reads the TLS files. A certificate that is not valid now is logged but used, because the clock may be wrong. */
function readValidPair(config: Config, now: number, { logger }: Log): TlsPair | undefined {
  const pair = readTlsFiles(config);
  const fault = pair && expiryFault(pair, config.EXTERNAL_TLS_CERT ?? '', now);
  if (fault !== undefined) logger.warn(`clients cannot use the certificate: ${fault}`);
  return pair;
}

/** Prepares the worker processes that serve the external API; undefined if this process serves it. */
async function openProcesses(config: Config, log: Log, command: string | undefined) {
  if (config.WORKERS === 1) return undefined;
  const { ExternalProcesses } = await import('./workers/external-processes.js');
  return await ExternalProcesses.prepare(config, log, command);
}

/** The part that ends event streams. It stops before the listeners, which would otherwise wait for these endless requests. */
function eventStreams(sources: readonly { close(): void }[]): Runnable {
  return {
    checks: [],
    start: () => undefined,
    stop: async () => {
      for (const source of sources) source.close();
      return undefined;
    },
  };
}

/** The parts that only the main process runs: backups, messages of hooks and alarms, and the parts that use the MQTT broker. */
async function mainWork(config: Config, log: Log, mapper: Mapper | undefined): Promise<readonly Wiring[]> {
  return [
    ...scheduledBackups(config),
    ...sourceAsker(),
    ...forecastAsker(config),
    ...hookSender(),
    ...alarmSender(),
    ...demoWriter(),
    ...importJobs(),
    ...(await brokerParts(config, mapper, log)),
  ];
}

/** What shows and changes the setting of uploads. @param change sends a change to the main process, in a worker process */
function uploadsControl(uploads: UploadsSwitch, change: Sharing['changeUploads']): readonly Wiring[] {
  if (change !== undefined)
    return [wireValue(tokens.UploadsControl, { state: () => uploads.state(), change })];
  return [
    wireValue(tokens.UploadListener, uploads),
    useCase(ChangeUploads, [tokens.UploadListener, tokens.SettingStore, AuditTrail]),
    wireFactory(
      tokens.UploadsControl,
      (use) => ({ state: () => use.state(), change: (reach, caller) => use.execute(reach, caller) }),
      [ChangeUploads],
    ),
  ];
}

/** Writes counts to the audit trail that are still only in memory: how often clients tried again while they had to wait. */
async function flushAudit(application: Application, { logger }: Log): Promise<void> {
  try {
    await application.container.get(AuditTrail).flush();
  } catch (error) {
    logger.error(
      { reason: reasonOf(error) },
      'counts of throttled attempts could not be written to the audit trail',
    );
  }
}
