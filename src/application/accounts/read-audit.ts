import type { RecordedEvent } from '#domain/accounts/audit-event.js';
import type { AuditFilter, AuditStore } from '../ports/audit-store.js';

/** Largest number of events in a reply. */
export const MAX_AUDIT_EVENTS = 1000;

/** Largest number of events that one filtered request searches. The next page continues the search. */
const MAX_SEARCHED = 100_000;

export interface AuditPage {
  readonly events: readonly RecordedEvent[];
  /** The cursor of the next page with older events; null on the last page. */
  readonly cursor: number | null;
}

export interface AuditRequest extends Omit<AuditFilter, 'since'> {
  readonly limit: number;
  readonly cursor?: number | undefined;
}

/** Reads the audit trail, newest first. */
export class ReadAudit {
  readonly #store: AuditStore;

  constructor(store: AuditStore) {
    this.#store = store;
  }

  /** @returns a page, which may have fewer events than the limit although there is a next page, if the request has a filter */
  async execute({ limit, cursor, ...filter }: AuditRequest): Promise<AuditPage> {
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const newest = cursor ?? (isFiltered ? await this.#after() : undefined);
    const since = isFiltered ? Math.max(1, (newest ?? 1) - MAX_SEARCHED) : 1;
    // One event more than the limit is read, to find whether there is a next page.
    const events = await this.#store.list(limit + 1, newest, { ...filter, since });
    const page = events.slice(0, limit);
    if (events.length > page.length) return { events: page, cursor: page.at(-1)?.number ?? null };
    // Old events are removed, so there may be none before `since`, or none for a long way.
    return { events: page, cursor: since > 1 ? ((await this.#after(since)) ?? null) : null };
  }

  /** The number after the newest event before the number `before`; undefined if there is no such event. */
  async #after(before?: number): Promise<number | undefined> {
    const [event] = await this.#store.list(1, before);
    return event && event.number + 1;
  }
}
