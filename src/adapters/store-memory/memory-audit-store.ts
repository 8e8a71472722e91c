import type { AuditStore, EventCounts, TalliedEvent } from '#application/ports/audit-store.js';
import {
  addCounts,
  type AuditEvent,
  type RecordedEvent,
  type WriteCount,
} from '#domain/accounts/audit-event.js';
import type { MemoryDatabase } from './memory-database.js';

/** The audit trail in memory. */
export class MemoryAuditStore implements AuditStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async append(event: AuditEvent, counts: EventCounts = new Map()): Promise<number> {
    this.#database.appendEvents([event]);
    const number = this.#database.eventNumber;
    if (counts.size > 0) this.#setCounts(counts);
    return number;
  }

  async setCounts(counts: EventCounts): Promise<void> {
    this.#setCounts(counts);
  }

  #setCounts(counts: EventCounts): void {
    this.#database.events = this.#database.events.map((event) => ({
      ...event,
      count: counts.get(event.number) ?? event.count,
    }));
  }

  async appendAll(events: readonly AuditEvent[]): Promise<void> {
    this.#database.appendEvents(events);
  }

  async tally(events: readonly TalliedEvent[]): Promise<void> {
    const kept = this.#database.events;
    for (const { key, event } of events) {
      const number = this.#database.tallies.get(key);
      const index = kept.findIndex((known) => known.number === number);
      const known = kept[index];
      if (known !== undefined) {
        const detail = addCounts(known.detail as WriteCount, event.detail);
        kept[index] = { ...known, detail };
      } else {
        this.#database.appendEvents([event]);
        this.#database.tallies.set(key, this.#database.eventNumber);
      }
    }
  }

  async list(limit: number, before = Infinity): Promise<readonly RecordedEvent[]> {
    const older = this.#database.events.filter(({ number }) => number < before);
    return older.toReversed().slice(0, limit);
  }

  async purge(time: number): Promise<void> {
    this.#database.events = this.#database.events.filter((event) => event.time >= time);
  }
}
