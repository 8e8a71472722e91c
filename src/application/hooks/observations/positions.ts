import type { Hook } from '#domain/hooks/hook.js';
import type { Clock } from '../../ports/clock.js';
import type { UploadRecord, UploadStore } from '../../ports/upload-store.js';
import { positionRecords } from '../hook-records.js';

/** How far the rows of a station were delivered. Times are milliseconds since 1970-01-01T00:00:00Z. */
export interface Position {
  /** Time of the newest row that was delivered. */
  readonly time: number;
  /** Rows until `time` that came late or have changed, and were not delivered yet. Both ends are included. */
  readonly late?: { readonly from: number; readonly to: number };
}

/** Stations of one record. A record of all of them would be long, and it is written after each delivery. */
const GROUP = 64;

/** Another process has written the positions: it sends the rows of this hook now. */
export class PositionsTakenError extends Error {
  override readonly name = 'PositionsTakenError';
}

/** The positions of a hook, in memory, and on disk after `save`. */
export class Positions {
  readonly #clock: Clock;
  readonly #store: UploadStore;
  readonly #prefix: string;
  readonly #since: number;
  readonly #groups = new Map<number, Map<number, Position>>();
  readonly #revisions = new Map<number, number>();
  readonly #changed = new Set<number>();

  /** @param since position of a station of which nothing was delivered */
  constructor(clock: Clock, store: UploadStore, hook: Pick<Hook, 'name' | 'since'>) {
    this.#clock = clock;
    this.#store = store;
    this.#prefix = positionRecords(hook);
    this.#since = hook.since;
  }

  async load(): Promise<void> {
    for (const { name, revision, text } of await this.#store.records(this.#prefix)) {
      const group = Number(name.slice(this.#prefix.length));
      const stored = JSON.parse(text) as readonly (readonly [station: number, position: Position])[];
      this.#groups.set(group, new Map(stored));
      this.#revisions.set(group, revision);
    }
  }

  of(station: number): Position {
    return this.#groups.get(groupOf(station))?.get(station) ?? { time: this.#since };
  }

  set(station: number, position: Position): void {
    const group = groupOf(station);
    const known = this.#groups.get(group) ?? new Map<number, Position>();
    this.#groups.set(group, known.set(station, position));
    this.#changed.add(group);
  }

  /** Writes what has changed. @throws PositionsTakenError */
  async save(): Promise<void> {
    const groups = [...this.#changed];
    if (groups.length === 0) return;
    this.#changed.clear();
    const records = groups.map((group): UploadRecord => {
      return {
        name: `${this.#prefix}${group}`,
        key: null,
        revision: this.#revisions.get(group) ?? 0,
        text: JSON.stringify([...(this.#groups.get(group) ?? [])]),
        time: this.#clock.now(),
      };
    });
    try {
      const outdated = await this.#store.put(records);
      if (outdated.length > 0) throw new PositionsTakenError(this.#prefix);
      for (const group of groups) this.#revisions.set(group, (this.#revisions.get(group) ?? 0) + 1);
    } catch (error) {
      for (const group of groups) this.#changed.add(group);
      throw error;
    }
  }
}

function groupOf(station: number): number {
  return Math.floor(station / GROUP);
}
