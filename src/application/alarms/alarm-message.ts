import type { Alarm } from '#domain/alarms/alarm.js';
import type { AlarmState } from '#domain/alarms/alarm-state.js';
import { describeCondition } from '#domain/alarms/describe-condition.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { Message } from '../ports/delivery.js';
import type { PersonalMessage } from '../ports/target-kind.js';

/** The data of a message about an alarm. */
export interface AlarmFields {
  readonly id: string;
  readonly event: 'raised' | 'cleared' | 'test';
  readonly alarm: Pick<Alarm, 'name' | 'condition'>;
  /** The station of the alarm; undefined in a test message of an alarm for all stations. */
  readonly station: Pick<Station, 'id' | 'name'> | undefined;
  readonly state: AlarmState;
}

/** Creates the message of an alarm. Values are in stored units, and the message names the units. Equal input gives equal bytes. */
export function alarmMessage({ id, event, alarm, station, state }: AlarmFields): Message {
  const { name, condition } = alarm;
  const description = describeCondition(condition);
  const text = `${event === 'test' ? 'Test of an alarm' : `Alarm ${event}`}: ${station?.name ?? 'all stations'}: ${description}${causeText(event, state)}`;
  const body = {
    event: `alarm.${event}`,
    id,
    alarm: name,
    text,
    station: station === undefined ? null : { id: station.id, name: station.name },
    condition: { kind: condition.kind, text: description },
    ...stateFields(state),
  };
  const facts = { alarm: name, alarm_event: event, ...(station && { station: station.id }) };
  const personal: PersonalMessage = {
    id,
    title: `${station?.name ?? 'weatherd'}: ${description}`,
    text,
    urgency: event === 'cleared' ? 'low' : 'normal',
    ...(station && { station: { id: station.id, name: station.name } }),
    fields: {
      alarm: name,
      event,
      text,
      ...(station && { 'station.id': station.id, 'station.name': station.name }),
    },
  };
  return { event: 'alarm', id, body: JSON.stringify(body), facts, personal };
}

/**
 * The notice or the sensor that raised the alarm: `: stuck_calm of wind_speed since 2026-11-20T04:00:00.000Z`, `: iss 1 since
 * 2026-11-20T04:00:00.000Z`.
 */
function causeText(event: AlarmFields['event'], { notice, variable, since, sensor }: AlarmState): string {
  if (event === 'raised' && sensor !== undefined) return `: ${sensor} since ${toTime(since)}`;
  if (event !== 'raised' || notice === undefined || variable === null) return '';
  return `: ${notice} of ${variableNumbered(variable).name} since ${toTime(since)}`;
}

function stateFields({ since, variable, value, time, interval, notice, sensor }: AlarmState): object {
  const measured = variable === null ? undefined : variableNumbered(variable);
  return {
    since: toTime(since),
    time: toTime(time),
    ...(measured && { variable: measured.name, value, unit: measured.unit }),
    ...(notice !== undefined && { notice }),
    ...(sensor !== undefined && { sensor }),
    ...(interval && {
      interval: { seconds: interval.milliseconds / MILLISECONDS.second, source: interval.source },
    }),
  };
}

function toTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
