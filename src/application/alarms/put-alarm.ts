import type { Caller } from '#domain/accounts/audit-event.js';
import { acceptAlarm, type Alarm } from '#domain/alarms/alarm.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import { assertDeliverable } from '../hooks/assert-deliverable.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Delivery } from '../ports/delivery.js';
import type { StationStore } from '../ports/station-store.js';
import { findStation } from '../stations/find-station.js';
import type { AddAlarm, AlarmRequest } from './add-alarm.js';
import { alarmDetail } from './alarm-detail.js';
import type { RemoveAlarm } from './remove-alarm.js';

export interface PutAlarmDependencies {
  readonly stations: StationStore;
  readonly store: AlarmStore;
  readonly trail: AuditTrail;
  readonly delivery: Pick<Delivery, 'refusal'>;
  readonly add: AddAlarm;
  readonly remove: RemoveAlarm;
}

/**
 * Adds an alarm, or replaces the one with its name, which then begins anew. An alarm of which only the target is another one goes
 * on: it is neither raised again nor forgotten, and its new target gets what the old one has not acknowledged.
 */
export class PutAlarm {
  readonly #with: PutAlarmDependencies;

  constructor(dependencies: PutAlarmDependencies) {
    this.#with = dependencies;
  }

  /**
   * Changes nothing if the alarm is the same already.
   *
   * @throws DomainError REQUEST_INVALID; STATION_UNKNOWN; ALARM_EXISTS if somebody else adds it at the same time
   */
  async execute(request: AlarmRequest, caller: Caller): Promise<Alarm> {
    const { stations, store, trail, delivery, add, remove } = this.#with;
    const { name, condition, target } = acceptAlarm(request);
    const station = request.station === null ? null : (await findStation(stations, request.station)).number;
    const known = (await store.alarms()).find((alarm) => alarm.name === name);
    if (known === undefined) return await add.execute(request, caller);
    const watchesTheSame = known.station === station && textOf(known.condition) === textOf(condition);
    if (watchesTheSame && textOf(known.target) === textOf(target)) return known;
    if (target !== null) assertDeliverable(delivery, target);
    // The events are written first, as in AddAlarm.
    if (!watchesTheSame) {
      await remove.record(known, caller);
      return await add.execute(request, caller, known);
    }
    const alarm = { ...known, target };
    await trail.record(caller, 'alarm-change', name, 'done', alarmDetail(alarm, request.station));
    if (await store.setTarget(known.id, target)) return alarm;
    // Somebody has removed it meanwhile.
    return await add.execute(request, caller);
  }
}

/** The same for conditions and targets that are the same, whatever the order of their fields in the store. */
function textOf(value: object | null): string {
  return JSON.stringify(Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}
