import { z } from 'zod';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { madeKeyFields, toMadeKeyFields } from './made-key-fields.js';
import { noteText, sentSettings, toSettings } from './upload-key-fields.js';

export function postUploadKeyEndpoint({ useCase, uploadReach }: ExternalContext): AnyEndpoint {
  const addUploadKey = useCase(AddUploadKey);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/upload-keys',
    operationId: 'addUploadKey',
    summary: 'Make an upload key',
    description:
      'The key writes observations of one station and can do nothing else. Consoles and weather software send it to ' +
      'the port for uploads; a script sends it as bearer token to `POST /v1/stations/{id}/observations`. A station ' +
      'may have many keys.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    body: {
      kind: 'json',
      schema: z.strictObject({
        station: z.string().describe('Id of the station that the key writes'),
        note: noteText(),
        settings: sentSettings.default({}),
      }),
      example: { station: 'JFK', note: 'console on the roof' },
      limit: 16_384,
    },
    success: {
      kind: 'json',
      status: 201,
      message: 'Made. The key is not shown again.',
      schema: madeKeyFields,
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ body: { settings, ...body }, caller, host }) => {
      const made = await addUploadKey.execute({ ...body, settings: toSettings(settings) }, caller);
      return toMadeKeyFields(made, uploadReach, host);
    },
  });
}
