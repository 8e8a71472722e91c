import type { DamagedData, Difference, Verification } from '#application/ports/data-verifier.js';
import type { Damage } from '../damage.js';

/** Damage with its block, so that the blob can be found. */
export interface DamageFinding {
  readonly block: number;
  readonly damage: Damage;
}

/**
 * What a difference is about.
 *
 * - `totals`: totals or newest values of the station
 * - `list`: the list of the chunks of the station
 * - `days`: a table of days; `key` is the start of its month
 * - `journal`: what the undo of an import needs; `key` is the number of the import
 * - `rows`: rows that are not as all rows are; nothing can make them again
 */
export type DifferenceKind = 'totals' | 'list' | 'days' | 'journal' | 'rows';

export interface FoundDifference {
  readonly kind: DifferenceKind;
  /** Number; undefined for what belongs to several stations. */
  readonly station: number | undefined;
  readonly key: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly reason: string;
}

/** What a check has found. */
export class Findings {
  /** Number of blobs that were read. */
  verified = 0;
  readonly damage: DamageFinding[] = [];
  readonly differences: FoundDifference[] = [];
  readonly #names = new Set<string>();

  /** Whether this name has not been given before: a run or damage can belong to several blocks. */
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
