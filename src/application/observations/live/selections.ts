import type { Station } from '#domain/weather/station.js';
import type { LiveReader } from './live-reader.js';
import type { Wanted, WantedStations } from './wanted-stations.js';

/** A selection: the readers that want the same stations. A reader is the event stream of one client; see `LiveReader`. */
export interface Selection {
  readonly wanted: WantedStations;
  readonly readers: Set<LiveReader>;
  /**
   * Sequence number of the last event before the selection was created. Earlier events of the selected stations may be missing in
   * the ring (see `EventRing`), because changes of stations that no client wants are not added to it.
   */
  readonly since: number;
  /**
   * Time when the last client that wanted these stations disconnected, in milliseconds since 1970-01-01T00:00:00Z; undefined
   * while such a client is connected.
   */
  leftAt: number | undefined;
}

/** Maximum number of selections whose clients have all disconnected. Such selections are kept, because a client may reconnect. */
const MAX_ABANDONED = 1000;

/** Finds the clients that want a station. There may be thousands of clients, and most clients want only a few stations. */
export class Selections {
  readonly #byKey = new Map<string, Selection>();
  readonly #byId = new Map<string, Set<Selection>>();
  /** Selections that do not list ids of stations. */
  readonly #others = new Set<Selection>();
  /** Selections without readers, in the order in which their last readers left. */
  readonly #abandoned = new Set<Selection>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  find(key: string): Selection | undefined {
    return this.#byKey.get(key);
  }

  /** Adds a reader to the selection of its stations. @param last sequence number of the newest event; see `EventRing.last` */
  join(reader: LiveReader, wanted: WantedStations, last: number): Selection {
    const selection = this.#byKey.get(wanted.key) ?? this.#add(wanted, last);
    selection.readers.add(reader);
    selection.leftAt = undefined;
    this.#abandoned.delete(selection);
    return selection;
  }

  /** Removes a reader from its selection. @param now in milliseconds since 1970-01-01T00:00:00Z */
  leave(reader: LiveReader, selection: Selection, now: number): void {
    if (!selection.readers.delete(reader) || selection.readers.size > 0) return;
    selection.leftAt = now;
    this.#abandoned.add(selection);
    const [oldest] = this.#abandoned;
    if (oldest !== undefined && this.#abandoned.size > MAX_ABANDONED) this.#remove(oldest);
  }

  /** The selections, with or without readers, that include a station. */
  *of(station: Station): Generator<Selection> {
    for (const selections of [this.#byId.get(station.id) ?? [], this.#others])
      for (const selection of selections) if (selection.wanted.matches(station)) yield selection;
  }

  isWanted(station: Station): boolean {
    return this.of(station).next().done !== true;
  }

  /** Whether a selection that includes the station wants these data in addition to the newest values. */
  needs(station: Station, part: keyof Wanted): boolean {
    for (const { wanted } of this.of(station)) if (wanted.included[part]) return true;
    return false;
  }

  /** Whether any selection wants these data in addition to the newest values. */
  isPartWanted(part: keyof Wanted): boolean {
    return [...this.#byKey.values()].some(({ wanted }) => wanted.included[part]);
  }

  *readers(): Generator<LiveReader> {
    for (const { readers } of this.#byKey.values()) yield* readers;
  }

  /** Removes the selections whose last reader left before a time. @param before in milliseconds since 1970-01-01T00:00:00Z */
  removeAbandoned(before: number): void {
    for (const selection of this.#abandoned) {
      if ((selection.leftAt as number) >= before) return;
      this.#remove(selection);
    }
  }

  #add(wanted: WantedStations, since: number): Selection {
    const selection: Selection = { wanted, readers: new Set(), since, leftAt: undefined };
    this.#byKey.set(wanted.key, selection);
    if (wanted.ids === undefined) this.#others.add(selection);
    for (const id of wanted.ids ?? []) {
      const known = this.#byId.get(id);
      if (known === undefined) this.#byId.set(id, new Set([selection]));
      else known.add(selection);
    }
    return selection;
  }

  #remove(selection: Selection): void {
    this.#abandoned.delete(selection);
    this.#byKey.delete(selection.wanted.key);
    this.#others.delete(selection);
    for (const id of selection.wanted.ids ?? []) {
      const known = this.#byId.get(id);
      known?.delete(selection);
      if (known?.size === 0) this.#byId.delete(id);
    }
  }
}
