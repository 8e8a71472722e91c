import { z } from 'zod';
import type { AlarmOfStation } from '#application/alarms/alarm-cache.js';
import type { ListedAlarm } from '#application/alarms/list-alarms.js';
import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';
import { ALARM_STATUSES, INTERVAL_SOURCES } from '#domain/alarms/alarm-state.js';
import { type Condition, CONDITION_KINDS } from '#domain/alarms/condition.js';
import { describeTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import { converter, unitIn, type UnitSystem } from '#domain/weather/units.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { utcTimestamp } from '../../core/schemas.js';

export const conditionFields = z
  .strictObject({
    kind: z.enum(CONDITION_KINDS),
    intervals: z
      .int()
      .optional()
      .describe('`silent`: number of reporting intervals without a row after which the alarm is raised'),
    variable: z.string().nullable().optional().describe('All but `silent`; null for any variable'),
    suspect: z.boolean().optional().describe('`failed`: whether values that are only suspect count too'),
    threshold: z.number().optional().describe('`above`, `below`'),
    clear: z.number().optional().describe('`above`, `below`: the value at which the alarm clears'),
    unit: z.string().optional().describe('Unit of `threshold` and `clear`'),
    for: z.number().optional().describe('`above`, `below`: seconds for which all values must be beyond it'),
  })
  .meta({ id: 'AlarmCondition' });

export function toConditionFields(
  condition: Condition,
  system: UnitSystem = 'metric',
): z.infer<typeof conditionFields> {
  const { kind } = condition;
  if (kind === 'silent') return { kind, intervals: condition.intervals };
  if (kind === 'failed') {
    const { variable, suspect } = condition;
    return { kind, variable: variable === null ? null : variableNumbered(variable).name, suspect };
  }
  const variable = variableNumbered(condition.variable);
  const unit = unitIn(system, variable);
  // JSON has no -0.
  const shown = (value: number) => converter(variable, unit, 'unit')(value) + 0;
  return {
    kind,
    variable: variable.name,
    threshold: shown(condition.threshold),
    clear: shown(condition.clear),
    unit,
    for: condition.for / MILLISECONDS.second,
  };
}

/** The field of newest values with the alarms that are raised for the station. */
export const raisedFields = {
  alarms: z
    .array(
      z
        .strictObject({
          name: z.string(),
          condition: conditionFields,
          since: utcTimestamp().nullable().describe('Time by the data at which it was raised'),
        })
        .meta({ id: 'RaisedAlarm' }),
    )
    .optional()
    .describe('Alarms that are raised for the station, by name; absent if there are none'),
};

export function toRaisedFields(raised: readonly AlarmOfStation[] | undefined, system: UnitSystem) {
  if (raised === undefined) return {};
  const alarms = raised.map(({ alarm: { name, condition }, of }) => ({
    name,
    condition: toConditionFields(condition, system),
    since: toIso(of.state.since),
  }));
  return { alarms };
}

const time = () => utcTimestamp().nullable();

/** What an alarm says of a station. */
const stateFields = z
  .strictObject({
    station: z.string(),
    status: z.enum(ALARM_STATUSES),
    since: time().describe('Time by the data at which it was raised or cleared'),
    variable: z.string().optional(),
    value: z.number().nullable().describe('The value that raised or cleared it, in the stored unit'),
    time: time().describe('Time of this value, or of the last row before the silence or after it'),
    interval: z
      .strictObject({ seconds: z.number(), source: z.enum(INTERVAL_SOURCES) })
      .nullable()
      .describe('The reporting interval by which silence was measured'),
    undelivered_since: time().describe('Since when a message waits for its target; null if none does'),
  })
  .meta({ id: 'AlarmState' });

function toStateFields(station: string, { state, notice }: StationAlarm): z.infer<typeof stateFields> {
  const { status, since, variable, value, time: measured, interval } = state;
  return {
    station,
    status,
    since: toIso(since),
    ...(variable !== null && { variable: variableNumbered(variable).name }),
    value,
    time: toIso(measured),
    interval: interval && {
      seconds: interval.milliseconds / MILLISECONDS.second,
      source: interval.source,
    },
    undelivered_since: toIso(notice?.madeAt ?? null),
  };
}

const ownFields = {
  name: z.string(),
  station: z.string().nullable().describe('Id of the station; null for all stations'),
  condition: conditionFields,
  target: z
    .strictObject({ kind: z.enum(['post', 'command']), shown: z.string() })
    .nullable()
    .describe('Who is told, without secret parts; null if the alarm is only shown'),
  made_by: z.string().nullable().describe('Name of the user, or `command line`'),
  made_at: utcTimestamp(),
};

export const alarmFields = z.strictObject(ownFields).meta({ id: 'Alarm' });

export const listedAlarmFields = z
  .strictObject({
    ...ownFields,
    states: z
      .array(stateFields)
      .describe('Of the stations for which it was raised at least once, in order of their ids'),
  })
  .meta({ id: 'ListedAlarm' });

/** @param station id of the station of the alarm */
export function toAlarmFields(alarm: Alarm, station: string | null): z.infer<typeof alarmFields> {
  const { name, condition, target, madeBy, madeAt } = alarm;
  return {
    name,
    station,
    condition: toConditionFields(condition),
    target: target && { kind: target.kind, shown: describeTarget(target) },
    made_by: madeBy,
    made_at: new Date(madeAt).toISOString(),
  };
}

export function toListedFields({ alarm, station, states }: ListedAlarm): z.infer<typeof listedAlarmFields> {
  // The station may be hidden for a while; it is not null then, because the alarm is not one of all stations.
  const id = alarm.station === null ? null : (station?.id ?? '');
  return {
    ...toAlarmFields(alarm, id),
    states: states.map(({ station: of, of: state }) => toStateFields(of.id, state)),
  };
}

function toIso(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
