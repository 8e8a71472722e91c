import { isDomainError } from '#domain/domain-error.js';
import type { HookPosition } from '#domain/hooks/position.js';
import type { Hook } from '#domain/hooks/hook.js';
import type { Station } from '#domain/weather/station.js';
import { isAmongAll } from '#domain/weather/stations/demo.js';
import type { Clock } from '../../ports/clock.js';
import type { Message } from '../../ports/delivery.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { Outbox } from '../outbox.js';
import { DeliveredRows, digestOf, MAX_DELIVERED, MAX_LATE_AGE } from './delivered-rows.js';
import type { Positions } from './positions.js';
import { rowMessage, rowOf, type StationRow } from './row-message.js';

/** Number of rows that are read at once. A hook has at most this number of rows in memory. */
const ROWS_AT_ONCE = 50;
/**
 * A change of rows of a station, of which the hook is told. Times are milliseconds since 1970-01-01T00:00:00Z; `from` and `to`
 * are included.
 */
export interface RowChange {
  /** The number of the station, see `Station.number`. */
  readonly station: number;
  readonly from: number;
  readonly to: number;
  readonly revision: number;
}

export interface OutboxSource {
  readonly clock: Clock;
  readonly directory: StationDirectory;
  readonly observations: ObservationStore;
}

/** Rows of a station that were read and are sent one after the other. */
interface Reading {
  readonly station: number;
  readonly id: string;
  readonly rows: StationRow[];
  /** Revision of the station before the rows were read. The revision is a number that rises when rows of the station change. */
  readonly revision: number;
  /** Whether the rows were late or have changed. */
  readonly isLate: boolean;
  /** Whether the station may have further rows. */
  readonly hasMore: boolean;
}

/** A range of times that includes both bounds. */
type Range = NonNullable<HookPosition['late']>;

/** The row that the last call of `next` returned and that `done` has not confirmed yet. */
interface Attempt extends Pick<Reading, 'station' | 'revision' | 'isLate'> {
  readonly time: number;
  /** See `digestOf`. */
  readonly digest: number;
  /**
   * Range of times of the rows that changed while this row was being sent, and that must be sent again: this row itself, or rows
   * that were delivered before.
   */
  changed: Range | undefined;
}

/**
 * Sends the rows of the stations of a hook, for each station the oldest row first. A row is read from the store only when it is
 * due, so rows that wait during an outage of the target need no memory.
 */
export class RowOutbox implements Outbox {
  readonly name: string;
  readonly target: Hook['target'];
  readonly #with: OutboxSource;
  readonly #positions: Positions;
  readonly #since: number;
  readonly #stations: ReadonlySet<number> | undefined;
  /** Stations that may have rows to deliver. */
  #due = new Set<number>();
  /**
   * What was known of each station before its rows were last read, by number of the station: its revision, a number that rises
   * when its rows change, and its position, which is the time of its newest delivered row.
   */
  readonly #readings = new Map<number, { readonly revision: number; readonly position: number }>();
  #reading: Reading | undefined;
  #attempt: Attempt | undefined;
  /** The changes of which the hook was told while rows were read. Undefined if no rows are being read. */
  #noted: RowChange[] | undefined;
  readonly #delivered = new DeliveredRows();
  /**
   * Revision of each station after `#recall` has read its rows, by number of the station. While `#recall` reads, it is Infinity for
   * all stations (`'reading'`). Undefined before the call.
   */
  #recalled: ReadonlyMap<number, number> | 'reading' | undefined;

  constructor(hook: Hook, positions: Positions, source: OutboxSource) {
    this.name = hook.name;
    this.target = hook.target;
    this.#positions = positions;
    this.#since = hook.since;
    this.#with = source;
    this.#stations = hook.stations === null ? undefined : new Set(hook.stations);
  }

  /** Number of stations that have rows to deliver, or that may have such rows. */
  get waiting(): number {
    const current = this.#reading?.station;
    return this.#due.size + (current === undefined || this.#due.has(current) ? 0 : 1);
  }

  /** Finds rows of which this hook was not told, for example rows that were written before the hook was started. */
  async catchUp(): Promise<void> {
    const { directory, observations } = this.#with;
    const { list } = await directory.current();
    const numbers = list.filter((station) => this.#sends(station)).map(({ number }) => number);
    if (this.#recalled === undefined) await this.#recall(numbers);
    for (const { station, lastSeen, hiddenSince } of await observations.newest(numbers)) {
      const { time, late } = this.#positions.of(station);
      if (late !== undefined || hiddenSince !== undefined || (lastSeen ?? -Infinity) > time)
        this.#due.add(station);
    }
  }

  /**
   * Remembers the rows of the last day that an earlier process has delivered, with the values that are stored now. Otherwise the first
   * quality control after a start would send all rows of the day again.
   */
  async #recall(stations: readonly number[]): Promise<void> {
    const { clock, observations } = this.#with;
    const from = Math.max(this.#since + 1, clock.now() - MAX_LATE_AGE);
    const to = Math.max(-Infinity, ...stations.map((station) => this.#positions.of(station).time)) + 1;
    this.#recalled = 'reading';
    const revisions = new Map<number, number>();
    try {
      if (from >= to) return;
      for await (const batch of observations.read({ stations, from, to, rows: MAX_DELIVERED })) {
        for (const [row, time] of batch.times.entries()) {
          const station = batch.stations[row] as number;
          const { time: position, late } = this.#positions.of(station);
          const isWaiting = time > position || (late !== undefined && time >= late.from && time <= late.to);
          // A row that this process has sent in the meantime is already remembered as it was sent.
          if (isWaiting || this.#delivered.digestOf(station, time) !== undefined) continue;
          if (this.#delivered.size >= MAX_DELIVERED) return;
          this.#delivered.set(station, time, digestOf(rowOf(batch, row)), from);
        }
      }
    } catch (error) {
      // Rows that are not remembered are sent again when they change.
      if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
    } finally {
      for (const { station, revision } of await observations.newest(stations))
        revisions.set(station, Number.parseFloat(revision));
      this.#recalled = revisions;
    }
  }

  /**
   * Forgets rows that may have been recalled with values that the target does not have: `#recall` has read them after the change of
   * which the hook is told now.
   */
  #forgetRecalled({ station, from, to, revision }: RowChange): void {
    const recalled = this.#recalled === 'reading' ? Infinity : (this.#recalled?.get(station) ?? -Infinity);
    if (revision <= recalled) this.#delivered.forget(station, { from, to });
  }

  /** Notes a change. @returns whether the change may have rows for the target */
  note(change: RowChange): boolean {
    const { station, from, to, revision } = change;
    if (!this.#wants(station)) return false;
    this.#forgetRecalled(change);
    const { time, late } = this.#positions.of(station);
    // Delivered rows may have been sent with values from before this change, and must then be sent again. `read` is the time of
    // the last such row. Usually this is the newest delivered row. But if the change is older than the last read of rows, this
    // read returned the rows after `known.position` with their new values. Then only rows up to `known.position` must be sent
    // again.
    const known = this.#readings.get(station);
    const read = known !== undefined && revision <= known.revision ? known.position : time;
    const first = Math.max(from, this.#since + 1, this.#with.clock.now() - MAX_LATE_AGE);
    const changedUntil = (end: number) => rangeOf(first, Math.min(to, end));
    const changed = changedUntil(read);
    if (changed !== undefined) this.#positions.set(station, { time, late: joined(changed, late) });
    this.#due.add(station);
    this.#noted?.push(change);
    this.#dropChanged(change);
    const attempt = this.#attempt;
    if (attempt?.station === station) {
      const end = revision > attempt.revision ? Math.max(read, attempt.time) : read;
      attempt.changed = joined(changedUntil(end), attempt.changed);
    }
    return true;
  }

  /** Drops rows that have changed since they were read, so that they are read again. */
  #dropChanged({ station, from, to, revision }: RowChange): void {
    const reading = this.#reading;
    if (reading?.station !== station || revision <= reading.revision) return;
    const [first, last] = [reading.rows[0], reading.rows.at(-1)];
    if (first !== undefined && last !== undefined && from <= last.time && to >= first.time)
      this.#reading = undefined;
  }

  async next(): Promise<Message | undefined> {
    // After a failed attempt the rows are read again, because rows may have been removed without telling this hook.
    if (this.#attempt !== undefined) {
      this.#due = new Set([this.#attempt.station, ...this.#due]);
      this.#attempt = undefined;
      this.#reading = undefined;
    }
    const { station: readStation } = this.#reading ?? {};
    if (readStation !== undefined && !(await this.#with.directory.current()).byNumber.has(readStation))
      this.#reading = undefined;
    for (;;) {
      const reading = this.#reading ?? (await this.#nextReading());
      if (reading === undefined) return undefined;
      const { station, id, rows, revision, isLate } = reading;
      const row = rows[0] as StationRow;
      const { time } = row;
      const attempt = { station, time, digest: digestOf(row), revision, isLate, changed: undefined };
      if (this.#delivered.digestOf(station, time) === attempt.digest) {
        this.#advance(attempt);
        continue;
      }
      this.#attempt = attempt;
      // If the attempt fails, it is unknown which values the target has.
      this.#delivered.forget(station, { from: time, to: time });
      const lateRevision = isLate ? revision : undefined;
      return rowMessage({ hook: this.name, station: id, number: station, lateRevision }, row);
    }
  }

  /** Reads the next rows. @returns undefined if no station has rows to deliver */
  async #nextReading(): Promise<Reading | undefined> {
    for (;;) {
      const [station] = this.#due;
      if (station === undefined) return undefined;
      // The station is removed from `#due` before its rows are read. If its rows change during the read, `note` adds the station
      // to `#due` again. If the station were removed after the read, this change would be lost.
      this.#due.delete(station);
      try {
        this.#noted = [];
        this.#reading = await this.#read(station);
        for (const change of this.#noted) this.#dropChanged(change);
        this.#noted = undefined;
        if (this.#reading !== undefined) return this.#reading;
      } catch (error) {
        // Damaged rows must not block the other stations.
        if (isDomainError(error, 'DATA_DAMAGED')) continue;
        this.#due.add(station);
        throw error;
      }
    }
  }

  async done(): Promise<void> {
    const attempt = this.#attempt;
    if (attempt === undefined) return;
    this.#attempt = undefined;
    const { station, time, digest } = attempt;
    this.#delivered.set(station, time, digest, this.#with.clock.now() - MAX_LATE_AGE);
    this.#advance(attempt);
  }

  /** Goes on to the row after a row that the target has. */
  #advance({ station, time: delivered, isLate, changed }: Attempt): void {
    const { time, late } = this.#positions.of(station);
    const position = { time: Math.max(time, delivered) };
    const remaining = joined(isLate ? rangeAfter(late, delivered) : late, changed);
    this.#positions.set(station, remaining === undefined ? position : { ...position, late: remaining });
    // The reading is undefined if it was dropped in the meantime.
    const reading = this.#reading;
    reading?.rows.shift();
    if (reading === undefined || reading.rows.length > 0) return;
    this.#reading = undefined;
    if (reading.hasMore) this.#due.add(station);
  }

  #wants(station: number): boolean {
    return this.#stations?.has(station) ?? true;
  }

  /** Whether rows of a station are sent. A hook of all stations does not send rows of the demo. */
  #sends(station: Station): boolean {
    return this.#stations?.has(station.number) ?? isAmongAll(station);
  }

  /** @returns undefined if there are no rows */
  async #read(station: number): Promise<Reading | undefined> {
    const { directory, observations } = this.#with;
    const found = (await directory.current()).byNumber.get(station);
    if (found === undefined || !this.#sends(found)) return undefined;
    const { id } = found;
    const [newest] = await observations.newest([station]);
    const revision = Number.parseFloat(newest?.revision ?? '0');
    const { time, late } = this.#positions.of(station);
    if (late !== undefined) {
      const rows = await this.#rows(station, late.from, late.to + 1);
      if (rows.length > 0) return { station, id, rows, revision, isLate: true, hasMore: true };
      // The range of late rows has no rows any more, so the range is removed. But if `note` has changed the range during the
      // read, the new range may have rows and is kept.
      const now = this.#positions.of(station);
      if (now.late === late) this.#positions.set(station, { time: now.time });
      else this.#due.add(station);
    }
    this.#readings.set(station, { revision, position: time });
    const rows = await this.#rows(station, time + 1, Infinity);
    const hasMore = rows.length === ROWS_AT_ONCE;
    return rows.length === 0 ? undefined : { station, id, rows, revision, isLate: false, hasMore };
  }

  async #rows(station: number, from: number, to: number): Promise<StationRow[]> {
    const rows: StationRow[] = [];
    const query = { stations: [station], from, to, rows: ROWS_AT_ONCE };
    for await (const batch of this.#with.observations.read(query)) {
      for (let row = 0; row < batch.times.length && rows.length < ROWS_AT_ONCE; row += 1)
        rows.push(rowOf(batch, row));
      if (rows.length >= ROWS_AT_ONCE) break;
    }
    return rows;
  }
}

/** Returns the part of a range after a time; undefined if there is no such part. */
function rangeAfter(range: Range | undefined, time: number): Range | undefined {
  return range && rangeOf(Math.max(range.from, time + 1), range.to);
}

/** @returns undefined for an empty range */
function rangeOf(from: number, to: number): Range | undefined {
  return from <= to ? { from, to } : undefined;
}

/** The smallest range that includes both ranges. */
function joined(a: Range, b: Range | undefined): Range;
function joined(a: Range | undefined, b: Range | undefined): Range | undefined;
function joined(a: Range | undefined, b: Range | undefined): Range | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}
