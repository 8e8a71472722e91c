import { DomainError } from '../../../domain/domain-error.js';

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

/** The caller of a read. */
export interface Reader {
  /** Reads from the same network share one part of the gate. */
  readonly network: string;
  /** Fires when the caller no longer waits for the result. */
  readonly signal: AbortSignal;
}

/** The cells that a read holds from its admission until its reply has been sent. */
export interface Place {
  /** Raises the number of cells of this read to `cells` if that is higher than the estimate. It does not wait. */
  charge(cells: number): void;
  /** Resolves in a later turn of the event loop. In each turn one of the reads that wait here continues. */
  turn(): Promise<void>;
  /** Gives the cells back. Calling it twice does nothing. */
  leave(): void;
}

/** The place of a read without limits, as the command line makes it. */
export const UNLIMITED: Place = {
  charge: () => undefined,
  turn: () => Promise.resolve(),
  leave: () => undefined,
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
   * Resolves when the read may begin. If the signal fires later, the place is left automatically.
   *
   * @param cells the expected number; a read above the limit of a network is admitted if the network has no other
   * @throws DomainError RATE_LIMITED if the network has too many reads; SERVICE_UNAVAILABLE if all have too many
   */
  async enter({ network, signal }: Reader, cells: number): Promise<Place> {
    signal.throwIfAborted();
    const counted = Math.min(Math.max(1, cells), this.#limits.cellsOfNetwork);
    if (this.#waitsBefore(network, counted) || !this.#fits(network, counted)) {
      await this.#wait(network, counted, signal);
    } else {
      this.#hold(network, counted);
    }
    const place = this.#place(network, counted);
    signal.addEventListener('abort', () => place.leave(), { once: true });
    if (signal.aborted) place.leave();
    return place;
  }

  #place(network: string, admitted: number): Place {
    let isInside = true;
    let counted = admitted;
    return {
      charge: (cells) => {
        if (!isInside || cells <= counted) return;
        this.#hold(network, cells - counted);
        counted = cells;
      },
      turn: () => this.#turn(),
      leave: () => {
        if (!isInside) return;
        isInside = false;
        this.#hold(network, -counted);
        this.#admit();
      },
    };
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
