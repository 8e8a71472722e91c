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
  id: z.string().describe('Id for the approval'),
  sent_id: z.string().nullable().describe('Station id that the sender has sent'),
  dialect: z.string(),
  model: z.string().nullable(),
  address: z.string(),
  first_seen: utcTimestamp(),
  last_seen: utcTimestamp(),
  count: z.int().positive().describe('Number of uploads of the sender'),
  readings: z.array(z.string()).describe('Some values, so that a person can recognize the sender'),
  wrong_key: z
    .boolean()
    .describe(
      'Whether the key of the sender is wrong: its uploads are refused, or a station with the sent id exists',
    ),
  approvable: z
    .boolean()
    .describe(
      'Whether the sender can be approved. A sender without an identity of its own, or with a wrong key, cannot be approved: it needs a key',
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

const LIST_PENDING_UPLOADS_REPLY = z.strictObject({ pending: z.array(pendingFields) });

export function listPendingUploadsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listPendingUploads = useCase(ListPendingUploads);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/uploads/pending',
    summary: 'List the senders without a valid key',
    description:
      `The last ${MAX_PENDING} senders without a key, or with a wrong key, in the last day, the most recent first. Their observations are ` +
      'not stored.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'Pending senders.',
      schema: LIST_PENDING_UPLOADS_REPLY,
    },
    errors: [],
    call: async () => ({ pending: (await listPendingUploads.execute()).map(toPendingFields) }),
  });
}

const APPROVE_PENDING_UPLOAD_PARAMS = z.strictObject({
  id: z.string().max(64).describe('`id` of the pending sender'),
});

const APPROVE_PENDING_UPLOAD_BODY = z.strictObject({
  station: z.string().describe('Id of the station that receives the observations'),
  note: noteText(),
});

const APPROVE_PENDING_UPLOAD_REPLY = z.strictObject({ upload_key: uploadKeyFields });

export function approvePendingUploadEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const approvePendingUpload = useCase(ApprovePendingUpload);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/uploads/pending/{id}/approve',
    operationId: 'approvePendingUpload',
    summary: 'Accept a sender without a key',
    description:
      'Creates a weak key, whose secret is the identity that the sender already sends, for example a PASSKEY. The key is accepted only ' +
      'at the port for uploads. Everybody who knows this secret can write to the station: a key that is typed into the console is safer.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: APPROVE_PENDING_UPLOAD_PARAMS,
    body: {
      kind: 'json',
      schema: APPROVE_PENDING_UPLOAD_BODY,
      example: { station: 'JFK', note: 'console on the roof' },
      limit: 16_384,
    },
    success: {
      kind: 'json',
      status: 201,
      message: 'Approved.',
      schema: APPROVE_PENDING_UPLOAD_REPLY,
    },
    errors: ['REQUEST_INVALID', 'UPLOAD_SENDER_UNKNOWN', 'STATION_UNKNOWN', 'UPLOAD_KEY_EXISTS'],
    call: async ({ params: { id }, body, caller }) => ({
      upload_key: toUploadKeyFields(await approvePendingUpload.execute({ id, ...body }, caller)),
    }),
  });
}
