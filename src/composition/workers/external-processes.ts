import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { LOADED_AT } from '#adapters/clock-system/system-clock.js';
import type { TlsPair } from '#adapters/http/server/tls.js';
import type { Log } from '#adapters/log-pino/logger.js';
import {
  IMPORTS,
  MAIN_HEALTH,
  METRICS,
  PERFORM,
  CHANGE_UPLOADS,
  type UploadsCall,
  SETUP_CODE,
  type SetupCodeCall,
  type OperationCall,
  type WorkerHealth,
} from '#adapters/workers-cluster/messages.js';
import { type ImportCall, performImportCall } from '#adapters/workers-cluster/remote-imports.js';
import { WorkerMetrics } from '#adapters/telemetry-registry/worker-metrics.js';
import { WorkerProcesses } from '#adapters/workers-cluster/worker-processes.js';
import { MonitorHealth } from '#application/operation/monitor-health.js';
import { ChangeUploads } from '#application/uploads/listening/change-uploads.js';
import { DomainError } from '#domain/domain-error.js';
import type { Config } from '../config.js';
import type { Application, Sharing } from '../container.js';
import * as tokens from '../graph/tokens.js';
import { packageFile } from '../package-info.js';
import type { RunnableApi } from '../servers.js';
import { RELOAD, WORKER_COMMAND, type WorkerReload, type WorkerStart } from './worker-start.js';

/**
 * Name of the health check that says whether the worker processes serve the external API. If a service has only one process, its
 * health check of the external API has the same name.
 */
const CHECK = 'external listener';

/**
 * The worker processes that serve the external API. This process, the main process, starts and stops them. It also tells them
 * whether its own health checks succeed, and they report this as a part of their health.
 */
export class ExternalProcesses {
  readonly sharing: Sharing;
  readonly #processes: WorkerProcesses;
  #config: Config;
  #tls: TlsPair | undefined;
  #application: Application | undefined;

  private constructor(config: Config, { logger }: Log, command: string | undefined) {
    this.#config = config;
    const metrics = new WorkerMetrics(config.WORKERS, (number) => this.#processes.request(number, METRICS));
    this.#processes = new WorkerProcesses({
      count: config.WORKERS,
      script: fileURLToPath(packageFile('bin/weatherd.mjs')),
      parameters: [WORKER_COMMAND],
      startPayload: (number): WorkerStart => ({
        number,
        config: this.#config,
        tls: this.#tls,
        command,
        startedAt: LOADED_AT,
      }),
      handlers: {
        [PERFORM]: ({ operation, parameters }: OperationCall) =>
          this.#application?.writer?.perform(operation, parameters),
        [SETUP_CODE]: ({ method, digest }: SetupCodeCall) =>
          this.#application?.container.get(tokens.SetupCode)[method](digest),
        [IMPORTS]: (call: ImportCall) =>
          this.#application && performImportCall(this.#application.container.get(tokens.ImportService), call),
        [CHANGE_UPLOADS]: ({ reach, caller }: UploadsCall) =>
          this.#application?.container.get(ChangeUploads).execute(reach, caller),
        [MAIN_HEALTH]: () => this.#health(),
      },
      onEnd: (number, reason, delay) => {
        metrics.ended(number);
        logger.error(
          { process: number, reason, again_in_ms: delay },
          'a worker process has ended and is started again',
        );
      },
      onRestart: (number) => logger.info({ process: number }, 'a worker process serves again'),
    });
    this.sharing = { exchange: this.#processes, workerMetrics: metrics };
  }

  /** @param command see `ServiceRole.command`. @throws Error if the system has no free port */
  static async prepare(config: Config, log: Log, command: string | undefined): Promise<ExternalProcesses> {
    const { EXTERNAL_HOST: host, EXTERNAL_PORT: port } = config;
    const fixed = { ...config, EXTERNAL_PORT: port === 0 ? await freePort(host) : port };
    return new ExternalProcesses(fixed, log, command);
  }

  /** Returns an object with which the service starts, reloads and stops the external API of the worker processes. */
  externalApi(application: Application, tls: TlsPair | undefined): RunnableApi {
    this.#application = application;
    this.#tls = tls;
    let url = '';
    return {
      url: () => url,
      checks: [{ name: CHECK, check: async () => this.#check() }],
      start: async () => (url = (await this.#processes.start()) as string),
      reload: (pair, { LOG_LEVEL }) => {
        this.#tls = pair;
        // Only the log level and the certificate change. Other settings take effect at the next start of the service, so a
        // restarted worker process must not use the new settings either.
        this.#config = { ...this.#config, LOG_LEVEL };
        this.#processes.notify(RELOAD, { tls: pair, config: this.#config } satisfies WorkerReload);
      },
      stop: (deadline) => this.#processes.stop(deadline),
    };
  }

  /** Passes the settings of uploads on to all worker processes, also to those that are started again. */
  followUploads(config: Config): void {
    const { uploadsSource, UPLOADS_ENABLED, UPLOADS_HOST, UPLOADS_INSECURE } = config;
    this.#config = { ...this.#config, uploadsSource, UPLOADS_ENABLED, UPLOADS_HOST, UPLOADS_INSECURE };
    this.#processes.notify(RELOAD, { tls: this.#tls, config: this.#config } satisfies WorkerReload);
  }

  #check(): string | undefined {
    const processes = this.#processes;
    processes.requestHealth();
    const { count, serving, defects } = processes;
    if (serving === 0)
      throw new DomainError('SERVICE_UNAVAILABLE', 'No worker process serves the external API.');
    const missing = count - serving;
    const all = [
      ...(missing > 0 ? [`${missing} of ${count} worker processes do not serve the external API.`] : []),
      ...defects,
    ];
    return all.length > 0 ? all.join(' ') : undefined;
  }

  /**
   * Returns the health of this process without its worker processes. Each worker process asks for this result and adds it to its
   * own health.
   */
  #health(): WorkerHealth {
    const health = this.#application?.container.get(MonitorHealth);
    const others = health?.statuses().filter(({ name }) => name !== CHECK) ?? [];
    const faults = others.filter(({ state }) => state !== 'ok');
    const described = faults.map(({ name, detail }) => `${name}: ${detail ?? 'does not work'}`);
    return {
      isAlive: faults.every(({ state }) => state !== 'failed'),
      defect: described.length > 0 ? described.join(' ') : undefined,
    };
  }
}

/**
 * Finds a free port. The port is fixed before the start, because all worker processes, including restarted ones, must use the
 * same port.
 */
async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port: 0 }, () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
