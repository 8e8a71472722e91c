import { MILLISECONDS } from '#domain/time.js';
import type { Clock } from '../ports/clock.js';
import type { Lease } from '../ports/lease.js';
import type { UploadStore } from '../ports/upload-store.js';

/** Milliseconds after which another instance takes over from one that has stopped without saying so. */
const LEASE = 30 * MILLISECONDS.second;

/** A lease that is a record of the store: for instances on several machines. */
export class SenderLease implements Lease {
  readonly #clock: Clock;
  readonly #store: UploadStore;
  readonly #holder: string;
  readonly #name: string;
  /** `Clock.uptime` until which this instance has it. */
  #until = -Infinity;

  /**
   * @param holder a name that no other instance has
   * @param name of the record
   */
  constructor(clock: Clock, store: UploadStore, holder: string, name: string) {
    this.#clock = clock;
    this.#store = store;
    this.#holder = holder;
    this.#name = name;
  }

  get isHeld(): boolean {
    return this.#clock.uptime() < this.#until;
  }

  async hold(): Promise<boolean> {
    const [now, uptime] = [this.#clock.now(), this.#clock.uptime()];
    if (this.#until - uptime > LEASE / 2) return true;
    const record = await this.#store.record(this.#name);
    if (record !== undefined && record.text !== this.#holder && now < record.time + LEASE) return this.isHeld;
    const revision = record?.revision ?? 0;
    const left = await this.#store.put([
      { name: this.#name, key: null, revision, text: this.#holder, time: now },
    ]);
    this.#until = left.length === 0 ? uptime + LEASE : -Infinity;
    return this.isHeld;
  }

  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.#until = -Infinity;
    const record = await this.#store.record(this.#name);
    if (record?.text === this.#holder) await this.#store.put([{ ...record, time: 0 }]);
  }
}
