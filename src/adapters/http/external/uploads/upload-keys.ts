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
import { type AnyEndpoint, contentEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { changedInMeantime } from '#domain/domain-error.js';
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
import { expectedText, versionedContent, versionedSuccess } from '../versions.js';

const text = () => z.string().optional();

/** The schema of a key with its new secret and the settings for each console or software. */
const madeKeyFields = z.strictObject({
  upload_key: uploadKeyFields,
  key: z.string().describe('The secret. It is not stored and is shown only in this reply'),
  endpoints: z
    .array(
      z.strictObject({
        profile: z.string().describe('Stable name for programs'),
        make: z.string().describe('Name of the console or software'),
        where: z.string().describe('Location of the form or file for these settings'),
        protocol: text(),
        server: text(),
        path: text(),
        port: z.int().optional(),
        id: text(),
        password: text(),
        interval: z.int().optional().describe('Seconds between two uploads'),
        words: z
          .record(z.string(), z.string())
          .optional()
          .describe('Words for the fields on the screen of the console, by field'),
        text: text().describe('Text to copy unchanged: a section of a file, a URL or a command'),
        note: text(),
        missing: text().describe(
          'Reason why this console or software cannot send yet, and the setting to change',
        ),
      }),
    )
    .describe('Settings for each console or software. They use the address of this request'),
  warnings: z
    .array(z.string())
    .describe('Problems that prevent uploads from arriving or from being stored, and the settings to change'),
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

const LIST_UPLOAD_KEYS_QUERY = z.strictObject({
  station: z.string().optional().describe('Only keys of the station with this id'),
});

const LIST_UPLOAD_KEYS_REPLY = z.strictObject({ upload_keys: z.array(uploadKeyFields) });

export function listUploadKeysEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listUploadKeys = useCase(ListUploadKeys);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/upload-keys',
    summary: 'List the upload keys',
    description: 'The keys are sorted by number and shown without their secrets.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    query: LIST_UPLOAD_KEYS_QUERY,
    success: {
      kind: 'json',
      status: 200,
      message: 'Upload keys.',
      schema: LIST_UPLOAD_KEYS_REPLY,
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ query: { station } }) => ({
      upload_keys: (await listUploadKeys.execute(station)).map(toUploadKeyFields),
    }),
  });
}

const POST_UPLOAD_KEY_BODY = z.strictObject({
  station: z.string().describe('Id of the station to which the key writes'),
  note: noteText(),
  settings: sentSettings.default({}),
});

export function postUploadKeyEndpoint({ useCase, uploadReach }: ExternalContext): AnyEndpoint {
  const addUploadKey = useCase(AddUploadKey);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/upload-keys',
    operationId: 'addUploadKey',
    summary: 'Create an upload key',
    description:
      'The key can only write observations of one station. Consoles and weather software send it to the port for uploads; a ' +
      'script sends it as a bearer token to `POST /v1/stations/{id}/observations`. A station may have several keys.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    body: {
      kind: 'json',
      schema: POST_UPLOAD_KEY_BODY,
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
      return toMadeKeyFields(made, uploadReach(), host);
    },
  });
}

const ROTATE_UPLOAD_KEY_BODY = z.strictObject({
  overlap: z
    .int()
    .min(0)
    .max(MAX_OVERLAP)
    .default(DEFAULT_OVERLAP)
    .describe('Seconds for which the old secret is accepted too'),
});

export function rotateUploadKeyEndpoint({ useCase, uploadReach }: ExternalContext): AnyEndpoint {
  const rotateUploadKey = useCase(RotateUploadKey);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/upload-keys/{id}/rotate',
    operationId: 'rotateUploadKey',
    summary: 'Replace the secret of an upload key',
    description:
      'The number, the mappings and the status of the key do not change. Both secrets are accepted during the overlap, so that there ' +
      'is time to type the new secret into the console.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: keyNumber,
    body: {
      kind: 'json',
      schema: ROTATE_UPLOAD_KEY_BODY,
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
      toMadeKeyFields(await rotateUploadKey.execute({ number, overlap }, caller), uploadReach(), host),
  });
}

const THE_MAPPINGS = 'Mappings and settings.';

const GET_UPLOAD_MAPPINGS_SUCCESS = versionedSuccess(
  THE_MAPPINGS,
  z.strictObject({ mappings: uploadKeyFields.shape.mappings, settings: uploadKeyFields.shape.settings }),
);

export function getUploadMappingsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listUploadKeys = useCase(ListUploadKeys);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/upload-keys/{id}/mappings',
    summary: 'Show the mappings of an upload key',
    description: 'A request that replaces the mappings or settings can send the ETag in If-Match.',
    access: ELEVATED_ADMINISTRATOR,
    params: keyNumber,
    success: GET_UPLOAD_MAPPINGS_SUCCESS,
    errors: ['REQUEST_INVALID', 'UPLOAD_KEY_UNKNOWN'],
    call: async ({ params: { id } }) => {
      const found = await listUploadKeys.find(id);
      const { mappings, settings } = toUploadKeyFields(found.key);
      return versionedContent(THE_MAPPINGS, found.text, { mappings, settings });
    },
  });
}

const PUT_UPLOAD_MAPPINGS_BODY = z.strictObject({
  mappings: z
    .array(sentMapping)
    .max(MAX_MAPPINGS)
    .optional()
    .describe('All mappings of the key. Default: the mappings do not change'),
  settings: sentSettings.default({}),
});

const PUT_UPLOAD_MAPPINGS_REPLY = z.strictObject({ upload_key: uploadKeyFields });

export function putUploadMappingsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listUploadKeys = useCase(ListUploadKeys);
  const mapUploadFields = useCase(MapUploadFields);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/upload-keys/{id}/mappings',
    summary: 'Map fields of the uploads of a key',
    description:
      'Replaces all mappings of the key and changes its settings. A mapping assigns a field of the uploads (channel sensors, ' +
      'indoor sensors, unknown fields) to a variable. It applies to later uploads; stored rows do not change. `GET /v1/uploads` ' +
      'lists the fields that are not mapped. If-Match needs the ETag of `GET /v1/upload-keys/{id}/mappings`.',
    access: ELEVATED_ADMINISTRATOR,
    conditional: true,
    isSecret: true,
    params: keyNumber,
    body: {
      kind: 'json',
      schema: PUT_UPLOAD_MAPPINGS_BODY,
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
      schema: PUT_UPLOAD_MAPPINGS_REPLY,
    },
    errors: ['REQUEST_INVALID', 'UPLOAD_KEY_UNKNOWN', 'STATION_UNKNOWN'],
    call: async ({ params: { id: number }, body: { mappings, settings }, caller, conditions }) => {
      const current = async () => (await listUploadKeys.find(number)).text;
      const changed = () => changedInMeantime('upload key', String(number));
      const expected = await expectedText(conditions, current, 'UPLOAD_KEY_UNKNOWN', changed);
      const key = await mapUploadFields.execute(
        { number, ...(mappings && { mappings }), settings: toKeySettings(settings) },
        caller,
        expected ?? undefined,
      );
      return { upload_key: toUploadKeyFields(key) };
    },
  });
}

const DELETE_UPLOAD_KEY_REPLY = z.strictObject({
  warnings: z.array(z.string()).describe('Warnings about the rain of the other keys of the station'),
});

export function deleteUploadKeyEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const revokeUploadKey = useCase(RevokeUploadKey);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/upload-keys/{id}',
    summary: 'Revoke an upload key',
    description:
      'Revokes the key permanently and removes its mappings and its status. The observations that it has written are kept.',
    access: ELEVATED_ADMINISTRATOR,
    params: keyNumber,
    success: {
      kind: 'json',
      status: 200,
      message: 'Revoked.',
      schema: DELETE_UPLOAD_KEY_REPLY,
    },
    errors: ['REQUEST_INVALID', 'UPLOAD_KEY_UNKNOWN'],
    call: async ({ params: { id }, caller }) => {
      return { warnings: [...(await revokeUploadKey.execute(id, caller))] };
    },
  });
}
