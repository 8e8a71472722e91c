import type { RecordedEvent } from '../../domain/accounts/audit-event.js';
import type { AuditStore } from '../ports/audit-store.js';

/** Most events at a time. */
export const MAX_AUDIT_EVENTS = 1000;

export interface AuditPage {
  readonly events: readonly RecordedEvent[];
  /** What to ask with for older events; null when there are none. */
  readonly cursor: number | null;
}

/** Reads the audit trail, newest first. */
export class ReadAudit {
  readonly #store: AuditStore;

  constructor(store: AuditStore) {
    this.#store = store;
  }

  async execute(input: { readonly limit: number; readonly cursor?: number | undefined }): Promise<AuditPage> {
    // One more than asked for tells whether there are more.
    const events = await this.#store.list(input.limit + 1, input.cursor);
    const page = events.slice(0, input.limit);
    return { events: page, cursor: events.length > page.length ? (page.at(-1)?.number ?? null) : null };
  }
}
