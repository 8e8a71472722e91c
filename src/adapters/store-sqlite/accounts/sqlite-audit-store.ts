import type { AuditStore, EventCounts, TalliedEvent } from '#application/ports/audit-store.js';
import type { AuditEvent, RecordedEvent } from '#domain/accounts/audit-event.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** The audit trail in a SQLite data file. */
export class SqliteAuditStore implements AuditStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  append(event: AuditEvent, counts: EventCounts = new Map()): Promise<number> {
    return this.#database.call('appendEvent', event, counts);
  }

  appendAll(events: readonly AuditEvent[]): Promise<void> {
    return this.#database.call('appendEvents', events);
  }

  tally(events: readonly TalliedEvent[]): Promise<void> {
    return this.#database.call('tallyEvents', events);
  }

  setCounts(counts: EventCounts): Promise<void> {
    return this.#database.call('setEventCounts', counts);
  }

  list(limit: number, before?: number): Promise<readonly RecordedEvent[]> {
    return this.#database.call('events', limit, before);
  }

  purge(time: number): Promise<void> {
    return this.#database.call('purgeEvents', time);
  }
}
