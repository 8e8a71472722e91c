import type { Log } from '#adapters/log-pino/logger.js';
import { FLUSH_INTERVAL, WriteTally } from '#application/observations/ingest/write-tally.js';
import {
  RECHECK_INTERVAL,
  RecheckObservations,
  type RecheckState,
} from '#application/observations/recheck/recheck-observations.js';
import {
  AGGREGATE_INTERVAL,
  MaintainDailyAggregates,
} from '#application/observations/read/maintain-daily-aggregates.js';
import {
  RENEWAL_INTERVAL,
  RenewAggregates,
} from '#application/observations/read/aggregates/renew-aggregates.js';
import { NOTICE_INTERVAL, RenewNotices } from '#application/observations/notices/renew-notices.js';
import { HOUSEKEEPING_INTERVAL, Housekeep } from '#application/operation/housekeep.js';
import { CHECK_INTERVAL, MonitorHealth } from '#application/operation/monitor-health.js';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { PendingSenders } from '#application/uploads/pending/pending-senders.js';
import { STATUS_INTERVAL, UploadStatuses } from '#application/uploads/status/upload-statuses.js';
import { isDomainError } from '#domain/domain-error.js';
import * as t from '../graph/tokens.js';
import { wireFactory, type Wiring } from '../graph/wiring.js';
import { reasonOf } from '../reason.js';
import { periodic } from '../runnables.js';
import { afterBulkWrites } from './bulk-writes.js';

/**
 * Returns the periodic work of a process: health checks and the writing of data that were collected in memory. The main process
 * also does housekeeping and quality control.
 */
export function periodicWork(isMain: boolean): readonly Wiring[] {
  return [
    wireFactory(
      t.Runnable,
      // Rounds may overlap, so that a check that hangs does not delay other checks. `MonitorHealth` itself notices when no round
      // runs.
      (health) => periodic({ work: () => health.execute(), interval: CHECK_INTERVAL, overlapping: true }),
      [MonitorHealth],
    ),
    ...(isMain ? [housekeeping] : []),
    wireFactory(
      t.Runnable,
      // `tally` counts bulk writes for the audit trail, and each round writes the counts. The counts since the last round are not
      // lost at the end of the service: they are written when the application closes.
      (tally, log) =>
        periodic({
          name: 'audit of bulk writes',
          work: () => tally.flush(),
          onFailure: logFailure(
            log,
            'the audit trail does not have the last bulk writes yet, because they could not be written',
          ),
          interval: FLUSH_INTERVAL,
        }),
      [WriteTally, t.Log],
    ),
    wireFactory(
      t.Runnable,
      (dailyAggregates, log) =>
        periodic({
          name: 'daily aggregates',
          work: (signal) => dailyAggregates.execute(signal),
          onFailure: logFailure(log, 'daily aggregates could not be updated'),
          interval: AGGREGATE_INTERVAL,
        }),
      [MaintainDailyAggregates, t.Log],
    ),
    ...(isMain ? [qualityControl, notices, renewal] : []),
    wireFactory(
      t.Runnable,
      (statuses, pending, sensors, log) =>
        periodic({
          name: 'status of uploads',
          work: async () => void (await Promise.all([statuses.flush(), pending.flush(), sensors.flush()])),
          onFailure: logFailure(log, 'the status of uploads and sensors could not be stored'),
          interval: STATUS_INTERVAL,
        }),
      [UploadStatuses, PendingSenders, NoteSensors, t.Log],
    ),
  ];
}

const housekeeping = wireFactory(
  t.Runnable,
  // A round that deletes many observations may take longer than the interval. Rounds do not overlap.
  (housekeep, log) =>
    periodic({
      name: 'housekeeping',
      work: (signal) => housekeep.execute(signal),
      onFailure: logFailure(log, 'housekeeping has failed'),
      interval: HOUSEKEEPING_INTERVAL,
      atOnce: true,
    }),
  [Housekeep, t.Log],
);

const qualityControl = wireFactory(
  t.Runnable,
  (recheck, announcer, log) =>
    periodic({
      name: 'quality control',
      work: async (signal) => void (await recheck.execute(signal)),
      progress: () => recheckText(recheck.state()),
      early: (begin) =>
        afterBulkWrites(announcer, () => {
          recheck.expectRows();
          begin();
        }),
      onFailure: logFailure(log, 'the quality control of observations has failed'),
      interval: RECHECK_INTERVAL,
    }),
  [RecheckObservations, t.Announcer, t.Log],
);

/** What the health check says while many rows are checked. */
function recheckText(state: RecheckState | undefined): string | undefined {
  if (state === undefined || state.rows === 0) return undefined;
  const { ranges, rows, checked } = state;
  const share = Math.floor(checked * 100);
  return `About ${rows} rows in ${ranges} ranges wait for their final check, and ${share} % are checked.`;
}

const notices = wireFactory(
  t.Runnable,
  (renew, recheck, log) =>
    periodic({
      name: 'notices of stations',
      work: (signal) => renew.execute(signal),
      // A station that sends each minute has values that wait for their verdicts at the begin of each round, because both rounds begin
      // at the same time. So a postponed search begins when the verdicts are final.
      early: (begin) =>
        recheck.onFinished(() => {
          if (renew.isPostponed()) begin();
        }),
      onFailure: logFailure(log, 'the notices of stations could not be searched'),
      interval: NOTICE_INTERVAL,
    }),
  [RenewNotices, RecheckObservations, t.Log],
);

const renewal = wireFactory(
  t.Runnable,
  (renew, log) =>
    periodic({
      name: 'renewal of daily aggregates',
      work: (signal) =>
        renew.execute(
          ({ total, done }) => log.logger.info({ total, done }, 'daily aggregates are being recomputed'),
          signal,
        ),
      onFailure: logFailure(log, 'daily aggregates could not be recomputed'),
      interval: RENEWAL_INTERVAL,
      atOnce: true,
    }),
  [RenewAggregates, t.Log],
);

/** A round that another user of the store held up is a warning, because the next round does its work. */
export function logFailure({ logger }: Pick<Log, 'logger'>, message: string): (error: unknown) => void {
  return (error) => {
    const level = isDomainError(error) && error.locked ? 'warn' : 'error';
    logger[level]({ reason: reasonOf(error) }, message);
  };
}
