import { z } from 'zod';
import { ListUploadKeys } from '#application/uploads/keys/list-upload-keys.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { toUploadKeyFields, uploadKeyFields } from './upload-key-fields.js';

export function listUploadKeysEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listUploadKeys = useCase(ListUploadKeys);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/upload-keys',
    summary: 'List the upload keys',
    description: 'By rising number, without their secrets.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    query: z.strictObject({
      station: z.string().optional().describe('Only keys of the station with this id'),
    }),
    success: {
      kind: 'json',
      status: 200,
      message: 'Upload keys.',
      schema: z.strictObject({ upload_keys: z.array(uploadKeyFields) }),
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ query: { station } }) => ({
      upload_keys: (await listUploadKeys.execute(station)).map(toUploadKeyFields),
    }),
  });
}
