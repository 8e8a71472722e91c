import type { AuditDetail } from '#domain/accounts/audit-event.js';
import { type Alarm, alarmDamage } from '#domain/alarms/alarm.js';
import { describeCondition } from '#domain/alarms/describe-condition.js';
import { describeTarget } from '#domain/hooks/hook-target.js';

/** What the audit trail tells of an alarm that is added or removed. @param station its id; null or undefined if there is none */
export function alarmDetail(alarm: Alarm, station: string | null | undefined): AuditDetail {
  const { condition, target } = alarm;
  if (alarmDamage(alarm) !== undefined) return { condition: 'damaged' };
  return {
    ...(typeof station === 'string' && { station }),
    condition: describeCondition(condition),
    ...(target !== null && { target: describeTarget(target) }),
  };
}
