import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';

/**
 * Alarms, and what they say of stations. When a promise resolves, the data are on disk. Those of an erased station are gone.
 * Every method may reject with STORE_UNAVAILABLE.
 */
export interface AlarmStore {
  /** Changes whenever any instance changes an alarm or what one says. */
  version(): Promise<string>;
  /** All alarms by name, in the order of code points. */
  alarms(): Promise<readonly Alarm[]>;
  /** All stored states, by id of the alarm and number of the station. */
  states(): Promise<readonly StationAlarm[]>;
  /**
   * Adds an alarm and removes the replaced one with its states, in one transaction.
   *
   * @param replaced id of an alarm; it need not exist any more
   * @returns false, having changed nothing, if there is another alarm with this name, or no station with this number
   */
  add(alarm: Alarm, replaced?: string): Promise<boolean>;
  /** Changes the target of an alarm, whose states stay. @returns whether there is one with this id */
  setTarget(id: string, target: Alarm['target']): Promise<boolean>;
  /** Removes an alarm with its states. @returns whether there was one with this id */
  remove(id: string): Promise<boolean>;
  /**
   * Writes states, each as revision + 1, in one transaction.
   *
   * @returns for each whether it was written. It is left out if the stored revision is another one, or there is no such alarm
   */
  put(states: readonly StationAlarm[]): Promise<readonly boolean[]>;
}
