import { HOUSEKEEPING } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { MAX_POINT_AGE } from '#domain/sensors/sensor-history.js';
import { PENDING_AGE } from '#domain/uploads/pending-sender.js';
import { RAW_AGE } from '#domain/uploads/upload-status.js';
import { RESTORABLE } from '#domain/weather/station.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { AuditStore } from '../ports/audit-store.js';
import type { Clock } from '../ports/clock.js';
import type { ImportLog } from '../ports/import-log.js';
import type { SessionStore } from '../ports/session-store.js';
import type { SignInStore } from '../ports/sign-in-store.js';
import type { StationStore } from '../ports/station-store.js';
import { retentionAt } from '../observations/imports/import-retention.js';
import type { RecordStore } from '../ports/record-store.js';
import { SENSOR_RECORDS } from '../record-forms.js';
import { PENDING_RECORD } from '../uploads/pending/pending-senders.js';
import { SOURCE_RECORDS } from '../uploads/source-states.js';
import { RAW_RECORDS } from '../uploads/status/upload-statuses.js';
import { eraseRows } from '../stations/erase-rows.js';
import { workThrough } from '../work-through.js';
import type { ExpireRows } from './expire-rows.js';

/** Milliseconds between two rounds. */
export const HOUSEKEEPING_INTERVAL = MILLISECONDS.hour;

/**
 * Milliseconds after which the counters of a silent source are deleted. A source is a device that sends values of counters, for
 * example of a rain gauge. If it sent again after this time, the increase of its rain counter would be the rain of more than a
 * year.
 */
const SOURCE_AGE = 400 * MILLISECONDS.day;

export interface HousekeepDependencies {
  readonly clock: Clock;
  readonly sessions: SessionStore;
  readonly signIns: SignInStore;
  readonly audit: AuditStore;
  readonly stations: StationStore;
  readonly imports: ImportLog;
  readonly trail: AuditTrail;
  readonly uploads: RecordStore;
  readonly expire: ExpireRows;
}

/**
 * Removes obsolete data: expired sessions, expired counts of failed sign-ins, old events, old texts of uploads, senders without
 * an upload key, counters of devices that no longer send, sensors that no longer send, records of old imports, stations that can no longer be restored, and
 * observations that are older than their retention period.
 */
export class Housekeep {
  readonly #auditRetention: number;
  readonly #with: HousekeepDependencies;

  /** @param auditRetention retention period of audit events, in seconds */
  constructor(auditRetention: number, dependencies: HousekeepDependencies) {
    this.#auditRetention = auditRetention;
    this.#with = dependencies;
  }

  /** Runs one round. @param signal stops a long round early; the next round continues */
  async execute(signal?: AbortSignal): Promise<void> {
    const { clock, sessions, signIns, audit, stations, imports, trail, uploads, expire } = this.#with;
    const now = clock.now();
    await sessions.purge(now / 1000);
    await signIns.purge(now);
    await trail.flush();
    await audit.purge(now - this.#auditRetention * 1000);
    await uploads.purge(RAW_RECORDS, now - RAW_AGE);
    await uploads.purge(PENDING_RECORD, now - PENDING_AGE);
    await uploads.purge(SOURCE_RECORDS, now - SOURCE_AGE);
    await uploads.purge(SENSOR_RECORDS, now - MAX_POINT_AGE);
    while (await imports.prune(retentionAt(now)));
    try {
      await this.#eraseStations(now - RESTORABLE, signal);
    } finally {
      await eraseRows(stations, signal);
    }
    await expire.execute({}, HOUSEKEEPING, { signal }).catch((error: unknown) => {
      if (signal?.aborted !== true) throw error;
    });
  }

  /** Permanently removes the stations that were hidden (removed but restorable) at `time` or earlier. */
  async #eraseStations(time: number, signal: AbortSignal | undefined): Promise<void> {
    const { stations, trail } = this.#with;
    const due = (await stations.hidden()).filter(({ removedAt }) => removedAt <= time);
    const erase = async (id: string) => {
      await stations.remove(id, {
        hiddenUntil: time,
        events: [trail.event(HOUSEKEEPING, 'station-erase', id)],
      });
    };
    await workThrough(
      due.map(({ station }) => station.id),
      erase,
      signal,
    );
  }
}
