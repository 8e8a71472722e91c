import { ContainerModule } from 'inversify';
import { AuditTrail } from '../../application/accounts/audit-trail.js';
import { GetKeySet } from '../../application/accounts/keys/get-key-set.js';
import { ListKeys } from '../../application/accounts/keys/list-keys.js';
import { RetireKey } from '../../application/accounts/keys/retire-key.js';
import { RotateKey } from '../../application/accounts/keys/rotate-key.js';
import { ReadAudit } from '../../application/accounts/read-audit.js';
import { Authenticate } from '../../application/accounts/sessions/authenticate.js';
import { Authorize } from '../../application/accounts/sessions/authorize.js';
import { DropElevation } from '../../application/accounts/sessions/drop-elevation.js';
import { ElevateToken } from '../../application/accounts/sessions/elevate-token.js';
import { EndSessions } from '../../application/accounts/sessions/end-sessions.js';
import { IntrospectToken } from '../../application/accounts/sessions/introspect-token.js';
import { ListSessions } from '../../application/accounts/sessions/list-sessions.js';
import { Revoke } from '../../application/accounts/sessions/revoke.js';
import { SignInThrottle } from '../../application/accounts/sessions/sign-in-throttle.js';
import { Turns } from '../../application/accounts/sessions/turns.js';
import { AddUser } from '../../application/accounts/users/add-user.js';
import { ChangeUser } from '../../application/accounts/users/change-user.js';
import { DeleteUser } from '../../application/accounts/users/delete-user.js';
import { GetUser } from '../../application/accounts/users/get-user.js';
import { ListUsers } from '../../application/accounts/users/list-users.js';
import { PutUser } from '../../application/accounts/users/put-user.js';
import { RemoveUser } from '../../application/accounts/users/remove-user.js';
import { CheckData } from '../../application/operation/check-data.js';
import { GetHealth } from '../../application/operation/get-health.js';
import { GetInfo } from '../../application/operation/get-info.js';
import { GetLiveliness } from '../../application/operation/get-liveliness.js';
import { Housekeep } from '../../application/operation/housekeep.js';
import { ListChecks } from '../../application/operation/list-checks.js';
import { type HealthObserver, MonitorHealth } from '../../application/operation/monitor-health.js';
import type { Config } from '../config.js';
import { readPackageInfo } from '../package-info.js';
import * as t from './tokens.js';
import { bindWeather } from './weather-bindings.js';

/** The use-cases, each on the ports it needs. */
export function applicationModule(config: Config, observer: HealthObserver): ContainerModule {
  const identity = readPackageInfo();
  const settings = { enabled: config.AUTH_ENABLED, tokenDuration: config.TOKEN_DURATION };
  return new ContainerModule(({ bind }) => {
    bind(t.GetInfo).toResolvedValue(() => new GetInfo(identity));
    bind(t.GetHealth).toResolvedValue((clock) => new GetHealth(clock), [t.Clock]);
    bind(t.MonitorHealth).toResolvedValue(
      (clock, stores, issuer) =>
        new MonitorHealth(clock, settings.enabled ? [...stores, issuer] : stores, observer),
      [t.Clock, t.StoreChecks, t.TokenIssuer],
    );
    bind(t.ListChecks).toResolvedValue((health) => new ListChecks(health), [t.MonitorHealth]);
    bind(t.GetLiveliness).toResolvedValue((health) => new GetLiveliness(health), [t.MonitorHealth]);

    bind(t.AuditTrail).toResolvedValue(
      (clock, store) => new AuditTrail(clock, store),
      [t.Clock, t.AuditStore],
    );
    bind(t.Turns).toResolvedValue(() => new Turns());
    bind(t.SignInThrottle).toResolvedValue(
      (throttle, turns) => new SignInThrottle(throttle, turns),
      [t.Throttle, t.Turns],
    );
    bind(t.Authenticate).toResolvedValue(
      (clock, ids, users, sessions, passwords, tokens, throttle, audit) =>
        new Authenticate(settings, { clock, ids, users, sessions, passwords, tokens, throttle, audit }),
      [
        t.Clock,
        t.IdSource,
        t.CredentialStore,
        t.SessionStore,
        t.PasswordHasher,
        t.TokenIssuer,
        t.SignInThrottle,
        t.AuditTrail,
      ],
    );
    bind(t.Authorize).toResolvedValue(
      (clock, tokens, sessions) => new Authorize(settings.enabled, clock, tokens, sessions),
      [t.Clock, t.TokenVerifier, t.SessionStore],
    );
    bind(t.ElevateToken).toResolvedValue(
      (clock, ids, users, sessions, passwords, tokens, audit, turns) =>
        new ElevateToken(config.ELEVATION_DURATION, {
          clock,
          ids,
          users,
          sessions,
          passwords,
          tokens,
          audit,
          turns,
        }),
      [
        t.Clock,
        t.IdSource,
        t.CredentialStore,
        t.SessionStore,
        t.PasswordHasher,
        t.TokenIssuer,
        t.AuditTrail,
        t.Turns,
      ],
    );
    bind(t.DropElevation).toResolvedValue(
      (sessions, audit) => new DropElevation(sessions, audit),
      [t.SessionStore, t.AuditTrail],
    );
    bind(t.Revoke).toResolvedValue(
      (sessions, audit) => new Revoke(sessions, audit),
      [t.SessionStore, t.AuditTrail],
    );
    bind(t.IntrospectToken).toResolvedValue((authorize) => new IntrospectToken(authorize), [t.Authorize]);
    bind(t.ListSessions).toResolvedValue(
      (clock, users, sessions) => new ListSessions(clock, users, sessions),
      [t.Clock, t.CredentialStore, t.SessionStore],
    );
    bind(t.EndSessions).toResolvedValue(
      (users, sessions, audit) => new EndSessions(users, sessions, audit),
      [t.CredentialStore, t.SessionStore, t.AuditTrail],
    );

    bind(t.AddUser).toResolvedValue(
      (clock, ids, users, passwords, audit) => new AddUser({ clock, ids, users, passwords, audit }),
      [t.Clock, t.IdSource, t.CredentialStore, t.PasswordHasher, t.AuditTrail],
    );
    bind(t.ChangeUser).toResolvedValue(
      (users, passwords, audit) => new ChangeUser(users, passwords, audit),
      [t.CredentialStore, t.PasswordHasher, t.AuditTrail],
    );
    bind(t.RemoveUser).toResolvedValue(
      (users, audit) => new RemoveUser(users, audit),
      [t.CredentialStore, t.AuditTrail],
    );
    bind(t.ListUsers).toResolvedValue((users) => new ListUsers(users), [t.CredentialStore]);
    bind(t.GetUser).toResolvedValue((users) => new GetUser(users), [t.CredentialStore]);
    bind(t.PutUser).toResolvedValue(
      (get, add, change) => new PutUser(get, add, change),
      [t.GetUser, t.AddUser, t.ChangeUser],
    );
    bind(t.DeleteUser).toResolvedValue(
      (get, remove) => new DeleteUser(get, remove),
      [t.GetUser, t.RemoveUser],
    );

    bind(t.GetKeySet).toResolvedValue((keys) => new GetKeySet(keys), [t.SigningKeys]);
    bind(t.ListKeys).toResolvedValue((clock, keys) => new ListKeys(clock, keys), [t.Clock, t.SigningKeys]);
    bind(t.RotateKey).toResolvedValue(
      (clock, keys, audit) => new RotateKey(settings.tokenDuration, clock, keys, audit),
      [t.Clock, t.SigningKeys, t.AuditTrail],
    );
    bind(t.RetireKey).toResolvedValue(
      (keys, audit) => new RetireKey(keys, audit),
      [t.SigningKeys, t.AuditTrail],
    );

    bindWeather(bind);

    bind(t.CheckData).toResolvedValue(
      (verifier, audit) => new CheckData(verifier, audit),
      [t.DataVerifier, t.AuditTrail],
    );
    bind(t.ReadAudit).toResolvedValue((store) => new ReadAudit(store), [t.AuditStore]);
    bind(t.Housekeep).toResolvedValue(
      (clock, sessions, throttle, audit, stations, trail) =>
        new Housekeep(config.AUDIT_RETENTION, { clock, sessions, throttle, audit, stations, trail }),
      [t.Clock, t.SessionStore, t.Throttle, t.AuditStore, t.StationStore, t.AuditTrail],
    );
  });
}
