import { MILLISECONDS } from '#domain/time.js';
import {
  allowanceAt,
  giveRequestBack,
  type RequestAllowance,
  type RequestLimit,
  takeRequest,
  waitForRequest,
} from '#domain/uploads/request-allowance.js';
import { KeyedQueue } from '../../keyed-queue.js';
import { pauseFor } from '../../pause.js';
import type { Clock } from '../../ports/clock.js';
import type { Admission, LookUp } from './admission.js';

/** Maximum number of requests without a valid key from one address in a minute. */
const LIMIT: RequestLimit = { requests: 1200, seconds: MILLISECONDS.minute / 1000 };
/**
 * Maximum number of networks whose requests are counted. If there are more, the network that has been silent for the longest time
 * is forgotten.
 */
const MAX_ADDRESSES = 50_000;
/**
 * Maximum number of requests with guessable credentials that wait for one network until the limit permits them. `LIMIT` permits
 * one request every 50 ms, so the last of 16 requests waits for 800 ms. At most 64 requests of a network are served at the same
 * time, so the other 48 remain free for senders with a secret key.
 */
const MAX_WAITING = 16;
/**
 * Milliseconds after its arrival for which an upload may wait before it is stored. The sender gets a reply at the latest after
 * four seconds, so one second remains for the store.
 */
const MAX_WAIT = 3000;

export interface AddressLimitOptions {
  readonly limit?: RequestLimit;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Limits the requests without a valid key from each address. Every request is counted at its arrival. When the key of a request
 * proves valid, the request is removed from the count. So senders with a valid key are not limited here.
 *
 * When an address has reached the limit, the keys of its further requests are looked up one after the other:
 *
 * - A secret key is looked up although the limit is reached. Its 128 random bits cannot be guessed.
 * - Credentials that can be guessed (a PASSKEY, a chosen password) are looked up only when the limit permits another request.
 *   Until then the request waits.
 */
export class AddressLimit {
  readonly #clock: Pick<Clock, 'uptime'>;
  readonly #networkOf: (address: string) => string;
  readonly #limit: RequestLimit;
  readonly #wait: (milliseconds: number) => Promise<void>;
  /** For each network, how many more requests the limit permits. The network with the most recent request is last. */
  readonly #allowances = new Map<string, RequestAllowance>();
  /**
   * Number of waiting requests with guessable credentials from each network. Later requests of the network must not overtake
   * them.
   */
  readonly #waiting = new Map<string, number>();
  readonly #guesses = new KeyedQueue();
  readonly #secrets = new KeyedQueue();

  /** @param networkOf returns the network whose requests are counted together: the address itself, or the network of an IPv6 address */
  constructor(
    clock: Pick<Clock, 'uptime'>,
    networkOf: (address: string) => string,
    { limit = LIMIT, wait = pauseFor }: AddressLimitOptions = {},
  ) {
    this.#clock = clock;
    this.#networkOf = networkOf;
    this.#limit = limit;
    this.#wait = wait;
  }

  /** Counts a request at its arrival, unless its address has already reached the limit. */
  arrive(address: string): Admission {
    const network = this.#networkOf(address);
    const arrivedAt = this.#clock.uptime();
    const isWithin = this.#take(network);
    let isCounted = isWithin;
    return {
      isWithin,
      timeToWait: () => Math.max(0, arrivedAt + MAX_WAIT - this.#clock.uptime()),
      identify: async (lookUp) => {
        // A request may contain several uploads. Each upload is counted, because each upload may have another key.
        const counted = isCounted || this.#take(network);
        isCounted = false;
        if (counted) return await this.#lookUp(network, lookUp);
        return lookUp.isGuessable
          ? await this.#guess(network, lookUp)
          : await this.#trySecret(network, lookUp);
      },
    };
  }

  async #lookUp<T>(network: string, { find, isValid }: LookUp<T>): Promise<T> {
    const found = await find();
    if (isValid(found)) this.#set(network, giveRequestBack(this.#allowanceOf(network), this.#limit));
    return found;
  }

  /**
   * Looks up the secret key of a request whose address has reached the limit. A secret key cannot be guessed, so the look-up
   * waits only for other secret keys of the same network.
   */
  async #trySecret<T>(network: string, { find, isValid }: LookUp<T>): Promise<T | undefined> {
    return await this.#secrets.run(network, async () => {
      const found = await find();
      return isValid(found) ? found : undefined;
    });
  }

  /**
   * Looks up guessable credentials of a request whose address has reached the limit. The look-up waits until the limit permits
   * another request.
   */
  async #guess<T>(network: string, lookUp: LookUp<T>): Promise<T | undefined> {
    const waiting = this.#waiting.get(network) ?? 0;
    if (waiting >= MAX_WAITING) return undefined;
    this.#waiting.set(network, waiting + 1);
    try {
      return await this.#guesses.run(network, async () => {
        const wait = waitForRequest(this.#allowanceOf(network), this.#limit);
        if (wait > MAX_WAIT) return undefined;
        if (wait > 0) await this.#wait(wait);
        const allowance = takeRequest(this.#allowanceOf(network));
        if (allowance === undefined) return undefined;
        this.#set(network, allowance);
        return await this.#lookUp(network, lookUp);
      });
    } finally {
      const remaining = (this.#waiting.get(network) ?? 1) - 1;
      if (remaining > 0) this.#waiting.set(network, remaining);
      else this.#waiting.delete(network);
    }
  }

  /**
   * Counts a request.
   *
   * @returns false if the network has reached its limit, or if earlier requests of the network are already waiting
   */
  #take(network: string): boolean {
    const allowance = this.#allowanceOf(network);
    const reduced = this.#waiting.has(network) ? undefined : takeRequest(allowance);
    this.#set(network, reduced ?? allowance);
    return reduced !== undefined;
  }

  #allowanceOf(network: string): RequestAllowance {
    return allowanceAt(this.#allowances.get(network), this.#limit, this.#clock.uptime());
  }

  #set(network: string, allowance: RequestAllowance): void {
    this.#allowances.delete(network);
    this.#allowances.set(network, allowance);
    const [oldest] = this.#allowances.keys();
    if (oldest !== undefined && this.#allowances.size > MAX_ADDRESSES) this.#allowances.delete(oldest);
  }
}
