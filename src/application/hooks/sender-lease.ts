import { MILLISECONDS } from '../../domain/time.js';
import type { Clock } from '../ports/clock.js';
import type { UploadStore } from '../ports/upload-store.js';

/** Name of the record that hooks use. */
const HOOK_SENDER = 'hook-sender';
/** Milliseconds after which another instance takes over from one that has stopped without saying so. */
const LEASE = 30 * MILLISECONDS.second;

/** The right to send the messages of hooks, which one of several instances on the same data has at a time. */
export class SenderLease {
  readonly #clock: Clock;
  readonly #store: UploadStore;
  readonly #holder: string;
  readonly #name: string;
  /** `Clock.uptime` until which this instance has it. */
  #until = -Infinity;

  /**
   * @param holder a name that no other instance has
   * @param name of the record; other work has another one
   */
  constructor(clock: Clock, store: UploadStore, holder: string, name = HOOK_SENDER) {
    this.#clock = clock;
    this.#store = store;
    this.#holder = holder;
    this.#name = name;
  }

  get isHeld(): boolean {
    return this.#clock.uptime() < this.#until;
  }

  /** Takes or extends it. @returns whether this instance has it */
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

  /** Lets another instance have it at once. */
  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.#until = -Infinity;
    const record = await this.#store.record(this.#name);
    if (record?.text === this.#holder) await this.#store.put([{ ...record, time: 0 }]);
  }
}
