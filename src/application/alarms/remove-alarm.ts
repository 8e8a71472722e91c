import type { Caller } from '#domain/accounts/audit-event.js';
import type { Alarm } from '#domain/alarms/alarm.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { StationDirectory } from '../stations/station-directory.js';
import { alarmDetail } from './alarm-detail.js';
import { findAlarm, unknownAlarm } from './find-alarm.js';

/** Removes an alarm. Its target gets no message, even if the alarm is raised. */
export class RemoveAlarm {
  readonly #store: AlarmStore;
  readonly #directory: StationDirectory;
  readonly #trail: AuditTrail;

  constructor(store: AlarmStore, directory: StationDirectory, trail: AuditTrail) {
    this.#store = store;
    this.#directory = directory;
    this.#trail = trail;
  }

  /** @throws DomainError ALARM_UNKNOWN */
  async execute(name: string, caller: Caller): Promise<void> {
    const alarm = await findAlarm(this.#store, name);
    // The audit event is written before the change, so that no change exists without an event.
    await this.record(alarm, caller);
    if (!(await this.#store.remove(alarm.id))) throw unknownAlarm(name);
  }

  /** Writes the audit event of a removal, without removing the alarm. */
  async record(alarm: Alarm, caller: Caller): Promise<void> {
    const { byNumber } = await this.#directory.current();
    const station = alarm.station === null ? null : byNumber.get(alarm.station)?.id;
    await this.#trail.record(caller, 'alarm-remove', alarm.name, 'done', alarmDetail(alarm, station));
  }
}
