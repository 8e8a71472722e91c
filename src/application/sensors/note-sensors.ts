import { mergedHistory, NO_HISTORY, type SensorHistory, withState } from '#domain/sensors/sensor-history.js';
import { isLow, type SensorState } from '#domain/sensors/sensor-state.js';
import { MILLISECONDS } from '#domain/time.js';
import { keptText } from '#domain/uploads/upload-status.js';
import { KeyedQueue } from '../keyed-queue.js';
import type { Clock } from '../ports/clock.js';
import type { RecordStore, StoredRecord } from '../ports/record-store.js';
import { sensorRecordsOf } from '../record-forms.js';
import type { StationDirectory } from '../stations/station-directory.js';
import { historyIn, historyText } from './history-text.js';

/** Largest number of sensors of one sender of a station. More are not noted. */
const MAX_SENSORS = 64;
/** Milliseconds after which points are written, unless a battery has become low or is no longer low. */
const MAX_AGE = 10 * MILLISECONDS.minute;
/** Milliseconds after which the newest state is written although no point was kept. */
const SEEN_AGE = 6 * MILLISECONDS.hour;
/** Number of sensors that are written in one transaction. */
const PAGE = 100;
/** After this number of refused writes, one after the other, the upload key of a sensor is considered removed. */
const MAX_REFUSALS = 5;

/** The key of reads and writes of all stations in their queue, because a write has sensors of many stations. */
const SENSOR_QUEUE = 'sensors';

/** Who sends the states of a sensor: a source, by its name, or an upload key, by its number. */
export type SensorSender = { readonly source: string } | { readonly key: number };

/** A sensor of a station with its history. */
export interface KnownSensor {
  readonly sensor: string;
  readonly sender: SensorSender;
  readonly history: SensorHistory;
}

/** The states of a sensor that are not written yet. */
interface Unwritten {
  readonly station: number;
  readonly sender: SensorSender;
  /** Begins with the newest written point, as far as this process knows it. */
  history: SensorHistory;
  /** Whether `history` has a point that is not written. */
  hasPoint: boolean;
  /** Whether the battery has become low or is no longer low. */
  isUrgent: boolean;
  /** `Clock.uptime` of the first state that is not written; undefined if there is none. */
  since: number | undefined;
  refusals: number;
}

/**
 * Keeps the states of batteries and signals. They are collected in memory and written later, because frequent writes wear out
 * memory cards: within the interval of `flush` if a battery becomes low or is no longer low, after ten minutes if a value has
 * changed, otherwise every six hours. A sensor has at most about 110 kB. What is not written at a crash is lost.
 */
export class NoteSensors {
  readonly #clock: Clock;
  readonly #store: RecordStore;
  readonly #directory: StationDirectory;
  /** By name of the record. */
  readonly #unwritten = new Map<string, Unwritten>();
  /** The reads and writes of stored states, which take place one after the other. */
  readonly #queue = new KeyedQueue();

  constructor(clock: Clock, store: RecordStore, directory: StationDirectory) {
    this.#clock = clock;
    this.#store = store;
    this.#directory = directory;
  }

  /**
   * Adds states to the histories of the sensors of a station.
   *
   * @param station `Station.number`
   * @param time milliseconds since 1970-01-01T00:00:00Z
   */
  note(station: number, sender: SensorSender, states: readonly SensorState[], time: number): void {
    for (const { sensor, ...state } of states.slice(0, MAX_SENSORS)) {
      if (Object.keys(state).length === 0) continue;
      const name = `${recordsOf(station, sender)}${keptText(sensor)}`;
      const known = this.#unwritten.get(name);
      if (known === undefined && this.#count(station, sender) >= MAX_SENSORS) continue;
      const unwritten: Unwritten = known ?? {
        station,
        sender,
        history: NO_HISTORY,
        hasPoint: false,
        isUrgent: false,
        since: undefined,
        refusals: 0,
      };
      this.#unwritten.set(name, unwritten);
      const before = unwritten.history;
      unwritten.history = withState(before, { ...state, time });
      const { last, points } = unwritten.history;
      unwritten.since ??= this.#clock.uptime();
      if (points === before.points) continue;
      unwritten.hasPoint = true;
      if (before.last === null || (last !== null && isLow(last) !== isLow(before.last)))
        unwritten.isUrgent = true;
    }
  }

  /**
   * The sensors of a station in the order of their senders and names, with states that are not written yet. Waits for a write in
   * progress: if it ended during the read, its states would be in neither.
   */
  list(station: number): Promise<readonly KnownSensor[]> {
    return this.#queue.run(SENSOR_QUEUE, () => this.#list(station));
  }

  async #list(station: number): Promise<readonly KnownSensor[]> {
    const prefix = sensorRecordsOf(station);
    const records = await this.#store.records(prefix);
    const histories = new Map(records.map(({ name, text }) => [name, historyIn(text)]));
    // A written state without a record belongs to a removed key.
    for (const [name, { history, since }] of this.#unwritten)
      if (name.startsWith(prefix) && since !== undefined)
        histories.set(name, mergedHistory(histories.get(name) ?? NO_HISTORY, history));
    return [...histories]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, history]) => {
        const [, kind, sender = '', sensor = ''] =
          /^(source|key) ([^/]+)\/(.*)$/s.exec(name.slice(prefix.length)) ?? [];
        if (kind === undefined) return [];
        return [{ sensor, sender: kind === 'key' ? { key: Number(sender) } : { source: sender }, history }];
      });
  }

  /** Writes the states whose time has come. @param force whether to write all states */
  flush(force = false): Promise<void> {
    return this.#queue.run(SENSOR_QUEUE, () => this.#flush(force));
  }

  /**
   * Removes the sensors of a sender, for example of a source that was removed. Otherwise a low battery of them would raise alarms for weeks.
   *
   * @param station `Station.number`
   * @throws DomainError STORE_UNAVAILABLE
   */
  forget(station: number, sender: SensorSender): Promise<void> {
    return this.#queue.run(SENSOR_QUEUE, async () => {
      const prefix = recordsOf(station, sender);
      for (const name of this.#unwritten.keys()) if (name.startsWith(prefix)) this.#unwritten.delete(name);
      await this.#store.purge(prefix, Number.MAX_SAFE_INTEGER);
    });
  }

  async #flush(force: boolean): Promise<void> {
    const now = this.#clock.uptime();
    const due = [...this.#unwritten].filter(([, { hasPoint, isUrgent, since }]) => {
      if (since === undefined) return false;
      return force || isUrgent || now - since >= (hasPoint ? MAX_AGE : SEEN_AGE);
    });
    if (due.length === 0) return;
    // A station may have been removed since its sensors were noted.
    const { byNumber } = await this.#directory.current();
    for (const [name, { station }] of due) if (!byNumber.has(station)) this.#unwritten.delete(name);
    const left = due.filter(([name]) => this.#unwritten.has(name));
    for (let at = 0; at < left.length; at += PAGE) await this.#write(left.slice(at, at + PAGE), force);
  }

  async #write(page: readonly (readonly [string, Unwritten])[], force: boolean): Promise<void> {
    const batch = page.map(([name, unwritten]) => {
      // What is noted during the write sets these again.
      Object.assign(unwritten, { hasPoint: false, isUrgent: false });
      return { name, unwritten, history: unwritten.history };
    });
    const tryAgain = (unwritten: Unwritten) => Object.assign(unwritten, { hasPoint: true, isUrgent: true });
    try {
      const records: StoredRecord[] = [];
      const written = new Map<string, SensorHistory>();
      for (const { name, unwritten, history } of batch) {
        const record = await this.#store.record(name);
        const stored = record === undefined ? NO_HISTORY : historyIn(record.text);
        const merged = mergedHistory(stored, history);
        written.set(name, merged);
        // The first state after a start is usually the stored state.
        const age = (merged.last?.time ?? 0) - (stored.last?.time ?? -Infinity);
        if (!force && merged.points === stored.points && age < SEEN_AGE) continue;
        const { sender } = unwritten;
        records.push({
          name,
          key: 'key' in sender ? sender.key : null,
          revision: record?.revision ?? 0,
          text: historyText(merged),
          time: this.#clock.now(),
        });
      }
      const put = new Set(records.map(({ name }) => name));
      const refused = new Set(records.length === 0 ? [] : await this.#store.put(records));
      for (const { name, unwritten, history } of batch) {
        unwritten.refusals = refused.has(name) ? unwritten.refusals + 1 : 0;
        if (unwritten.refusals >= MAX_REFUSALS) this.#unwritten.delete(name);
        else if (refused.has(name)) tryAgain(unwritten);
        else {
          if (put.has(name))
            unwritten.since = unwritten.history.last === history.last ? undefined : this.#clock.uptime();
          unwritten.history = mergedHistory(newestOf(written.get(name) ?? NO_HISTORY), unwritten.history);
        }
      }
    } catch (error) {
      for (const { unwritten } of batch) tryAgain(unwritten);
      throw error;
    }
  }

  #count(station: number, sender: SensorSender): number {
    const prefix = recordsOf(station, sender);
    return [...this.#unwritten.keys()].filter((name) => name.startsWith(prefix)).length;
  }
}

function recordsOf(station: number, sender: SensorSender): string {
  const text = 'key' in sender ? `key ${sender.key}` : `source ${sender.source}`;
  return `${sensorRecordsOf(station)}${text}/`;
}

/** A history with its newest point alone, to which later states are added. */
function newestOf(history: SensorHistory): SensorHistory {
  return { ...history, points: history.points.slice(-1) };
}
