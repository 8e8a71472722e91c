import { z } from 'zod';
import type { ListedAlarm } from '#application/alarms/list-alarms.js';
import type { Alarm, AlarmOfStation, StationAlarm } from '#domain/alarms/alarm.js';
import {
  ALARM_STATUSES,
  type AlarmState,
  FORECAST_ENDS,
  INTERVAL_SOURCES,
} from '#domain/alarms/alarm-state.js';
import { type Condition, CONDITION_KINDS } from '#domain/alarms/condition.js';
import { describeTarget } from '#domain/hooks/hook-target.js';
import { NOTICE_KINDS } from '#domain/weather/quality/notices/notice.js';
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
      .describe('For `silent`: number of reporting intervals without a row after which the alarm is raised'),
    variable: z
      .string()
      .nullable()
      .optional()
      .describe('For all kinds except `silent` and `battery`. null means any variable'),
    suspect: z.boolean().optional().describe('For `failed`: whether suspect values count too'),
    threshold: z.number().optional().describe('For `above`, `below` and `forecast`'),
    clear: z.number().optional().describe('For `above` and `below`: the value at which the alarm clears'),
    unit: z.string().optional().describe('Unit of `threshold` and `clear`'),
    notice: z
      .enum(NOTICE_KINDS)
      .nullable()
      .optional()
      .describe('For `notice`: the kind of the notice. null means any kind'),
    days: z
      .int()
      .optional()
      .describe(
        'For `notice`: days after its begin for which a notice whose cause has ended raises the alarm',
      ),
    below: z
      .int()
      .optional()
      .describe('For `battery`: charge in percent below which a battery is low. Absent for the default, 10'),
    for: z
      .number()
      .optional()
      .describe('For `above` and `below`: seconds for which all values must be beyond the threshold'),
    comparison: z
      .enum(['above', 'below'])
      .optional()
      .describe('For `forecast`: the side of `threshold` on which a value is expected'),
    within: z
      .number()
      .optional()
      .describe('For `forecast`: seconds from now on in which the value is expected'),
    probability: z
      .number()
      .optional()
      .describe('For `forecast`: smallest chance that raises the alarm, from 0 to 1'),
  })
  .meta({ id: 'AlarmCondition' });

export function toConditionFields(
  condition: Condition,
  system: UnitSystem = 'metric',
): z.infer<typeof conditionFields> {
  const { kind } = condition;
  if (kind === 'battery') return { kind, ...(condition.below !== undefined && { below: condition.below }) };
  if (kind === 'silent') return { kind, intervals: condition.intervals };
  if (kind === 'failed') {
    const { variable, suspect } = condition;
    return { kind, variable: variable === null ? null : variableNumbered(variable).name, suspect };
  }
  if (kind === 'notice') {
    const { notice, variable, days } = condition;
    return { kind, notice, variable: variable === null ? null : variableNumbered(variable).name, days };
  }
  const variable = variableNumbered(condition.variable);
  const unit = unitIn(system, variable);
  // `+ 0` turns -0 into 0, because JSON has no -0.
  const shown = (value: number) => converter(variable, unit, 'unit')(value) + 0;
  if (condition.kind === 'forecast') {
    const { comparison, within, probability } = condition;
    return {
      kind: 'forecast',
      variable: variable.name,
      comparison,
      threshold: shown(condition.threshold),
      unit,
      within: within / MILLISECONDS.second,
      probability,
    };
  }
  return {
    kind: condition.kind,
    variable: variable.name,
    threshold: shown(condition.threshold),
    clear: shown(condition.clear),
    unit,
    for: condition.for / MILLISECONDS.second,
  };
}

const chance = () =>
  z
    .number()
    .optional()
    .describe('From 0 to 1: chance of a value beyond the threshold. Absent if the forecast has no bounds');

/** The field `alarms` in replies with newest values. */
export const raisedFields = {
  alarms: z
    .array(
      z
        .strictObject({
          name: z.string(),
          condition: conditionFields,
          since: utcTimestamp()
            .nullable()
            .describe('Time of the row that raised the alarm. For `forecast`: time at which it was raised'),
          expected: z
            .strictObject({
              time: utcTimestamp(),
              value: z.number().describe('In the unit of the condition'),
              chance: chance(),
            })
            .optional()
            .describe('For `forecast`: the most extreme value that was expected, and its hour'),
        })
        .meta({ id: 'RaisedAlarm' }),
    )
    .optional()
    .describe('Raised alarms of the station, sorted by name; absent if there are none'),
};

export function toRaisedFields(raised: readonly AlarmOfStation[] | undefined, system: UnitSystem) {
  if (raised === undefined) return {};
  const alarms = raised.map(({ alarm: { name, condition }, stationAlarm: of }) => ({
    name,
    condition: toConditionFields(condition, system),
    since: toIso(of.state.since),
    ...expectedFields(condition, of.state, system),
  }));
  return { alarms };
}

function expectedFields(
  condition: Condition,
  { time: at, value, chance: of }: AlarmState,
  system: UnitSystem,
) {
  if (condition.kind !== 'forecast' || at === null || value === null) return {};
  const variable = variableNumbered(condition.variable);
  const shown = converter(variable, unitIn(system, variable), 'unit')(value) + 0;
  return {
    expected: {
      time: new Date(at).toISOString(),
      value: shown,
      ...(of !== undefined && { chance: of }),
    },
  };
}

const time = () => utcTimestamp().nullable();

/** The state of an alarm for one station. */
const stateFields = z
  .strictObject({
    station: z.string(),
    status: z.enum(ALARM_STATUSES),
    since: time().describe('Time of the row that raised or cleared the alarm'),
    variable: z.string().optional(),
    value: z.number().nullable().describe('The value that raised or cleared the alarm, in the stored unit'),
    time: time().describe(
      'Time of this value. For `silent`: time of the last row before the silence, or of the first row after it. For `forecast`: the expected hour',
    ),
    interval: z
      .strictObject({ seconds: z.number(), source: z.enum(INTERVAL_SOURCES) })
      .nullable()
      .describe('The reporting interval that was used for `silent`'),
    notice: z.enum(NOTICE_KINDS).optional().describe('Kind of the notice that raised the alarm'),
    sensor: z.string().optional().describe('Sensor whose low battery raised the alarm'),
    chance: chance(),
    until: utcTimestamp()
      .optional()
      .describe('For a raised alarm of the kind `forecast`: last hour of the expected event'),
    ended: z
      .enum(FORECAST_ENDS)
      .optional()
      .describe(
        'For a cleared alarm of the kind `forecast`: whether the expected hours are over or the forecast has changed',
      ),
    undelivered_since: time().describe(
      'Time since which a message could not be delivered; null if no message waits',
    ),
  })
  .meta({ id: 'AlarmState' });

function toStateFields(station: string, { state, notice }: StationAlarm): z.infer<typeof stateFields> {
  const { status, since, variable, value, time: measured, interval, notice: kind, sensor } = state;
  const { chance: expected, until, ended } = state;
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
    ...(kind !== undefined && { notice: kind }),
    ...(sensor !== undefined && { sensor }),
    ...(expected !== undefined && { chance: expected }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
    ...(ended !== undefined && { ended }),
    undelivered_since: toIso(notice?.madeAt ?? null),
  };
}

const ownFields = {
  name: z.string(),
  station: z.string().nullable().describe('Id of the station; null for all stations'),
  condition: conditionFields,
  target: z
    .strictObject({
      kind: z.enum(['post', 'command', 'service']),
      service: z.string().exactOptional().describe('Name of the service; absent for other targets'),
      shown: z.string(),
      allow_private: z
        .boolean()
        .describe('Whether the target may be in a private network or on the machine of the service'),
    })
    .nullable()
    .describe('Target of the messages, without its secret parts; null if the alarm is only shown'),
  made_by: z.string().nullable().describe('Name of the user, or `command line`'),
  made_at: utcTimestamp(),
};

export const alarmFields = z.strictObject(ownFields).meta({ id: 'Alarm' });

export const listedAlarmFields = z
  .strictObject({
    ...ownFields,
    states: z
      .array(stateFields)
      .describe('States for the stations at which the alarm was raised at least once, sorted by station id'),
  })
  .meta({ id: 'ListedAlarm' });

/** @param station id of the station of the alarm; null for all stations */
export function toAlarmFields(alarm: Alarm, station: string | null): z.infer<typeof alarmFields> {
  const { name, condition, target, madeBy, madeAt } = alarm;
  return {
    name,
    station,
    condition: toConditionFields(condition),
    target: target && {
      kind: target.kind,
      ...(target.kind === 'service' && { service: target.service }),
      shown: describeTarget(target),
      allow_private: target.kind !== 'command' && target.allowPrivate,
    },
    made_by: madeBy,
    made_at: new Date(madeAt).toISOString(),
  };
}

export function toListedFields(listed: ListedAlarm): z.infer<typeof listedAlarmFields> {
  const { alarm, states } = listed;
  return {
    ...toAlarmFields(alarm, stationIdOf(listed)),
    states: states.map(({ station: of, stationAlarm: state }) => toStateFields(of.id, state)),
  };
}

/** The id of the station of an alarm; null for all stations, and empty if the station was removed. */
export function stationIdOf({ alarm, station }: ListedAlarm): string | null {
  return alarm.station === null ? null : (station?.id ?? '');
}

function toIso(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
