import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';
import { unknownAlarm } from './find-alarm.js';
import type { Station } from '#domain/weather/station.js';
import type { StationDirectory } from '../stations/station-directory.js';
import type { AlarmCache } from './alarm-cache.js';

/** An alarm with its station and its states. */
export interface ListedAlarm {
  readonly alarm: Alarm;
  /** The station of the alarm; undefined for an alarm for all stations, and if the station was removed. */
  readonly station: Station | undefined;
  /** The state for each station for which the alarm was raised at least once, in the order of the station ids. */
  readonly states: readonly { readonly station: Station; readonly stationAlarm: StationAlarm }[];
}

/** Lists all alarms, in order of their names. */
export class ListAlarms {
  readonly #cache: AlarmCache;
  readonly #directory: StationDirectory;

  constructor(cache: AlarmCache, directory: StationDirectory) {
    this.#cache = cache;
    this.#directory = directory;
  }

  async execute(): Promise<readonly ListedAlarm[]> {
    const { list, states } = await this.#cache.current();
    const { byNumber } = await this.#directory.current();
    const byAlarm = new Map<string, { station: Station; stationAlarm: StationAlarm }[]>(
      list.map(({ id }) => [id, []]),
    );
    for (const stationAlarm of states) {
      const station = byNumber.get(stationAlarm.station);
      if (station !== undefined) byAlarm.get(stationAlarm.alarm)?.push({ station, stationAlarm });
    }
    return list.map((alarm) => ({
      alarm,
      station: alarm.station === null ? undefined : byNumber.get(alarm.station),
      states: (byAlarm.get(alarm.id) ?? []).sort((a, b) => (a.station.id < b.station.id ? -1 : 1)),
    }));
  }

  /** Returns one alarm. @throws DomainError ALARM_UNKNOWN */
  async find(name: string): Promise<ListedAlarm> {
    const found = (await this.execute()).find(({ alarm }) => alarm.name === name);
    if (found === undefined) throw unknownAlarm(name);
    return found;
  }
}
