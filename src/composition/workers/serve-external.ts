import { openLog } from '#adapters/log-pino/logger.js';
import type { UploadsControl } from '#adapters/http/external/external-context.js';
import { MainProcess } from '#adapters/workers-cluster/main-process.js';
import { MainSetupCode } from '#adapters/workers-cluster/main-setup-code.js';
import { HEALTH, METRICS, STOP, type WorkerHealth } from '#adapters/workers-cluster/messages.js';
import { MonitorHealth } from '#application/operation/monitor-health.js';
import type { Check } from '#application/ports/check.js';
import { DomainError } from '#domain/domain-error.js';
import * as tokens from '../graph/tokens.js';
import { reasonOf } from '../reason.js';
import { type Service, startService } from '../service.js';
import { RELOAD, type WorkerReload, type WorkerStart } from './worker-start.js';

const MAIN_CHECK = 'main process';
/** Milliseconds after which an answer of the main process about its health is too old. */
const ANSWER_LIFETIME = 5000;

interface Running {
  readonly service: Service;
  setLevel(level: string): void;
  closeLog(): Promise<void>;
}

/** Serves the external API as one of several processes, until the main process stops this process or has ended. */
export function serveExternal(): void {
  let running: Running | undefined;
  /** Changed settings that arrived during the start. */
  let early: WorkerReload | undefined;
  const reload = (fresh: WorkerReload) => {
    if (running === undefined) early = fresh;
    running?.setLevel(fresh.config.LOG_LEVEL);
    running?.service.reload(fresh.config, fresh.tls);
    void running?.service.followUploads(fresh.config);
  };
  const main = new MainProcess({
    [HEALTH]: () => running && healthOf(running.service),
    [METRICS]: () => running?.service.application.container.get(tokens.Metrics).collectForMain(),
    [RELOAD]: reload,
    [STOP]: async () => {
      const finished = await running?.service.stop();
      await running?.closeLog();
      return finished;
    },
  });
  // A terminal sends these signals to all processes. This process ignores them, because the main process stops it.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  const start = async () => {
    running = await run((await main.begin()) as WorkerStart, main);
    if (early !== undefined) reload(early);
    main.serves(running.service.externalUrl);
  };
  start().catch((error: unknown) => main.failed(reasonOf(error)));
}

async function run(
  { number, config, tls, command, startedAt }: WorkerStart,
  main: MainProcess,
): Promise<Running> {
  const opened = await openLog(config.LOG_LEVEL, true);
  const log = { ...opened, logger: opened.logger.child({ process: number }) };
  const setupCode = new MainSetupCode((call) => main.setupCode(call));
  const changeUploads: UploadsControl['change'] = (reach, caller) => main.changeUploads({ reach, caller });
  const sharing = {
    exchange: main,
    writer: main,
    setupCode,
    changeUploads,
    imports: main.imports,
    startedAt,
  };
  const service = await startService(config, log, {
    command,
    worker: { sharing, tls, check: mainCheck(main) },
  });
  return { service, setLevel: (level) => opened.setLevel(level), closeLog: () => opened.close() };
}

/**
 * Returns a health check that says whether the main process works. The health check uses the last answer of the main process, so
 * it does not wait while the main process is busy.
 */
function mainCheck(main: MainProcess): Check {
  let last: WorkerHealth | undefined;
  let answeredAt = -Infinity;
  let asking: Promise<void> | undefined;
  const ask = async () => {
    last = await main.health();
    answeredAt = performance.now();
  };
  const check = async () => {
    // An error of a request to the main process is ignored. If no new answer arrives, the last answer becomes too old, and the
    // check fails.
    asking ??= ask()
      .catch(() => undefined)
      .finally(() => (asking = undefined));
    if (last === undefined) await asking;
    if (performance.now() - answeredAt > ANSWER_LIFETIME)
      throw new DomainError('SERVICE_UNAVAILABLE', 'The main process does not answer.');
    if (last?.isAlive === false)
      throw new DomainError('SERVICE_UNAVAILABLE', last.defect ?? 'The main process has failed.');
    return last?.defect;
  };
  return { name: MAIN_CHECK, check };
}

/**
 * Returns the health of this process without the main process. The main process asks for this result and adds it to its own
 * health.
 */
function healthOf({ application }: Service): WorkerHealth {
  const statuses = application.container.get(MonitorHealth).statuses();
  const failed = statuses.filter(({ name, state }) => name !== MAIN_CHECK && state === 'failed');
  const described = failed.map(({ name, detail }) => `${name}: ${detail ?? 'does not work'}`);
  return { isAlive: failed.length === 0, defect: failed.length > 0 ? described.join(' ') : undefined };
}
