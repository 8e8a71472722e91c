import type { AlarmState } from '#domain/alarms/alarm-state.js';
import { describeCondition } from '#domain/alarms/describe-condition.js';
import { MILLISECONDS } from '#domain/time.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { Message } from '../ports/delivery.js';
import type { AlarmFields } from './alarm-event.js';
import type { PersonalMessages } from './personal-messages.js';

/** Creates the message of an alarm. Values are in stored units, and the message names the units. Equal input gives equal bytes. */
export function alarmMessage(fields: AlarmFields, personal: PersonalMessages): Message {
  const { id, event, alarm, station, state } = fields;
  const { name, condition } = alarm;
  const description = describeCondition(condition);
  const text = `${event === 'test' ? 'Test of an alarm' : `Alarm ${event}`}: ${station?.name ?? 'all stations'}: ${description}${causeText(event, alarm, state)}`;
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
  return { event: 'alarm', id, body: JSON.stringify(body), facts, personal: personal.write(fields) };
}

/** Creates one message of several, for people. Its id stays the same while further messages are added. */
export function alarmDigest(all: readonly AlarmFields[], personal: PersonalMessages): Message {
  const [first] = all;
  const id = `digest/${first?.id ?? ''}`;
  const alarms = all.map(({ event, alarm, station }) => ({
    event: `alarm.${event}`,
    alarm: alarm.name,
    station: station?.id ?? null,
  }));
  const facts = { alarm: first?.alarm.name ?? '', alarm_event: 'digest' };
  return {
    event: 'alarm',
    id,
    body: JSON.stringify({ event: 'alarm.digest', id, alarms }),
    facts,
    personal: personal.digest(id, all),
  };
}

/**
 * The notice or the sensor that raised the alarm, or what the forecast expects: `: stuck_calm of wind_speed since
 * 2026-11-20T04:00:00.000Z`, `: iss 1 since 2026-11-20T04:00:00.000Z`, `: -2 °C at 2026-11-24T05:00:00.000Z, chance 72 %`.
 */
function causeText(
  event: AlarmFields['event'],
  { condition }: AlarmFields['alarm'],
  { notice, variable, value, time, since, sensor, chance }: AlarmState,
): string {
  if (condition.kind === 'forecast' && variable !== null) {
    const end = chance === undefined ? '' : `, chance ${Math.round(100 * chance)} %`;
    return `: ${value} ${variableNumbered(variable).unit} at ${toTime(time)}${end}`;
  }
  if (event === 'raised' && sensor !== undefined) return `: ${sensor} since ${toTime(since)}`;
  if (event !== 'raised' || notice === undefined || variable === null) return '';
  return `: ${notice} of ${variableNumbered(variable).name} since ${toTime(since)}`;
}

function stateFields(state: AlarmState): object {
  const { since, variable, value, time, interval, notice, sensor, chance, until, ended } = state;
  const measured = variable === null ? undefined : variableNumbered(variable);
  return {
    since: toTime(since),
    time: toTime(time),
    ...(measured && { variable: measured.name, value, unit: measured.unit }),
    ...(notice !== undefined && { notice }),
    ...(sensor !== undefined && { sensor }),
    ...(chance !== undefined && { chance }),
    ...(until !== undefined && { until: toTime(until) }),
    ...(ended !== undefined && { ended }),
    ...(interval && {
      interval: { seconds: interval.milliseconds / MILLISECONDS.second, source: interval.source },
    }),
  };
}

function toTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
