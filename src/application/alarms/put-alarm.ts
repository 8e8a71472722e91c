import type { Caller } from '#domain/accounts/audit-event.js';
import { acceptAlarm, type Alarm, alarmText } from '#domain/alarms/alarm.js';
import { changedInMeantime, DomainError } from '#domain/domain-error.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import { assertDeliverable } from '../hooks/assert-deliverable.js';
import { isKept, keptTarget, type KeptTarget } from '../hooks/kept-target.js';
import { assertChangeable } from '../hooks/manage/add-hook.js';
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

/** A request that may keep the target of the replaced alarm, or some of its settings. */
export type AlarmReplacement = Omit<AlarmRequest, 'target'> & {
  readonly target: AlarmRequest['target'] | KeptTarget;
};

/**
 * Adds an alarm, or replaces the alarm with the same name. A replaced alarm starts without states, which say for each station
 * whether it is raised. If only the target differs, the states are kept. Then the alarm is not raised again, and the new target
 * gets the messages that the old target did not acknowledge.
 */
export class PutAlarm {
  readonly #with: PutAlarmDependencies;

  constructor(dependencies: PutAlarmDependencies) {
    this.#with = dependencies;
  }

  /**
   * Changes nothing if the stored alarm already equals the request.
   *
   * @param expected text of the replaced alarm (see `alarmText`); null if no alarm may have this name; undefined for any state
   * @throws DomainError PRECONDITION_FAILED if the alarm is not as expected; REQUEST_INVALID; STATION_UNKNOWN; ALARM_EXISTS if
   *   another caller adds the alarm at the same time
   */
  async execute(sent: AlarmReplacement, caller: Caller, expected?: string | null): Promise<Alarm> {
    const { stations, store, trail, delivery, add, remove } = this.#with;
    const known = (await store.alarms()).find((alarm) => alarm.name === sent.name);
    if (expected !== undefined && expected !== (known === undefined ? null : alarmText(known)))
      throw changedInMeantime('alarm', sent.name);
    const keeps = sent.target !== null && isKept(sent.target);
    const request = { ...sent, target: targetOf(sent.target, known) };
    const { name, condition, target } = acceptAlarm(request);
    const station = request.station === null ? null : (await findStation(stations, request.station)).number;
    if (known === undefined) return await add.execute(request, caller);
    const hasSameCondition = known.station === station && textOf(known.condition) === textOf(condition);
    if (hasSameCondition && textOf(known.target) === textOf(target)) return known;
    if (target !== null && sent.target !== 'keep') assertDeliverable(delivery, target, 'alarm');
    const text = keeps ? alarmText(known) : (expected ?? undefined);
    // The audit events are written before the change, so that no change exists without an event.
    if (!hasSameCondition) {
      await remove.record(known, caller);
      return await add.execute(request, caller, known, text);
    }
    const alarm = { ...known, target };
    await trail.record(caller, 'alarm-change', name, 'done', alarmDetail(alarm, request.station));
    if (await store.setTarget(known.id, target, text)) return alarm;
    if (text !== undefined) throw changedInMeantime('alarm', name);
    // The alarm was removed in the meantime, so it is added again.
    return await add.execute(request, caller);
  }
}

/** @throws DomainError REQUEST_INVALID if there is no target to keep, or if only the command line may change it */
function targetOf(sent: AlarmReplacement['target'], known: Alarm | undefined): Alarm['target'] {
  if (sent === null || !isKept(sent)) return sent;
  if (known === undefined)
    throw new DomainError('REQUEST_INVALID', 'A new alarm has no target that it can keep.');
  if (known.target === null) {
    if (sent === 'keep') return null;
    throw new DomainError('REQUEST_INVALID', 'The alarm has no target whose settings it can keep.');
  }
  assertChangeable(known.target, 'alarm');
  return keptTarget(sent, known.target);
}

/** Returns a condition or a target as text, for comparisons. The order of the fields does not change the text. */
function textOf(value: object | null): string {
  return JSON.stringify(Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}
