import { z } from 'zod';
import {
  DEFAULT_OVERLAP,
  MAX_OVERLAP,
  RotateUploadKey,
} from '#application/uploads/keys/rotate-upload-key.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { madeKeyFields, toMadeKeyFields } from './made-key-fields.js';
import { keyNumber } from './upload-key-fields.js';

export function rotateUploadKeyEndpoint({ useCase, uploadReach }: ExternalContext): AnyEndpoint {
  const rotateUploadKey = useCase(RotateUploadKey);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/upload-keys/{id}/rotate',
    operationId: 'rotateUploadKey',
    summary: 'Replace the secret of an upload key',
    description:
      'Number, mappings and status stay. Both secrets are accepted during the overlap, so that there is time to type ' +
      'the new one into the console.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: keyNumber,
    body: {
      kind: 'json',
      schema: z.strictObject({
        overlap: z
          .int()
          .min(0)
          .max(MAX_OVERLAP)
          .default(DEFAULT_OVERLAP)
          .describe('Seconds for which the present secret is accepted too'),
      }),
      example: { overlap: DEFAULT_OVERLAP },
      limit: 1024,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'Rotated. The key is not shown again.',
      schema: madeKeyFields,
    },
    errors: ['REQUEST_INVALID', 'UPLOAD_KEY_UNKNOWN'],
    call: async ({ params: { id: number }, body: { overlap }, caller, host }) =>
      toMadeKeyFields(await rotateUploadKey.execute({ number, overlap }, caller), uploadReach, host),
  });
}
