import { expectedRows } from '../read/observation-query.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { PendingRange, RecheckStore } from '../../ports/recheck-store.js';
import { joined } from './time-range.js';

/** Work that quality control has not finished yet. */
export interface RecheckBacklog {
  /** Number of ranges. */
  readonly ranges: number;
  /** Estimated number of rows in these ranges. A row that several requests contain counts once. */
  readonly rows: number;
}

/** Estimates how many stored rows wait until quality control has finally checked them. */
export class RecheckProgress {
  readonly #recheck: RecheckStore;
  readonly #observations: ObservationStore;

  constructor(recheck: RecheckStore, observations: ObservationStore) {
    this.#recheck = recheck;
    this.#observations = observations;
  }

  /** What waits at all stations. If there are more than 10,000 requests, only the oldest are counted. */
  async backlog(): Promise<RecheckBacklog> {
    const pending = await this.#recheck.pending();
    return { ranges: pending.length, rows: sumOf(await this.rowsOf(pending)) };
  }

  /**
   * The ranges of some stations that wait, also those of rows that were written just now.
   *
   * @param stations numbers of stations
   */
  async pendingOf(stations: readonly number[]): Promise<readonly PendingRange[]> {
    if (stations.length === 0) return [];
    // Creates requests for the rows that were written since the last creation.
    await this.#recheck.requests(0);
    return await this.#recheck.pending(stations);
  }

  /** The estimated number of rows in ranges, by the number of the station. */
  async rowsOf(pending: readonly PendingRange[]): Promise<ReadonlyMap<number, number>> {
    const ranges = byStation(pending);
    const inventories = ranges.size === 0 ? [] : await this.#observations.inventory([...ranges.keys()]);
    const rows = [...ranges].map(([station, own], index) => {
      const inventory = inventories[index];
      const counts = joined(own).map((range) =>
        inventory === undefined ? 0 : expectedRows(inventory, range),
      );
      return [station, counts.reduce((sum, count) => sum + count, 0)] as const;
    });
    return new Map(rows);
  }

  /**
   * Resolves if the process that writes the data still answers.
   *
   * @throws DomainError STORE_UNAVAILABLE if this process has ended
   */
  async reach(): Promise<void> {
    await this.#recheck.turn();
  }

  /** The number of rows in `ranges` that still wait. */
  async rowsLeft(ranges: readonly PendingRange[]): Promise<number> {
    const pending = await this.#recheck.pending([...new Set(ranges.map(({ station }) => station))]);
    return sumOf(await this.rowsOf(intersection(pending, ranges)));
  }
}

function sumOf(rows: ReadonlyMap<number, number>): number {
  return [...rows.values()].reduce((sum, count) => sum + count, 0);
}

function byStation(ranges: readonly PendingRange[]): ReadonlyMap<number, readonly PendingRange[]> {
  const grouped = new Map<number, PendingRange[]>();
  for (const range of ranges) {
    const own = grouped.get(range.station) ?? [];
    grouped.set(range.station, own);
    own.push(range);
  }
  return grouped;
}

/** The parts of ranges that are also in other ranges of the same station. */
function intersection(pending: readonly PendingRange[], ranges: readonly PendingRange[]): PendingRange[] {
  const others = byStation(ranges);
  return pending.flatMap(({ station, from, to }) =>
    (others.get(station) ?? []).flatMap((other) => {
      const common = { station, from: Math.max(from, other.from), to: Math.min(to, other.to) };
      return common.from < common.to ? [common] : [];
    }),
  );
}
