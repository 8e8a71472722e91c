import { z } from 'zod';
import { ApprovePendingUpload } from '#application/uploads/pending/approve-pending-upload.js';
import { ListPendingUploads, type PendingView } from '#application/uploads/pending/list-pending-uploads.js';
import { MAX_PENDING } from '#domain/uploads/pending-sender.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { noteText, toUploadKeyFields, uploadKeyFields } from './upload-key-fields.js';

const pendingFields = z.strictObject({
  id: z.string().describe('By which it is approved'),
  sent_id: z.string().nullable().describe('Id of a station that it has sent, unless it is a public one'),
  dialect: z.string(),
  model: z.string().nullable(),
  address: z.string(),
  first_seen: utcTimestamp(),
  last_seen: utcTimestamp(),
  count: z.int().positive().describe('Number of its uploads'),
  readings: z.array(z.string()).describe('Values by which people recognize it'),
  wrong_key: z
    .boolean()
    .describe('Whether there is a station with this id, so that the key of the sender is wrong'),
  approvable: z
    .boolean()
    .describe(
      'Whether it can be approved. It cannot if it sends nothing that tells it from others: it needs a key',
    ),
});

function toPendingFields(pending: PendingView): z.infer<typeof pendingFields> {
  const {
    id,
    sentId,
    dialect,
    model,
    address,
    firstSeen,
    lastSeen,
    count,
    readings,
    canBeApproved,
    isWrongKey,
  } = pending;
  return {
    id,
    sent_id: sentId,
    dialect,
    model,
    address,
    first_seen: new Date(firstSeen).toISOString(),
    last_seen: new Date(lastSeen).toISOString(),
    count,
    readings: [...readings],
    wrong_key: isWrongKey,
    approvable: canBeApproved,
  };
}

export function listPendingUploadsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listPendingUploads = useCase(ListPendingUploads);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/uploads/pending',
    summary: 'List the senders without a key',
    description:
      `The last ${MAX_PENDING} senders of the last day that have no key, the last seen first. Their observations are ` +
      'not stored.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'Pending senders.',
      schema: z.strictObject({ pending: z.array(pendingFields) }),
    },
    errors: [],
    call: async () => ({ pending: (await listPendingUploads.execute()).map(toPendingFields) }),
  });
}

export function approvePendingUploadEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const approvePendingUpload = useCase(ApprovePendingUpload);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/uploads/pending/{id}/approve',
    operationId: 'approvePendingUpload',
    summary: 'Accept a sender without a key',
    description:
      'Makes a weak key whose secret is what the sender sends anyway. It is accepted at the port for uploads only. ' +
      'Anybody who knows this secret, such as a PASSKEY, can write the station: a typed key is safer.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: z.strictObject({ id: z.string().max(64).describe('`id` of the pending sender') }),
    body: {
      kind: 'json',
      schema: z.strictObject({
        station: z.string().describe('Id of the station that gets its observations'),
        note: noteText(),
      }),
      example: { station: 'JFK', note: 'console on the roof' },
      limit: 16_384,
    },
    success: {
      kind: 'json',
      status: 201,
      message: 'Approved.',
      schema: z.strictObject({ upload_key: uploadKeyFields }),
    },
    errors: ['REQUEST_INVALID', 'UPLOAD_SENDER_UNKNOWN', 'STATION_UNKNOWN', 'UPLOAD_KEY_EXISTS'],
    call: async ({ params: { id }, body, caller }) => ({
      upload_key: toUploadKeyFields(await approvePendingUpload.execute({ id, ...body }, caller)),
    }),
  });
}
