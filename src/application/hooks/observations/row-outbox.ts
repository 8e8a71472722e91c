import { isDomainError } from '../../../domain/domain-error.js';
import type { Hook } from '../../../domain/hooks/hook.js';
import { MILLISECONDS } from '../../../domain/time.js';
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

export interface RowSource {
  readonly clock: Clock;
  readonly directory: StationDirectory;
  readonly observations: ObservationStore;
}

/** Rows that were read and are delivered one after the other. */
interface Reading {
  readonly station: number;
  readonly id: string;
  readonly rows: StationRow[];
  /** Revision of the station before the rows were read, if they came late. */
  readonly lateRevision: number | undefined;
  /** Whether there may be more rows than these. */
  readonly hasMore: boolean;
}

/**
 * The rows of the stations of a hook, oldest first for each station. They are read from the store when they are due, so an outage
 * of the target of any length costs no memory.
 */
export class RowOutbox implements Outbox {
  readonly name: string;
  readonly target: Hook['target'];
  readonly #with: RowSource;
  readonly #positions: Positions;
  readonly #since: number;
  readonly #stations: ReadonlySet<number> | undefined;
  /** Stations that may have rows to deliver. */
  readonly #due = new Set<number>();
  /** The last reading of each station: its revision and position before it. */
  readonly #readings = new Map<number, { readonly revision: number; readonly position: number }>();
  #reading: Reading | undefined;

  constructor(hook: Hook, positions: Positions, source: RowSource) {
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
  note({ station, from, to, revision }: RowChange): boolean {
    if (!this.#wants(station)) return false;
    const { time, late } = this.#positions.of(station);
    // A reading that came after the change had all of its rows behind the position of that time.
    const known = this.#readings.get(station);
    const read = known !== undefined && revision <= known.revision ? known.position : time;
    const first = Math.max(from, this.#since + 1, this.#with.clock.now() - LATE);
    const last = Math.min(to, read);
    if (first <= last) {
      const range = { from: Math.min(first, late?.from ?? first), to: Math.max(last, late?.to ?? last) };
      this.#positions.set(station, { time, late: range });
    }
    this.#due.add(station);
    return true;
  }

  async next(): Promise<Message | undefined> {
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
    const { station, id, rows, lateRevision } = this.#reading;
    return rowMessage({ hook: this.name, station: id, number: station, lateRevision }, rows[0] as StationRow);
  }

  async done(): Promise<void> {
    const reading = this.#reading;
    const row = reading?.rows.shift();
    if (reading === undefined || row === undefined) return;
    const { station, lateRevision, rows } = reading;
    const { time, late } = this.#positions.of(station);
    const position = { time: Math.max(time, row.time) };
    const rest = lateRevision === undefined ? late : behind(late, row.time);
    this.#positions.set(station, rest === undefined ? position : { ...position, late: rest });
    if (rows.length > 0) return;
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
      if (rows.length > 0) return { station, id, rows, lateRevision: revision, hasMore: true };
      // A change that was announced meanwhile may have made the range longer.
      const now = this.#positions.of(station);
      if (now.late === late) this.#positions.set(station, { time: now.time });
      else this.#due.add(station);
    }
    this.#readings.set(station, { revision, position: time });
    const rows = await this.#rows(station, time + 1, Infinity);
    const hasMore = rows.length === ROWS;
    return rows.length === 0 ? undefined : { station, id, rows, lateRevision: undefined, hasMore };
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
function behind(range: { from: number; to: number } | undefined, time: number) {
  if (range === undefined || time >= range.to) return undefined;
  return { from: Math.max(range.from, time + 1), to: range.to };
}
