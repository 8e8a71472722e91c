import { z } from 'zod';
import { RevokeUploadKey } from '#application/uploads/keys/revoke-upload-key.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { keyNumber } from './upload-key-fields.js';

export function deleteUploadKeyEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const revokeUploadKey = useCase(RevokeUploadKey);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/upload-keys/{id}',
    summary: 'Revoke an upload key',
    description: 'Permanently, with its mappings and its status. The observations that it has written stay.',
    access: ELEVATED_ADMINISTRATOR,
    params: keyNumber,
    success: {
      kind: 'json',
      status: 200,
      message: 'Revoked.',
      schema: z.strictObject({
        warnings: z
          .array(z.string())
          .describe('What is to be known about the rain of the other keys of its station'),
      }),
    },
    errors: ['REQUEST_INVALID', 'UPLOAD_KEY_UNKNOWN'],
    call: async ({ params: { id }, caller }) => {
      return { warnings: [...(await revokeUploadKey.execute(id, caller))] };
    },
  });
}
