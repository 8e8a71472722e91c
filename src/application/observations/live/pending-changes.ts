import type { ObservationChanges } from '#domain/weather/changed-rows.js';

/** Changes of one station that are not announced to readers yet. */
export interface PendingChange {
  readonly station: number;
  from: number;
  to: number;
  revision: number;
  /** How often its values were read and were older than the change. */
  attempts: number;
}

/** Collects changes, one entry for each station, until they are read. */
export class PendingChanges {
  readonly #changes = new Map<number, PendingChange>();

  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  add({ stations, from, to, revisions }: ObservationChanges): void {
    for (const [index, station] of stations.entries())
      this.#merge({
        station,
        from: from[index] as number,
        to: to[index] as number,
        revision: revisions[index] as number,
        attempts: 0,
      });
  }

  /** Takes changes back that could not be read. */
  putBack(changes: Iterable<PendingChange>): void {
    for (const change of changes) this.#merge(change);
  }

  /** Removes and returns the changes of the next stations that are wanted, and removes those in between. */
  take(most: number, isWanted: (station: number) => boolean): PendingChange[] {
    const taken: PendingChange[] = [];
    for (const [station, change] of this.#changes) {
      if (taken.length === most) break;
      this.#changes.delete(station);
      if (isWanted(station)) taken.push(change);
    }
    return taken;
  }

  clear(): void {
    this.#changes.clear();
  }

  #merge(change: PendingChange): void {
    const known = this.#changes.get(change.station);
    if (known === undefined) {
      this.#changes.set(change.station, change);
      return;
    }
    known.from = Math.min(known.from, change.from);
    known.to = Math.max(known.to, change.to);
    known.revision = Math.max(known.revision, change.revision);
    known.attempts = Math.max(known.attempts, change.attempts);
  }
}
