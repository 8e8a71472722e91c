import type { AuditStore, TalliedEvent } from '../../../application/ports/audit-store.js';
import type { AuditEvent, RecordedEvent } from '../../../domain/accounts/audit-event.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** The audit trail in a SQLite data file. */
export class SqliteAuditStore implements AuditStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  append(event: AuditEvent): Promise<number> {
    return this.#database.call('appendEvent', event);
  }

  appendAll(events: readonly AuditEvent[]): Promise<void> {
    return this.#database.call('appendEvents', events);
  }

  tally(events: readonly TalliedEvent[]): Promise<void> {
    return this.#database.call('tallyEvents', events);
  }

  setCount(number: number, count: number): Promise<void> {
    return this.#database.call('setEventCount', number, count);
  }

  list(limit: number, before?: number): Promise<readonly RecordedEvent[]> {
    return this.#database.call('events', limit, before);
  }

  purge(time: number): Promise<void> {
    return this.#database.call('purgeEvents', time);
  }
}
