import { MILLISECONDS } from '#domain/time.js';
import type { Clock } from '../ports/clock.js';
import type { Lease, LeaseStore } from '../ports/lease.js';

/** Milliseconds after which another instance takes over from one that has stopped without saying so. */
const LEASE = 30 * MILLISECONDS.second;

/** A lease in the store: for instances on several machines. */
export class SenderLease implements Lease {
  readonly #clock: Clock;
  readonly #store: LeaseStore;
  readonly #holder: string;
  readonly #name: string;
  /** `Clock.uptime` until which this instance has it. */
  #until = -Infinity;

  /**
   * @param holder a name that no other instance has
   * @param name of the lease
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
    if (this.#until - uptime > LEASE / 2) return true;
    const isTaken = await this.#store.acquire(this.#name, this.#holder, now, LEASE);
    this.#until = isTaken ? uptime + LEASE : -Infinity;
    return this.isHeld;
  }

  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.#until = -Infinity;
    await this.#store.release(this.#name, this.#holder);
  }
}
