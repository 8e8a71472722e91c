import type { Hook } from '#domain/hooks/hook.js';
import type { HookPosition } from '#domain/hooks/position.js';
import type { Clock } from '../../ports/clock.js';
import type { HookStore } from '../../ports/hook-store.js';

/**
 * Number of stations whose positions (the times of their newest delivered rows) share one record. After deliveries, only the
 * records with changed positions are written. Small records keep these writes small.
 */
const GROUP = 64;

/**
 * Another process has written the positions of a hook, that is, which rows were delivered. So the other process sends the rows of
 * this hook now.
 */
export class PositionConflictError extends Error {
  override readonly name = 'PositionConflictError';
}

/**
 * The positions of a hook in memory: for each station, the time of the newest delivered row, the range of late or changed rows that
 * are not delivered yet, and the time of issue of the newest delivered forecast. `save` writes the positions to the store.
 */
export class Positions {
  readonly #clock: Clock;
  readonly #store: HookStore;
  readonly #hook: Pick<Hook, 'name' | 'since'>;
  readonly #groups = new Map<number, Map<number, HookPosition>>();
  readonly #revisions = new Map<number, number>();
  readonly #changed = new Set<number>();

  /**
   * @param hook rows after the time `hook.since` are delivered. The position of a station is the time of its newest delivered
   *   row; before the first delivery, it is `hook.since`
   */
  constructor(clock: Clock, store: HookStore, hook: Pick<Hook, 'name' | 'since'>) {
    this.#clock = clock;
    this.#store = store;
    this.#hook = { name: hook.name, since: hook.since };
  }

  async load(): Promise<void> {
    for (const { group, revision, positions } of await this.#store.positions(this.#hook)) {
      this.#groups.set(group, new Map(positions));
      this.#revisions.set(group, revision);
    }
  }

  of(station: number): HookPosition {
    return this.#groups.get(groupOf(station))?.get(station) ?? { time: this.#hook.since };
  }

  /** Sets which rows were delivered. */
  set(station: number, rows: Omit<HookPosition, 'forecast'>): void {
    const { forecast } = this.of(station);
    this.#put(station, forecast === undefined ? rows : { ...rows, forecast });
  }

  /** Time of issue of the newest delivered forecast; `hook.since` before the first delivery. */
  forecastOf(station: number): number {
    return this.of(station).forecast ?? this.#hook.since;
  }

  /** @param issued time of issue of the newest delivered forecast */
  setForecast(station: number, issued: number): void {
    this.#put(station, { ...this.of(station), forecast: issued });
  }

  #put(station: number, position: HookPosition): void {
    const group = groupOf(station);
    const known = this.#groups.get(group) ?? new Map<number, HookPosition>();
    this.#groups.set(group, known.set(station, position));
    this.#changed.add(group);
  }

  /** Writes the positions (which rows of each station were delivered) that have changed. @throws PositionConflictError */
  async save(): Promise<void> {
    const groups = [...this.#changed];
    if (groups.length === 0) return;
    this.#changed.clear();
    const changed = groups.map((group) => ({
      group,
      revision: this.#revisions.get(group) ?? 0,
      positions: [...(this.#groups.get(group) ?? [])],
    }));
    try {
      const areWritten = await this.#store.putPositions(this.#hook, changed, this.#clock.now());
      if (!areWritten) throw new PositionConflictError(this.#hook.name);
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
