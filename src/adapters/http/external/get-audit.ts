import { z } from 'zod';
import { MAX_AUDIT_EVENTS, type ReadAudit } from '../../../application/read-audit.js';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '../../../domain/audit-event.js';
import { type AnyEndpoint, jsonEndpoint } from '../endpoint.js';
import { utcTimestamp } from '../schemas.js';
import { ELEVATED_ADMINISTRATOR } from './access.js';
import { wholeNumber } from './weather-query.js';

const USUAL = 100;

export function getAuditEndpoint(readAudit: ReadAudit): AnyEndpoint {
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/audit',
    summary: 'Read the audit trail',
    description: 'Newest first. `cursor` of one reply is asked with for the older events.',
    access: ELEVATED_ADMINISTRATOR,
    query: z.strictObject({
      limit: wholeNumber(1, MAX_AUDIT_EVENTS).default(USUAL).describe('Most events in the reply'),
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
          }),
        ),
        cursor: z.int().positive().nullable().describe('null when there are no older events'),
      }),
    },
    errors: ['REQUEST_INVALID'],
    call: async ({ query }) => {
      const { events, cursor } = await readAudit.execute(query);
      const described = events.map(({ requestId, time, ...event }) => ({
        ...event,
        time: new Date(time).toISOString(),
        request_id: requestId,
      }));
      return { events: described, cursor };
    },
  });
}
