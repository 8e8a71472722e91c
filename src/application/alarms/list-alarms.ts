import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';
import type { Station } from '#domain/weather/station.js';
import type { StationDirectory } from '../stations/station-directory.js';
import type { AlarmCache } from './alarm-cache.js';

/** An alarm with what it says of stations. */
export interface ListedAlarm {
  readonly alarm: Alarm;
  /** Undefined for all stations, and for one that was removed. */
  readonly station: Station | undefined;
  /** Of the stations for which it was raised at least once, in order of their ids. */
  readonly states: readonly { readonly station: Station; readonly of: StationAlarm }[];
}

/** Lists all alarms, in order of their names. */
export class ListAlarms {
  readonly #book: AlarmCache;
  readonly #directory: StationDirectory;

  constructor(book: AlarmCache, directory: StationDirectory) {
    this.#book = book;
    this.#directory = directory;
  }

  async execute(): Promise<readonly ListedAlarm[]> {
    const { list, states } = await this.#book.current();
    const { byNumber } = await this.#directory.current();
    const byAlarm = new Map<string, { station: Station; of: StationAlarm }[]>(list.map(({ id }) => [id, []]));
    for (const of of states) {
      const station = byNumber.get(of.station);
      if (station !== undefined) byAlarm.get(of.alarm)?.push({ station, of });
    }
    return list.map((alarm) => ({
      alarm,
      station: alarm.station === null ? undefined : byNumber.get(alarm.station),
      states: (byAlarm.get(alarm.id) ?? []).sort((a, b) => (a.station.id < b.station.id ? -1 : 1)),
    }));
  }
}
