import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { IMPORT_FORMATS } from '#adapters/formats/import-formats/import-formats.js';
import { MachineNetwork } from '#adapters/source-network/network.js';
import { SystemSecrets } from '#adapters/secrets-system/system-secrets.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import { JwtTokenIssuer } from '#adapters/token-jwt/jwt-token-issuer.js';
import { JwtTokenVerifier } from '#adapters/token-jwt/jwt-token-verifier.js';
import { generateKey, parseKey } from '#adapters/token-jwt/key-pair.js';
import { KeyRing } from '#adapters/token-jwt/key-ring.js';
import { OneTimeCode } from '#application/accounts/setup/one-time-code.js';
import { Authenticate } from '#application/accounts/sessions/authenticate.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { ElevateToken } from '#application/accounts/sessions/elevate-token.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import { TARGET_KINDS } from '#adapters/target-kinds/target-kinds.js';
import type { TargetKind } from '#application/ports/target-kind.js';
import type { SourceKind } from '#application/ports/source-kind.js';
import type { Stores } from '#application/ports/stores.js';
import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import { loadConfig } from '#composition/config.js';
import { applicationWirings } from '#composition/graph/graph.js';
import * as tokens from '#composition/graph/tokens.js';
import { moduleOf } from '#composition/graph/wiring.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import type { Principal } from '#domain/accounts/session.js';
import type { Role } from '#domain/accounts/user.js';
import {
  CountingIds,
  FakeClock,
  FakeUploads,
  MemoryKeyStore,
  ReversingHasher,
} from '../application/fakes/fakes.js';
import { openLocalStores } from './local-stores.js';
import { DIRECT_CHECKER } from './recheck.js';

/** A caller with an address but without a user name. */
export const CALLER: Caller = {
  actor: null,
  address: '192.0.2.1',
  network: '192.0.2.1',
  requestId: 'request-1',
};

/** Settings of a service that accepts uploads on all addresses and whose API has no TLS. */
export const UPLOAD_REACH = (): UploadReach => ({
  uploads: { enabled: true, host: '0.0.0.0', port: 8082, loopback: false },
  api: { host: '127.0.0.1', port: 8080, loopback: true, tls: 'none' },
});

/** The settings of most worlds, and the calendar and the signing key of all worlds: making them takes half of the time of a world. */
const CONFIG = loadConfig(undefined, {});
const CALENDAR = new TemporalCalendar();
const PRIVATE_KEY = generateKey();
const KEY_ID = parseKey(PRIVATE_KEY).description.kid;

/** All use-cases, wired as in the service, but with stores in memory, a fake clock and a fast password hasher. */
export class World {
  readonly clock = new FakeClock();
  readonly ids = new CountingIds();
  readonly passwords = new ReversingHasher();
  readonly metrics = new Registry();
  readonly keyStore = new MemoryKeyStore();
  readonly keys = new KeyRing(this.keyStore, this.clock);
  /** The kinds of sources, to which a test may add. */
  readonly sourceKinds: SourceKind[] = [];
  /** The kinds of targets, to which a test may add its own. */
  readonly targetKinds: TargetKind[] = [...TARGET_KINDS];
  readonly stores: Stores;
  readonly container = new Container({ defaultScope: 'Singleton' });

  private constructor(settings: Readonly<Record<string, string>>, stores: Partial<Stores>) {
    this.stores = {
      ...openLocalStores(),
      checks: [{ name: 'credential store', check: async () => undefined }],
      ...stores,
    };
    const ports = new ContainerModule(({ bind }) => {
      bind(tokens.Clock).toConstantValue(this.clock);
      bind(tokens.Announcer).toConstantValue(new LocalAnnouncer());
      bind(tokens.IdSource).toConstantValue(this.ids);
      bind(tokens.PasswordHasher).toConstantValue(this.passwords);
      bind(tokens.CredentialStore).toConstantValue(this.stores.credentials);
      bind(tokens.StoreChecks).toConstantValue(this.stores.checks);
      bind(tokens.SessionStore).toConstantValue(this.stores.sessions);
      bind(tokens.SignInStore).toConstantValue(this.stores.signIns);
      bind(tokens.Telemetry).toConstantValue(this.metrics);
      bind(tokens.Metrics).toConstantValue(this.metrics);
      bind(tokens.ServiceMetrics).toConstantValue(this.metrics);
      bind(tokens.DataSize).toConstantValue({ bytes: this.stores.size });
      bind(tokens.DataVerifier).toConstantValue(this.stores.verifier);
      bind(tokens.AuditStore).toConstantValue(this.stores.audit);
      bind(tokens.StationStore).toConstantValue(this.stores.stations);
      bind(tokens.ObservationStore).toConstantValue(this.stores.observations);
      bind(tokens.RecheckStore).toConstantValue(this.stores.recheck);
      bind(tokens.PartChecker).toConstantValue(DIRECT_CHECKER);
      bind(tokens.NoticeFinder).toConstantValue(DIRECT_CHECKER);
      bind(tokens.OverrideStore).toConstantValue(this.stores.overrides);
      bind(tokens.DailyAggregateStore).toConstantValue(this.stores.dailyAggregates);
      bind(tokens.ImportLog).toConstantValue(this.stores.importLog);
      bind(tokens.AlarmStore).toConstantValue(this.stores.alarms);
      bind(tokens.UploadKeyStore).toConstantValue(this.stores.uploadKeys);
      bind(tokens.RecordStore).toConstantValue(this.stores.storedRecords);
      bind(tokens.TransferStore).toConstantValue(this.stores.transfer);
      bind(tokens.SettingStore).toConstantValue(this.stores.settings);
      bind(tokens.HookStore).toConstantValue(this.stores.hooks);
      bind(tokens.ImportFormatList).toConstantValue(IMPORT_FORMATS);
      bind(tokens.SourceKindList).toConstantValue(this.sourceKinds);
      bind(tokens.TargetKindList).toConstantValue(this.targetKinds);
      bind(tokens.StationPicture).toConstantValue({ draw: () => Promise.resolve(undefined) });
      bind(tokens.SourceNetwork).toConstantValue(new MachineNetwork());
      bind(tokens.UploadsControl).toConstantValue(new FakeUploads());
      bind(tokens.SetupCode).toConstantValue(new OneTimeCode(this.clock, new SystemSecrets()));
      bind(tokens.Secrets).toConstantValue(new SystemSecrets());
      bind(tokens.Calendar).toConstantValue(CALENDAR);
      bind(tokens.SigningKeys).toConstantValue(this.keys);
      bind(tokens.TokenIssuer).toConstantValue(new JwtTokenIssuer(this.keys));
      bind(tokens.TokenVerifier).toDynamicValue(() => new JwtTokenVerifier(this.keys, this.clock));
    });
    const config = Object.keys(settings).length === 0 ? CONFIG : loadConfig(undefined, settings);
    this.container.load(ports, moduleOf(applicationWirings(config, () => undefined)));
  }

  /** Creates a world. @param stores stores that replace the stores in memory */
  static async make(
    settings: Readonly<Record<string, string>> = {},
    stores: Partial<Stores> = {},
  ): Promise<World> {
    const world = new World(settings, stores);
    const now = world.clock.now();
    const life = { createdAt: now, signsFrom: now, verifiesUntil: null, retiredAt: null };
    await world.keyStore.add({ ...life, id: KEY_ID, privateKey: PRIVATE_KEY });
    return world;
  }

  get<T>(token: ServiceIdentifier<T>): T {
    return this.container.get(token);
  }

  /** Adds a user with the password `correct horse`. */
  async addUser(name: string, administrator = false): Promise<void> {
    const user = { name, email: `${name}@example.org`, password: 'correct horse', administrator };
    await this.get(AddUser).execute(user, CALLER);
  }

  /** Signs in with the password `correct horse`. */
  async signIn(username: string, caller: Caller = CALLER): Promise<string> {
    const credentials = { username, email: null, password: 'correct horse' };
    return (await this.get(Authenticate).execute(credentials, caller)).token;
  }

  async elevate(token: string, duration: number | null = null): Promise<string> {
    const input = { password: 'correct horse', duration };
    const principal = await this.principalOf(token);
    return (await this.get(ElevateToken).execute(input, principal, CALLER)).token;
  }

  /** The principal of a valid token. */
  principalOf(token: string, level: 0 | 1 = 0, role: Role = 'reader'): Promise<Principal> {
    return this.get(Authorize).execute({ token, level, role });
  }

  /** The events of the audit trail, oldest first, as `action outcome subject`. */
  async auditTrail(): Promise<string[]> {
    const events = await this.stores.audit.list(1000);
    return events.toReversed().map(({ action, outcome, subject }) => `${action} ${outcome} ${subject}`);
  }
}
