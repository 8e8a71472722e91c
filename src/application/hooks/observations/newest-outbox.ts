import type { Hook } from '#domain/hooks/hook.js';
import type { ServiceTarget } from '#domain/hooks/hook-target.js';
import { nextOwnTime } from '#domain/hooks/own-second.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Message } from '../../ports/delivery.js';
import type { Outbox } from '../outbox.js';
import { type NewestSource, newestWeather } from './newest-weather.js';
import type { RowChange } from './row-outbox.js';

/** Seconds between two attempts for a service whose kind is not known. Each attempt fails and says why. */
const UNKNOWN_INTERVAL = 300;

/** Sends the newest row of a station to a weather service, without values that failed quality control. Older rows are skipped. */
export class NewestOutbox implements Outbox {
  readonly name: string;
  readonly target: ServiceTarget;
  readonly #since: number;
  readonly #station: number;
  readonly #with: NewestSource;
  /** Milliseconds between two uploads, and whether uploads follow at the station's own second of each interval. */
  readonly #interval: number;
  readonly #atOwnSecond: boolean;
  #isDue = true;
  /** Whether a row was announced since this outbox was made. */
  #hasNewRow = false;
  /** Whether nothing was ever sent to the service. */
  #isFirst: boolean;
  /** `Clock.uptime` of the earliest next upload. */
  #notBefore = -Infinity;
  /** Time of the row that was delivered last, and time of the row that is being sent. */
  #delivered = -Infinity;
  #sending = -Infinity;

  /** @param deliveredAt time of the last delivery before this outbox was made; null if there was none */
  constructor(
    hook: Pick<Hook, 'name' | 'since'>,
    target: ServiceTarget,
    station: number,
    source: NewestSource,
    deliveredAt: number | null = null,
  ) {
    this.name = hook.name;
    this.target = target;
    this.#since = hook.since;
    this.#station = station;
    this.#with = source;
    const { interval = UNKNOWN_INTERVAL, atOwnSecond = false } =
      source.kinds.find(target.service)?.weather ?? {};
    this.#interval = interval * MILLISECONDS.second;
    this.#atOwnSecond = atOwnSecond;
    this.#isFirst = deliveredAt === null;
    if (deliveredAt === null) return;
    if (atOwnSecond) this.#waitForOwnSecond();
    // The clock may have been set back since the delivery, so the wait has a maximum.
    else this.#waitFor(Math.min(this.#interval, deliveredAt + this.#interval - source.clock.now()));
  }

  /** Number of rows that were read and are not delivered yet: 1 or 0. */
  get waiting(): number {
    return this.#sending > this.#delivered ? 1 : 0;
  }

  async catchUp(): Promise<void> {
    this.#isDue = true;
  }

  note({ station }: Pick<RowChange, 'station'>): boolean {
    if (station !== this.#station) return false;
    this.#isDue = true;
    this.#hasNewRow = true;
    return true;
  }

  /**
   * Returns the newest row; undefined if no new row may be sent now. The caller must call again from time to time, because a row
   * may have to wait for the minimum interval.
   */
  async next(): Promise<Message | undefined> {
    if (!this.#isDue || this.#with.clock.uptime() < this.#notBefore) return undefined;
    this.#isDue = false;
    try {
      const newest = await newestWeather(this.#with, this.name, this.#station, (time) => this.#wants(time));
      if (newest === undefined) {
        // A row that comes later waits for the next second of its own.
        if (this.#atOwnSecond && !this.#isFirst) this.#waitForOwnSecond();
        return undefined;
      }
      this.#sending = newest.time;
      // If the attempt fails, `next` must return a row again.
      this.#isDue = true;
      return newest.message;
    } catch (error) {
      this.#isDue = true;
      throw error;
    }
  }

  async done(): Promise<void> {
    this.#delivered = this.#sending;
    this.#isFirst = false;
    // The second upload of a station follows after half an interval to one and a half.
    if (this.#atOwnSecond) this.#waitForOwnSecond(this.#interval / 2);
    else this.#waitFor(this.#interval);
  }

  /** @param milliseconds until the next upload */
  #waitFor(milliseconds: number): void {
    this.#notBefore = this.#with.clock.uptime() + milliseconds;
  }

  /**
   * Whether a row is new. A station with a second of its own sends its first row at once, which must therefore be one that was
   * written after the hook was made.
   */
  #wants(time: number): boolean {
    if (time <= this.#delivered) return false;
    return !this.#atOwnSecond || !this.#isFirst || this.#hasNewRow || time > this.#since;
  }

  /** @param atLeast milliseconds until the next upload */
  #waitForOwnSecond(atLeast = 0): void {
    const { clock } = this.#with;
    const { service, account = this.name } = this.target;
    const now = clock.now();
    this.#notBefore =
      clock.uptime() + nextOwnTime(`${service} ${account}`, this.#interval, now + atLeast) - now;
  }
}
