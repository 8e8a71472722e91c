import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';

/**
 * Alarms and their states at stations. Erasing a station deletes its alarms and states. When a promise resolves, the data are on
 * disk. Every method may reject with STORE_UNAVAILABLE.
 */
export interface AlarmStore {
  /** Changes whenever any instance changes an alarm or a state. */
  version(): Promise<string>;
  /** All alarms, sorted by the code points of their names. */
  alarms(): Promise<readonly Alarm[]>;
  /** All stored states, sorted by the id of the alarm and the number of the station. */
  states(): Promise<readonly StationAlarm[]>;
  /**
   * Adds an alarm and removes the replaced alarm with its states, in one transaction.
   *
   * @param replaced id of the alarm to replace; it need not exist any more
   * @param expected text of the alarm to replace; see `alarmText`
   * @returns false if the alarm to replace is not as `expected`, another alarm has this name, or the station of the alarm does not exist. Then nothing was changed.
   */
  add(alarm: Alarm, replaced?: string, expected?: string): Promise<boolean>;
  /**
   * Changes the target of an alarm. Its states stay.
   *
   * @param expected text of the alarm; see `alarmText`
   * @returns false if no alarm has this id, or the alarm is not as `expected`. Then nothing was changed.
   */
  setTarget(id: string, target: Alarm['target'], expected?: string): Promise<boolean>;
  /** Removes an alarm with its states. @returns whether an alarm had this id */
  remove(id: string): Promise<boolean>;
  /**
   * Writes states in one transaction. The stored revision becomes `revision` + 1.
   *
   * @returns for each state whether it was written. A state is not written if its stored revision differs from `revision`, or if
   *   its alarm does not exist.
   */
  put(states: readonly StationAlarm[]): Promise<readonly boolean[]>;
}
