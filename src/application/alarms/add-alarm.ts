import type { Caller } from '#domain/accounts/audit-event.js';
import { acceptAlarm, type Alarm, MAX_ALARMS } from '#domain/alarms/alarm.js';
import { changedInMeantime, DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import { assertDeliverable } from '../hooks/assert-deliverable.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Clock } from '../ports/clock.js';
import type { Delivery } from '../ports/delivery.js';
import type { IdSource } from '../ports/id-source.js';
import type { StationStore } from '../ports/station-store.js';
import { findStation } from '../stations/find-station.js';
import { alarmDetail } from './alarm-detail.js';

export interface AddAlarmDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly stations: StationStore;
  readonly store: AlarmStore;
  readonly trail: AuditTrail;
  readonly delivery: Pick<Delivery, 'refusal'>;
}

export interface AlarmRequest extends Pick<Alarm, 'name' | 'condition' | 'target'> {
  /** Id of the station; null for all stations. */
  readonly station: string | null;
}

/** Adds an alarm. The first evaluation follows within seconds. */
export class AddAlarm {
  readonly #with: AddAlarmDependencies;

  constructor(dependencies: AddAlarmDependencies) {
    this.#with = dependencies;
  }

  /**
   * @param replaced an alarm that is removed in the same transaction
   * @param expected text of the replaced alarm; see `alarmText`
   * @throws DomainError PRECONDITION_FAILED if the replaced alarm is not as expected; REQUEST_INVALID; STATION_UNKNOWN; ALARM_EXISTS
   */
  async execute(request: AlarmRequest, caller: Caller, replaced?: Alarm, expected?: string): Promise<Alarm> {
    const { clock, ids, stations, store, trail, delivery } = this.#with;
    const { name, condition, target } = acceptAlarm(request);
    if (target !== null) assertDeliverable(delivery, target, 'alarm');
    const station = request.station === null ? null : (await findStation(stations, request.station)).number;
    const known = (await store.alarms()).filter(({ id }) => id !== replaced?.id);
    if (known.some((alarm) => alarm.name === name)) throw alarmExists(name);
    if (known.length >= MAX_ALARMS)
      throw new DomainError(
        'REQUEST_INVALID',
        `There are ${MAX_ALARMS} alarms, which is the maximum: remove one of them.`,
      );
    const alarm = {
      id: ids.next(),
      name,
      station,
      condition,
      target,
      madeBy: caller.actor,
      madeAt: clock.now(),
    };
    // The audit event is written before the alarm, so that no alarm exists without an event.
    await trail.record(caller, 'alarm-add', name, 'done', alarmDetail(alarm, request.station));
    if (!(await store.add(alarm, replaced?.id, expected)))
      throw expected === undefined ? alarmExists(name) : changedInMeantime('alarm', name);
    return alarm;
  }
}

function alarmExists(name: string): DomainError {
  return new DomainError(
    'ALARM_EXISTS',
    `There is already an alarm ${quoted(name)}. Remove it first, or change it with "weatherd alarm set".`,
  );
}
