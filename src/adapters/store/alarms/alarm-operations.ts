import type { AlarmStore } from '#application/ports/alarm-store.js';
import { type Alarm, alarmText, type StationAlarm } from '#domain/alarms/alarm.js';
import { fromJson, isTrue } from '../columns.js';
import { type Operation, rowFrom, rowsFrom, send } from '../run-operation.js';
import { CODE_POINTS, integer, jsonValue, rowsOf, sql } from '../sql.js';
import { type OperationsOf, present, transaction } from '../store-operations.js';
import { raiseVersion, versionOf } from '../versions.js';

const STATES = rowsOf({
  alarm: 'text',
  station: 'integer',
  revision: 'bigint',
  state: 'jsonb',
  notice: 'jsonb',
});

/** The JSON value of a column. Text that is not JSON becomes an empty object, which the check of the data reports as damaged. */
function readable(value: unknown): unknown {
  try {
    return fromJson(value);
  } catch {
    return {};
  }
}

const STORED = sql`SELECT id, name, station, condition, target, made_by AS "madeBy", made_at AS "madeAt"
  FROM weatherd.alarm`;

function toAlarm(row: Alarm): Alarm {
  return { ...row, condition: readable(row.condition), target: readable(row.target) } as Alarm;
}

/** Whether an alarm is as expected. The caller has raised the version, so that no other transaction can change the alarm. */
function* isUnchanged(id: string, expected: string | undefined): Operation<boolean> {
  if (expected === undefined) return true;
  const row = yield* rowFrom<Alarm>(sql`${STORED} WHERE id = ${id}`);
  return row !== undefined && alarmText(toAlarm(row)) === expected;
}

export const ALARMS: OperationsOf<AlarmStore> = {
  version: present(() => versionOf('alarms')),

  alarms: present(function* () {
    return (yield* rowsFrom<Alarm>(sql`${STORED} ORDER BY name ${CODE_POINTS}`)).map(toAlarm);
  }),

  states: present(function* () {
    const found = yield* rowsFrom<StationAlarm>(
      sql`SELECT alarm, station, revision, state, notice FROM weatherd.alarm_state ORDER BY alarm ${CODE_POINTS}, station`,
    );
    return found.map(
      (row) => ({ ...row, state: readable(row.state), notice: readable(row.notice) }) as StationAlarm,
    );
  }),

  add: transaction(function* (alarm, replaced = '', expected) {
    const { id, name, station, condition, target, madeBy, madeAt } = alarm;
    yield* raiseVersion('alarms');
    if (!(yield* isUnchanged(replaced, expected))) return false;
    const found = yield* rowFrom<{ mayAdd: unknown }>(
      sql`SELECT NOT EXISTS (SELECT 1 FROM weatherd.alarm WHERE name = ${name} AND id <> ${replaced})
            AND (${integer(station)} IS NULL OR EXISTS (SELECT 1 FROM weatherd.any_station WHERE number = ${integer(station)}))
            AS "mayAdd"`,
    );
    if (!isTrue(found?.mayAdd)) return false;
    yield* send(sql`DELETE FROM weatherd.alarm WHERE id = ${replaced}`);
    yield* send(
      sql`INSERT INTO weatherd.alarm (id, name, station, condition, target, made_by, made_at)
          VALUES (${id}, ${name}, ${station}, ${jsonValue(condition)}, ${jsonValue(target)}, ${madeBy}, ${madeAt})`,
    );
    return true;
  }),

  setTarget: transaction(function* (id, target, expected) {
    yield* raiseVersion('alarms');
    if (!(yield* isUnchanged(id, expected))) return false;
    return (yield* send(sql`UPDATE weatherd.alarm SET target = ${jsonValue(target)} WHERE id = ${id}`)) > 0;
  }),

  remove: transaction(function* (id) {
    yield* raiseVersion('alarms');
    return (yield* send(sql`DELETE FROM weatherd.alarm WHERE id = ${id}`)) > 0;
  }),

  put: transaction(function* (states) {
    if (states.length === 0) return [];
    yield* raiseVersion('alarms');
    const inserted = yield* rowsFrom<Pick<StationAlarm, 'alarm' | 'station'>>(
      sql`INSERT INTO weatherd.alarm_state (alarm, station, revision, state, notice)
          SELECT alarm, station, 1, state, notice FROM ${STATES(states)}
          WHERE revision = 0 AND EXISTS (SELECT 1 FROM weatherd.alarm WHERE id = given.alarm)
          ON CONFLICT (alarm, station) DO NOTHING RETURNING alarm, station`,
    );
    const replaced = yield* rowsFrom<Pick<StationAlarm, 'alarm' | 'station'>>(
      sql`UPDATE weatherd.alarm_state SET revision = alarm_state.revision + 1, state = given.state, notice = given.notice
          FROM ${STATES(states.filter(({ revision }) => revision > 0))}
          WHERE alarm_state.alarm = given.alarm AND alarm_state.station = given.station
            AND alarm_state.revision = given.revision
          RETURNING alarm_state.alarm, alarm_state.station`,
    );
    const written = new Set([...inserted, ...replaced].map(({ alarm, station }) => `${station} ${alarm}`));
    return states.map(({ alarm, station }) => written.has(`${station} ${alarm}`));
  }),
};

/** Removes the alarms of an erased station and their states, within the transaction of the caller. */
export function* removeAlarmsOf(station: number): Operation<void> {
  yield* raiseVersion('alarms');
  yield* send(sql`DELETE FROM weatherd.alarm_state WHERE station = ${station}`);
  yield* send(sql`DELETE FROM weatherd.alarm WHERE station = ${station}`);
}
