import type { AuditStore } from '../../application/ports/audit-store.js';
import type { AuditEvent, RecordedEvent } from '../../domain/audit-event.js';

/** The audit trail in memory. */
export class MemoryAuditStore implements AuditStore {
  #events: RecordedEvent[] = [];
  #last = 0;

  async append(event: AuditEvent): Promise<number> {
    this.#last += 1;
    this.#events.push({ ...event, number: this.#last, count: 1 });
    return this.#last;
  }

  async setCount(number: number, count: number): Promise<void> {
    this.#events = this.#events.map((event) => (event.number === number ? { ...event, count } : event));
  }

  async list(limit: number, before = Infinity): Promise<readonly RecordedEvent[]> {
    const older = this.#events.filter(({ number }) => number < before);
    return older.toReversed().slice(0, limit);
  }

  async purge(time: number): Promise<void> {
    this.#events = this.#events.filter((event) => event.time >= time);
  }
}
