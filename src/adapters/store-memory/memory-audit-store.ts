import type { AuditStore, TalliedEvent } from '../../application/ports/audit-store.js';
import {
  addCounts,
  type AuditEvent,
  type RecordedEvent,
  type WriteCount,
} from '../../domain/accounts/audit-event.js';

/** The audit trail in memory. */
export class MemoryAuditStore implements AuditStore {
  #events: RecordedEvent[] = [];
  #count = 0;
  /** Numbers of events by key. */
  readonly #tallies = new Map<string, number>();

  async append(event: AuditEvent): Promise<number> {
    this.#append(event);
    return this.#count;
  }

  async setCount(number: number, count: number): Promise<void> {
    this.#events = this.#events.map((event) => (event.number === number ? { ...event, count } : event));
  }

  async appendAll(events: readonly AuditEvent[]): Promise<void> {
    for (const event of events) this.#append(event);
  }

  async tally(events: readonly TalliedEvent[]): Promise<void> {
    for (const { key, event } of events) {
      const number = this.#tallies.get(key);
      const index = this.#events.findIndex((known) => known.number === number);
      const known = this.#events[index];
      if (known !== undefined) {
        const detail = addCounts(known.detail as WriteCount, event.detail);
        this.#events[index] = { ...known, detail };
      } else {
        this.#append(event);
        this.#tallies.set(key, this.#count);
      }
    }
  }

  async list(limit: number, before = Infinity): Promise<readonly RecordedEvent[]> {
    const older = this.#events.filter(({ number }) => number < before);
    return older.toReversed().slice(0, limit);
  }

  async purge(time: number): Promise<void> {
    this.#events = this.#events.filter((event) => event.time >= time);
  }

  #append(event: AuditEvent): void {
    this.#count += 1;
    this.#events.push({ ...event, number: this.#count, count: 1 });
  }
}
