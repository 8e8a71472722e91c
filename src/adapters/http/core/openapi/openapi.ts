import type { AnyEndpoint } from '../endpoint.js';
import type { ApiDescription } from './api-description.js';
import { Components } from './components.js';
import { describeOperation } from './describe-operation.js';
import { errorSchema } from './describe-errors.js';
import type { Json } from './schema.js';

/** Builds the OpenAPI 3.1 document of an API. Equal declarations give the same text. */
export function describeApi(api: ApiDescription, endpoints: readonly AnyEndpoint[]): Json {
  const components = new Components();
  components.addSchema('Error', errorSchema());
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const operation = describeOperation(endpoint, api, components);
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation;
  }
  const schemes = securitySchemes(api, endpoints);
  return {
    openapi: '3.1.1',
    info: { title: api.title, version: api.version, description: api.description, license: LICENSE },
    servers: [{ url: '/', description: 'The service that sent this document' }],
    security: api.secured ? [{ bearer: [] }] : [],
    ...(api.tags && { tags: api.tags.map(({ name, description }) => ({ name, description })) }),
    paths: components.shareParameters(paths),
    components: {
      ...components.all(),
      ...(Object.keys(schemes).length > 0 && { securitySchemes: schemes }),
    },
  };
}

const LICENSE = { name: 'MIT', identifier: 'MIT' };

function securitySchemes({ secured }: ApiDescription, endpoints: readonly AnyEndpoint[]): Json {
  const accesses = endpoints.flatMap(({ access }) => (typeof access === 'string' ? [] : [access]));
  const token = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' };
  return {
    ...(secured && {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'The value of the setting WEATHERD_INTERNAL_SECRET.',
      },
    }),
    ...(accesses.some(({ level }) => level === 0) && {
      token: { ...token, description: 'A token from POST /v1/auth/authenticate/.' },
    }),
    ...(accesses.some(({ level }) => level > 0) && {
      elevatedToken: {
        ...token,
        description: 'A token from POST /v1/auth/elevate/. It is valid for a few minutes.',
      },
    }),
    ...(accesses.some(({ uploadKey }) => uploadKey === true) && {
      uploadKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An upload key. It can only write observations of one station.',
      },
    }),
  };
}
