import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';

const keyOf = ({ alarm, station }: StationAlarm) => `${alarm} ${station}`;

/** Alarms in memory, with the rules by which they belong to stations. */
export class MemoryAlarms {
  readonly alarms = new Map<string, Alarm>();
  /** By id of the alarm and number of the station. */
  readonly states = new Map<string, StationAlarm>();
  version = 0;

  put(state: StationAlarm): void {
    this.states.set(keyOf(state), state);
  }

  stored(state: StationAlarm): StationAlarm | undefined {
    return this.states.get(keyOf(state));
  }

  /** Removes alarms with their states. */
  remove(isRemoved: (alarm: Alarm) => boolean): boolean {
    const removed = [...this.alarms.values()].filter(isRemoved);
    for (const { id } of removed) this.alarms.delete(id);
    this.#removeStates(({ alarm }) => !this.alarms.has(alarm));
    if (removed.length > 0) this.version += 1;
    return removed.length > 0;
  }

  /** Removes what belongs to an erased station. */
  forget(station: number): void {
    this.remove((alarm) => alarm.station === station);
    if (this.#removeStates((state) => state.station === station)) this.version += 1;
  }

  #removeStates(isRemoved: (state: StationAlarm) => boolean): boolean {
    const removed = [...this.states].filter(([, state]) => isRemoved(state));
    for (const [key] of removed) this.states.delete(key);
    return removed.length > 0;
  }
}
