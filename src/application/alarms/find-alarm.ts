import type { Alarm } from '#domain/alarms/alarm.js';
import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import type { AlarmStore } from '../ports/alarm-store.js';

/** Finds an alarm by its name. @throws DomainError ALARM_UNKNOWN */
export async function findAlarm(store: AlarmStore, name: string): Promise<Alarm> {
  const alarm = (await store.alarms()).find((one) => one.name === name);
  if (alarm === undefined) throw unknownAlarm(name);
  return alarm;
}

export function unknownAlarm(name: string): DomainError {
  return new DomainError('ALARM_UNKNOWN', `There is no alarm ${quoted(name)}.`);
}
