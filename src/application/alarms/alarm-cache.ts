import { type Alarm, alarmDamage, type StationAlarm } from '#domain/alarms/alarm.js';
import { MILLISECONDS } from '#domain/time.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Clock } from '../ports/clock.js';

/** All alarms at one moment. */
export interface KnownAlarms {
  readonly version: string;
  /** By name. */
  readonly list: readonly Alarm[];
  readonly byId: ReadonlyMap<string, Alarm>;
  readonly states: readonly StationAlarm[];
  /** The raised alarms by number of the station, each list in order of their names. */
  readonly raised: ReadonlyMap<number, readonly AlarmOfStation[]>;
}

/** An alarm with what it says of a station. */
export interface AlarmOfStation {
  readonly alarm: Alarm;
  readonly of: StationAlarm;
}

/** How old the alarms may be that readers of weather data see: then most reads ask the store for nothing. */
const RECENT = 2 * MILLISECONDS.second;

/** The alarms with their states. They are read again only when one has changed. */
export class AlarmCache {
  readonly #clock: Clock;
  readonly #store: AlarmStore;
  #cached: Promise<KnownAlarms> | undefined;
  #version: string | undefined;
  /** `Clock.uptime` of the last look at the version. */
  #lookedAt = -Infinity;
  #looking: Promise<KnownAlarms> | undefined;

  constructor(clock: Clock, store: AlarmStore) {
    this.#clock = clock;
    this.#store = store;
  }

  /** The alarms as they are after the call. */
  async current(): Promise<KnownAlarms> {
    const lookedAt = this.#clock.uptime();
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
    this.#lookedAt = Math.max(this.#lookedAt, lookedAt);
    return known;
  }

  /** The alarms as they were at most two seconds ago. Calls at the same time share one look at the store. */
  async recent(): Promise<KnownAlarms> {
    if (this.#cached !== undefined && this.#clock.uptime() - this.#lookedAt < RECENT)
      return await this.#cached;
    this.#looking ??= this.current().finally(() => (this.#looking = undefined));
    return await this.#looking;
  }

  async #read(version: string): Promise<KnownAlarms> {
    const [stored, states] = await Promise.all([this.#store.alarms(), this.#store.states()]);
    // Damaged ones must not keep the others from working. `weatherd check` names them.
    const list = stored.filter((alarm) => alarmDamage(alarm) === undefined);
    const byId = new Map(list.map((alarm) => [alarm.id, alarm]));
    const raised = new Map<number, AlarmOfStation[]>();
    for (const of of states) {
      const alarm = byId.get(of.alarm);
      if (alarm === undefined || of.state.status !== 'raised') continue;
      const known = raised.get(of.station);
      if (known === undefined) raised.set(of.station, [{ alarm, of }]);
      else known.push({ alarm, of });
    }
    for (const alarms of raised.values()) alarms.sort((a, b) => (a.alarm.name < b.alarm.name ? -1 : 1));
    return { version, list, byId, states, raised };
  }
}
