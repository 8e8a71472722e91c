import { ProtocolError } from '../core/errors.js';

export interface BulkLimits {
  /**
   * Largest number of bulk requests that have a turn at the same time. A bulk request sends or receives rows or stations in
   * frames, which are pieces of binary data. A request has a turn while it processes a received frame or builds a frame.
   */
  readonly served: number;
  /** Largest number of bulk requests that wait for their first turn. Their bodies are not read while they wait. */
  readonly waiting: number;
  /** Longest time in milliseconds that a request waits for its first turn. */
  readonly maxWait: number;
  /** Largest number of bytes of received frames in memory, for all requests together. */
  readonly memory: number;
}

export const BULK_GATE: BulkLimits = { served: 128, waiting: 128, maxWait: 10_000, memory: 256 * 2 ** 20 };

/** The turns and the memory of one bulk request. */
export interface BulkPermit {
  /**
   * Waits for a turn. Resolves at once if the request has a turn already.
   *
   * @throws ProtocolError BULK_REQUESTS_TOO_MANY only for the first turn. The waiting time for later turns is not
   *   limited.
   */
  begin(): Promise<void>;
  /** Ends the turn while the request waits for its client. `begin` waits for the next turn. */
  pause(): void;
  /** Reserves memory for received bytes of a frame. @throws ProtocolError BULK_REQUESTS_TOO_MANY if too much is reserved */
  hold(bytes: number): void;
  /** Releases reserved memory. */
  release(bytes: number): void;
  /** Ends the turn and releases all memory. A second call does nothing. */
  end(): void;
}

/**
 * Limits the number of bulk requests that are served at the same time, and the memory of these requests. A bulk request sends or
 * receives frames, which are pieces of binary data with many rows. Further requests wait for their turn. A request that waits for
 * its client has no turn, so that slow clients do not block others.
 */
export class BulkGate {
  readonly #limits: BulkLimits;
  readonly #waiting = new Set<() => void>();
  #served = 0;
  #held = 0;

  constructor(limits = BULK_GATE) {
    this.#limits = limits;
  }

  /**
   * Returns a permit whose first turn has begun.
   *
   * @throws ProtocolError BULK_REQUESTS_TOO_MANY
   * @see createPermit for `signal`
   */
  async acquire(signal: AbortSignal): Promise<BulkPermit> {
    const permit = this.createPermit(signal);
    await permit.begin();
    return permit;
  }

  /**
   * Returns a permit at once. The permit waits for its turn in `begin`, and ends when the client disconnects.
   *
   * @param signal is aborted when the client disconnects
   * @throws Error the reason of `signal` if it is aborted already
   */
  createPermit(signal: AbortSignal): BulkPermit {
    signal.throwIfAborted();
    let state: 'paused' | 'served' | 'ended' = 'paused';
    let held = 0;
    let turns = 0;
    const release = (bytes: number) => {
      const released = Math.min(bytes, held);
      this.#held -= released;
      held -= released;
    };
    const endTurn = (next: 'paused' | 'ended') => {
      if (state === 'served') this.#next();
      if (state !== 'ended') state = next;
    };
    const end = () => {
      endTurn('ended');
      release(held);
    };
    signal.addEventListener('abort', end, { once: true });
    return {
      begin: async () => {
        if (state === 'served') return;
        if (this.#served >= this.#limits.served) await this.#wait(signal, turns === 0);
        else this.#served += 1;
        turns += 1;
        // If the client has disconnected in the meantime, the turn passes to the next request.
        if (state === 'ended') this.#next();
        else state = 'served';
        signal.throwIfAborted();
      },
      pause: () => endTurn('paused'),
      hold: (bytes) => {
        // After the client has disconnected, received bytes are still decoded. These bytes are not counted, because nothing would
        // release them.
        if (state === 'ended') return;
        if (this.#held + bytes > this.#limits.memory) {
          throw tooMany(`Bulk requests use ${this.#held} of ${this.#limits.memory} bytes already.`);
        }
        this.#held += bytes;
        held += bytes;
      },
      release,
      end,
    };
  }

  /** @param limited whether the number and the waiting time of the waiting requests are limited */
  #wait(signal: AbortSignal, limited: boolean): Promise<void> {
    const { served, waiting, maxWait } = this.#limits;
    if (limited && this.#waiting.size >= waiting) {
      throw tooMany(`There are ${served + waiting} bulk requests already.`);
    }
    return new Promise((resolve, reject) => {
      const startTurn = () => {
        end();
        resolve();
      };
      const abandon = () => {
        end();
        reject(signal.reason as Error);
      };
      const timeOut = () => {
        end();
        reject(tooMany(`${served} bulk requests are being served, and none has ended.`));
      };
      const timer = limited ? setTimeout(timeOut, maxWait) : undefined;
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abandon);
        this.#waiting.delete(startTurn);
      };
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.add(startTurn);
    });
  }

  /** Passes a turn to the request that has waited longest. */
  #next(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#served -= 1;
    else next();
  }
}

function tooMany(message: string): ProtocolError {
  return new ProtocolError('BULK_REQUESTS_TOO_MANY', message, { 'retry-after': '1' });
}
