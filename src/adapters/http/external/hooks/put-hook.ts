import { z } from 'zod';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { DomainError } from '#domain/domain-error.js';
import { type Target, UPLOAD_PROTOCOLS } from '#domain/hooks/target.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { hookFields, hookName, toHookFields } from './hook-fields.js';

const sentHook = z.strictObject({
  stations: z
    .array(z.string())
    .nullable()
    .describe('Ids of the stations whose rows it gets; null for all stations, later ones included'),
  post: z
    .strictObject({
      url: z.string().describe('https or http, without a user and a password'),
      secret: z.string().exactOptional().describe('16 to 200 characters of ASCII; signs the messages'),
    })
    .exactOptional()
    .describe('Each row is posted to this URL as JSON'),
  upload: z
    .strictObject({
      service: z.enum(UPLOAD_PROTOCOLS),
      account: z.string().describe('Id of the station at the service'),
      key: z.string().describe('Password or key of the station at the service'),
    })
    .exactOptional()
    .describe('The newest row is sent to this weather service'),
});

export function putHookEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const addHook = useCase(AddHook);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/hooks/{name}',
    summary: 'Make or replace a hook',
    description:
      'Forwards the rows of stations that are newer than the hook, either to a URL or to a weather service. Only the ' +
      'command line of the machine of the service makes hooks that run a program or that reach private addresses. A hook ' +
      'that is replaced goes on where it was if its stations are the same; otherwise it begins anew.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: hookName,
    body: {
      kind: 'json',
      schema: sentHook,
      example: { stations: ['JFK'], post: { url: 'https://example.org/hook' } },
      limit: 16_384,
    },
    success: { kind: 'json', status: 200, message: 'Stored.', schema: z.strictObject({ hook: hookFields }) },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ params: { name }, body, caller }) => {
      const input = { name, stations: body.stations, target: targetOf(body) };
      const hook = await addHook.execute(input, caller, true);
      return { hook: toHookFields(hook) };
    },
  });
}

function targetOf({ post, upload }: z.infer<typeof sentHook>): Target {
  // A caller of the API must reach neither programs of the machine nor what is in its networks.
  const allowPrivate = false;
  if (post !== undefined && upload === undefined) return { kind: 'post', ...post, allowPrivate };
  if (upload !== undefined && post === undefined) {
    const { service, account, key } = upload;
    return { kind: 'upload', protocol: service, account, key, allowPrivate };
  }
  throw new DomainError('REQUEST_INVALID', 'A hook has one target: either post or upload.');
}
