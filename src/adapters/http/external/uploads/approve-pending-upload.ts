import { z } from 'zod';
import { ApprovePendingUpload } from '#application/uploads/pending/approve-pending-upload.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { noteText, toUploadKeyFields, uploadKeyFields } from './upload-key-fields.js';

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
