import type { RecordedEvent } from '#domain/accounts/audit-event.js';
import type { AuditStore } from '../ports/audit-store.js';

/** Largest number of events in a reply. */
export const MAX_AUDIT_EVENTS = 1000;

export interface AuditPage {
  readonly events: readonly RecordedEvent[];
  /** The cursor of the next page with older events; null on the last page. */
  readonly cursor: number | null;
}

/** Reads the audit trail, newest first. */
export class ReadAudit {
  readonly #store: AuditStore;

  constructor(store: AuditStore) {
    this.#store = store;
  }

  async execute(input: { readonly limit: number; readonly cursor?: number | undefined }): Promise<AuditPage> {
    // One event more than the limit is read, to find whether there is a next page.
    const events = await this.#store.list(input.limit + 1, input.cursor);
    const page = events.slice(0, input.limit);
    return { events: page, cursor: events.length > page.length ? (page.at(-1)?.number ?? null) : null };
  }
}
