import type { AlarmStore } from '#application/ports/alarm-store.js';
import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';
import type { MemoryDatabase } from '../memory-database.js';
import type { MemoryAlarms } from './memory-alarms.js';

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

/** Alarms in memory. */
export class MemoryAlarmStore implements AlarmStore {
  readonly #database: MemoryDatabase;
  readonly #own: MemoryAlarms;

  constructor(database: MemoryDatabase) {
    this.#database = database;
    this.#own = database.alarms;
  }

  async version(): Promise<string> {
    return String(this.#own.version);
  }

  async alarms(): Promise<readonly Alarm[]> {
    return [...this.#own.alarms.values()].sort((a, b) => compare(a.name, b.name));
  }

  async states(): Promise<readonly StationAlarm[]> {
    return [...this.#own.states.values()].sort((a, b) => compare(a.alarm, b.alarm) || a.station - b.station);
  }

  async add(alarm: Alarm, replaced?: string): Promise<boolean> {
    const { alarms } = this.#own;
    const isTaken = [...alarms.values()].some(({ id, name }) => name === alarm.name && id !== replaced);
    if (isTaken || (alarm.station !== null && !this.#database.hasStation(alarm.station))) return false;
    this.#own.remove(({ id }) => id === replaced);
    alarms.set(alarm.id, alarm);
    this.#own.version += 1;
    return true;
  }

  async setTarget(id: string, target: Alarm['target']): Promise<boolean> {
    const alarm = this.#own.alarms.get(id);
    if (alarm === undefined) return false;
    this.#own.alarms.set(id, { ...alarm, target });
    this.#own.version += 1;
    return true;
  }

  async remove(id: string): Promise<boolean> {
    return this.#own.remove((alarm) => alarm.id === id);
  }

  async put(states: readonly StationAlarm[]): Promise<readonly boolean[]> {
    const written = states.map((state) => {
      if (!this.#own.alarms.has(state.alarm)) return false;
      if ((this.#own.stored(state)?.revision ?? 0) !== state.revision) return false;
      this.#own.put({ ...state, revision: state.revision + 1 });
      return true;
    });
    if (written.includes(true)) this.#own.version += 1;
    return written;
  }
}
