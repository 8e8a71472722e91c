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

/** Requests of one address in a minute that have no right key. */
const LIMIT: RequestLimit = { requests: 1200, seconds: MILLISECONDS.minute / 1000 };
/** Largest number of addresses that are counted. Beyond it, the one that was silent for longest is forgotten. */
const MAX_ADDRESSES = 50_000;
/**
 * Guesses of one address that wait at a time. One comes back every 50 ms, so that the last one waits for 0.8 s. They hold a
 * quarter of the connections of an address at most, and leave the others to senders with a secret.
 */
const MAX_WAITING = 16;
/** Milliseconds after its arrival for which an upload may wait before it is stored. It leaves the store a second of the four. */
const MAX_WAIT = 3000;

export interface AddressLimitOptions {
  readonly limit?: RequestLimit;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Limits the requests of each address that have no right key. A request is counted when it arrives and given back when its key
 * is right, so a sender with a key has no limit here. Of an address without a request left, one key at a time is looked up:
 * a secret at once, because nobody finds one of 128 bits by trying, and what can be guessed (a PASSKEY, a password that somebody
 * has chosen) as soon as the address has a request again.
 */
export class AddressLimit {
  readonly #clock: Pick<Clock, 'uptime'>;
  readonly #networkOf: (address: string) => string;
  readonly #limit: RequestLimit;
  readonly #wait: (milliseconds: number) => Promise<void>;
  /** By network; the one that has sent last comes last. */
  readonly #allowances = new Map<string, RequestAllowance>();
  /** Number of guesses that wait, by network. Those that arrive behind them must not overtake them. */
  readonly #waiting = new Map<string, number>();
  readonly #guesses = new KeyedQueue();
  readonly #secrets = new KeyedQueue();

  /** @param networkOf what is counted together: the address itself, or the network of an IPv6 address */
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

  /** Counts a request that arrives, if its address has one left. */
  arrive(address: string): Admission {
    const network = this.#networkOf(address);
    const arrivedAt = this.#clock.uptime();
    const isWithin = this.#take(network);
    let isCounted = isWithin;
    return {
      isWithin,
      timeToWait: () => Math.max(0, arrivedAt + MAX_WAIT - this.#clock.uptime()),
      identify: async (lookUp) => {
        // Each upload of a request is counted, because each may have another key.
        const counted = isCounted || this.#take(network);
        isCounted = false;
        if (counted) return await this.#lookUp(network, lookUp);
        return lookUp.isGuessable
          ? await this.#guess(network, lookUp)
          : await this.#trySecret(network, lookUp);
      },
    };
  }

  async #lookUp<T>(network: string, { find, isRight }: LookUp<T>): Promise<T> {
    const found = await find();
    if (isRight(found)) this.#set(network, giveRequestBack(this.#allowanceOf(network), this.#limit));
    return found;
  }

  /** Looks a secret up although its address has no request left. */
  async #trySecret<T>(network: string, { find, isRight }: LookUp<T>): Promise<T | undefined> {
    return await this.#secrets.run(network, async () => {
      const found = await find();
      return isRight(found) ? found : undefined;
    });
  }

  /** Waits until the address has a request again. */
  async #guess<T>(network: string, lookUp: LookUp<T>): Promise<T | undefined> {
    const waiting = this.#waiting.get(network) ?? 0;
    if (waiting >= MAX_WAITING) return undefined;
    this.#waiting.set(network, waiting + 1);
    try {
      return await this.#guesses.run(network, async () => {
        const wait = waitForRequest(this.#allowanceOf(network), this.#limit);
        if (wait > MAX_WAIT) return undefined;
        if (wait > 0) await this.#wait(wait);
        const taken = takeRequest(this.#allowanceOf(network));
        if (taken === undefined) return undefined;
        this.#set(network, taken);
        return await this.#lookUp(network, lookUp);
      });
    } finally {
      const left = (this.#waiting.get(network) ?? 1) - 1;
      if (left > 0) this.#waiting.set(network, left);
      else this.#waiting.delete(network);
    }
  }

  /** Counts a request. @returns false where none is left, or others wait for one */
  #take(network: string): boolean {
    const allowance = this.#allowanceOf(network);
    const taken = this.#waiting.has(network) ? undefined : takeRequest(allowance);
    this.#set(network, taken ?? allowance);
    return taken !== undefined;
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
