import { z } from 'zod';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import type { IssuedUploadKey } from '#application/uploads/keys/key-view.js';
import { ListUploadKeys } from '#application/uploads/keys/list-upload-keys.js';
import { MapUploadFields } from '#application/uploads/keys/map-upload-fields.js';
import { RevokeUploadKey } from '#application/uploads/keys/revoke-upload-key.js';
import {
  DEFAULT_OVERLAP,
  MAX_OVERLAP,
  RotateUploadKey,
} from '#application/uploads/keys/rotate-upload-key.js';
import { instructionsFor } from '#application/uploads/setup/instructions.js';
import { addressesOver, type UploadReach } from '#application/uploads/setup/upload-addresses.js';
import { MAX_MAPPINGS } from '#domain/uploads/field-mapping.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import {
  keyNumber,
  noteText,
  sentMapping,
  sentSettings,
  toKeySettings,
  toUploadKeyFields,
  uploadKeyFields,
} from './upload-key-fields.js';

const text = () => z.string().optional();

/** A new secret of a key, and what to type into each make of console and software. */
const madeKeyFields = z.strictObject({
  upload_key: uploadKeyFields,
  key: z.string().describe('The secret. It is not stored and is shown only in this reply'),
  endpoints: z
    .array(
      z.strictObject({
        make: z.string().describe('Make of console or software'),
        where: z.string().describe('Where its form or file is'),
        protocol: text(),
        server: text(),
        path: text(),
        port: z.int().optional(),
        id: text(),
        password: text(),
        interval: z.int().optional().describe('Seconds between two uploads'),
        text: text().describe('To copy as it stands: a section of a file, a URL, a command'),
        note: text(),
        missing: text().describe('Why this make cannot send yet, and the setting to change'),
      }),
    )
    .describe('What to type into each make, for the address by which this API was reached'),
  warnings: z
    .array(z.string())
    .describe('What keeps senders from reaching the service or from being stored, and what to change'),
});

/** @param host the `Host` of the request */
function toMadeKeyFields(
  { key, secret }: IssuedUploadKey,
  reach: UploadReach,
  host: string,
): z.infer<typeof madeKeyFields> {
  const { addresses, warnings } = addressesOver(reach, host);
  const endpoints = instructionsFor({ station: key.station ?? '', key: secret }, addresses);
  return {
    upload_key: toUploadKeyFields(key),
    key: secret,
    endpoints: [...endpoints],
    warnings: key.rainWarning === null ? [...warnings] : [key.rainWarning, ...warnings],
  };
}

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
      const made = await addUploadKey.execute({ ...body, settings: toKeySettings(settings) }, caller);
      return toMadeKeyFields(made, uploadReach, host);
    },
  });
}

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
        { number, ...(mappings && { mappings }), settings: toKeySettings(settings) },
        caller,
      );
      return { upload_key: toUploadKeyFields(key) };
    },
  });
}

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
