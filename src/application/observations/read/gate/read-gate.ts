import { DomainError } from '#domain/domain-error.js';
import type { OwnPermit, GateClient } from './permit.js';

/** Bounds on reads. A cell is one value of one row, 8 bytes in memory. */
export interface ReadLimits {
  /** Largest number of cells of all admitted reads. */
  readonly cells: number;
  /** Largest number of cells of the admitted reads from one network. */
  readonly cellsOfNetwork: number;
  /** Largest number of cells of a light read. */
  readonly lightCells: number;
  /** Number of cells reserved for light reads. */
  readonly reservedCells: number;
  /** Largest number of waiting reads. */
  readonly waiting: number;
  /** Largest number of waiting reads from one network. */
  readonly waitingOfNetwork: number;
  /** Longest time that a read waits, in milliseconds. */
  readonly maxWait: number;
}

/** Cells of 100,000 rows of 12 variables, the largest usual page. */
const LARGE_PAGE = 1_200_000;

/**
 * Four large pages fit at a time. A page takes up to 20 bytes a cell while its batches are joined: 100 MB in all. One
 * network gets at most half, so that no single client can stop the others. A light read is at most one batch of a store
 * (4,096 rows of 12 variables). An eighth is reserved for light reads, so that they continue while large ones are slow.
 */
export const READ_LIMITS: ReadLimits = {
  cells: 4 * LARGE_PAGE,
  cellsOfNetwork: 2 * LARGE_PAGE,
  lightCells: 49_152,
  reservedCells: LARGE_PAGE / 2,
  waiting: 1024,
  waitingOfNetwork: 64,
  maxWait: 5000,
};

interface Waiting {
  readonly network: string;
  readonly cells: number;
  readonly admit: () => void;
}

/**
 * Limits the memory and the work of reads. A read is admitted if the cells of all reads and those of its network
 * stay within their limits:
 *
 *     |<------------------------ cells ------------------------>|
 *     |  light and other reads              |  light reads only |
 *     |<-- cellsOfNetwork -->| (for one)    |<- reservedCells ->|
 *
 * Further reads wait in order of arrival, up to `maxWait`. Light reads overtake the others, and all reads overtake
 * those of a network at its limit.
 */
export class ReadGate {
  readonly #limits: ReadLimits;
  readonly #waiting = new Set<Waiting>();
  /** The signals of requests that have a permit. */
  readonly #requests = new WeakSet<AbortSignal>();
  readonly #heldBy = new Map<string, number>();
  #held = 0;
  readonly #turns: (() => void)[] = [];

  constructor(limits = READ_LIMITS) {
    this.#limits = limits;
  }

  /** Number of cells of all admitted reads. */
  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Makes the permit of a request. It counts nothing before `enter`. If the signal fires before the reply begins, it is left
   * automatically.
   *
   * @throws Error if the request has a permit already, for which this one could wait
   */
  placeFor({ network, signal }: GateClient): OwnPermit {
    if (this.#requests.has(signal)) throw new Error('a request has one place at the read gate');
    this.#requests.add(signal);
    let [counted, isWaiting, hasBegun, hasLeft] = [0, false, false, false];
    const count = (cells: number) => {
      this.#hold(network, cells - counted);
      const isLess = cells < counted;
      counted = cells;
      if (isLess) this.#admit();
    };
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#requests.delete(signal);
      count(0);
    };
    signal.addEventListener('abort', () => hasBegun || leave(), { once: true });
    return {
      signal,
      acquire: async (cells) => {
        signal.throwIfAborted();
        if (isWaiting) throw new Error('two reads of a request wait at the read gate');
        const wanted = Math.min(Math.max(1, cells), this.#limits.cellsOfNetwork);
        if (hasLeft || wanted <= counted) return;
        if (!hasBegun) {
          count(0);
          isWaiting = true;
          await this.#admitted(network, wanted, signal).finally(() => (isWaiting = false));
        } else {
          this.#hold(network, wanted - counted);
        }
        counted = wanted;
        // The caller may have left since the permit was given.
        if (hasLeft) count(0);
      },
      charge: (cells) => {
        if (counted > 0 && cells > counted) count(cells);
      },
      turn: () => this.#turn(),
      begin: () => {
        hasBegun = true;
      },
      release: leave,
    };
  }

  /** Resolves when the cells are counted. */
  async #admitted(network: string, cells: number, signal: AbortSignal): Promise<void> {
    if (this.#waitsBefore(network, cells) || !this.#fits(network, cells)) {
      await this.#wait(network, cells, signal);
    } else {
      this.#hold(network, cells);
    }
  }

  #hold(network: string, cells: number): void {
    this.#held += cells;
    const held = (this.#heldBy.get(network) ?? 0) + cells;
    if (held === 0) this.#heldBy.delete(network);
    else this.#heldBy.set(network, held);
  }

  #fits(network: string, cells: number): boolean {
    return this.#fitsNetwork(network, cells) && this.#held + cells <= this.#limitFor(cells);
  }

  #fitsNetwork(network: string, cells: number): boolean {
    const held = this.#heldBy.get(network) ?? 0;
    return held === 0 || held + cells <= this.#limits.cellsOfNetwork;
  }

  #limitFor(cells: number): number {
    const { cells: all, lightCells, reservedCells } = this.#limits;
    return cells <= lightCells ? all : all - reservedCells;
  }

  /** Whether a waiting read must be admitted before this one. */
  #waitsBefore(network: string, cells: number): boolean {
    for (const other of this.#waiting) {
      if (cells <= this.#limits.lightCells && other.cells > this.#limits.lightCells) continue;
      if (other.network === network || this.#fitsNetwork(other.network, other.cells)) return true;
    }
    return false;
  }

  /** Admits the waiting reads that fit, in order of arrival. Reads of a network at its limit are skipped. */
  #admit(): void {
    let isFull = false;
    for (const waiting of this.#waiting) {
      const { network, cells } = waiting;
      const isLight = cells <= this.#limits.lightCells;
      if ((isFull && !isLight) || !this.#fitsNetwork(network, cells)) continue;
      if (this.#held + cells > this.#limitFor(cells)) {
        if (isLight) return;
        isFull = true;
        continue;
      }
      this.#waiting.delete(waiting);
      this.#hold(network, cells);
      waiting.admit();
    }
  }

  #wait(network: string, cells: number, signal: AbortSignal): Promise<void> {
    const { waiting: most, waitingOfNetwork, maxWait } = this.#limits;
    let ofNetwork = 0;
    for (const other of this.#waiting) if (other.network === network) ofNetwork += 1;
    if (ofNetwork >= waitingOfNetwork) throw tooManyOfNetwork(maxWait);
    if (this.#waiting.size >= most) throw tooMany(maxWait);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abandon);
        this.#waiting.delete(waiting);
      };
      const admit = () => {
        end();
        resolve();
      };
      const waiting = { network, cells, admit };
      const refuse = (reason: Error) => {
        end();
        reject(reason);
        // A smaller read that waits behind this one may fit now.
        this.#admit();
      };
      const abandon = () => refuse(signal.reason as Error);
      const timer = setTimeout(
        () => refuse((this.#fitsNetwork(network, cells) ? tooMany : tooManyOfNetwork)(maxWait)),
        maxWait,
      );
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.add(waiting);
    });
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#turns.push(resolve);
      if (this.#turns.length === 1) setImmediate(() => this.#next());
    });
  }

  /** Continues one read. Pending I/O and timers are handled before the next one continues. */
  #next(): void {
    this.#turns.shift()?.();
    if (this.#turns.length > 0) setImmediate(() => this.#next());
  }
}

function tooManyOfNetwork(maxWait: number): DomainError {
  return new DomainError(
    'RATE_LIMITED',
    'Too many large reads at a time from this address: wait for replies, or ask for less at a time.',
    { retryAfter: Math.ceil(maxWait / 1000), quota: 'reads' },
  );
}

function tooMany(maxWait: number): DomainError {
  return new DomainError(
    'SERVICE_UNAVAILABLE',
    'Too many large reads are being served: come back later, or ask for less at a time.',
    { retryAfter: Math.ceil(maxWait / 1000) },
  );
}
