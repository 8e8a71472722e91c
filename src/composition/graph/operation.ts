import { TextThreads } from '#adapters/http/external/observations/text-threads.js';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { LearnForecasts } from '#application/forecast/learn-forecasts.js';
import { ScoreForecasts } from '#application/forecast/score-forecasts.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import { CheckData } from '#application/operation/check-data.js';
import { CheckForecasts } from '#application/operation/check-forecasts.js';
import { type BackupSchedule, DescribeBackups } from '#application/operation/describe-backups.js';
import { ExpireRows } from '#application/operation/expire-rows.js';
import { FindOldRows } from '#application/operation/find-old-rows.js';
import { GetHealth } from '#application/operation/get-health.js';
import { GetInfo } from '#application/operation/get-info.js';
import { GetLiveliness } from '#application/operation/get-liveliness.js';
import { Housekeep } from '#application/operation/housekeep.js';
import { ListChecks } from '#application/operation/list-checks.js';
import { type HealthObserver, MonitorHealth } from '#application/operation/monitor-health.js';
import { PreviewRetention } from '#application/operation/preview-retention.js';
import { SetRetention } from '#application/operation/set-retention.js';
import { CountValues } from '#application/observations/removal/count-values.js';
import { FindValues } from '#application/observations/removal/find-values.js';
import { EraseRanges } from '#application/observations/removal/erase-ranges.js';
import { MILLISECONDS } from '#domain/time.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { backupsIn } from '../backups/backup-folder.js';
import type { Config } from '../config.js';
import { PACKAGE_INFO } from '../package-info.js';
import * as t from './tokens.js';
import { constant, wireFactory, useCase, type Wiring } from './wiring.js';

/** The classes for the operation of the service: its health, the check of the data, housekeeping and retention. */
export function operationWirings(config: Config, observer: HealthObserver): readonly Wiring[] {
  return [
    useCase(GetInfo, [constant(PACKAGE_INFO)]),
    useCase(GetHealth, [t.Clock]),
    wireFactory(
      t.Checks,
      (stores, { check }, texts, ...auth) => [...stores, check, texts, ...(config.AUTH_ENABLED ? auth : [])],
      [t.StoreChecks, StationDirectory, TextThreads, t.TokenIssuer, t.PasswordHasher],
    ),
    useCase(MonitorHealth, [t.Clock, t.Checks, constant(observer)]),
    useCase(ListChecks, [MonitorHealth]),
    useCase(GetLiveliness, [MonitorHealth]),
    useCase(DescribeBackups, [constant(backupSchedule(config)), t.Clock, ListChecks]),
    useCase(CheckForecasts, [
      {
        clock: t.Clock,
        stations: t.StationStore,
        transfer: t.TransferStore,
        store: t.RecordStore,
        records: ForecastRecords,
        orders: ForecastOrders,
        learn: LearnForecasts,
        score: ScoreForecasts,
      },
    ]),
    useCase(CheckData, [
      {
        verifier: t.DataVerifier,
        stations: t.StationStore,
        overrides: t.OverrideStore,
        alarms: t.AlarmStore,
        forecasts: CheckForecasts,
        announcer: t.Announcer,
        trail: AuditTrail,
        calendar: t.Calendar,
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
    useCase(ExpireRows, [FindOldRows, EraseRanges, MaintainDailyAggregates, StationDirectory, t.Calendar]),
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
        uploads: t.RecordStore,
        expire: ExpireRows,
      },
    ]),
    useCase(PreviewRetention, [constant(config.RETENTION), FindOldRows, FindValues, CountValues]),
    useCase(SetRetention, [constant(config.RETENTION), t.StationStore, AuditTrail]),
  ];
}

function backupSchedule({ BACKUP_DIR: folder, BACKUP_EVERY: seconds, BACKUP_KEEP: keep }: Config) {
  if (folder === undefined) return undefined;
  const schedule: BackupSchedule = {
    every: seconds * MILLISECONDS.second,
    keep,
    files: () => backupsIn(folder),
  };
  return schedule;
}
