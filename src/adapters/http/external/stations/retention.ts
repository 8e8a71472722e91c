import { z } from 'zod';
import { PreviewRetention } from '#application/operation/preview-retention.js';
import { type RetentionPeriod, retentionText, SetRetention } from '#application/operation/set-retention.js';
import { changedInMeantime } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { type AnyEndpoint, contentEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { documentedAs, utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { stationId } from '../observations/weather-query.js';
import { expectedText, versionedContent, versionedSuccess } from '../versions.js';

const periodField = () => z.number().nullable().describe('Seconds; null if the rows are kept permanently');

const retentionFields = z
  .strictObject({
    station: z.string(),
    period: periodField(),
    own: z.boolean().describe('Whether the period is set for this station'),
  })
  .meta({ id: 'Retention' });

const LIST_RETENTION_REPLY = z.strictObject({
  default: periodField().describe('Seconds, for stations without their own period; null for no period'),
  retention: z.array(retentionFields).describe('In the order of the ids of the stations'),
});

export function listRetentionEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const setRetention = useCase(SetRetention);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/retention',
    summary: 'List the retention periods',
    description:
      'The service erases whole months of rows that are older than the retention period of their station, and keeps their daily ' +
      'aggregates. A station without its own period has the period of the setting `WEATHERD_RETENTION`.',
    access: ELEVATED_ADMINISTRATOR,
    success: {
      kind: 'json',
      status: 200,
      message: 'Retention periods.',
      schema: LIST_RETENTION_REPLY,
    },
    errors: [],
    call: async () => ({
      default: toSeconds(setRetention.default),
      retention: (await setRetention.list()).map(toFields),
    }),
  });
}

function toFields({ id, period, isOwn }: RetentionPeriod): z.infer<typeof retentionFields> {
  return { station: id, period: toSeconds(period), own: isOwn };
}

const toSeconds = (period: number | null) => (period === null ? null : period / MILLISECONDS.second);

/** Ten thousand years. The age of a row is always less. */
const MAX_PERIOD = 3e11;

const THE_PERIOD = 'The retention period.';

const GET_RETENTION_SUCCESS = versionedSuccess(THE_PERIOD, z.strictObject({ retention: retentionFields }));

export function getRetentionEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const setRetention = useCase(SetRetention);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/retention',
    summary: 'Show the retention period of a station',
    description: 'A request that sets the period can send the ETag in If-Match.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    success: GET_RETENTION_SUCCESS,
    errors: ['STATION_UNKNOWN', 'REQUEST_INVALID'],
    call: async ({ params: { id } }) => {
      const found = await setRetention.find(id);
      return versionedContent(THE_PERIOD, retentionText(found), { retention: toFields(found) });
    },
  });
}

const PUT_RETENTION_QUERY = z.strictObject({
  dry_run: documentedAs({ type: 'boolean' }, z.enum(['true', 'false']))
    .default('false')
    .describe('Counts the rows and sets nothing'),
});

const PUT_RETENTION_BODY = z.strictObject({
  period: z
    .union([z.int().positive().max(MAX_PERIOD), z.literal('default')])
    .nullable()
    .describe('Seconds; null to keep the rows permanently; `default` for the period of the setting'),
});

const PUT_RETENTION_REPLY = z.strictObject({
  expiring: z
    .strictObject({
      rows: z.int().nonnegative().describe('Number of rows that the period erases'),
      estimate: z.boolean().describe('Whether the number is an estimate, because it is large'),
      before: utcTimestamp()
        .nullable()
        .describe('The rows before this time are erased; null if there are none'),
    })
    .describe('The rows that the next daily run erases'),
});

export function putRetentionEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const setRetention = useCase(SetRetention);
  const preview = useCase(PreviewRetention);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/stations/{id}/retention',
    summary: 'Set the retention period of a station',
    description:
      'The rows that are older are erased at the next daily run. With `dry_run=true` nothing is set, and the reply says how many rows ' +
      'would be erased. If-Match needs the ETag of `GET /v1/stations/{id}/retention`.',
    access: ELEVATED_ADMINISTRATOR,
    conditional: true,
    params: stationId,
    query: PUT_RETENTION_QUERY,
    body: {
      kind: 'json',
      schema: PUT_RETENTION_BODY,
      example: { period: 315_576_000 },
      limit: 1024,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'Set, or counted.',
      schema: PUT_RETENTION_REPLY,
    },
    errors: ['STATION_UNKNOWN', 'DATA_DAMAGED', 'REQUEST_INVALID'],
    call: async ({ params: { id }, query, body, caller, signal, conditions }) => {
      const period = body.period === 'default' ? undefined : body.period && body.period * MILLISECONDS.second;
      const current = async () => retentionText(await setRetention.find(id));
      await current();
      const changed = () => changedInMeantime('retention period of the station', id);
      const expected = (await expectedText(conditions, current, 'STATION_UNKNOWN', changed)) ?? undefined;
      const { rows, isEstimate, before } = await preview.execute(id, period, { signal });
      if (query.dry_run === 'false') await setRetention.set(id, period, caller, expected);
      return {
        expiring: {
          rows,
          estimate: isEstimate,
          before: before === null ? null : new Date(before).toISOString(),
        },
      };
    },
  });
}
