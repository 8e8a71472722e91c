import { MILLISECONDS } from '#domain/time.js';
import { SILENT_INTERVALS } from '#domain/weather/current/silence.js';
import type { DerivedQuantity } from '#domain/weather/derived/quantity.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import { isAmongAll } from '#domain/weather/stations/demo.js';
import { VARIABLES } from '#domain/weather/variables.js';
import type { AlarmCache, KnownAlarms } from '../alarms/alarm-cache.js';
import { UNLIMITED } from '../observations/read/gate/permit.js';
import type { ReadInterval } from '../observations/read/current/read-interval.js';
import type { Recent, ReadRecent } from '../observations/read/current/read-recent.js';
import { pause } from '../pause.js';
import type { Announcement, Announcer } from '../ports/announcer.js';
import type { Calendar } from '../ports/calendar.js';
import type { Clock } from '../ports/clock.js';
import type { Lease } from '../ports/lease.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { PublishedForecast, StatePublisher } from '../ports/state-publisher.js';
import type { StationDirectory } from '../stations/station-directory.js';
import { currentState } from './current-state.js';
import { nextMidnight } from './next-midnight.js';
import { plainIds } from './plain-ids.js';
import type { PublishedForecasts } from './published-forecasts.js';
import { TOTALS } from './published-quantities.js';
import { selectStations } from './selected-stations.js';

/** Milliseconds between two rounds. */
export const PUBLISH_INTERVAL = 2 * MILLISECONDS.second;
/** Shortest time in milliseconds between two states of a station because of new rows. */
const STATE_INTERVAL = 5 * MILLISECONDS.second;
/**
 * Milliseconds between two rounds that read all stations. Such a round also finds rows that another service has written to the same
 * SQLite file, because the other service cannot announce its rows here.
 */
const FULL_ROUND = 5 * MILLISECONDS.minute;
/** Number of stations whose newest values are read at once. */
const STATIONS_AT_ONCE = 500;
/** Smallest age in milliseconds up to which values are current, for stations with a very short interval. */
const MIN_AGE = MILLISECONDS.minute;
/** Smallest age in milliseconds up to which values are current, if the reporting interval of a station is not configured. */
const UNKNOWN_AGE = 900 * MILLISECONDS.second;

const TOTALED = VARIABLES.filter(({ name }) => TOTALS[name] !== undefined).map(({ number }) => number);

export interface PublishStatesDependencies {
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly announcer: Announcer;
  readonly directory: StationDirectory;
  readonly observations: ObservationStore;
  readonly recent: ReadRecent;
  readonly interval: ReadInterval;
  readonly alarms: AlarmCache;
  readonly forecasts: PublishedForecasts;
  readonly lease: Lease;
  readonly publisher: StatePublisher;
}

export interface PublishStatesOptions {
  /** Ids of stations, and `*`; see `selectStations`. */
  readonly stations: readonly string[];
  /** The quantity `feels_like`. */
  readonly feelsLike: DerivedQuantity;
}

/** A station as it was published last. */
interface Followed {
  readonly station: Station;
  readonly plainId: string;
  /** `Newest.revision`. */
  readonly revision: string;
  /** Age of the newest row from which reports are missing, in milliseconds; undefined if no alarm says it. */
  readonly silence: number | undefined;
  readonly forecast: PublishedForecast | undefined;
  /** Time at which the state changes without a new row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly changesAt: number;
  /** `Clock.uptime` from which new rows are published. */
  readonly notBefore: number;
  /** Whether something is published of the station. */
  readonly isPublished: boolean;
}

/**
 * Publishes the current weather of stations. Each round reads the stations that have changed, and those whose values have become too
 * old. If several instances use the same data, only the instance with the lease (a lock that expires) publishes.
 */
export class PublishStates {
  readonly #options: PublishStatesOptions;
  readonly #with: PublishStatesDependencies;
  readonly #followed = new Map<number, Followed>();
  readonly #changed = new Set<number>();
  #unsubscribe: (() => void) | undefined;
  /** `Clock.uptime` of the last round that read all stations. */
  #fullAt = -Infinity;
  /** The stations for which `#ids` was computed. */
  #listed: readonly Station[] | undefined;
  #ids: ReadonlyMap<number, string> = new Map();

  constructor(options: PublishStatesOptions, dependencies: PublishStatesDependencies) {
    this.#options = options;
    this.#with = dependencies;
  }

  /** Names of stations in the setting that do not exist. */
  get unknown(): readonly string[] {
    if (this.#listed === undefined) return [];
    const ids = new Set(this.#listed.map(({ id }) => id));
    return this.#options.stations.filter((id) => id !== '*' && !ids.has(id));
  }

  /** Runs one round. */
  async execute(signal?: AbortSignal): Promise<void> {
    const { announcer, directory, alarms, forecasts, publisher } = this.#with;
    if (!(await this.#mayRun())) return await this.#standBy();
    this.#unsubscribe ??= announcer.subscribe(['observations', 'forecast'], (announcement) =>
      this.#note(announcement),
    );
    const { list } = await directory.current();
    if (list !== this.#listed) this.#ids = plainIds(list);
    this.#listed = list;
    const selected = selectStations(list, this.#options.stations).filter(isOwnNumber);
    const numbers = new Set(selected.map(({ number }) => number));
    for (const number of this.#followed.keys()) if (!numbers.has(number)) this.#followed.delete(number);
    try {
      await forecasts.renew(selected);
      await this.#renew(selected, await alarms.recent(), signal);
    } catch (error) {
      this.#fullAt = -Infinity;
      throw error;
    }
    if (signal?.aborted === true) return;
    const kept = selected.filter(({ number }) => this.#followed.get(number)?.isPublished !== false);
    publisher.keepOnly(new Map(kept.map(({ id, number }) => [id, this.#ids.get(number) as string])));
    publisher.start();
  }

  /** Ends publishing and releases the lease, so that another instance can take over at once. */
  async close(): Promise<void> {
    const { lease, publisher } = this.#with;
    this.#forget();
    await publisher.stop(lease.isHeld);
    await lease.release();
  }

  async #mayRun(): Promise<boolean> {
    const { lease } = this.#with;
    try {
      return await lease.acquire();
    } catch (error) {
      if (!lease.isHeld) await this.#standBy();
      throw error;
    }
  }

  async #standBy(): Promise<void> {
    this.#forget();
    await this.#with.publisher.stop(false);
  }

  #forget(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#changed.clear();
    this.#followed.clear();
    this.#with.forecasts.clear();
    this.#fullAt = -Infinity;
  }

  #note(announcement: Announcement): void {
    const { forecasts } = this.#with;
    if (announcement.kind === 'forecast') forecasts.note(announcement.station);
    if (announcement.kind === 'missed') {
      this.#fullAt = -Infinity;
      for (const station of this.#followed.keys()) forecasts.note(station);
    }
    if (announcement.kind !== 'observations') return;
    for (const station of announcement.changes.stations) this.#changed.add(station);
  }

  /** Publishes the states of the stations that may have another state. */
  async #renew(
    selected: readonly Station[],
    alarms: KnownAlarms,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { clock, forecasts } = this.#with;
    const [now, uptime] = [clock.now(), clock.uptime()];
    const isFull = uptime - this.#fullAt >= FULL_ROUND;
    const intervalsOf = silentIntervals(alarms);
    const due: DueStation[] = [];
    for (const station of selected) {
      const { number } = station;
      const followed = this.#followed.get(number);
      const plainId = this.#ids.get(number) as string;
      const intervals = intervalsOf(station);
      const isSame =
        followed?.station === station &&
        followed.plainId === plainId &&
        followed.silence === intervals &&
        followed.forecast === forecasts.of(number);
      const hasRows = this.#changed.has(number) && uptime >= (followed?.notBefore ?? -Infinity);
      const mustRead = !isSame || followed.changesAt <= now;
      if (mustRead || hasRows || isFull) due.push({ station, plainId, intervals, mustRead });
    }
    for (let at = 0; at < due.length; at += STATIONS_AT_ONCE) {
      if (signal?.aborted === true) return;
      await this.#publish(due.slice(at, at + STATIONS_AT_ONCE));
      await pause();
    }
    // Announcements of stations that are not published would otherwise be collected forever.
    for (const number of this.#changed) if (!this.#followed.has(number)) this.#changed.delete(number);
    if (isFull) this.#fullAt = uptime;
  }

  async #publish(part: readonly DueStation[]): Promise<void> {
    const { clock, observations, recent, publisher } = this.#with;
    for (const { station } of part) this.#changed.delete(station.number);
    try {
      const newest = await observations.newest(part.map(({ station }) => station.number));
      const changed = part.flatMap((due, index) => {
        const own = newest[index] as Newest;
        const isSame = this.#followed.get(due.station.number)?.revision === own.revision;
        // While the newest rows are damaged, the last state stays.
        return (isSame && !due.mustRead) || own.hiddenSince !== undefined ? [] : [{ ...due, newest: own }];
      });
      // The clock is read after the values, so that no value is newer than the clock.
      const now = clock.now();
      const totaled = changed.filter(({ newest: { values } }) =>
        TOTALED.some((number) => values.has(number)),
      );
      const found = await recent.readable(
        totaled.map(({ station }) => station),
        now,
        UNLIMITED,
      );
      for (const due of changed) await this.#publishOne(due, found.get(due.station.number), now, publisher);
    } catch (error) {
      for (const { station } of part) this.#changed.add(station.number);
      throw error;
    }
  }

  async #publishOne(
    { station, plainId, intervals, newest }: DueStation & { readonly newest: Newest },
    recent: Recent | undefined,
    now: number,
    publisher: StatePublisher,
  ): Promise<void> {
    const { milliseconds, source } = await this.#with.interval.execute(station, newest.lastSeen);
    const ages = { station: MIN_AGE, observed: UNKNOWN_AGE, default: UNKNOWN_AGE };
    const maxAge =
      source === 'default' ? UNKNOWN_AGE : Math.max(ages[source], SILENT_INTERVALS * milliseconds);
    const silence = intervals === undefined ? maxAge : intervals * milliseconds;
    const { feelsLike } = this.#options;
    const sums = recent?.today.sums ?? new Map<number, number>();
    const current = currentState({ station, plainId, newest, sums, feelsLike, maxAge, silence, now });
    const midnight =
      recent === undefined
        ? Infinity
        : nextMidnight(this.#with.calendar, recent.today.from, station.timeZone);
    const forecast = this.#with.forecasts.of(station.number);
    this.#followed.set(station.number, {
      station,
      plainId,
      revision: newest.revision,
      silence: intervals,
      forecast,
      changesAt: Math.min(current?.changesAt ?? Infinity, midnight),
      notBefore: this.#with.clock.uptime() + STATE_INTERVAL,
      isPublished: current !== undefined,
    });
    if (current !== undefined) publisher.publish({ ...current.state, forecast });
  }
}

interface DueStation {
  readonly station: Station;
  readonly plainId: string;
  /** Number of reporting intervals after which an alarm of silence is raised; undefined without such an alarm. */
  readonly intervals: number | undefined;
  /** Whether the state may differ although no row has changed. */
  readonly mustRead: boolean;
}

/** Whether the number of a station is known. If it is damaged, rows may belong to another station. */
function isOwnNumber({ damaged }: Station): boolean {
  return damaged?.some(({ field }) => field === 'number') !== true;
}

/**
 * Returns a function that finds the smallest number of reporting intervals after which an alarm of silence of a station is raised;
 * undefined if there is no such alarm.
 */
function silentIntervals({ list }: KnownAlarms): (station: Station) => number | undefined {
  const ofStation = new Map<number | null, number>();
  for (const { condition, station } of list) {
    if (condition.kind !== 'silent') continue;
    ofStation.set(station, Math.min(ofStation.get(station) ?? Infinity, condition.intervals));
  }
  return (station) => {
    const own = ofStation.get(station.number) ?? Infinity;
    const all = isAmongAll(station) ? (ofStation.get(null) ?? Infinity) : Infinity;
    const fewest = Math.min(own, all);
    return fewest === Infinity ? undefined : fewest;
  };
}
