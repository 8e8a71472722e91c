import type { Clock } from '../../application/ports/clock.js';
import { type AttemptLimit, type AttemptTally, countAttempt } from '../../domain/accounts/attempts.js';
import { MILLISECONDS } from '../../domain/time.js';

/**
 * Requests of one address in a minute. Fifty consoles behind one router that send every 2.5 s have 1,200. Each key has a lower
 * limit of its own.
 */
const LIMIT: AttemptLimit = { attempts: 1200, seconds: MILLISECONDS.minute / 1000 };
/** Largest number of addresses that are counted. Beyond it, the one that was silent for longest is forgotten. */
const MAX_ADDRESSES = 50_000;

/** Limits the requests of each address. */
export class AddressRate {
  readonly #clock: Pick<Clock, 'uptime'>;
  readonly #networkOf: (address: string) => string;
  readonly #limits: ReadonlyMap<string, AttemptLimit>;
  /** By network; the one that has sent last comes last. */
  readonly #tallies = new Map<string, AttemptTally>();

  /** @param networkOf what is counted together: the address itself, or the network of an IPv6 address */
  constructor(clock: Pick<Clock, 'uptime'>, networkOf: (address: string) => string, limit = LIMIT) {
    this.#clock = clock;
    this.#networkOf = networkOf;
    this.#limits = new Map([['', limit]]);
  }

  /** Counts a request, unless the address has reached the limit. */
  allows(address: string): boolean {
    const network = this.#networkOf(address);
    const counted = this.#tallies.get(network);
    const { wait, tallies } = countAttempt(this.#limits, () => counted, this.#clock.uptime());
    const [tally = counted] = tallies.values();
    this.#tallies.delete(network);
    if (tally !== undefined) this.#tallies.set(network, tally);
    const [oldest] = this.#tallies.keys();
    if (oldest !== undefined && this.#tallies.size > MAX_ADDRESSES) this.#tallies.delete(oldest);
    return wait === 0;
  }
}
