import type { ObservationChanges } from '#domain/weather/changed-rows.js';

/** A change of one station that has not been sent to clients yet. */
export interface PendingChange {
  readonly station: number;
  from: number;
  to: number;
  revision: number;
  /**
   * Number of reads that returned values from before the change, because a replica of the database did not have the change yet.
   */
  attempts: number;
}

/** Collects changes, one entry for each station, until the feed reads the changed values. */
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

  /** Puts back changes whose values could not be read, for a later attempt. */
  putBack(changes: Iterable<PendingChange>): void {
    for (const change of changes) this.#merge(change);
  }

  /**
   * Removes and returns the changes of the next `limit` wanted stations. Changes of unwanted stations that come earlier are
   * dropped.
   */
  take(limit: number, isWanted: (station: number) => boolean): PendingChange[] {
    const changes: PendingChange[] = [];
    for (const [station, change] of this.#changes) {
      if (changes.length === limit) break;
      this.#changes.delete(station);
      if (isWanted(station)) changes.push(change);
    }
    return changes;
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
