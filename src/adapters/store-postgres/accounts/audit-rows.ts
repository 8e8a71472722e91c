import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { Parameter, Query } from '../database/query.js';

/**
 * Appends events to the audit trail, alone or as a part of a statement. Its parameters are those of `eventColumns`, $1 to $9.
 * A condition on the columns of `sent` may follow.
 */
export const APPEND_EVENTS = `INSERT INTO weatherd.audit AS kept
    (time, action, outcome, actor, subject, address, request_id, detail, tally)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::jsonb[], $9::text[])
    AS sent (time, action, outcome, actor, subject, address, request_id, detail, tally)`;

/** @param tallies keys of the rows in which events are counted together; none for events with rows of their own */
export function eventColumns(
  events: readonly AuditEvent[],
  tallies: readonly string[] = [],
): readonly Parameter[] {
  const column = <T>(of: (event: AuditEvent, index: number) => T): T[] => events.map(of);
  return [
    column(({ time }) => time),
    column(({ action }) => action),
    column(({ outcome }) => outcome),
    column(({ actor }) => actor),
    column(({ subject }) => subject),
    column(({ address }) => address),
    column(({ requestId }) => requestId),
    column(({ detail }) => detail && JSON.stringify(detail)),
    column((_event, index) => tallies[index] ?? null),
  ];
}

/** Appends events in the transaction of `query`. */
export async function appendEvents(query: Query, events: readonly AuditEvent[]): Promise<void> {
  if (events.length > 0) await query(APPEND_EVENTS, eventColumns(events));
}
