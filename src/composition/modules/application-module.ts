import { TextThreads } from '#adapters/http/external/observations/text-threads.js';
import { BulkGate } from '#adapters/http/internal/bulk-gate.js';
import { KdbushStationSearch } from '#adapters/search-kdbush/kdbush-station-search.js';
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
import { AddUser } from '#application/accounts/users/add-user.js';
import { ChangeUser } from '#application/accounts/users/change-user.js';
import { DeleteUser } from '#application/accounts/users/delete-user.js';
import { GetUser } from '#application/accounts/users/get-user.js';
import { ListUsers } from '#application/accounts/users/list-users.js';
import { PutUser } from '#application/accounts/users/put-user.js';
import { RemoveUser } from '#application/accounts/users/remove-user.js';
import { CommitQueue } from '#application/observations/ingest/commit-queue.js';
import { RecordBatches } from '#application/observations/ingest/record-batches.js';
import { PreviewRows } from '#application/observations/ingest/preview-rows.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { RecordTogether } from '#application/observations/ingest/record-together.js';
import { RowBudget } from '#application/observations/ingest/row-budget.js';
import { RowCounts } from '#application/observations/row-counts.js';
import { WriteTally } from '#application/observations/ingest/write-tally.js';
import { AddUpTables } from '#application/observations/read/add-up-tables.js';
import { DerivePeriods } from '#application/observations/read/derived/derive-periods.js';
import { Derive } from '#application/observations/read/derived/derive.js';
import { FindLastingSteps } from '#application/observations/overrules/find-lasting-steps.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { GetNewestRows } from '#application/observations/read/get-newest-rows.js';
import { KeepDayTables } from '#application/observations/read/keep-day-tables.js';
import { RenewTables } from '#application/observations/read/tables/renew-tables.js';
import { ListVariables } from '#application/observations/read/list-variables.js';
import { ReadGate } from '#application/observations/read/gate/read-gate.js';
import { ReadObservations } from '#application/observations/read/read-observations.js';
import { StreamObservations } from '#application/observations/read/stream-observations.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { CheckData } from '#application/operation/check-data.js';
import { ExpireRows } from '#application/operation/expire-rows.js';
import { FindOldRows } from '#application/operation/find-old-rows.js';
import { GetHealth } from '#application/operation/get-health.js';
import { GetInfo } from '#application/operation/get-info.js';
import { GetLiveliness } from '#application/operation/get-liveliness.js';
import { Housekeep } from '#application/operation/housekeep.js';
import { ListChecks } from '#application/operation/list-checks.js';
import { type HealthObserver, MonitorHealth } from '#application/operation/monitor-health.js';
import { CountValues } from '#application/observations/removal/count-values.js';
import { FindValues } from '#application/observations/removal/find-values.js';
import { RemoveValues } from '#application/observations/removal/remove-values.js';
import { SetRetention } from '#application/operation/set-retention.js';
import { EraseRanges } from '#application/observations/removal/erase-ranges.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { FindStations } from '#application/stations/find-stations.js';
import { ListRemovedStations } from '#application/stations/list-removed-stations.js';
import { ListStations } from '#application/stations/list-stations.js';
import { PlaceStations } from '#application/stations/place-stations.js';
import { PutStations } from '#application/stations/put-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { StationEvents } from '#application/stations/station-events.js';
import { SurveyStations } from '#application/stations/survey-stations.js';
import type { Config } from '../config.js';
import { readPackageInfo } from '../package-info.js';
import { alarmWirings } from './alarms-module.js';
import { climateWirings } from './climate-module.js';
import { readWirings } from './read-module.js';
import * as t from './tokens.js';
import { hookWirings } from './hooks-module.js';
import { importWirings } from './imports-module.js';
import { judgingWirings } from './judging-module.js';
import { liveWirings } from './live-module.js';
import { telemetryWirings } from './telemetry-module.js';
import { uploadWirings } from './uploads-module.js';
import { constant, made, useCase, type Wiring } from './wiring.js';

/**
 * The classes of the application, each with the sources of its constructor parameters. They depend only on the ports.
 *
 * @param observer called when the state of a background check changes
 */
export function applicationWirings(config: Config, observer: HealthObserver): readonly Wiring[] {
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
    // Operation
    useCase(GetInfo, [constant(readPackageInfo())]),
    useCase(GetHealth, [t.Clock]),
    made(
      t.Checks,
      (stores, { check }, texts, ...auth) => [...stores, check, texts, ...(config.AUTH_ENABLED ? auth : [])],
      [t.StoreChecks, StationDirectory, TextThreads, t.TokenIssuer, t.PasswordHasher],
    ),
    useCase(MonitorHealth, [t.Clock, t.Checks, constant(observer)]),
    useCase(ListChecks, [MonitorHealth]),
    useCase(GetLiveliness, [MonitorHealth]),
    useCase(CheckData, [
      t.DataVerifier,
      t.StationStore,
      t.OverruleStore,
      t.AlarmStore,
      AuditTrail,
      t.Calendar,
    ]),
    useCase(Housekeep, [
      constant(config.AUDIT_RETENTION),
      {
        clock: t.Clock,
        sessions: t.SessionStore,
        signIns: t.SignInStore,
        audit: t.AuditStore,
        stations: t.StationStore,
        imports: t.ImportLog,
        trail: AuditTrail,
        uploads: t.UploadRecordStore,
        expire: ExpireRows,
      },
    ]),
    useCase(FindOldRows, [
      constant(config.RETENTION),
      t.Clock,
      t.Calendar,
      t.StationStore,
      StationDirectory,
      t.ObservationStore,
    ]),
    useCase(SetRetention, [constant(config.RETENTION), t.StationStore, AuditTrail]),
    useCase(ExpireRows, [FindOldRows, EraseRanges, KeepDayTables, StationDirectory, t.Calendar]),

    // Accounts
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
    useCase(GetKeySet, [t.SigningKeys]),
    useCase(ListKeys, [t.Clock, t.SigningKeys]),
    useCase(RotateKey, [constant(config.TOKEN_DURATION), t.Clock, t.SigningKeys, AuditTrail]),
    useCase(RetireKey, [t.SigningKeys, AuditTrail]),

    // Stations
    useCase(StationDirectory, [t.StationStore, t.Announcer]),
    useCase(StationEvents, [AuditTrail, t.Announcer]),
    useCase(ListStations, [t.StationStore]),
    useCase(ListRemovedStations, [t.StationStore, t.ObservationStore]),
    made(t.StationSearch, (directory) => new KdbushStationSearch(directory), [StationDirectory]),
    useCase(FindStations, [t.StationSearch]),
    useCase(ChangeStations, [t.Clock, t.StationStore, t.Calendar, StationEvents]),
    useCase(PutStations, [ChangeStations]),
    useCase(PlaceStations, [StationDirectory, ChangeStations]),
    useCase(RemoveStation, [t.Clock, t.StationStore, StationEvents]),
    useCase(RestoreStation, [t.Clock, t.StationStore, StationEvents]),
    useCase(EraseStation, [t.Clock, t.StationStore, StationEvents]),
    useCase(SurveyStations, [StationDirectory, t.ObservationStore]),

    // Observations
    useCase(WriteTally, [t.Clock, t.AuditStore, StationDirectory], (tally) => tally.flush()),
    useCase(CommitQueue, [t.ObservationStore, t.Announcer, RowBudget, t.Telemetry]),
    useCase(RowBudget, []),
    useCase(PreviewRows, [t.Clock, StationDirectory]),
    useCase(RecordObservations, [t.Clock, StationDirectory, CommitQueue, AuditTrail, RowCounts]),
    useCase(RecordTogether, [CommitQueue]),
    useCase(RecordBatches, [t.Clock, StationDirectory, CommitQueue, WriteTally, RowCounts]),
    useCase(CountValues, [t.ObservationStore]),
    useCase(FindValues, [t.Calendar, t.ObservationStore]),
    useCase(RemoveValues, [FindValues, EraseRanges]),
    useCase(EraseRanges, [
      {
        ids: t.IdSource,
        observations: t.ObservationStore,
        announcer: t.Announcer,
        audit: t.AuditStore,
        trail: AuditTrail,
      },
    ]),
    useCase(ReadGate, []),
    useCase(BulkGate, []),
    useCase(TextThreads, [], (threads) => threads.close()),
    useCase(DescribeStation, [t.Clock, t.ObservationStore]),
    useCase(ReadObservations, [t.Calendar, t.ObservationStore]),
    useCase(StreamObservations, [StationDirectory, t.ObservationStore]),
    useCase(GetNewestRows, [StationDirectory, t.ObservationStore]),
    useCase(Summarize, [t.Calendar, t.ObservationStore, AddUpTables]),
    useCase(AddUpTables, [t.Calendar, t.DayTableStore, KeepDayTables]),
    useCase(KeepDayTables, [t.Calendar, t.ObservationStore, t.DayTableStore]),
    useCase(RenewTables, [t.Calendar, t.StationStore, t.DayTableStore, KeepDayTables]),
    useCase(Derive, [ReadObservations]),
    useCase(FindLastingSteps, [ReadObservations]),
    useCase(DerivePeriods, [t.Calendar, Summarize]),
    useCase(ListVariables, []),

    ...importWirings(),
    ...readWirings(),
    ...judgingWirings(),
    ...climateWirings(),
    ...liveWirings(),
    ...uploadWirings(config),
    ...telemetryWirings(config),
    ...alarmWirings(),
    ...hookWirings(config),
  ];
}
