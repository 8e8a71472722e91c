import type { Log } from '#adapters/log-pino/logger.js';
import { FLUSH_INTERVAL, WriteTally } from '#application/observations/ingest/write-tally.js';
import {
  RECHECK_INTERVAL,
  RecheckObservations,
} from '#application/observations/recheck/recheck-observations.js';
import {
  AGGREGATE_INTERVAL,
  MaintainDailyAggregates,
} from '#application/observations/read/maintain-daily-aggregates.js';
import {
  RENEWAL_INTERVAL,
  RenewAggregates,
} from '#application/observations/read/aggregates/renew-aggregates.js';
import { HOUSEKEEPING_INTERVAL, Housekeep } from '#application/operation/housekeep.js';
import { CHECK_INTERVAL, MonitorHealth } from '#application/operation/monitor-health.js';
import { PendingSenders } from '#application/uploads/pending/pending-senders.js';
import { STATUS_INTERVAL, UploadStatuses } from '#application/uploads/status/upload-statuses.js';
import * as t from '../graph/tokens.js';
import { made, type Wiring } from '../graph/wiring.js';
import { reasonOf } from '../reason.js';
import { periodic } from '../runnables.js';

/** The work of each process: health checks, and writing what is collected in memory. The main process also tidies up and judges. */
export function periodicWork(isMain: boolean): readonly Wiring[] {
  return [
    made(
      t.Runnable,
      // Overlapping, so that a check that hangs does not delay the others. MonitorHealth itself notices missing rounds.
      (health) => periodic({ work: () => health.execute(), interval: CHECK_INTERVAL, overlapping: true }),
      [MonitorHealth],
    ),
    ...(isMain ? [housekeeping] : []),
    made(
      t.Runnable,
      // Counts that are left when the service stops are written when the application closes.
      (tally, log) =>
        periodic({
          name: 'audit of bulk writes',
          work: () => tally.flush(),
          onFailure: logFailure(log, 'writes are missing in the audit trail for now'),
          interval: FLUSH_INTERVAL,
        }),
      [WriteTally, t.Log],
    ),
    made(
      t.Runnable,
      (dailyAggregates, log) =>
        periodic({
          name: 'tables of days',
          work: (signal) => dailyAggregates.execute(signal),
          onFailure: logFailure(log, 'tables of days are not kept for now'),
          interval: AGGREGATE_INTERVAL,
        }),
      [MaintainDailyAggregates, t.Log],
    ),
    ...(isMain ? [qualityControl, renewal] : []),
    made(
      t.Runnable,
      (statuses, pending, log) =>
        periodic({
          name: 'status of uploads',
          work: async () => void (await Promise.all([statuses.flush(), pending.flush()])),
          onFailure: logFailure(log, 'the status of uploads is not stored for now'),
          interval: STATUS_INTERVAL,
        }),
      [UploadStatuses, PendingSenders, t.Log],
    ),
  ];
}

const housekeeping = made(
  t.Runnable,
  // A round that deletes many observations may take longer than the interval.
  (housekeep, log) =>
    periodic({
      name: 'housekeeping',
      work: (signal) => housekeep.execute(signal),
      onFailure: logFailure(log, 'housekeeping failed'),
      interval: HOUSEKEEPING_INTERVAL,
      atOnce: true,
    }),
  [Housekeep, t.Log],
);

const qualityControl = made(
  t.Runnable,
  (recheck, log) =>
    periodic({
      name: 'quality control',
      work: async (signal) => void (await recheck.execute(signal)),
      onFailure: logFailure(log, 'observations are not judged for now'),
      interval: RECHECK_INTERVAL,
    }),
  [RecheckObservations, t.Log],
);

const renewal = made(
  t.Runnable,
  (renew, log) =>
    periodic({
      name: 'renewal of tables of days',
      work: (signal) =>
        renew.execute(
          ({ total, done }) => log.logger.info({ total, done }, 'tables of days are computed again'),
          signal,
        ),
      onFailure: logFailure(log, 'tables of days are not computed again for now'),
      interval: RENEWAL_INTERVAL,
      atOnce: true,
    }),
  [RenewAggregates, t.Log],
);

function logFailure({ logger }: Log, what: string): (error: unknown) => void {
  return (error) => logger.error({ reason: reasonOf(error) }, what);
}
