import { z } from 'zod';
import { MapUploadFields } from '#application/uploads/keys/map-upload-fields.js';
import { MAX_MAPPINGS } from '#domain/uploads/field-mapping.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import {
  keyNumber,
  sentMapping,
  sentSettings,
  toSettings,
  toUploadKeyFields,
  uploadKeyFields,
} from './upload-key-fields.js';

export function putUploadMappingsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const mapUploadFields = useCase(MapUploadFields);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/upload-keys/{id}/mappings',
    summary: 'Map fields of the uploads of a key',
    description:
      'Replaces all mappings of the key, and changes its settings. Mappings are fields of its uploads (channel sensors, ' +
      'indoor sensors, unknown fields) and the variables that get their values from now on. Stored rows do not ' +
      'change. `GET /v1/uploads` lists the fields that are not mapped.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: keyNumber,
    body: {
      kind: 'json',
      schema: z.strictObject({
        mappings: z
          .array(sentMapping)
          .max(MAX_MAPPINGS)
          .optional()
          .describe('Replace all mappings. Default: they stay'),
        settings: sentSettings.default({}),
      }),
      example: {
        mappings: [
          {
            field: 'soilmoisture1',
            variable: 'volume_fraction_of_condensed_water_in_soil_pores',
            scale: 0.01,
          },
          { field: 'lightning_num', variable: 'lightning_strike_count', counter: true },
        ],
      },
      limit: 65_536,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'The key is as described.',
      schema: z.strictObject({ upload_key: uploadKeyFields }),
    },
    errors: ['REQUEST_INVALID', 'UPLOAD_KEY_UNKNOWN', 'STATION_UNKNOWN'],
    call: async ({ params: { id: number }, body: { mappings, settings }, caller }) => {
      const key = await mapUploadFields.execute(
        { number, ...(mappings && { mappings }), settings: toSettings(settings) },
        caller,
      );
      return { upload_key: toUploadKeyFields(key) };
    },
  });
}
