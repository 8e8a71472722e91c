import { LRUCache } from 'lru-cache';
import { DomainError } from '#domain/domain-error.js';
import type { Damage } from '#adapters/packed-store/damage.js';
import { Run } from '#adapters/formats/packed/run-codec.js';

/** Largest size of all cached runs in bytes, and the size of one without rows. */
const MAX_BYTES = 256 * 2 ** 20;
const MIN_SIZE = 1024;
/** Blocks have lower numbers than this. Ids count the commits of a block, so that the key is exact. */
const BLOCKS = 2 ** 22;

/** Runs that have been opened, by block and id. */
export interface OpenedRuns {
  get(block: number, id: number): Run | Damage | undefined;
  set(block: number, id: number, run: Run | Damage): void;
}

/**
 * A replica has its own copy of the data, which may be damaged on its own. Nothing is put aside for that on the primary.
 */
export function damagedOnReplica(): DomainError {
  return new DomainError('DATA_DAMAGED', 'Observations of a replica are damaged.');
}

/**
 * Runs that have been committed, opened. A run never changes, but after a failover to a server that lacks the last
 * commits an id may be given to another run. Therefore the cache is cleared when a connection breaks.
 */
export class RunCache implements OpenedRuns {
  /** The same runs, for reads from a replica. It accepts no damaged run. */
  readonly intact: OpenedRuns = {
    get: (block, id) => this.get(block, id),
    set: (block, id, run) => {
      if (!(run instanceof Run)) throw damagedOnReplica();
      this.set(block, id, run);
    },
  };
  readonly #runs = new LRUCache<number, Run | Damage>({
    maxSize: MAX_BYTES,
    sizeCalculation: (run) =>
      MIN_SIZE + (run instanceof Run ? run.rows * 8 * (1 + run.columns.values.size) : 0),
  });

  get(block: number, id: number): Run | Damage | undefined {
    return this.#runs.get(id * BLOCKS + block);
  }

  set(block: number, id: number, run: Run | Damage): void {
    this.#runs.set(id * BLOCKS + block, run);
  }

  /** A run that has been merged is not needed any more. */
  delete(block: number, id: number): void {
    this.#runs.delete(id * BLOCKS + block);
  }

  clear(): void {
    this.#runs.clear();
  }
}
