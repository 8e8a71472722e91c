import type { AuditDetail } from '#domain/accounts/audit-event.js';
import { type Alarm, alarmDamage } from '#domain/alarms/alarm.js';
import { describeCondition } from '#domain/alarms/describe-condition.js';
import { describeTarget } from '#domain/hooks/hook-target.js';

/**
 * Returns the details of an alarm for an audit event.
 *
 * @param station id of the station; null for an alarm for all stations, undefined if the station was removed
 */
export function alarmDetail(alarm: Alarm, station: string | null | undefined): AuditDetail {
  const { condition, target } = alarm;
  if (alarmDamage(alarm) !== undefined) return { condition: 'damaged' };
  return {
    ...(typeof station === 'string' && { station }),
    condition: describeCondition(condition),
    ...(target !== null && { target: describeTarget(target) }),
  };
}
