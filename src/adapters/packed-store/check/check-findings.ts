import type { DamagedData, Difference, Verification } from '#application/ports/data-verifier.js';
import type { Damage } from '../damage.js';

/** Damage and the block in which the blob is stored. */
export interface DamageFinding {
  readonly block: number;
  readonly damage: Damage;
}

/**
 * The data that differ:
 *
 * - `totals`: totals or newest values of the station
 * - `list`: the chunk list of the station
 * - `days`: daily aggregates; `key` is the start of their month
 * - `journal`: the journal for the undo of an import; `key` is the number of the import
 * - `rows`: invalid rows; they cannot be computed again
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
  /** Number of blobs that were read. */
  verified = 0;
  readonly damage: DamageFinding[] = [];
  readonly differences: FoundDifference[] = [];
  readonly #names = new Set<string>();

  /**
   * Returns true at the first call with a name, and false at every later call with this name. A run or damage can belong to
   * several blocks, but counts once.
   */
  isNew(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    return true;
  }

  describe(ids: ReadonlyMap<number, string>, faults: readonly string[]): Verification {
    const { verified } = this;
    const idOf = (number: number) => ids.get(number) ?? `number ${number}`;
    const damage = this.damage.map(({ damage: { stations, first, last, rows, reason } }): DamagedData => {
      return { stations: stations?.map(idOf) ?? null, first, last, rows, reason };
    });
    const differences = this.differences.map(({ kind, station, first, last, reason }): Difference => {
      const id = station === undefined ? null : idOf(station);
      return { station: id, first, last, reason, isDerived: kind !== 'rows' };
    });
    return { verified, faults, damage, differences };
  }
}
