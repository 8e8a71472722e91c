import { type Alarm, alarmDamage, type AlarmOfStation, type StationAlarm } from '#domain/alarms/alarm.js';
import { MILLISECONDS } from '#domain/time.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Clock } from '../ports/clock.js';

/** A snapshot of all alarms. */
export interface KnownAlarms {
  readonly version: string;
  /** All alarms in order of their names, without damaged alarms. */
  readonly list: readonly Alarm[];
  readonly byId: ReadonlyMap<string, Alarm>;
  readonly states: readonly StationAlarm[];
  /** The raised alarms, by number of the station. Each list is in order of the names of the alarms. */
  readonly raised: ReadonlyMap<number, readonly AlarmOfStation[]>;
}

/**
 * Maximum age in milliseconds of the alarms in a reply with the latest weather data. Because of this cache, most replies need no
 * query of the store.
 */
const MAX_AGE = 2 * MILLISECONDS.second;

/** Caches all alarms with their states. The alarms are read again only after a change. */
export class AlarmCache {
  readonly #clock: Clock;
  readonly #store: AlarmStore;
  #cached: Promise<KnownAlarms> | undefined;
  #version: string | undefined;
  /** `Clock.uptime` at which the version of the alarms in the store was last checked. */
  #checkedAt = -Infinity;
  #checking: Promise<KnownAlarms> | undefined;

  constructor(clock: Clock, store: AlarmStore) {
    this.#clock = clock;
    this.#store = store;
  }

  /** Returns the alarms with every change that was made before the call. */
  async current(): Promise<KnownAlarms> {
    const checkedAt = this.#clock.uptime();
    const version = await this.#store.version();
    if (this.#cached === undefined || this.#version !== version) {
      const reading = this.#read(version);
      this.#cached = reading;
      this.#version = version;
      reading.catch(() => {
        if (this.#cached === reading) this.#cached = undefined;
      });
    }
    const known = await this.#cached;
    this.#checkedAt = Math.max(this.#checkedAt, checkedAt);
    return known;
  }

  /** Returns alarms that are at most two seconds old. Simultaneous calls share one query of the store. */
  async recent(): Promise<KnownAlarms> {
    if (this.#cached !== undefined && this.#clock.uptime() - this.#checkedAt < MAX_AGE)
      return await this.#cached;
    this.#checking ??= this.current().finally(() => (this.#checking = undefined));
    return await this.#checking;
  }

  async #read(version: string): Promise<KnownAlarms> {
    const [stored, states] = await Promise.all([this.#store.alarms(), this.#store.states()]);
    // Damaged alarms are left out, so that the other alarms work. `weatherd check` names the damaged ones.
    const list = stored.filter((alarm) => alarmDamage(alarm) === undefined);
    const byId = new Map(list.map((alarm) => [alarm.id, alarm]));
    const raised = new Map<number, AlarmOfStation[]>();
    for (const stationAlarm of states) {
      const alarm = byId.get(stationAlarm.alarm);
      if (alarm === undefined || stationAlarm.state.status !== 'raised') continue;
      const known = raised.get(stationAlarm.station);
      if (known === undefined) raised.set(stationAlarm.station, [{ alarm, stationAlarm }]);
      else known.push({ alarm, stationAlarm });
    }
    for (const alarms of raised.values()) alarms.sort((a, b) => (a.alarm.name < b.alarm.name ? -1 : 1));
    return { version, list, byId, states, raised };
  }
}
