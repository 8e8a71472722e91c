import { z } from 'zod';
import { MAX_AUDIT_EVENTS, ReadAudit } from '../../../../application/accounts/read-audit.js';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type AuditDetail } from '../../../../domain/accounts/audit-event.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { wholeNumber } from '../observations/weather-query.js';
import { grantFields } from './user-fields.js';

const DEFAULT_LIMIT = 100;

const count = (text: string) => z.int().nonnegative().optional().describe(text);

const detailFields = z
  .strictObject({
    from: utcTimestamp().optional().describe('Time of the first row'),
    to: utcTimestamp().optional().describe('Time of the last row'),
    rows: count('Rows that were accepted'),
    inserted: count('Of these'),
    updated: count('Of these'),
    unchanged: count('Of these'),
    rejected: count('Rows beside these'),
    grant: z.enum(['replace', 'grant', 'withdraw']).optional().describe('What was done with `stations`'),
    stations: grantFields.optional(),
  })
  .nullable()
  .describe(
    'Of `observations-write`: `from`, `to` and `rows`, and the outcomes where each batch has an event of its own; the ' +
      'internal API has one event for each source, station and day. Of `user-add` and `user-change`: `grant`, `stations`',
  );

const toIso = (time: number) => new Date(time).toISOString();

function toDetailFields({ from, to, stations, ...rest }: AuditDetail): z.infer<typeof detailFields> {
  return {
    ...rest,
    ...(from !== undefined && { from: toIso(from) }),
    ...(to !== undefined && { to: toIso(to) }),
    ...(stations !== undefined && { stations: stations === '*' ? stations : [...stations] }),
  };
}

export function getAuditEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const readAudit = useCase(ReadAudit);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/audit',
    summary: 'Read the audit trail',
    description: 'Newest first. `cursor` of one reply is asked with for the older events.',
    access: ELEVATED_ADMINISTRATOR,
    query: z.strictObject({
      limit: wholeNumber(1, MAX_AUDIT_EVENTS).default(DEFAULT_LIMIT).describe('Most events in the reply'),
      cursor: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
    }),
    success: {
      kind: 'json',
      status: 200,
      message: 'Events, newest first.',
      schema: z.strictObject({
        events: z.array(
          z.strictObject({
            number: z.int().positive(),
            time: utcTimestamp(),
            action: z.enum(AUDIT_ACTIONS),
            outcome: z.enum(AUDIT_OUTCOMES),
            actor: z.string().nullable().describe('The user who acted; null when nobody knows'),
            subject: z.string().nullable().describe('Whom or what it was done to'),
            address: z.string().nullable(),
            request_id: z.string().nullable(),
            detail: detailFields,
            count: z
              .int()
              .positive()
              .describe('Events that the row stands for: throttled attempts share one'),
          }),
        ),
        cursor: z.int().positive().nullable().describe('null when there are no older events'),
      }),
    },
    errors: ['REQUEST_INVALID'],
    call: async ({ query }) => {
      const { events, cursor } = await readAudit.execute(query);
      const described = events.map(({ requestId, time, detail, ...event }) => ({
        ...event,
        time: toIso(time),
        request_id: requestId,
        detail: detail && toDetailFields(detail),
      }));
      return { events: described, cursor };
    },
  });
}
