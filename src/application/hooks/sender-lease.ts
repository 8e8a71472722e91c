import { MILLISECONDS } from '#domain/time.js';
import type { Clock } from '../ports/clock.js';
import type { Lease, LeaseStore } from '../ports/lease.js';

/**
 * Milliseconds for which a lease is valid after it was acquired or extended. Then another instance can take over, even if the
 * lease was not released.
 */
const LEASE_TIME = 30 * MILLISECONDS.second;

/**
 * A lease that is kept in the store, so that instances on several machines share it. A lease is a lock that expires: only the
 * instance that has the lease does the work that the lease protects.
 */
export class SenderLease implements Lease {
  readonly #clock: Clock;
  readonly #store: LeaseStore;
  readonly #holder: string;
  readonly #name: string;
  /** `Clock.uptime` until which this instance has the lease. */
  #until = -Infinity;

  /**
   * @param holder unique name of this instance
   * @param name name of the lease
   */
  constructor(clock: Clock, store: LeaseStore, holder: string, name: string) {
    this.#clock = clock;
    this.#store = store;
    this.#holder = holder;
    this.#name = name;
  }

  get isHeld(): boolean {
    return this.#clock.uptime() < this.#until;
  }

  async acquire(): Promise<boolean> {
    const [now, uptime] = [this.#clock.now(), this.#clock.uptime()];
    if (this.#until - uptime > LEASE_TIME / 2) return true;
    const isGranted = await this.#store.acquire(this.#name, this.#holder, now, LEASE_TIME);
    this.#until = isGranted ? uptime + LEASE_TIME : -Infinity;
    return this.isHeld;
  }

  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.#until = -Infinity;
    await this.#store.release(this.#name, this.#holder);
  }
}
