import 'reflect-metadata/lite';
import { Container } from 'inversify';
import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { RelayedAnnouncer } from '#adapters/announcer-local/relayed-announcer.js';
import { SystemClock } from '#adapters/clock-system/system-clock.js';
import { EndedSessions } from '#adapters/session-cache/ended-sessions.js';
import { CachedSessions } from '#adapters/session-cache/cached-sessions.js';
import type { UploadsControl } from '#adapters/http/external/external-context.js';
import type { WorkerMetrics } from '#adapters/telemetry-registry/worker-metrics.js';
import type { MailServer } from '#adapters/target-kinds/mail.js';
import { KeyRing } from '#adapters/token-jwt/key-ring.js';
import { SenderLease } from '#application/hooks/sender-lease.js';
import type { HealthObserver } from '#application/operation/monitor-health.js';
import type { AnnouncementExchange } from '#application/ports/announcement-exchange.js';
import type { DataUpdates } from '#application/ports/data-updates.js';
import type { SetupCode } from '#application/ports/setup-code.js';
import type { ImportService } from '#application/ports/import-service.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import type { UseCaseOf } from '#application/use-cases.js';
import type { Config } from './config.js';
import { applicationWirings } from './graph/graph.js';
import { storeWirings, systemWirings } from './graph/ports.js';
import * as tokens from './graph/tokens.js';
import { wireValue, moduleOf, useCaseOf } from './graph/wiring.js';
import { loadImportFormats, loadSourceKinds, loadTargetKinds } from './modules/extensions.js';
import { openStores } from './modules/stores.js';
import { stationPicture } from './station-picture.js';

/**
 * The wired application, with all objects created. `close` releases stores and threads in reverse order of creation.
 */
export interface Application {
  readonly container: Container;
  readonly useCase: UseCaseOf;
  /** Location of the data, as shown to people. */
  readonly location: string;
  /**
   * Writes to the store for commands and worker processes, if only this process may write to it. Undefined if every process
   * writes to the store itself. See `Stores.writer`.
   */
  readonly writer: StoreWriter | undefined;
  /** Reports what an update has changed in data of an earlier version, see `Stores.updates`. */
  readonly updates: DataUpdates;
  /** See `Stores.movedRows`. */
  readonly movedRows: number;
  /**
   * Forgets the cached sessions. Must be called after this process has written to the store for another process, for example for
   * a command, if the write may have ended sessions.
   */
  forgetSessions(): void;
  /**
   * Begins to pass on the announcements of other instances that use the same data. An announcement says which kind of data has
   * just changed.
   */
  listenToOthers(): void;
  /** Closes everything, even if a part fails to close. @throws the first error, after everything was released */
  close(): Promise<void>;
}

/** The connections between the processes of one service. */
export interface Sharing {
  /**
   * Carries announcements between the processes. An announcement says which kind of data has just changed. This exchange is used
   * only if the stores have no exchange of their own.
   */
  readonly exchange: AnnouncementExchange;
  /** The process that writes, for stores with a single writing process. Undefined in the writing process. */
  readonly writer?: StoreWriter;
  /** The code for the first administrator, which is in the main process. Undefined in the main process. */
  readonly setupCode?: SetupCode;
  /** The imports over HTTP, which the main process does. Undefined in the main process. */
  readonly imports?: ImportService;
  /** Changes the setting of uploads in the main process. Undefined in the main process. */
  readonly changeUploads?: UploadsControl['change'];
  /** Start of the service, in milliseconds since 1970. */
  readonly startedAt?: number;
  /** The metrics of the worker processes. Undefined in a worker process. */
  readonly workerMetrics?: WorkerMetrics;
}

/**
 * Opens the stores of the configuration, and creates all objects of the application.
 *
 * @param observer called when the state of a background check changes
 * @param sharing the connections to the other processes of the service; undefined in a service of one process
 * @throws DomainError STORE_UNAVAILABLE, SIGNING_KEY_UNAVAILABLE; Error with the reason why the data directory cannot be used
 */
export async function openApplication(
  config: Config,
  observer: HealthObserver,
  sharing?: Sharing,
): Promise<Application> {
  const kinds = await loadSourceKinds(config.SOURCE_MODULES);
  const targets = await loadTargetKinds(config.TARGET_MODULES, mailServerOf(config));
  const formats = await loadImportFormats(config.IMPORT_FORMAT_MODULES);
  const stores = await openStores(config, sharing?.writer);
  const clock = new SystemClock(sharing?.startedAt);
  const keys = new KeyRing(stores.keys, clock);
  try {
    await keys.createIfMissing();
  } catch (error) {
    await stores.close().catch(() => undefined);
    throw error;
  }
  const announcer = new RelayedAnnouncer(new LocalAnnouncer(), stores.exchange ?? sharing?.exchange);
  // If a user ends a session while the store cannot be written, the end is kept in the memory of this process. Other processes
  // would not see it, so it is kept only if no other process serves the same sessions.
  const ended =
    sharing === undefined && stores.writer !== undefined ? new EndedSessions(stores.sessions) : undefined;
  const cached = sharing === undefined ? new CachedSessions(ended ?? stores.sessions, clock) : undefined;
  const leases = (name: string) =>
    stores.lease?.(name) ??
    new SenderLease(clock, stores.leases, container.get(tokens.IdSource).next(), name);
  const layers = [
    storeWirings(stores, cached ?? stores.sessions, ended),
    [
      ...systemWirings(clock, keys, announcer, sharing?.workerMetrics, sharing?.setupCode),
      wireValue(tokens.SourceKindList, kinds),
      wireValue(tokens.TargetKindList, targets),
      wireValue(tokens.ImportFormatList, formats),
      wireValue(
        tokens.StationPicture,
        stationPicture(config, () => container),
      ),
      wireValue(tokens.Leases, leases),
    ],
    applicationWirings(config, observer, sharing?.imports),
  ];
  const container = new Container({ defaultScope: 'Singleton' });
  const modules = layers.map(moduleOf);
  container.load(...modules);
  for (const { identifier } of layers.flat()) container.get(identifier);
  const close = async () => {
    const failures: unknown[] = [];
    for (const module of [...modules].reverse()) {
      await container.unloadAsync(module).catch((error: unknown) => failures.push(error));
    }
    await stores.close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  const listenToOthers = () => announcer.listen();
  const { location, writer, updates, movedRows } = stores;
  return {
    container,
    useCase: useCaseOf(container),
    location,
    writer,
    updates,
    movedRows,
    forgetSessions: () => cached?.forget(),
    listenToOthers,
    close,
  };
}

function mailServerOf({ SMTP_URL: url, MAIL_FROM: from }: Config): MailServer | undefined {
  return url === undefined || from === undefined ? undefined : { url, from };
}
