import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';
import { nextState, QUIET, silentAt } from '#domain/alarms/alarm-state.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import { pause } from '../pause.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Announcement, Announcer } from '../ports/announcer.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { Lease } from '../ports/lease.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { Directory, StationDirectory } from '../stations/station-directory.js';
import type { AlarmCache, KnownAlarms, AlarmOfStation } from './alarm-cache.js';
import type { AlarmMessages } from './alarm-messages.js';
import type { ReadStation } from './read-station.js';

/** Milliseconds between two rounds. */
export const ALARM_INTERVAL = MILLISECONDS.second / 2;

/** Number of stations that are read at once. */
const STATIONS_AT_ONCE = 500;
/**
 * Milliseconds after which all watched stations are evaluated, whatever was announced: another service on the same SQLite file
 * announces nothing here.
 */
const FULL_ROUND = MILLISECONDS.minute;
/** An alarm of all stations leaves out those that had sent nothing for this time when it was made, until they send again. */
const FORGOTTEN = 7 * MILLISECONDS.day;

export interface EvaluateAlarmsDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly announcer: Announcer;
  readonly directory: StationDirectory;
  readonly observations: ObservationStore;
  readonly store: AlarmStore;
  readonly lease: Pick<Lease, 'acquire' | 'release'>;
  readonly book: AlarmCache;
  readonly messages: AlarmMessages;
  readonly read: ReadStation;
}

/**
 * Raises and clears alarms. Each round evaluates the stations with announced changes, and those whose time to report has passed.
 * Of several instances only the one with the lease does it. The states are written by revision, so that two that believe to
 * have the lease cannot raise an alarm twice.
 */
export class EvaluateAlarms {
  readonly #with: EvaluateAlarmsDependencies;
  #unsubscribe: (() => void) | undefined;
  /** `Clock.uptime` at which all stations were evaluated last. */
  #fullAt = -Infinity;
  /** Ids of the alarms of the last round. */
  #evaluated = '';
  readonly #changed = new Set<number>();
  /** When a station becomes silent, by its number. */
  readonly #silentAt = new Map<number, number>();

  constructor(dependencies: EvaluateAlarmsDependencies) {
    this.#with = dependencies;
  }

  async execute(signal?: AbortSignal): Promise<void> {
    const { announcer, book, messages, directory } = this.#with;
    const known = await book.current();
    if (known.list.length === 0 || !(await this.#with.lease.acquire())) return await this.#rest();
    this.#unsubscribe ??= announcer.subscribe(['observations'], (announcement) => this.#note(announcement));
    const stations = this.#due(known, await directory.current());
    try {
      await this.#evaluate(known, stations, signal);
    } catch (error) {
      this.#fullAt = -Infinity;
      throw error;
    }
    await messages.send(await book.current());
  }

  /** Lets another instance take over at once. */
  async close(): Promise<void> {
    await this.#rest();
    await this.#with.lease.release();
  }

  async #rest(): Promise<void> {
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

  /** The stations that this round evaluates. */
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
    const states = new Map(known.states.map((of) => [keyOf(of.alarm, of.station), of]));
    const alarms = alarmsByStation(known.list);
    for (let at = 0; at < stations.length; at += STATIONS_AT_ONCE) {
      if (signal?.aborted === true) return;
      const part = stations.slice(at, at + STATIONS_AT_ONCE);
      const newest = await observations.newest(part.map(({ number }) => number));
      const changes: StationAlarm[] = [];
      for (const [index, station] of part.entries()) {
        const own = alarms(station.number).map((alarm) => ({
          alarm,
          of: states.get(keyOf(alarm.id, station.number)) ?? unstored(alarm, station),
        }));
        changes.push(...(await this.#evaluateStation(own, station, newest[index] as Newest)));
      }
      const written = changes.length === 0 ? [] : await store.put(changes);
      // Another instance was faster, or the alarm is gone.
      for (const [index, { station }] of changes.entries())
        if (written[index] !== true) this.#changed.add(station);
      await pause();
    }
  }

  /** @returns the states that have changed, and notes when the station becomes silent */
  async #evaluateStation(
    own: readonly AlarmOfStation[],
    station: Station,
    newest: Newest,
  ): Promise<StationAlarm[]> {
    const { clock, ids, read } = this.#with;
    const { lastSeen, hiddenSince } = newest;
    const changes: StationAlarm[] = [];
    let silentFrom = Infinity;
    for (const { alarm, of } of own) {
      const { condition, target, madeAt } = alarm;
      const isForgotten = alarm.station === null && (lastSeen === null || lastSeen < madeAt - FORGOTTEN);
      // Damaged data tell nothing.
      if (isForgotten || hiddenSince !== undefined) continue;
      const reading = await read.execute(alarm, of.state, station, newest);
      const state = nextState(condition, of.state, reading);
      if (condition.kind === 'silent' && state.status !== 'raised')
        silentFrom = Math.min(silentFrom, Math.max(silentAt(condition, reading), reading.silentFrom));
      if (state === of.state) continue;
      const event = state.status === 'raised' ? 'raised' : 'cleared';
      const notice = target === null ? null : ({ id: ids.next(), event, madeAt: clock.now() } as const);
      changes.push({ ...of, state, notice });
    }
    if (silentFrom === Infinity) this.#silentAt.delete(station.number);
    else this.#silentAt.set(station.number, silentFrom);
    return changes;
  }
}

function keyOf(alarm: string, station: number): string {
  return `${station} ${alarm}`;
}

function unstored({ id }: Alarm, { number }: Station): StationAlarm {
  return { alarm: id, station: number, revision: 0, state: QUIET, notice: null };
}

/** Returns a function that finds the alarms of a station. There may be thousands of alarms of one station each. */
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
