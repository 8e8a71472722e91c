import { z } from 'zod';
import { GetInfo } from '#application/operation/get-info.js';
import type { ApiContext } from '../core/api-context.js';
import { type AnyEndpoint, jsonEndpoint } from '../core/endpoint.js';

const SEMANTIC_VERSION = /^\d+\.\d+\.\d+$/;

const REPLY = z.strictObject({
  version: z.string().regex(SEMANTIC_VERSION).describe('Version of the service'),
  name: z.string().describe('Name of this API. The external and the internal API have different names'),
  repository: z.url().describe('URL of the source code'),
});

export function getInfoEndpoint({ useCase, name: api }: ApiContext): AnyEndpoint {
  const getInfo = useCase(GetInfo);
  return jsonEndpoint({
    method: 'GET',
    path: '/',
    summary: 'Get the name and version of the service',
    access: 'public',
    ignoresQuery: true,
    success: {
      kind: 'json',
      status: 200,
      message: `Welcome to the ${api} API of weatherd.`,
      schema: REPLY,
    },
    errors: [],
    call: () => getInfo.execute(api),
  });
}
