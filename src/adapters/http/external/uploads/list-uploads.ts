import { z } from 'zod';
import { ListUploadStatus, type UploadStatusView } from '#application/uploads/status/list-upload-status.js';
import { MAX_RAW } from '#domain/uploads/upload-status.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { wholeNumber } from '../observations/weather-query.js';

const statusFields = z.strictObject({
  key: z.int().positive().describe('Number of the upload key'),
  station: z.string().nullable().describe('null while the station is removed'),
  note: z.string(),
  weak: z.boolean(),
  rain_warning: z
    .string()
    .nullable()
    .describe(
      'Warning if no key or several keys of the station store rain, or if the rain of this key is not stored; otherwise null',
    ),
  last_push: utcTimestamp().nullable().describe('Last upload, accepted or refused'),
  last_success: utcTimestamp().nullable().describe('Last accepted upload'),
  last_error: z.strictObject({ time: utcTimestamp(), reason: z.string() }).nullable(),
  counts: z.strictObject({
    stored: z.int().nonnegative(),
    unchanged: z.int().nonnegative(),
    refused: z.int().nonnegative(),
  }),
  address: z.string().nullable().describe('Address of the last upload'),
  dialect: z
    .string()
    .nullable()
    .describe('Protocol of the last upload. `api`: a script with the key as bearer token'),
  model: z.string().nullable(),
  firmware: z.string().nullable(),
  batteries: z.record(z.string(), z.string()).describe('State of each battery as text, by field'),
  clock_skew: z
    .number()
    .nullable()
    .describe('Seconds by which the clock of the sender is ahead, if more than five minutes; otherwise 0'),
  interval: z.number().nullable().describe('Seconds between the last two uploads'),
  identity_changed_at: utcTimestamp()
    .nullable()
    .describe('Time at which the PASSKEY or MAC of the sender changed'),
  uses_previous: z
    .boolean()
    .describe('Whether the last upload used the old secret, which a rotation has replaced'),
  rain_gauge: z.string().nullable().describe('Rain gauge whose values are stored'),
  rain_report: z
    .strictObject({ time: utcTimestamp(), text: z.string() })
    .nullable()
    .describe('The last amount of a rain counter that was not stored, or stored later, and the reason'),
  remarks: z.array(z.string()).describe('Reasons why values of the last upload were not stored'),
  unmapped: z
    .array(
      z.strictObject({
        field: z.string(),
        value: z.union([z.number(), z.string()]),
        unit: z.string().optional().describe('Unit of the protocol'),
        time: utcTimestamp(),
      }),
    )
    .describe('Fields that are not stored, with their last value'),
  raw: z
    .array(z.strictObject({ time: utcTimestamp(), outcome: z.string(), text: z.string() }))
    .describe(`The last ${MAX_RAW} uploads, newest first, with secrets masked`),
});

const toIso = (time: number) => new Date(time).toISOString();
const toIsoOrNull = (time: number | null) => (time === null ? null : toIso(time));
const timed = <T extends { readonly time: number }>(value: T) => ({ ...value, time: toIso(value.time) });

function toStatusFields({ status, rainWarning, ...key }: UploadStatusView): z.infer<typeof statusFields> {
  const { lastError, rainReport } = status;
  return {
    ...key,
    rain_warning: rainWarning,
    last_push: toIsoOrNull(status.lastPush),
    last_success: toIsoOrNull(status.lastSuccess),
    last_error: lastError && { time: toIso(lastError.time), reason: lastError.text },
    counts: status.counts,
    address: status.address,
    dialect: status.dialect,
    model: status.model,
    firmware: status.firmware,
    batteries: { ...status.batteries },
    clock_skew: status.clockSkew,
    interval: status.interval,
    identity_changed_at: toIsoOrNull(status.identity?.changedAt ?? null),
    uses_previous: status.usesPrevious,
    rain_gauge: status.gauge,
    rain_report: rainReport && timed(rainReport),
    remarks: [...status.remarks],
    unmapped: status.unmapped.map(({ name, ...seen }) => ({ field: name, ...timed(seen) })),
    raw: status.raw.map(timed),
  };
}

const QUERY = z.strictObject({
  key: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().describe('Only the key with this number'),
});

const REPLY = z.strictObject({ uploads: z.array(statusFields) });

export function listUploadsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listUploadStatus = useCase(ListUploadStatus);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/uploads',
    summary: 'Show the uploads of each key',
    description:
      'For each key, sorted by number: the last uploads, the last error, and the fields that are not stored.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    query: QUERY,
    success: {
      kind: 'json',
      status: 200,
      message: 'Uploads.',
      schema: REPLY,
    },
    errors: ['REQUEST_INVALID'],
    call: async ({ query: { key } }) => ({
      uploads: (await listUploadStatus.execute(key)).map(toStatusFields),
    }),
  });
}
