import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { UuidSource } from '#adapters/id-uuid/uuid-source.js';
import { Argon2PasswordHasher } from '#adapters/password-argon2/argon2-password-hasher.js';
import { SystemSecrets } from '#adapters/secrets-system/system-secrets.js';
import type { EndedSessions } from '#adapters/session-cache/ended-sessions.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import type { WorkerMetrics } from '#adapters/telemetry-registry/worker-metrics.js';
import { JwtTokenIssuer } from '#adapters/token-jwt/jwt-token-issuer.js';
import { JwtTokenVerifier } from '#adapters/token-jwt/jwt-token-verifier.js';
import type { KeyRing } from '#adapters/token-jwt/key-ring.js';
import type { Announcer } from '#application/ports/announcer.js';
import type { Check } from '#application/ports/check.js';
import type { Clock } from '#application/ports/clock.js';
import type { SessionStore } from '#application/ports/session-store.js';
import type { Stores } from '#application/ports/stores.js';
import * as t from './tokens.js';
import { given, type Wiring } from './wiring.js';

/** The stores of the configuration. */
export function storeWirings(
  stores: Stores,
  sessions: SessionStore,
  ended: EndedSessions | undefined,
): readonly Wiring[] {
  return [
    given(t.CredentialStore, stores.credentials),
    given(t.StoreChecks, [databaseCheck(stores), ...stores.checks, ...(ended ? [ended] : [])]),
    given(t.SessionStore, sessions, () => ended?.close()),
    given(t.SignInStore, stores.signIns),
    given(t.DataSize, { bytes: stores.size }),
    given(t.DataVerifier, stores.verifier),
    given(t.DailyAggregateStore, stores.dailyAggregates),
    given(t.AuditStore, stores.audit),
    given(t.StationStore, stores.stations),
    given(t.ObservationStore, stores.observations),
    given(t.RecheckStore, stores.recheck),
    given(t.OverrideStore, stores.overrides),
    given(t.ImportLog, stores.importLog),
    given(t.UploadKeyStore, stores.uploadKeys),
    given(t.UploadRecordStore, stores.uploadRecords),
    given(t.HookStore, stores.hooks),
    given(t.AlarmStore, stores.alarms),
  ];
}

/** The other ports. */
export function systemWirings(
  clock: Clock,
  keys: KeyRing,
  announcer: Announcer,
  workerMetrics: WorkerMetrics | undefined,
): readonly Wiring[] {
  const registry = new Registry();
  const ofAll = workerMetrics && { collect: () => workerMetrics.collectWith(registry) };
  return [
    given(t.Telemetry, registry),
    given(t.Metrics, registry),
    given(t.ServiceMetrics, ofAll ?? registry),
    given(t.Clock, clock),
    given(t.Announcer, announcer),
    given(t.Calendar, new TemporalCalendar()),
    given(t.IdSource, new UuidSource()),
    given(t.Secrets, new SystemSecrets()),
    given(t.SigningKeys, keys),
    given(t.TokenIssuer, new JwtTokenIssuer(keys)),
    given(t.TokenVerifier, new JwtTokenVerifier(keys, clock)),
    given(t.PasswordHasher, new Argon2PasswordHasher(), (hasher) => hasher.close()),
  ];
}

/** The check whether the database answers, under the name that clients know. */
function databaseCheck(stores: Stores): Check {
  const check = async () => {
    await stores.check();
    return undefined;
  };
  return { name: 'credential store', check };
}
