import { z } from 'zod';
import { MAX_AUDIT_EVENTS, ReadAudit } from '#application/accounts/read-audit.js';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '#domain/accounts/audit-actions.js';
import type { AuditDetail } from '#domain/accounts/audit-event.js';
import { OVERRIDE_VERDICTS } from '#domain/weather/quality/override.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { numberCursor, time, wholeNumber } from '../observations/weather-query.js';
import { unicodeText } from './password.js';
import { grantFields } from './users.js';

const DEFAULT_LIMIT = 100;

const TIMES = 'ISO 8601 with Z or an offset, or a date, which means the start of this day in UTC';
const instant = () => time().transform((at) => (typeof at === 'string' ? Date.parse(`${at}T00:00:00Z`) : at));

const count = (text: string) => z.int().nonnegative().optional().describe(text);

const detailFields = z
  .strictObject({
    from: utcTimestamp().optional().describe('Time of the first row, or start of the quality override'),
    to: utcTimestamp()
      .optional()
      .describe('Time of the last row, or end of the quality override (not included)'),
    overrule: z.string().optional().describe('Id of the quality override'),
    variable: z.string().optional().describe('Variable of the quality override'),
    verdict: z.enum(OVERRIDE_VERDICTS).optional().describe('Verdict of the quality override'),
    reason: z.string().optional().describe('Reason of the quality override'),
    rows: count('Number of accepted rows'),
    inserted: count('Accepted rows that were inserted'),
    updated: count('Accepted rows that changed a stored row'),
    unchanged: count('Accepted rows that changed nothing'),
    rejected: count('Number of rejected rows'),
    import: z.int().positive().optional().describe('Number of the import that was undone'),
    since: utcTimestamp().optional().describe('Time from which the change of the station is valid'),
    visibility: z
      .enum(['public', 'hidden'])
      .optional()
      .describe('Visibility of the station after the change'),
    position_decimals: z.int().nullable().optional().describe('Number of decimals of the public position'),
    daily_observation_time: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Time of observation of the station after the change. Several times of an import are separated by commas',
      ),
    grant: z
      .enum(['replace', 'grant', 'withdraw'])
      .optional()
      .describe(
        'Whether `stations` replace the granted stations, are added to them or are removed from them',
      ),
    stations: grantFields.optional(),
    target: z.string().optional().describe('Target of the hook or the alarm, without its secret parts'),
    paused: z.boolean().optional().describe('Whether the hook or the source is paused after the change'),
    gaps: z.int().optional().describe('Number of dismissed gaps of the source'),
    station: z.string().optional().describe('The station of the upload key or of the alarm'),
    condition: z.string().optional().describe('Condition of the alarm'),
    mappings: z
      .array(
        z.strictObject({
          field: z.string(),
          variable: z.string(),
          unit: z.string().optional(),
          scale: z.number().optional(),
          offset: z.number().optional(),
          counter: z.boolean().optional(),
          station: z.string().optional(),
        }),
      )
      .optional()
      .describe('The mappings of the upload key after the change'),
    value: z.string().optional().describe('The new value of the setting'),
  })
  .nullable()
  .describe(
    'For `observations-write`: `from`, `to` and `rows`. If each batch has its own event, also the outcomes; the internal API ' +
      'has only one event for each source, station and day. For `import-undo`: `import`. For `user-add` and `user-change`: ' +
      '`grant` and `stations`. For `hook-add`: `target` and `stations`; for `hook-change`: `paused`. For `source-change`: `paused` or `gaps`. For actions on upload keys: `station`, and for `upload-key-map` also `mappings`. For `setting-change`: `value`. ' +
      'For `station-put`: `since`, if it was given, and `visibility`, `position_decimals` and `daily_observation_time`, if the request contains them. For `overrule-add` and `overrule-remove`: `overrule`, `variable`, `from`, `to`, `verdict` and `reason`. ' +
      'For `alarm-add`, `alarm-change` and `alarm-remove`: `condition`, and `station` and `target` if the alarm has them.',
  );

const toIso = (at: number) => new Date(at).toISOString();

function toDetailFields({
  from,
  to,
  since,
  positionDecimals,
  dailyObservationTime,
  stations,
  mappings,
  ...unchanged
}: AuditDetail): z.infer<typeof detailFields> {
  return {
    ...unchanged,
    ...(from !== undefined && { from: toIso(from) }),
    ...(to !== undefined && { to: toIso(to) }),
    ...(since !== undefined && { since: toIso(since) }),
    ...(positionDecimals !== undefined && { position_decimals: positionDecimals }),
    ...(dailyObservationTime !== undefined && { daily_observation_time: dailyObservationTime }),
    ...(stations !== undefined && { stations: stations === '*' ? stations : [...stations] }),
    ...(mappings !== undefined && { mappings: [...mappings] }),
  };
}

const QUERY = z.strictObject({
  limit: wholeNumber(1, MAX_AUDIT_EVENTS)
    .default(DEFAULT_LIMIT)
    .describe('Largest number of events in the reply'),
  actor: unicodeText()
    .optional()
    .describe('Only events of the user with this name, in the case in which it is shown'),
  action: z.enum(AUDIT_ACTIONS).optional().describe('Only events with this action'),
  from: instant().optional().describe(`Only events from this time on. ${TIMES}`),
  to: instant().optional().describe(`Only events before this time. ${TIMES}`),
  cursor: numberCursor(1, Number.MAX_SAFE_INTEGER).optional().describe('`next` of the previous page'),
});

const REPLY = z.strictObject({
  events: z.array(
    z.strictObject({
      number: z.int().positive(),
      time: utcTimestamp(),
      action: z.enum(AUDIT_ACTIONS),
      outcome: z.enum(AUDIT_OUTCOMES),
      actor: z.string().nullable().describe('Name of the user, or null if unknown'),
      subject: z
        .string()
        .nullable()
        .describe('Object of the action: a user, session, key, station, hook or setting'),
      address: z.string().nullable(),
      request_id: z.string().nullable(),
      detail: detailFields,
      count: z.int().positive().describe('Number of equal events. Throttled attempts share one entry'),
    }),
  ),
  next: z.string().nullable().describe('Cursor of the next page; null if there are no older events'),
  cursor: z.int().positive().nullable().describe('Same as `next`, for clients of earlier versions'),
});

export function getAuditEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const readAudit = useCase(ReadAudit);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/audit',
    summary: 'Read the audit trail',
    description:
      'The events are sorted from the newest to the oldest. For the page with older events, send `next` as `cursor`. With a filter, a page may ' +
      'have few events or none although there is a next page, because one request searches at most 100,000 events.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    query: QUERY,
    success: {
      kind: 'json',
      status: 200,
      message: 'Events, newest first.',
      schema: REPLY,
    },
    errors: ['REQUEST_INVALID'],
    call: async ({ query }) => {
      const { events, cursor } = await readAudit.execute(query);
      const described = events.map(({ requestId, time: at, detail, ...event }) => ({
        ...event,
        time: toIso(at),
        request_id: requestId,
        detail: detail && toDetailFields(detail),
      }));
      return { events: described, next: cursor === null ? null : String(cursor), cursor };
    },
  });
}
