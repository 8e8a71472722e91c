import type { AuditStore } from '../../application/ports/audit-store.js';
import type { AuditEvent, RecordedEvent } from '../../domain/audit-event.js';

/** The audit trail in memory. */
export class MemoryAuditStore implements AuditStore {
  #events: RecordedEvent[] = [];
  #count = 0;

  async append(event: AuditEvent): Promise<void> {
    this.#count += 1;
    this.#events.push({ ...event, number: this.#count });
  }

  async list(limit: number, before = Infinity): Promise<readonly RecordedEvent[]> {
    const older = this.#events.filter(({ number }) => number < before);
    return older.toReversed().slice(0, limit);
  }

  async purge(time: number): Promise<void> {
    this.#events = this.#events.filter((event) => event.time >= time);
  }
}
