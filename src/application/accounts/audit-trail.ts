import type {
  AuditAction,
  AuditDetail,
  AuditEvent,
  AuditOutcome,
  Caller,
} from '../../domain/accounts/audit-event.js';
import type { AuditStore } from '../ports/audit-store.js';
import type { Clock } from '../ports/clock.js';

/** Number of rows of throttled attempts whose counts are kept in memory. Beyond it the oldest row is written and dropped. */
const MAX_OPEN_ROWS = 10_000;

/** The row of throttled attempts of one network on one subject. */
interface OpenRow {
  readonly number: Promise<number>;
  /** End of the wait, in milliseconds since 1970-01-01T00:00:00Z. Later attempts get a new row. */
  readonly until: number;
  count: number;
  written: number;
}

/** Records actions of use-cases, with the caller of each. */
export class AuditTrail {
  readonly #clock: Clock;
  readonly #store: AuditStore;
  readonly #open = new Map<string, OpenRow>();

  constructor(clock: Clock, store: AuditStore) {
    this.#clock = clock;
    this.#store = store;
  }

  async record(
    caller: Caller,
    action: AuditAction,
    subject: string | null,
    outcome: AuditOutcome = 'done',
    detail: AuditDetail | null = null,
  ): Promise<void> {
    await this.#append(caller, action, subject, outcome, detail);
  }

  /** Records in one commit the rows that one caller has written to several stations, by station id. */
  async recordWrites(
    caller: Caller,
    writes: readonly (readonly [id: string, detail: AuditDetail])[],
  ): Promise<void> {
    const { actor, address, requestId } = caller;
    const time = this.#clock.now();
    const common = {
      time,
      action: 'observations-write',
      outcome: 'done',
      actor,
      address,
      requestId,
    } as const;
    const events = writes.map(([subject, detail]): AuditEvent => ({ ...common, subject, detail }));
    if (events.length > 0) await this.#store.appendAll(events);
  }

  /**
   * Records a throttled attempt. All attempts of a network on a subject share one row until the wait is over. The count
   * is written whenever it has doubled, and finally by `flush`, so that many attempts cost only a few commits.
   *
   * @param wait seconds
   */
  async recordThrottled(
    caller: Caller,
    action: AuditAction,
    subject: string | null,
    wait: number,
  ): Promise<void> {
    const key = JSON.stringify([caller.network, action, subject]);
    const now = this.#clock.now();
    const known = this.#open.get(key);
    if (known !== undefined && now < known.until) {
      known.count += 1;
      if (known.count >= 2 * known.written) await this.#write(known);
      return;
    }
    const number = this.#append(caller, action, subject, 'throttled');
    this.#open.delete(key); // Moves the row to the end of the map, as the newest.
    this.#open.set(key, { number, until: now + wait * 1000, count: 1, written: 1 });
    try {
      await number;
    } catch (error) {
      this.#open.delete(key);
      throw error;
    }
    if (known !== undefined) await this.#write(known);
    if (this.#open.size > MAX_OPEN_ROWS) await this.#dropOldest();
  }

  /** Writes the counts of all rows, and drops the rows whose wait is over. */
  async flush(): Promise<void> {
    const now = this.#clock.now();
    for (const [key, row] of this.#open) {
      await this.#write(row);
      if (row.until <= now && this.#open.get(key) === row) this.#open.delete(key);
    }
  }

  async #dropOldest(): Promise<void> {
    for (const [key, row] of this.#open) {
      this.#open.delete(key);
      return await this.#write(row);
    }
  }

  async #write(row: OpenRow): Promise<void> {
    const { count, written } = row;
    if (count === written) return;
    row.written = count;
    try {
      await this.#store.setCount(await row.number, count);
    } catch (error) {
      row.written = written;
      throw error;
    }
  }

  #append(
    caller: Caller,
    action: AuditAction,
    subject: string | null,
    outcome: AuditOutcome,
    detail: AuditDetail | null = null,
  ): Promise<number> {
    const { actor, address, requestId } = caller;
    const time = this.#clock.now();
    return this.#store.append({ time, action, outcome, actor, subject, address, requestId, detail });
  }
}
