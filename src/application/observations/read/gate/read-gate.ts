import { DomainError } from '#domain/domain-error.js';
import type { RequestPermit, GateClient } from './permit.js';

/** Limits of the read gate; see `ReadGate`. A cell is one value of one row, with 8 bytes of memory. */
export interface ReadLimits {
  /** Maximum number of cells (values of rows in memory) of all admitted reads. */
  readonly cells: number;
  /** Maximum number of cells (values of rows in memory) of the admitted reads of one network. */
  readonly cellsOfNetwork: number;
  /** Maximum number of cells (values of rows in memory) of a light read. Light reads overtake other reads. */
  readonly lightCells: number;
  /** Number of cells (values of rows in memory) that only light reads may use. A light read has at most `lightCells`. */
  readonly reservedCells: number;
  /** Maximum number of waiting reads. */
  readonly waiting: number;
  /** Maximum number of waiting reads of one network. */
  readonly waitingOfNetwork: number;
  /** Maximum time that a read waits, in milliseconds. */
  readonly maxWait: number;
}

/** Number of cells of 100,000 rows of 12 variables, the largest common page. */
const LARGE_PAGE = 1_200_000;

/**
 * The limits of the service. All reads together may have four large pages in memory. A page takes up to 20 bytes a cell while its
 * batches are joined, so four pages take 100 MB.
 *
 * - One network gets at most half of the cells, so that no single client can block the others.
 * - A light read is at most one batch of a store (4,096 rows of 12 variables).
 * - An eighth of the cells is reserved for light reads, so that they continue while large reads wait.
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

interface WaitingRead {
  readonly network: string;
  readonly cells: number;
  readonly admit: () => void;
}

/**
 * Limits the memory and the work of reads. The memory of a read is counted in cells; a cell is one value of one row. A read is
 * admitted if the cells of all reads, and the cells of the reads of its network, stay within their limits:
 *
 *     |<------------------------ cells ------------------------>|
 *     |  light and other reads              |  light reads only |
 *     |<-- cellsOfNetwork -->| (for one)    |<- reservedCells ->|
 *
 * Further reads wait in the order of arrival, for at most `maxWait`. Light reads overtake other reads. All reads overtake the reads
 * of a network that is at its limit.
 */
export class ReadGate {
  readonly #limits: ReadLimits;
  readonly #waiting = new Set<WaitingRead>();
  /** The signals of requests that have a permit. */
  readonly #requests = new WeakSet<AbortSignal>();
  readonly #heldBy = new Map<string, number>();
  #held = 0;
  readonly #turns: (() => void)[] = [];

  constructor(limits = READ_LIMITS) {
    this.#limits = limits;
  }

  /** Number of cells (values of rows in memory) of all admitted reads. */
  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Creates the permit of a request. The permit counts no cells before the first call of `acquire`. If the signal fires before
   * the reply begins, the permit is released automatically.
   *
   * @throws Error if the request already has a permit, because the second permit could wait for the first
   */
  permitFor({ network, signal }: GateClient): RequestPermit {
    if (this.#requests.has(signal)) throw new Error('A request can have only one permit of the read gate.');
    this.#requests.add(signal);
    let [counted, isWaiting, hasBegun, isReleased] = [0, false, false, false];
    const count = (cells: number) => {
      this.#hold(network, cells - counted);
      const isLess = cells < counted;
      counted = cells;
      if (isLess) this.#admit();
    };
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#requests.delete(signal);
      count(0);
    };
    signal.addEventListener('abort', () => hasBegun || release(), { once: true });
    return {
      signal,
      acquire: async (cells) => {
        signal.throwIfAborted();
        if (isWaiting) throw new Error('Two reads of a request wait at the read gate at the same time.');
        const requested = Math.min(Math.max(1, cells), this.#limits.cellsOfNetwork);
        if (isReleased || requested <= counted) return;
        if (!hasBegun) {
          count(0);
          isWaiting = true;
          await this.#admitted(network, requested, signal).finally(() => (isWaiting = false));
        } else {
          this.#hold(network, requested - counted);
        }
        counted = requested;
        // The caller may have disconnected after the read was admitted. Then its cells (values in memory) no longer count.
        if (isReleased) count(0);
      },
      charge: (cells) => {
        if (counted > 0 && cells > counted) count(cells);
      },
      turn: () => this.#turn(),
      begin: () => {
        hasBegun = true;
      },
      release,
    };
  }

  /** Resolves when the read is admitted and its cells are counted. */
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

  /** Whether another waiting read must be admitted before this read. */
  #waitsBefore(network: string, cells: number): boolean {
    for (const other of this.#waiting) {
      if (cells <= this.#limits.lightCells && other.cells > this.#limits.lightCells) continue;
      if (other.network === network || this.#fitsNetwork(other.network, other.cells)) return true;
    }
    return false;
  }

  /** Admits waiting reads that fit, in the order of arrival. Reads of a network at its limit are skipped. */
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
    const { waiting: maxWaiting, waitingOfNetwork, maxWait } = this.#limits;
    let ofNetwork = 0;
    for (const other of this.#waiting) if (other.network === network) ofNetwork += 1;
    if (ofNetwork >= waitingOfNetwork) throw tooManyOfNetwork(maxWait);
    if (this.#waiting.size >= maxWaiting) throw tooMany(maxWait);
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
        // This read no longer waits, so a smaller read behind it may be admitted now.
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

  /** Continues one read. Before the next read continues, the event loop handles pending I/O and timers. */
  #next(): void {
    this.#turns.shift()?.();
    if (this.#turns.length > 0) setImmediate(() => this.#next());
  }
}

function tooManyOfNetwork(maxWait: number): DomainError {
  return new DomainError(
    'RATE_LIMITED',
    'This address has too many large reads at a time: wait for the replies, or request less at a time.',
    { retryAfter: Math.ceil(maxWait / 1000), quota: 'reads' },
  );
}

function tooMany(maxWait: number): DomainError {
  return new DomainError(
    'SERVICE_UNAVAILABLE',
    'The service is busy with too many large reads: try again later, or request less at a time.',
    { retryAfter: Math.ceil(maxWait / 1000) },
  );
}
