import { LRUCache } from 'lru-cache';
import { DomainError } from '#domain/domain-error.js';
import type { Damage } from '#adapters/packed-store/damage.js';
import { Run } from '#adapters/formats/packed/run-codec.js';

/** `MAX_BYTES` is the maximum size of all cached runs in bytes. `MIN_SIZE` is the size of a run without rows. */
const MAX_BYTES = 256 * 2 ** 20;
const MIN_SIZE = 1024;
/**
 * All numbers of blocks are below this limit, so that the cache key `id * BLOCKS + block` is unique. The key is small enough for
 * an exact integer, because the id of a run only counts the commits of a block.
 */
const BLOCKS = 2 ** 22;

/** Runs that have been opened, by block and id. */
export interface OpenedRuns {
  get(block: number, id: number): Run | Damage | undefined;
  set(block: number, id: number, run: Run | Damage): void;
}

/**
 * The error for damaged data on a replica. A replica has a separate copy of the data, so no data of the primary are set aside
 * because of this error.
 */
export function damagedOnReplica(): DomainError {
  return new DomainError('DATA_DAMAGED', 'Observations of a replica are damaged.');
}

/**
 * A cache of committed runs that were opened. A run never changes. After a failover to a server that lacks the last commits,
 * another run may get the same id, so the cache is cleared when a connection breaks.
 */
export class RunCache implements OpenedRuns {
  /** This cache for reads from a replica. `set` throws an error for a damaged run. */
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

  /** Removes a merged run, which is no longer needed. */
  delete(block: number, id: number): void {
    this.#runs.delete(id * BLOCKS + block);
  }

  clear(): void {
    this.#runs.clear();
  }
}
