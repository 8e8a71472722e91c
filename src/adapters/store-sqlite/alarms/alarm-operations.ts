import type { Database } from 'better-sqlite3';
import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';

interface AlarmRow extends Omit<Alarm, 'condition' | 'target'> {
  /** JSON. */
  readonly condition: string;
  readonly target: string | null;
}

interface StateRow extends Omit<StationAlarm, 'state' | 'notice'> {
  /** JSON. */
  readonly state: string;
  readonly notice: string | null;
}

const toText = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Text that cannot be read is an empty object, which the check of the data reports as damaged. */
function fromText(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The reads of SqliteAlarmStore. They run in the reading threads and never wait for a write. */
export function alarmReads(database: Database) {
  const version = database.prepare<[], number>('SELECT version FROM alarm_version').pluck();
  const alarms = database.prepare<[], AlarmRow>(
    'SELECT id, name, station, condition, target, made_by AS madeBy, made_at AS madeAt FROM alarm ORDER BY name',
  );
  const states = database.prepare<[], StateRow>('SELECT * FROM alarm_state ORDER BY alarm, station');
  return {
    alarmVersion: (): string => String(version.get()),
    alarms: (): Alarm[] =>
      alarms
        .all()
        .map(
          (row) => ({ ...row, condition: fromText(row.condition), target: fromText(row.target) }) as Alarm,
        ),
    alarmStates: (): StationAlarm[] =>
      states
        .all()
        .map((row) => ({ ...row, state: fromText(row.state), notice: fromText(row.notice) }) as StationAlarm),
  };
}

/** The changes of SqliteAlarmStore. They run in the thread that owns the file. */
export function alarmOperations(database: Database) {
  const changed = database.prepare('UPDATE alarm_version SET version = version + 1');
  const mayAdd = database
    .prepare<Pick<Alarm, 'name' | 'station'> & { readonly replaced: string }, number>(
      `SELECT NOT EXISTS (SELECT 1 FROM alarm WHERE name = @name AND id <> @replaced)
         AND (@station IS NULL OR EXISTS (SELECT 1 FROM any_station WHERE number = @station))`,
    )
    .pluck();
  const insert = database.prepare<AlarmRow>(
    `INSERT INTO alarm (id, name, station, condition, target, made_by, made_at)
     VALUES (@id, @name, @station, @condition, @target, @madeBy, @madeAt)`,
  );
  const retarget = database.prepare<[string | null, string]>('UPDATE alarm SET target = ? WHERE id = ?');
  const remove = database.prepare<[string]>('DELETE FROM alarm WHERE id = ?');
  const makeState = database.prepare<StateRow>(
    `INSERT INTO alarm_state (alarm, station, revision, state, notice)
     SELECT @alarm, @station, 1, @state, @notice WHERE EXISTS (SELECT 1 FROM alarm WHERE id = @alarm)
     ON CONFLICT (alarm, station) DO NOTHING`,
  );
  const replaceState = database.prepare<StateRow>(
    `UPDATE alarm_state SET revision = revision + 1, state = @state, notice = @notice
     WHERE alarm = @alarm AND station = @station AND revision = @revision`,
  );
  const noted = (isChanged: boolean): boolean => {
    if (isChanged) changed.run();
    return isChanged;
  };
  const add = database.transaction((alarm: Alarm, replaced: string): boolean => {
    const { name, station } = alarm;
    if (mayAdd.get({ name, station, replaced }) === 0) return false;
    remove.run(replaced);
    insert.run({ ...alarm, condition: JSON.stringify(alarm.condition), target: toText(alarm.target) });
    return noted(true);
  });
  const setTarget = database.transaction((id: string, target: Alarm['target']): boolean =>
    noted(retarget.run(toText(target), id).changes > 0),
  );
  const removeOne = database.transaction((id: string): boolean => noted(remove.run(id).changes > 0));
  const put = database.transaction((states: readonly StationAlarm[]): boolean[] => {
    const written = states.map((one) => {
      const row = { ...one, state: JSON.stringify(one.state), notice: toText(one.notice) };
      return (one.revision === 0 ? makeState : replaceState).run(row).changes > 0;
    });
    noted(written.includes(true));
    return written;
  });
  return {
    addAlarm: (alarm: Alarm, replaced = '') => add.immediate(alarm, replaced),
    setAlarmTarget: (id: string, target: Alarm['target']) => setTarget.immediate(id, target),
    removeAlarm: (id: string) => removeOne.immediate(id),
    putAlarmStates: (states: readonly StationAlarm[]) => put.immediate(states),
  };
}

/** Returns a function that removes what belongs to an erased station, within the transaction of the caller. */
export function alarmsOfErased(database: Database): (station: number) => void {
  const changed = database.prepare('UPDATE alarm_version SET version = version + 1');
  const removals = ['alarm', 'alarm_state'].map((table) =>
    database.prepare<[number]>(`DELETE FROM ${table} WHERE station = ?`),
  );
  return (station) => {
    const counts = removals.map((removal) => removal.run(station).changes);
    if (counts.some((count) => count > 0)) changed.run();
  };
}
