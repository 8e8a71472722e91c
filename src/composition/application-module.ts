import { ContainerModule } from 'inversify';
import { AddUser } from '../application/add-user.js';
import { AuditTrail } from '../application/audit-trail.js';
import { Authenticate } from '../application/authenticate.js';
import { Authorize } from '../application/authorize.js';
import { ChangeStations } from '../application/change-stations.js';
import { ChangeUser } from '../application/change-user.js';
import { CheckData } from '../application/check-data.js';
import { DeleteUser } from '../application/delete-user.js';
import { Derive } from '../application/derive.js';
import { DropElevation } from '../application/drop-elevation.js';
import { ElevateToken } from '../application/elevate-token.js';
import { EndSessions } from '../application/end-sessions.js';
import { EraseStation } from '../application/erase-station.js';
import { FindStations } from '../application/find-stations.js';
import { GetDataVersion } from '../application/get-data-version.js';
import { GetHealth } from '../application/get-health.js';
import { GetInfo } from '../application/get-info.js';
import { GetKeySet } from '../application/get-key-set.js';
import { GetLatest } from '../application/get-latest.js';
import { GetLiveliness } from '../application/get-liveliness.js';
import { GetStation } from '../application/get-station.js';
import { GetUser } from '../application/get-user.js';
import { Housekeep } from '../application/housekeep.js';
import { IntrospectToken } from '../application/introspect-token.js';
import { ListChecks } from '../application/list-checks.js';
import { ListKeys } from '../application/list-keys.js';
import { ListRemovedStations } from '../application/list-removed-stations.js';
import { ListSessions } from '../application/list-sessions.js';
import { ListStations } from '../application/list-stations.js';
import { ListUsers } from '../application/list-users.js';
import { ListVariables } from '../application/list-variables.js';
import { type HealthObserver, MonitorHealth } from '../application/monitor-health.js';
import { PlaceStations } from '../application/place-stations.js';
import { PutStations } from '../application/put-stations.js';
import { PutUser } from '../application/put-user.js';
import { ReadAudit } from '../application/read-audit.js';
import { ReadGate } from '../application/read-gate.js';
import { ReadObservations } from '../application/read-observations.js';
import { RecordObservations } from '../application/record-observations.js';
import { RemoveStation } from '../application/remove-station.js';
import { RemoveUser } from '../application/remove-user.js';
import { RestoreStation } from '../application/restore-station.js';
import { RetireKey } from '../application/retire-key.js';
import { Revoke } from '../application/revoke.js';
import { RotateKey } from '../application/rotate-key.js';
import { SignInThrottle } from '../application/sign-in-throttle.js';
import { StationDirectory } from '../application/station-directory.js';
import { Summarize } from '../application/summarize.js';
import { SurveyStations } from '../application/survey-stations.js';
import { WriteTally } from '../application/write-tally.js';
import { Turns } from '../application/turns.js';
import type { Config } from './config.js';
import { readPackageInfo } from './package-info.js';
import * as t from './tokens.js';

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

    bind(t.ListVariables).toResolvedValue(() => new ListVariables());
    bind(t.ListStations).toResolvedValue((stations) => new ListStations(stations), [t.StationStore]);
    bind(t.ListRemovedStations).toResolvedValue(
      (stations) => new ListRemovedStations(stations),
      [t.StationStore],
    );
    bind(t.FindStations).toResolvedValue((search) => new FindStations(search), [t.StationSearch]);
    bind(t.GetStation).toResolvedValue(
      (stations, observations) => new GetStation(stations, observations),
      [t.StationStore, t.ObservationStore],
    );
    bind(t.ChangeStations).toResolvedValue(
      (stations, calendar, audit) => new ChangeStations(stations, calendar, audit),
      [t.StationStore, t.Calendar, t.AuditTrail],
    );
    bind(t.PutStations).toResolvedValue((change) => new PutStations(change), [t.ChangeStations]);
    bind(t.RemoveStation).toResolvedValue(
      (clock, stations, audit) => new RemoveStation(clock, stations, audit),
      [t.Clock, t.StationStore, t.AuditTrail],
    );
    bind(t.RestoreStation).toResolvedValue(
      (stations, audit) => new RestoreStation(stations, audit),
      [t.StationStore, t.AuditTrail],
    );
    bind(t.EraseStation).toResolvedValue(
      (stations, audit) => new EraseStation(stations, audit),
      [t.StationStore, t.AuditTrail],
    );
    bind(t.GetDataVersion).toResolvedValue(
      (clock, stations, observations) => new GetDataVersion(clock, stations, observations),
      [t.Clock, t.StationStore, t.ObservationStore],
    );
    bind(t.StationDirectory).toResolvedValue((stations) => new StationDirectory(stations), [t.StationStore]);
    bind(t.WriteTally)
      .toResolvedValue(
        (clock, audit, directory) => new WriteTally(clock, audit, directory),
        [t.Clock, t.AuditStore, t.StationDirectory],
      )
      .onDeactivation((tally) => tally.flush());
    bind(t.RecordObservations).toResolvedValue(
      (clock, stations, directory, observations, audit, tally) =>
        new RecordObservations(clock, stations, directory, observations, audit, tally),
      [t.Clock, t.StationStore, t.StationDirectory, t.ObservationStore, t.AuditTrail, t.WriteTally],
    );
    bind(t.ReadGate).toResolvedValue(() => new ReadGate());
    bind(t.ReadObservations).toResolvedValue(
      (stations, directory, observations, calendar, gate) =>
        new ReadObservations(stations, directory, observations, calendar, gate),
      [t.StationStore, t.StationDirectory, t.ObservationStore, t.Calendar, t.ReadGate],
    );
    bind(t.GetLatest).toResolvedValue(
      (clock, stations, search, directory, observations, gate) =>
        new GetLatest(clock, stations, search, directory, observations, gate),
      [t.Clock, t.StationStore, t.StationSearch, t.StationDirectory, t.ObservationStore, t.ReadGate],
    );
    bind(t.SurveyStations).toResolvedValue(
      (directory, observations) => new SurveyStations(directory, observations),
      [t.StationDirectory, t.ObservationStore],
    );
    bind(t.PlaceStations).toResolvedValue(
      (directory, change) => new PlaceStations(directory, change),
      [t.StationDirectory, t.ChangeStations],
    );
    bind(t.Summarize).toResolvedValue(
      (stations, observations, calendar, gate) => new Summarize(stations, observations, calendar, gate),
      [t.StationStore, t.ObservationStore, t.Calendar, t.ReadGate],
    );
    bind(t.Derive).toResolvedValue((read) => new Derive(read), [t.ReadObservations]);

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
