import { LRUCache } from 'lru-cache';
import { DomainError } from '#domain/domain-error.js';
import type { Damage } from '#adapters/packed-store/damage.js';
import { Run } from '#adapters/formats/packed/run-codec.js';

/**
 * `MAX_BYTES` is the maximum size of the cache in bytes. `MIN_SIZE` is the assumed size of a run (packed rows of one commit)
 * without its rows.
 */
const MAX_BYTES = 256 * 2 ** 20;
const MIN_SIZE = 1024;
/**
 * Makes one number from the id of a run (packed rows of one commit) and the number of its block (group of 64 stations): the cache
 * key is `id * BLOCKS + block`. `BLOCKS` is larger than every block number, so different runs have different keys. The ids only
 * count the commits of a block, so the key stays below 2^53 and is exact.
 */
const BLOCKS = 2 ** 22;

/**
 * Runs that have been opened for reading, by block and id. A run contains the packed rows of one commit for a block, which is a
 * group of 64 stations.
 */
export interface OpenedRuns {
  get(block: number, id: number): Run | Damage | undefined;
  set(block: number, id: number, run: Run | Damage): void;
}

/**
 * The error for damaged data on a replica. A replica has a separate copy of the data. The copy on the primary may be intact, so
 * nothing is moved into the table `damaged` because of this error.
 */
export function damagedOnReplica(): DomainError {
  return new DomainError('DATA_DAMAGED', 'Observations of a replica are damaged.');
}

/**
 * A cache of committed runs that were opened. A run contains the packed rows of one commit and never changes. The cache is
 * cleared when a connection breaks: the next server may lack the last commits, and may give their ids to other runs.
 */
export class RunCache implements OpenedRuns {
  /** The same cache, for reads from a replica. It refuses damaged runs: `set` throws an error. */
  readonly intact: OpenedRuns = {
    get: (block, id) => this.get(block, id),
    set: (block, id, run) => {
      if (!(run instanceof Run)) throw damagedOnReplica();
      this.set(block, id, run);
    },
  };
  readonly #runs = new LRUCache<number, Run | Damage>({
    maxSize: MAX_BYTES,
    sizeCalculation: (run) => MIN_SIZE + (run instanceof Run ? run.bytes : 0),
  });

  get(block: number, id: number): Run | Damage | undefined {
    return this.#runs.get(id * BLOCKS + block);
  }

  set(block: number, id: number, run: Run | Damage): void {
    this.#runs.set(id * BLOCKS + block, run);
  }

  /** Removes a run whose rows were merged into chunks (packed rows of some days of a station), because it is no longer needed. */
  delete(block: number, id: number): void {
    this.#runs.delete(id * BLOCKS + block);
  }

  clear(): void {
    this.#runs.clear();
  }
}
