import type { Alarm, AlarmOfStation, StationAlarm } from '#domain/alarms/alarm.js';
import { nextState, QUIET, silentAt } from '#domain/alarms/alarm-state.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import { isAmongAll } from '#domain/weather/stations/demo.js';
import { pause } from '../pause.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Announcement, Announcer } from '../ports/announcer.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { Lease } from '../ports/lease.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { Directory, StationDirectory } from '../stations/station-directory.js';
import type { AlarmCache, KnownAlarms } from './alarm-cache.js';
import type { AlarmMessages } from './alarm-messages.js';
import type { ReadStation } from './read-station.js';
import { silenceOf } from './silence.js';

/** Milliseconds between two rounds of the evaluation. */
export const ALARM_INTERVAL = MILLISECONDS.second / 2;

/** Number of stations whose newest values are read at once. */
const STATIONS_AT_ONCE = 500;
/**
 * Milliseconds between two rounds that evaluate all stations with alarms. Such a round also finds rows that another service has
 * written to the same SQLite file, because the other service cannot announce its rows here.
 */
const FULL_ROUND = MILLISECONDS.minute;
/**
 * Milliseconds. If a station had sent nothing for this time when an alarm for all stations was created, the alarm ignores the
 * station until the station sends again.
 */
const ABANDONED = 7 * MILLISECONDS.day;

export interface EvaluateAlarmsDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly announcer: Announcer;
  readonly directory: StationDirectory;
  readonly observations: ObservationStore;
  readonly store: AlarmStore;
  readonly lease: Pick<Lease, 'acquire' | 'release'>;
  readonly cache: AlarmCache;
  readonly messages: AlarmMessages;
  readonly read: ReadStation;
}

/**
 * Raises and clears alarms. Each round evaluates the stations whose data have changed and the stations whose reports are overdue.
 *
 * If there are several instances, only the instance with the lease (a lock that expires) evaluates alarms. For a short time, two
 * instances may both assume to have the lease. Even then an alarm is not raised twice: a write of the state of an alarm fails if
 * the other instance has changed this state since it was read.
 */
export class EvaluateAlarms {
  readonly #with: EvaluateAlarmsDependencies;
  #unsubscribe: (() => void) | undefined;
  /** `Clock.uptime` of the last round that evaluated all stations with alarms. */
  #fullAt = -Infinity;
  /** The ids of all alarms at the last round that evaluated all stations with alarms, joined with spaces. */
  #evaluated = '';
  readonly #changed = new Set<number>();
  /** Time at which each station becomes silent, in milliseconds since 1970-01-01T00:00:00Z, by number of the station. */
  readonly #silentAt = new Map<number, number>();

  constructor(dependencies: EvaluateAlarmsDependencies) {
    this.#with = dependencies;
  }

  async execute(signal?: AbortSignal): Promise<void> {
    const { announcer, cache, messages, directory } = this.#with;
    const known = await cache.current();
    if (known.list.length === 0 || !(await this.#with.lease.acquire())) return await this.#stop();
    this.#unsubscribe ??= announcer.subscribe(['observations'], (announcement) => this.#note(announcement));
    const stations = this.#due(known, await directory.current());
    try {
      await this.#evaluate(known, stations, signal);
    } catch (error) {
      this.#fullAt = -Infinity;
      throw error;
    }
    await messages.send(await cache.current());
  }

  /** Stops the evaluation and releases the lease, so that another instance can take over at once. */
  async close(): Promise<void> {
    await this.#stop();
    await this.#with.lease.release();
  }

  async #stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#changed.clear();
    this.#silentAt.clear();
    this.#fullAt = -Infinity;
    await this.#with.messages.pause();
  }

  #note(announcement: Announcement): void {
    if (announcement.kind === 'missed') this.#fullAt = -Infinity;
    if (announcement.kind !== 'observations') return;
    for (const station of announcement.changes.stations) this.#changed.add(station);
  }

  /** Returns the stations that this round evaluates. */
  #due({ list }: KnownAlarms, { list: all, byNumber }: Directory): readonly Station[] {
    const { clock } = this.#with;
    const [now, uptime] = [clock.now(), clock.uptime()];
    const ids = list.map(({ id }) => id).join(' ');
    const isFull = ids !== this.#evaluated || uptime - this.#fullAt >= FULL_ROUND;
    const due = new Set(this.#changed);
    this.#changed.clear();
    for (const [station, time] of this.#silentAt) if (time <= now) due.add(station);
    const watched = list.some(({ station }) => station === null)
      ? undefined
      : new Set(list.map(({ station }) => station as number));
    if (isFull) {
      this.#evaluated = ids;
      this.#fullAt = uptime;
      this.#silentAt.clear();
      if (watched === undefined) return all;
    }
    const numbers = isFull && watched !== undefined ? watched : due;
    return [...numbers].flatMap((number) => {
      const station = watched === undefined || watched.has(number) ? byNumber.get(number) : undefined;
      if (station === undefined) this.#silentAt.delete(number);
      return station ?? [];
    });
  }

  async #evaluate(
    known: KnownAlarms,
    stations: readonly Station[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (stations.length === 0) return;
    const { observations, store } = this.#with;
    const states = new Map(
      known.states.map((stationAlarm) => [keyOf(stationAlarm.alarm, stationAlarm.station), stationAlarm]),
    );
    const alarms = alarmsByStation(known.list);
    for (let at = 0; at < stations.length; at += STATIONS_AT_ONCE) {
      if (signal?.aborted === true) return;
      const part = stations.slice(at, at + STATIONS_AT_ONCE);
      const newest = await observations.newest(part.map(({ number }) => number));
      const changes: StationAlarm[] = [];
      for (const [index, station] of part.entries()) {
        const own = alarms(station.number).map((alarm) => ({
          alarm,
          stationAlarm: states.get(keyOf(alarm.id, station.number)) ?? unstored(alarm, station),
        }));
        changes.push(...(await this.#evaluateStation(own, station, newest[index] as Newest)));
      }
      const written = changes.length === 0 ? [] : await store.put(changes);
      // If the state of an alarm was not written, another instance has written it first, or the alarm was removed. The next round
      // evaluates the station again.
      for (const [index, { station }] of changes.entries())
        if (written[index] !== true) this.#changed.add(station);
      await pause();
    }
  }

  /** Evaluates the alarms of a station and notes when the station becomes silent. @returns the changed states */
  async #evaluateStation(
    own: readonly AlarmOfStation[],
    station: Station,
    newest: Newest,
  ): Promise<StationAlarm[]> {
    const { clock, ids, read } = this.#with;
    const { lastSeen, hiddenSince } = newest;
    const changes: StationAlarm[] = [];
    let silentFrom = Infinity;
    for (const { alarm, stationAlarm } of own) {
      const { condition, madeAt } = alarm;
      const isIgnored =
        alarm.station === null &&
        ((condition.kind !== 'forecast' && (lastSeen === null || lastSeen < madeAt - ABANDONED)) ||
          !isAmongAll(station));
      // An alarm of all stations ignores an abandoned station (see `ABANDONED`) and the stations of the demo. A station without reports may
      // have a forecast, which somebody has ordered. If the newest rows are damaged, alarms are neither raised nor cleared.
      if (isIgnored || hiddenSince !== undefined) continue;
      const reading = await read.execute(alarm, stationAlarm.state, station, newest);
      const state = nextState(condition, stationAlarm.state, reading);
      if (condition.kind === 'silent' && state.status !== 'raised')
        silentFrom = Math.min(silentFrom, Math.max(silentAt(condition, reading), reading.silentFrom));
      if (state === stationAlarm.state) continue;
      if (state.status === stationAlarm.state.status) {
        changes.push({ ...stationAlarm, state });
        continue;
      }
      const event = state.status === 'raised' ? 'raised' : 'cleared';
      const notice = isNews({ alarm, stationAlarm }, own)
        ? ({ id: ids.next(), event, madeAt: clock.now() } as const)
        : null;
      changes.push({ ...stationAlarm, state, notice });
    }
    if (silentFrom === Infinity) this.#silentAt.delete(station.number);
    else this.#silentAt.set(station.number, silentFrom);
    return changes;
  }
}

/**
 * Whether the target is told of the new state. While a station is silent, people are told nothing of its other alarms. If such an alarm
 * is raised and cleared during the silence, or the other way round, nothing has changed for them.
 */
function isNews({ alarm, stationAlarm }: AlarmOfStation, own: readonly AlarmOfStation[]): boolean {
  if (alarm.target === null) return false;
  if (stationAlarm.notice === null) return true;
  const since = silenceOf({ alarm, stationAlarm }, own)?.stationAlarm.state.since ?? Infinity;
  // A message from before the silence may have reached the target without an answer.
  return stationAlarm.notice.madeAt < since;
}

function keyOf(alarm: string, station: number): string {
  return `${station} ${alarm}`;
}

function unstored({ id }: Alarm, { number }: Station): StationAlarm {
  return { alarm: id, station: number, revision: 0, state: QUIET, notice: null };
}

/** Returns a function that finds the alarms of a station. The alarms are indexed, because there may be thousands of them. */
function alarmsByStation(list: readonly Alarm[]): (station: number) => readonly Alarm[] {
  const byStation = new Map<number | null, Alarm[]>();
  for (const alarm of list) {
    const known = byStation.get(alarm.station);
    if (known === undefined) byStation.set(alarm.station, [alarm]);
    else known.push(alarm);
  }
  const ofAll = byStation.get(null) ?? [];
  return (station) => [...(byStation.get(station) ?? []), ...ofAll];
}
