import { MILLISECONDS } from '#domain/time.js';
import { expectedRows, readableSpan, totalRows } from '../read/observation-query.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { PendingRange, RecheckStore } from '../../ports/recheck-store.js';
import { joined, type TimeRange } from './time-range.js';

/** Work that quality control has not finished yet. */
export interface RecheckBacklog {
  /** Number of ranges. */
  readonly ranges: number;
  /** Estimated number of rows in these ranges. A row that several requests contain counts once. */
  readonly rows: number;
}

/** Length in ms of waiting ranges from which on a change counts as an import or a correction, and not as the newest rows. */
const MIN_CHANGED = MILLISECONDS.day;

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

  /**
   * The estimated share of the rows of a station that have their final flags; see `shareWithout`. If less than `MIN_CHANGED` waits, the share is
   * 1, because the rows that a station sends wait for about `RECHECK_INTERVAL`. Rows for which no request was created yet are not
   * known: creating requests is a write, and anybody may read the share.
   */
  async checkedShare(station: number): Promise<number> {
    const ranges = joined(await this.#recheck.pending([station]));
    if (ranges.length === 0) return 1;
    const [inventory] = await this.#observations.inventory([station]);
    if (inventory === undefined) return 1;
    const { first, last } = readableSpan(inventory);
    if (first === null || last === null) return 1;
    // The request of a new station contains all times.
    const timeOf = ({ from, to }: TimeRange) => Math.max(0, Math.min(to, last) - Math.max(from, first));
    const waitingTime = ranges.reduce((sum, range) => sum + timeOf(range), 0);
    if (waitingTime < MIN_CHANGED) return 1;
    const waiting = ranges.reduce((sum, range) => sum + expectedRows(inventory, range), 0);
    return shareWithout(waiting, totalRows(inventory));
  }

  /** The number of rows in `ranges` that still wait. */
  async rowsLeft(ranges: readonly PendingRange[]): Promise<number> {
    const pending = await this.#recheck.pending([...new Set(ranges.map(({ station }) => station))]);
    return sumOf(await this.rowsOf(intersection(pending, ranges)));
  }
}

/**
 * The share of rows that do not wait, from 0 to 1, rounded to 0.01. It is 1 only if no row waits.
 *
 * @param waiting number of rows that wait; it may be larger than `rows`, because it is estimated
 * @param rows number of all rows, above 0
 */
export function shareWithout(waiting: number, rows: number): number {
  const share = Math.round(100 * (1 - Math.min(1, waiting / rows))) / 100;
  return waiting > 0 ? Math.min(0.99, share) : share;
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
