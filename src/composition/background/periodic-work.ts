import type { Log } from '#adapters/log-pino/logger.js';
import { FLUSH_INTERVAL, WriteTally } from '#application/observations/ingest/write-tally.js';
import { JUDGING_INTERVAL, JudgeObservations } from '#application/observations/judging/judge-observations.js';
import { TABLE_INTERVAL, KeepDayTables } from '#application/observations/read/keep-day-tables.js';
import { RENEWAL_INTERVAL, RenewTables } from '#application/observations/read/tables/renew-tables.js';
import { HOUSEKEEPING_INTERVAL, Housekeep } from '#application/operation/housekeep.js';
import { CHECK_INTERVAL, MonitorHealth } from '#application/operation/monitor-health.js';
import { PendingSenders } from '#application/uploads/pending/pending-senders.js';
import { STATUS_INTERVAL, UploadStatuses } from '#application/uploads/status/upload-statuses.js';
import type { Application } from '../container.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';

/** The work of each process: health checks, and writing what is collected in memory. The main process also tidies up and judges. */
export function periodicWork(
  { container }: Application,
  { logger }: Log,
  isMain: boolean,
): readonly Runnable[] {
  const logFailure = (what: string) => (error: unknown) => logger.error({ reason: reasonOf(error) }, what);
  const [health, housekeep, tally, statuses, pending, dayTables, judge, renew] = [
    container.get(MonitorHealth),
    container.get(Housekeep),
    container.get(WriteTally),
    container.get(UploadStatuses),
    container.get(PendingSenders),
    container.get(KeepDayTables),
    container.get(JudgeObservations),
    container.get(RenewTables),
  ];
  // A round that deletes many observations may take longer than the interval.
  const housekeeping = periodic({
    name: 'housekeeping',
    work: (signal) => housekeep.execute(signal),
    onFailure: logFailure('housekeeping failed'),
    interval: HOUSEKEEPING_INTERVAL,
    atOnce: true,
  });
  const judging = periodic({
    name: 'quality control',
    work: async (signal) => void (await judge.execute(signal)),
    onFailure: logFailure('observations are not judged for now'),
    interval: JUDGING_INTERVAL,
  });
  const renewal = periodic({
    name: 'renewal of tables of days',
    work: (signal) =>
      renew.execute(
        ({ total, done }) => logger.info({ total, done }, 'tables of days are computed again'),
        signal,
      ),
    onFailure: logFailure('tables of days are not computed again for now'),
    interval: RENEWAL_INTERVAL,
    atOnce: true,
  });
  return [
    // Overlapping, so that a check that hangs does not delay the others. MonitorHealth itself notices missing rounds.
    periodic({ work: () => health.execute(), interval: CHECK_INTERVAL, overlapping: true }),
    ...(isMain ? [housekeeping] : []),
    // Counts that are left when the service stops are written when the application closes.
    periodic({
      name: 'audit of bulk writes',
      work: () => tally.flush(),
      onFailure: logFailure('writes are missing in the audit trail for now'),
      interval: FLUSH_INTERVAL,
    }),
    periodic({
      name: 'tables of days',
      work: (signal) => dayTables.execute(signal),
      onFailure: logFailure('tables of days are not kept for now'),
      interval: TABLE_INTERVAL,
    }),
    ...(isMain ? [judging, renewal] : []),
    periodic({
      name: 'status of uploads',
      work: async () => void (await Promise.all([statuses.flush(), pending.flush()])),
      onFailure: logFailure('the status of uploads is not stored for now'),
      interval: STATUS_INTERVAL,
    }),
  ];
}
