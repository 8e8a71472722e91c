import { isDomainError } from '#domain/domain-error.js';
import type { HookPosition } from '#domain/hooks/position.js';
import type { Hook } from '#domain/hooks/hook.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Clock } from '../../ports/clock.js';
import type { Message } from '../../ports/delivery.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { Outbox } from '../outbox.js';
import type { Positions } from './positions.js';
import { rowMessage, rowOf, type StationRow } from './row-message.js';

/** Rows that are read at once. They are what a hook holds in memory. */
const ROWS = 50;
/** Age in milliseconds beyond which rows that come late or have changed are not sent: an import may write years. */
const LATE = MILLISECONDS.day;

/** A change of a station, as it was announced. Times are milliseconds since 1970-01-01T00:00:00Z, both included. */
export interface RowChange {
  /** `Station.number`. */
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

/** Rows that were read and are delivered one after the other. */
interface Reading {
  readonly station: number;
  readonly id: string;
  readonly rows: StationRow[];
  /** Revision of the station before the rows were read. */
  readonly revision: number;
  /** Whether the rows came late or have changed. */
  readonly isLate: boolean;
  /** Whether there may be more rows than these. */
  readonly hasMore: boolean;
}

/** A range of times. Both ends are included. */
type Range = NonNullable<HookPosition['late']>;

/** The row that `next` returned last, until `done` is called for it. */
interface Attempt extends Pick<Reading, 'station' | 'revision' | 'isLate'> {
  readonly time: number;
  /** What has changed since the row was read, until its time. It is sent again. */
  changed: Range | undefined;
}

/**
 * The rows of the stations of a hook, oldest first for each station. They are read from the store when they are due, so an outage
 * of the target of any length costs no memory.
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
  /** The last reading of each station: its revision and position before it. */
  readonly #readings = new Map<number, { readonly revision: number; readonly position: number }>();
  #reading: Reading | undefined;
  #attempt: Attempt | undefined;

  constructor(hook: Hook, positions: Positions, source: OutboxSource) {
    this.name = hook.name;
    this.target = hook.target;
    this.#positions = positions;
    this.#since = hook.since;
    this.#with = source;
    this.#stations = hook.stations === null ? undefined : new Set(hook.stations);
  }

  /** Number of stations that have rows to deliver, or may have some. */
  get waiting(): number {
    const current = this.#reading?.station;
    return this.#due.size + (current === undefined || this.#due.has(current) ? 0 : 1);
  }

  /** Looks for rows that were written while nobody announced them to this hook. */
  async catchUp(): Promise<void> {
    const { directory, observations } = this.#with;
    const numbers = [...(await directory.current()).byNumber.keys()].filter((number) => this.#wants(number));
    for (const { station, lastSeen, hiddenSince } of await observations.newest(numbers)) {
      const { time, late } = this.#positions.of(station);
      if (late !== undefined || hiddenSince !== undefined || (lastSeen ?? -Infinity) > time)
        this.#due.add(station);
    }
  }

  /** Notes a change. @returns whether it may have rows for the target */
  note(change: RowChange): boolean {
    const { station, from, to, revision } = change;
    if (!this.#wants(station)) return false;
    const { time, late } = this.#positions.of(station);
    // A reading that came after the change had all of its rows behind the position of that time.
    const known = this.#readings.get(station);
    const read = known !== undefined && revision <= known.revision ? known.position : time;
    const first = Math.max(from, this.#since + 1, this.#with.clock.now() - LATE);
    const changedUntil = (end: number) => rangeOf(first, Math.min(to, end));
    const changed = changedUntil(read);
    if (changed !== undefined) this.#positions.set(station, { time, late: joined(changed, late) });
    this.#due.add(station);
    this.#dropChanged(change);
    const attempt = this.#attempt;
    if (attempt?.station === station) {
      const end = revision > attempt.revision ? Math.max(read, attempt.time) : read;
      attempt.changed = joined(changedUntil(end), attempt.changed);
    }
    return true;
  }

  /** Drops rows that were read before they have changed. They are read again. */
  #dropChanged({ station, from, to, revision }: RowChange): void {
    const reading = this.#reading;
    if (reading?.station !== station || revision <= reading.revision) return;
    const [first, last] = [reading.rows[0], reading.rows.at(-1)];
    if (first !== undefined && last !== undefined && from <= last.time && to >= first.time)
      this.#reading = undefined;
  }

  async next(): Promise<Message | undefined> {
    // After a failed attempt the rows are read again, because nobody may have announced what was removed meanwhile.
    if (this.#attempt !== undefined) {
      this.#due = new Set([this.#attempt.station, ...this.#due]);
      this.#attempt = undefined;
      this.#reading = undefined;
    }
    const { station: held } = this.#reading ?? {};
    if (held !== undefined && !(await this.#with.directory.current()).byNumber.has(held))
      this.#reading = undefined;
    while (this.#reading === undefined) {
      const [station] = this.#due;
      if (station === undefined) return undefined;
      // Taken out first: a change that is announced while the rows are read puts it back.
      this.#due.delete(station);
      try {
        this.#reading = await this.#read(station);
      } catch (error) {
        // Rows that cannot be read at all must not hold up the other stations.
        if (isDomainError(error, 'DATA_DAMAGED')) continue;
        this.#due.add(station);
        throw error;
      }
    }
    const { station, id, rows, revision, isLate } = this.#reading;
    const row = rows[0] as StationRow;
    this.#attempt = { station, time: row.time, revision, isLate, changed: undefined };
    const lateRevision = isLate ? revision : undefined;
    return rowMessage({ hook: this.name, station: id, number: station, lateRevision }, row);
  }

  async done(): Promise<void> {
    const attempt = this.#attempt;
    if (attempt === undefined) return;
    this.#attempt = undefined;
    const { station, isLate, changed } = attempt;
    const { time, late } = this.#positions.of(station);
    const position = { time: Math.max(time, attempt.time) };
    const rest = joined(isLate ? behind(late, attempt.time) : late, changed);
    this.#positions.set(station, rest === undefined ? position : { ...position, late: rest });
    // Undefined if it was dropped meanwhile.
    const reading = this.#reading;
    reading?.rows.shift();
    if (reading === undefined || reading.rows.length > 0) return;
    this.#reading = undefined;
    if (reading.hasMore) this.#due.add(station);
  }

  #wants(station: number): boolean {
    return this.#stations?.has(station) ?? true;
  }

  /** @returns undefined if there are no rows */
  async #read(station: number): Promise<Reading | undefined> {
    const { directory, observations } = this.#with;
    const id = (await directory.current()).byNumber.get(station)?.id;
    if (id === undefined) return undefined;
    const [newest] = await observations.newest([station]);
    const revision = Number.parseFloat(newest?.revision ?? '0');
    const { time, late } = this.#positions.of(station);
    if (late !== undefined) {
      const rows = await this.#rows(station, late.from, late.to + 1);
      if (rows.length > 0) return { station, id, rows, revision, isLate: true, hasMore: true };
      // A change that was announced meanwhile may have made the range longer.
      const now = this.#positions.of(station);
      if (now.late === late) this.#positions.set(station, { time: now.time });
      else this.#due.add(station);
    }
    this.#readings.set(station, { revision, position: time });
    const rows = await this.#rows(station, time + 1, Infinity);
    const hasMore = rows.length === ROWS;
    return rows.length === 0 ? undefined : { station, id, rows, revision, isLate: false, hasMore };
  }

  async #rows(station: number, from: number, to: number): Promise<StationRow[]> {
    const rows: StationRow[] = [];
    const query = { stations: [station], from, to, rows: ROWS };
    for await (const batch of this.#with.observations.read(query)) {
      for (let row = 0; row < batch.times.length && rows.length < ROWS; row += 1)
        rows.push(rowOf(batch, row));
      if (rows.length >= ROWS) break;
    }
    return rows;
  }
}

/** The part of a range behind a time. */
function behind(range: Range | undefined, time: number): Range | undefined {
  return range && rangeOf(Math.max(range.from, time + 1), range.to);
}

/** Undefined if it is empty. */
function rangeOf(from: number, to: number): Range | undefined {
  return from <= to ? { from, to } : undefined;
}

/** The shortest range that has both. */
function joined(a: Range, b: Range | undefined): Range;
function joined(a: Range | undefined, b: Range | undefined): Range | undefined;
function joined(a: Range | undefined, b: Range | undefined): Range | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}
