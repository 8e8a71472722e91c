import { addCounts, type AuditEvent, type Caller, type WriteCount } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import type { AuditStore, TalliedEvent } from '../../ports/audit-store.js';
import type { Clock } from '../../ports/clock.js';
import type { StationDirectory } from '../../stations/station-directory.js';

/** Time between two calls of `WriteTally.flush`, which write the counts to the audit trail, in milliseconds. */
export const FLUSH_INTERVAL = 30_000;
/**
 * Maximum number of sources per day that get events of their own in the audit trail. A source is one `actor`, for example a user,
 * at one address. Writes of further sources are counted under the address `others`.
 */
const MAX_SOURCES = 256;
/** Number of events that are written in one commit. */
const PAGE = 1000;

/**
 * The writes of one source (an `actor` at one address) that are not in the audit trail yet. `rows`, `from` and `to` are indexed
 * by station number.
 */
interface Counts {
  readonly actor: string;
  readonly address: string | null;
  /** Time of the first write, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  stations: number[];
  rows: Float64Array;
  from: Float64Array;
  to: Float64Array;
}

/**
 * Counts bulk writes for the audit trail: one event for each source (an `actor` at one address), station and day, whatever the
 * number of writes. Counting reads only the columns of stations and times. Only `flush` uses the store.
 */
export class WriteTally {
  readonly #clock: Clock;
  readonly #audit: AuditStore;
  readonly #directory: StationDirectory;
  #counts = new Map<string, Counts>();
  #day = 0;
  /** The sources that have written on `#day`. */
  #sources = new Set<string>();
  /** Events that the last flush could not write. */
  #unsent = new Map<string, TalliedEvent>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(clock: Clock, audit: AuditStore, directory: StationDirectory) {
    this.#clock = clock;
    this.#audit = audit;
    this.#directory = directory;
  }

  /**
   * Counts rows that are on disk.
   *
   * @param stations station number of each row
   * @param times time of each row, in milliseconds since 1970-01-01T00:00:00Z
   * @param skipped numbers of stations whose rows were not stored
   */
  note(caller: Caller, stations: Uint32Array, times: Float64Array, skipped: ReadonlySet<number>): void {
    const counts = this.#countsOf(caller);
    const hasSkipped = skipped.size > 0;
    let { rows, from, to } = counts;
    for (let row = 0; row < stations.length; row += 1) {
      const station = stations[row] as number;
      if (hasSkipped && skipped.has(station)) continue;
      if (station >= rows.length) ({ rows, from, to } = grow(counts, station));
      const time = times[row] as number;
      if (rows[station] === 0) {
        counts.stations.push(station);
        from[station] = to[station] = time;
      } else if (time < (from[station] as number)) from[station] = time;
      else if (time > (to[station] as number)) to[station] = time;
      (rows[station] as number)++;
    }
  }

  /** Writes the counts to the audit trail. Counts that cannot be written are kept for the next flush. */
  flush(): Promise<void> {
    const flushing = this.#flushing.catch(() => undefined).then(() => this.#flush());
    this.#flushing = flushing;
    return flushing;
  }

  async #flush(): Promise<void> {
    const counts = [...this.#counts];
    this.#counts = new Map();
    if (counts.length > 0) await this.#gather(counts);
    const waiting = [...this.#unsent.values()];
    for (let at = 0; at < waiting.length; at += PAGE) {
      const page = waiting.slice(at, at + PAGE);
      await this.#audit.tally(page);
      for (const { key } of page) this.#unsent.delete(key);
    }
  }

  async #gather(counted: readonly (readonly [string, Counts])[]): Promise<void> {
    // If the list of stations cannot be read, the events name stations by number instead of by id.
    const directory = await this.#directory.current().catch(() => undefined);
    for (const [source, { actor, address, time, stations, rows, from, to }] of counted) {
      for (const station of stations) {
        const key = `${source} ${station}`;
        const count = {
          from: from[station] as number,
          to: to[station] as number,
          rows: rows[station] as number,
        };
        const before = this.#unsent.get(key);
        const subject = directory?.byNumber.get(station)?.id ?? `station number ${station}`;
        const detail: WriteCount = before === undefined ? count : addCounts(before.event.detail, count);
        const event: AuditEvent & { readonly detail: WriteCount } = {
          time: before?.event.time ?? time,
          action: 'observations-write',
          outcome: 'done',
          actor,
          subject,
          address,
          requestId: null,
          detail,
        };
        this.#unsent.set(key, { key, event });
      }
    }
  }

  #countsOf(caller: Caller): Counts {
    const time = this.#clock.now();
    const day = Math.floor(time / MILLISECONDS.day);
    if (day !== this.#day) {
      this.#day = day;
      this.#sources = new Set();
    }
    const actor = caller.actor ?? 'internal API';
    let address = caller.address ?? (caller.actor === null ? 'socket' : null);
    const source = `${actor} ${address ?? ''}`;
    if (this.#sources.size < MAX_SOURCES) this.#sources.add(source);
    else if (!this.#sources.has(source)) address = 'others';
    const key = `${day} ${actor} ${address ?? ''}`;
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      const none = new Float64Array(0);
      counts = { actor, address, time, stations: [], rows: none, from: none, to: none };
      this.#counts.set(key, counts);
    }
    return counts;
  }
}

function grow(counts: Counts, station: number): Counts {
  const size = Math.max(1024, 2 * counts.rows.length, station + 1);
  const larger = (column: Float64Array) => {
    const copy = new Float64Array(size);
    copy.set(column);
    return copy;
  };
  counts.rows = larger(counts.rows);
  counts.from = larger(counts.from);
  counts.to = larger(counts.to);
  return counts;
}
