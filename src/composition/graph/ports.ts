import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { UuidSource } from '#adapters/id-uuid/uuid-source.js';
import { Argon2PasswordHasher } from '#adapters/password-argon2/argon2-password-hasher.js';
import { ThreadPartChecker } from '#adapters/quality-threads/thread-part-checker.js';
import { MachineNetwork } from '#adapters/source-network/network.js';
import { SystemSecrets } from '#adapters/secrets-system/system-secrets.js';
import type { EndedSessions } from '#adapters/session-cache/ended-sessions.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import type { WorkerMetrics } from '#adapters/telemetry-registry/worker-metrics.js';
import { JwtTokenIssuer } from '#adapters/token-jwt/jwt-token-issuer.js';
import { JwtTokenVerifier } from '#adapters/token-jwt/jwt-token-verifier.js';
import type { KeyRing } from '#adapters/token-jwt/key-ring.js';
import { OneTimeCode } from '#application/accounts/setup/one-time-code.js';
import type { Announcer } from '#application/ports/announcer.js';
import type { Check } from '#application/ports/check.js';
import type { Clock } from '#application/ports/clock.js';
import type { SessionStore } from '#application/ports/session-store.js';
import type { SetupCode } from '#application/ports/setup-code.js';
import type { Stores } from '#application/ports/stores.js';
import * as t from './tokens.js';
import { wireValue, type Wiring } from './wiring.js';

/** Defines the objects through which the application uses the stores, one for each port; see `Wiring`. */
export function storeWirings(
  stores: Stores,
  sessions: SessionStore,
  ended: EndedSessions | undefined,
): readonly Wiring[] {
  return [
    wireValue(t.CredentialStore, stores.credentials),
    wireValue(t.StoreChecks, [databaseCheck(stores), ...stores.checks, ...(ended ? [ended] : [])]),
    wireValue(t.SessionStore, sessions, () => ended?.close()),
    wireValue(t.SignInStore, stores.signIns),
    wireValue(t.DataSize, { bytes: stores.size }),
    wireValue(t.DataVerifier, stores.verifier),
    wireValue(t.DailyAggregateStore, stores.dailyAggregates),
    wireValue(t.AuditStore, stores.audit),
    wireValue(t.StationStore, stores.stations),
    wireValue(t.ObservationStore, stores.observations),
    wireValue(t.RecheckStore, stores.recheck),
    wireValue(t.OverrideStore, stores.overrides),
    wireValue(t.ImportLog, stores.importLog),
    wireValue(t.UploadKeyStore, stores.uploadKeys),
    wireValue(t.RecordStore, stores.storedRecords),
    wireValue(t.TransferStore, stores.transfer),
    wireValue(t.HookStore, stores.hooks),
    wireValue(t.SettingStore, stores.settings),
    wireValue(t.AlarmStore, stores.alarms),
  ];
}

/** Defines the objects for the ports that do not belong to the stores, for example the clock; see `Wiring`. */
export function systemWirings(
  clock: Clock,
  keys: KeyRing,
  announcer: Announcer,
  workerMetrics: WorkerMetrics | undefined,
  mainSetupCode: SetupCode | undefined,
): readonly Wiring[] {
  const registry = new Registry();
  const secrets = new SystemSecrets();
  const checker = new ThreadPartChecker();
  const combined = workerMetrics && { collect: () => workerMetrics.collectWith(registry) };
  return [
    wireValue(t.Telemetry, registry),
    wireValue(t.Metrics, registry),
    wireValue(t.ServiceMetrics, combined ?? registry),
    wireValue(t.Clock, clock),
    wireValue(t.Announcer, announcer),
    wireValue(t.Calendar, new TemporalCalendar()),
    wireValue(t.IdSource, new UuidSource()),
    wireValue(t.Secrets, secrets),
    wireValue(t.SetupCode, mainSetupCode ?? new OneTimeCode(clock, secrets)),
    wireValue(t.SigningKeys, keys),
    wireValue(t.TokenIssuer, new JwtTokenIssuer(keys)),
    wireValue(t.TokenVerifier, new JwtTokenVerifier(keys, clock)),
    wireValue(t.PartChecker, checker, () => checker.close()),
    wireValue(t.NoticeFinder, checker),
    wireValue(t.SourceNetwork, new MachineNetwork()),
    wireValue(t.PasswordHasher, new Argon2PasswordHasher(), (hasher) => hasher.close()),
  ];
}

/** The check whether the database answers. Its name is part of the API, so it does not change. */
function databaseCheck(stores: Stores): Check {
  const check = async () => {
    await stores.check();
    return undefined;
  };
  return { name: 'credential store', check };
}
