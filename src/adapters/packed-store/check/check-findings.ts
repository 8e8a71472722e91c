import type { DamagedData, Difference, Verification } from '#application/ports/data-verifier.js';
import { stationOf } from '../days/daily-series.js';
import type { Damage } from '../damage.js';

/** Damaged observations, and the block in which they are stored. A block is 64 stations with successive numbers. */
export interface DamageFinding {
  readonly block: number;
  readonly damage: Damage;
}

/**
 * The stored data in which a check found a difference:
 *
 * - `totals`: the number of rows, their first and last time, or the newest values of the station differ from its rows
 * - `list`: the list of the chunks of the station differs from its chunks. A chunk has the rows of 1, 8 or 64 days
 * - `days`: daily aggregates differ from the rows; `key` is the start of their month
 * - `journal`: the stored changes of an import are damaged, so that it cannot be undone; `key` is the number of the import
 * - `rows`: the rows themselves are wrong, for example not in order of time. They cannot be computed from other data
 */
export type DifferenceKind = 'totals' | 'list' | 'days' | 'journal' | 'rows';

export interface FoundDifference {
  readonly kind: DifferenceKind;
  /** Number of the station; undefined for data of several stations. */
  readonly station: number | undefined;
  readonly key: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly reason: string;
}

/** The findings of a check. */
export class Findings {
  /** Number of stored pieces of packed data (blobs) that were read. */
  verified = 0;
  readonly damage: DamageFinding[] = [];
  readonly differences: FoundDifference[] = [];
  readonly #names = new Set<string>();

  /**
   * Returns true at the first call with a name, and false at every later call with this name. The same stored piece of data, or
   * the same damage, can be found in several blocks (groups of 64 stations), but counts once.
   */
  isNew(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    return true;
  }

  describe(ids: ReadonlyMap<number, string>, faults: readonly string[]): Verification {
    const { verified } = this;
    const idOf = (series: number) => ids.get(stationOf(series)) ?? `number ${stationOf(series)}`;
    const damage = this.damage.map(({ damage: { stations, first, last, rows, reason } }): DamagedData => {
      return { stations: stations && [...new Set(stations.map(idOf))], first, last, rows, reason };
    });
    const differences = this.differences.map(({ kind, station, first, last, reason }): Difference => {
      const id = station === undefined ? null : idOf(station);
      return { station: id, first, last, reason, isDerived: kind !== 'rows' };
    });
    return { verified, faults, damage, differences };
  }
}
