import type { AlarmStore } from '#application/ports/alarm-store.js';
import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Alarms in a SQLite data file. */
export class SqliteAlarmStore implements AlarmStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  version(): Promise<string> {
    return this.#database.lookUpInBackground('alarmVersion');
  }

  alarms(): Promise<readonly Alarm[]> {
    return this.#database.lookUpInBackground('alarms');
  }

  states(): Promise<readonly StationAlarm[]> {
    return this.#database.lookUpInBackground('alarmStates');
  }

  add(alarm: Alarm, replaced?: string): Promise<boolean> {
    return this.#database.call('addAlarm', alarm, replaced);
  }

  setTarget(id: string, target: Alarm['target']): Promise<boolean> {
    return this.#database.call('setAlarmTarget', id, target);
  }

  remove(id: string): Promise<boolean> {
    return this.#database.call('removeAlarm', id);
  }

  put(states: readonly StationAlarm[]): Promise<readonly boolean[]> {
    return this.#database.call('putAlarmStates', states);
  }
}
