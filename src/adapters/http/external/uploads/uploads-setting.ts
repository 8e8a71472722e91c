import { z } from 'zod';
import { DomainError } from '#domain/domain-error.js';
import { UPLOADS_REACHES } from '#domain/uploads/uploads-reach.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';

const reach = z
  .enum(UPLOADS_REACHES)
  .describe(
    '`off`: no listener. `loopback`: only programs on the machine of the service reach it. `network`: consoles in the network ' +
      'reach it over plain HTTP, so others in this network can read upload keys',
  );

const listening = z
  .strictObject({
    reach,
    source: z
      .enum(['default', 'data', 'file', 'environment'])
      .describe('Where the setting comes from. The environment overrides the file, which overrides the data'),
    host: z.string().describe('The address on which it listens, or would listen'),
    port: z.int().min(0).max(65_535),
  })
  .meta({ id: 'UploadListening' });

export function getUploadsSettingEndpoint({ uploads }: ExternalContext): AnyEndpoint {
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/settings/uploads',
    summary: 'Show whether consoles can send uploads',
    access: ELEVATED_ADMINISTRATOR,
    success: { kind: 'json', status: 200, message: 'The listener for uploads.', schema: listening },
    errors: [],
    call: () => uploads.state(),
  });
}

const PUT_UPLOADS_SETTING_BODY = z.strictObject({ reach });

export function putUploadsSettingEndpoint({ uploads }: ExternalContext): AnyEndpoint {
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/settings/uploads',
    summary: 'Switch uploads on or off',
    description:
      'Takes effect at once, and is kept in the data for the next start. If the file of settings or the environment sets ' +
      '`WEATHERD_UPLOADS_ENABLED`, `WEATHERD_UPLOADS_HOST` or `WEATHERD_UPLOADS_INSECURE`, they cannot be changed here.',
    access: ELEVATED_ADMINISTRATOR,
    body: {
      kind: 'json',
      schema: PUT_UPLOADS_SETTING_BODY,
      example: { reach: 'network' },
      limit: 1024,
    },
    success: { kind: 'json', status: 200, message: 'The listener for uploads.', schema: listening },
    errors: ['REQUEST_INVALID', 'SETTING_FIXED', 'LISTENER_UNAVAILABLE'],
    call: async ({ body, caller }) => {
      const change = await uploads.change(body.reach, caller);
      if ('refused' in change) throw new DomainError(change.refused.code, change.refused.message);
      return change.listening;
    },
  });
}
