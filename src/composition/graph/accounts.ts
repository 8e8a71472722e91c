import { AuditTrail } from '#application/accounts/audit-trail.js';
import { GetKeySet } from '#application/accounts/keys/get-key-set.js';
import { ListKeys } from '#application/accounts/keys/list-keys.js';
import { RetireKey } from '#application/accounts/keys/retire-key.js';
import { RotateKey } from '#application/accounts/keys/rotate-key.js';
import { ReadAudit } from '#application/accounts/read-audit.js';
import { Authenticate } from '#application/accounts/sessions/authenticate.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { DropElevation } from '#application/accounts/sessions/drop-elevation.js';
import { ElevateToken } from '#application/accounts/sessions/elevate-token.js';
import { EndSessions } from '#application/accounts/sessions/end-sessions.js';
import { IntrospectToken } from '#application/accounts/sessions/introspect-token.js';
import { ListSessions } from '#application/accounts/sessions/list-sessions.js';
import { Revoke } from '#application/accounts/sessions/revoke.js';
import { SignInQueue } from '#application/accounts/sessions/sign-in-queue.js';
import { IsSetupOpen } from '#application/accounts/setup/is-setup-open.js';
import { MakeFirstAdministrator } from '#application/accounts/setup/make-first-administrator.js';
import { OpenSetup } from '#application/accounts/setup/open-setup.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import { ChangeUser } from '#application/accounts/users/change-user.js';
import { DeleteUser } from '#application/accounts/users/delete-user.js';
import { GetUser } from '#application/accounts/users/get-user.js';
import { ListUsers } from '#application/accounts/users/list-users.js';
import { PutUser } from '#application/accounts/users/put-user.js';
import { RemoveUser } from '#application/accounts/users/remove-user.js';
import type { Config } from '../config.js';
import * as t from './tokens.js';
import { constant, useCase, type Wiring } from './wiring.js';

/** The classes that manage users, their sessions, and the keys that sign tokens. */
export function accountWirings(config: Config): readonly Wiring[] {
  const settings = constant({ enabled: config.AUTH_ENABLED, tokenDuration: config.TOKEN_DURATION });
  const attempt = {
    clock: t.Clock,
    ids: t.IdSource,
    passwords: t.PasswordHasher,
    tokens: t.TokenIssuer,
    queue: SignInQueue,
    audit: AuditTrail,
  };
  return [
    useCase(AuditTrail, [t.Clock, t.AuditStore]),
    useCase(ReadAudit, [t.AuditStore]),
    useCase(SignInQueue, []),
    useCase(Authenticate, [settings, { ...attempt, signIns: t.SignInStore, telemetry: t.Telemetry }]),
    useCase(Authorize, [constant(config.AUTH_ENABLED), t.Clock, t.TokenVerifier, t.SessionStore]),
    useCase(ElevateToken, [constant(config.ELEVATION_DURATION), { ...attempt, sessions: t.SessionStore }]),
    useCase(DropElevation, [t.SessionStore, AuditTrail]),
    useCase(Revoke, [t.SessionStore, AuditTrail]),
    useCase(IntrospectToken, [Authorize]),
    useCase(ListSessions, [t.Clock, t.CredentialStore, t.SessionStore]),
    useCase(EndSessions, [t.CredentialStore, t.SessionStore, AuditTrail]),
    useCase(AddUser, [
      {
        clock: t.Clock,
        ids: t.IdSource,
        users: t.CredentialStore,
        passwords: t.PasswordHasher,
        audit: AuditTrail,
      },
    ]),
    useCase(ChangeUser, [t.CredentialStore, t.PasswordHasher, AuditTrail]),
    useCase(RemoveUser, [t.CredentialStore, AuditTrail]),
    useCase(ListUsers, [t.CredentialStore]),
    useCase(GetUser, [t.CredentialStore]),
    useCase(PutUser, [GetUser, AddUser, ChangeUser]),
    useCase(DeleteUser, [GetUser, RemoveUser]),
    useCase(OpenSetup, [t.Secrets, t.CredentialStore, t.SetupCode]),
    useCase(IsSetupOpen, [t.CredentialStore, t.SetupCode]),
    useCase(MakeFirstAdministrator, [
      {
        clock: t.Clock,
        ids: t.IdSource,
        secrets: t.Secrets,
        users: t.CredentialStore,
        passwords: t.PasswordHasher,
        queue: SignInQueue,
        code: t.SetupCode,
        audit: AuditTrail,
      },
    ]),
    useCase(GetKeySet, [t.SigningKeys]),
    useCase(ListKeys, [t.Clock, t.SigningKeys]),
    useCase(RotateKey, [constant(config.TOKEN_DURATION), t.Clock, t.SigningKeys, AuditTrail]),
    useCase(RetireKey, [t.SigningKeys, AuditTrail]),
  ];
}
