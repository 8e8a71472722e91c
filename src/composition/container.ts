import 'reflect-metadata/lite';
import { Container, ContainerModule } from 'inversify';
import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { RelayedAnnouncer } from '#adapters/announcer-local/relayed-announcer.js';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { SystemClock } from '#adapters/clock-system/system-clock.js';
import { UuidSource } from '#adapters/id-uuid/uuid-source.js';
import { Argon2PasswordHasher } from '#adapters/password-argon2/argon2-password-hasher.js';
import { EndedSessions } from '#adapters/session-cache/ended-sessions.js';
import { SystemSecrets } from '#adapters/secrets-system/system-secrets.js';
import { CachedSessions } from '#adapters/session-cache/cached-sessions.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import type { WorkerMetrics } from '#adapters/telemetry-registry/worker-metrics.js';
import { JwtTokenIssuer } from '#adapters/token-jwt/jwt-token-issuer.js';
import { JwtTokenVerifier } from '#adapters/token-jwt/jwt-token-verifier.js';
import { KeyRing } from '#adapters/token-jwt/key-ring.js';
import { SenderLease } from '#application/hooks/sender-lease.js';
import type { HealthObserver } from '#application/operation/monitor-health.js';
import type { AnnouncementExchange } from '#application/ports/announcement-exchange.js';
import type { Announcer } from '#application/ports/announcer.js';
import type { Check } from '#application/ports/check.js';
import type { DataUpdates } from '#application/ports/data-updates.js';
import type { Clock } from '#application/ports/clock.js';
import type { Lease } from '#application/ports/lease.js';
import type { SessionStore } from '#application/ports/session-store.js';
import type { StoreWriter } from '#application/ports/store-writer.js';
import type { Stores } from '#application/ports/stores.js';
import type { UseCaseOf } from '#application/use-cases.js';
import type { Config } from './config.js';
import { applicationWirings } from './modules/application-module.js';
import { openStores } from './modules/stores.js';
import * as tokens from './modules/tokens.js';
import { moduleOf, useCaseOf } from './modules/wiring.js';

/**
 * The wired application. All objects have been created. Closing it releases stores and threads in reverse order of
 * creation.
 */
export interface Application {
  readonly container: Container;
  readonly useCase: UseCaseOf;
  /** Location of the data, as shown to people. */
  readonly location: string;
  /** Makes the lease of this name. */
  readonly leaseOf: (name: string) => Lease;
  /** `Stores.writer`. */
  readonly writer: StoreWriter | undefined;
  /** `Stores.updates`. */
  readonly updates: DataUpdates;
  /** Begins to announce what other instances on the same data announce. */
  listenToOthers(): void;
  /** @throws the error of a final write; everything is released in any case */
  close(): Promise<void>;
}

/** How the processes of one service share their data. */
export interface Sharing {
  /** Used if the stores have none. */
  readonly exchange: AnnouncementExchange;
  /** The process that writes, for stores of which only one process writes. Undefined in that process. */
  readonly writer?: StoreWriter;
  /** The start of the service, in milliseconds since 1970. */
  readonly startedAt?: number;
  /** The metrics of the worker processes. Undefined in a worker process. */
  readonly workerMetrics?: WorkerMetrics;
}

/**
 * Opens the stores of the configuration and wires the application.
 *
 * @param observer called when the state of a background check changes
 * @param sharing undefined in a service of one process
 * @throws DomainError STORE_UNAVAILABLE, SIGNING_KEY_UNAVAILABLE; Error with the reason why the data directory cannot
 *   be used
 */
export async function openApplication(
  config: Config,
  observer: HealthObserver,
  sharing?: Sharing,
): Promise<Application> {
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
  const container = new Container({ defaultScope: 'Singleton' });
  const wirings = applicationWirings(config, observer);
  // A session that one process ends must be over in the others at once.
  // Only where no other process serves the same sessions.
  const ended =
    sharing === undefined && stores.writer !== undefined ? new EndedSessions(stores.sessions) : undefined;
  const sessions =
    sharing === undefined ? new CachedSessions(ended ?? stores.sessions, clock) : stores.sessions;
  const system = systemModule(clock, keys, announcer, sharing?.workerMetrics);
  const modules = [storeModule(stores, sessions, ended), system, moduleOf(wirings)];
  container.load(...modules);
  for (const { identifier } of wirings) container.get(identifier);
  const close = async () => {
    const failures: unknown[] = [];
    for (const module of [...modules].reverse()) {
      await container.unloadAsync(module).catch((error: unknown) => failures.push(error));
    }
    await stores.close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  const listenToOthers = () => announcer.listen();
  const { location, writer, updates } = stores;
  const leaseOf = (name: string) =>
    stores.lease?.(name) ??
    new SenderLease(clock, stores.leases, container.get(tokens.IdSource).next(), name);
  return {
    container,
    useCase: useCaseOf(container),
    location,
    writer,
    updates,
    leaseOf,
    listenToOthers,
    close,
  };
}

/** The check whether the database answers, under the name that clients know. */
function databaseCheck(stores: Stores): Check {
  const check = async () => {
    await stores.check();
    return undefined;
  };
  return { name: 'credential store', check };
}

function storeModule(stores: Stores, sessions: SessionStore, ended?: EndedSessions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(tokens.CredentialStore).toConstantValue(stores.credentials);
    const checks = [databaseCheck(stores), ...stores.checks, ...(ended ? [ended] : [])];
    bind(tokens.StoreChecks).toConstantValue(checks);
    bind(tokens.SessionStore)
      .toConstantValue(sessions)
      .onDeactivation(async () => await ended?.close());
    bind(tokens.SignInStore).toConstantValue(stores.signIns);
    bind(tokens.DataSize).toConstantValue({ bytes: stores.size });
    bind(tokens.DataVerifier).toConstantValue(stores.verifier);
    bind(tokens.DayTableStore).toConstantValue(stores.dayTables);
    bind(tokens.AuditStore).toConstantValue(stores.audit);
    bind(tokens.StationStore).toConstantValue(stores.stations);
    bind(tokens.ObservationStore).toConstantValue(stores.observations);
    bind(tokens.JudgingStore).toConstantValue(stores.judging);
    bind(tokens.OverruleStore).toConstantValue(stores.overrules);
    bind(tokens.ImportLog).toConstantValue(stores.importLog);
    bind(tokens.UploadKeyStore).toConstantValue(stores.uploadKeys);
    bind(tokens.UploadRecordStore).toConstantValue(stores.uploadRecords);
    bind(tokens.HookStore).toConstantValue(stores.hooks);
    bind(tokens.AlarmStore).toConstantValue(stores.alarms);
  });
}

function systemModule(
  clock: Clock,
  keys: KeyRing,
  announcer: Announcer,
  workerMetrics: WorkerMetrics | undefined,
): ContainerModule {
  const registry = new Registry();
  const ofAll = workerMetrics && { collect: () => workerMetrics.collectWith(registry) };
  return new ContainerModule(({ bind }) => {
    bind(tokens.Telemetry).toConstantValue(registry);
    bind(tokens.Metrics).toConstantValue(registry);
    bind(tokens.ServiceMetrics).toConstantValue(ofAll ?? registry);
    bind(tokens.Clock).toConstantValue(clock);
    bind(tokens.Announcer).toConstantValue(announcer);
    bind(tokens.Calendar).toConstantValue(new TemporalCalendar());
    bind(tokens.IdSource).toConstantValue(new UuidSource());
    bind(tokens.Secrets).toConstantValue(new SystemSecrets());
    bind(tokens.SigningKeys).toConstantValue(keys);
    bind(tokens.TokenIssuer).toConstantValue(new JwtTokenIssuer(keys));
    bind(tokens.TokenVerifier).toConstantValue(new JwtTokenVerifier(keys, clock));
    bind(tokens.PasswordHasher)
      .toConstantValue(new Argon2PasswordHasher())
      .onDeactivation((hasher) => hasher.close());
  });
}
