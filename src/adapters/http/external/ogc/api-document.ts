import type { z } from 'zod';
import { lengthsOf } from '#adapters/http/core/request/sent-fields.js';
import { JSON_TYPE } from '#adapters/http/core/reply/reply.js';
import { type Json, toSchema } from '#adapters/http/core/openapi/schema.js';
import type { DialectContext } from '../dialect.js';
import { collectionsWith } from './addresses.js';
import { ROUTES, type RouteName } from './routes.js';
import { FORMATS, type Kind, QUERIES } from './query-fields.js';

const KINDS: Readonly<Record<RouteName, Kind>> = {
  landing: 'document',
  conformance: 'document',
  api: 'api',
  collections: 'document',
  collection: 'document',
  items: 'features',
  item: 'features',
  locations: 'features',
  location: 'data',
  position: 'data',
  radius: 'data',
  area: 'data',
  cube: 'data',
};

/** The statuses of errors, and what they mean. */
const ERRORS = {
  400: 'The query is invalid.',
  401: 'The token is missing or invalid.',
  404: 'There is no such collection, station or forecast.',
  406: 'The resource does not exist in an accepted media type.',
  413: 'The reply would have too many values.',
  429: 'There are too many requests. `Retry-After` has the seconds to wait.',
  500: 'The service has failed.',
  503: 'The service cannot answer at the moment.',
} as const;

/**
 * The OpenAPI 3.0 document of the dialect, which OGC API - Features and EDR 1.1 require. The document of the service is version 3.1.
 *
 * @param address address of the service
 */
export function apiDocument({ version, readAccess }: DialectContext, address: string): Json {
  const needsToken = readAccess !== 'optional-token';
  const paths = (Object.keys(ROUTES) as RouteName[]).map((name) => {
    const { path, summary, isPublic } = ROUTES[name];
    const security = needsToken ? [{ token: [] }] : [{}, { token: [] }];
    const operation = {
      operationId: name,
      summary,
      ...(!isPublic && { security }),
      parameters: [...pathParameters(name), ...queryParameters(QUERIES[name])],
      responses: {
        200: {
          description: summary,
          content: Object.fromEntries(
            Object.values<string>(FORMATS[KINDS[name]]).map((type) => [type, { schema: schemaOf(type) }]),
          ),
        },
        304: { description: 'The client has the current version.' },
        ...Object.fromEntries(
          Object.keys(ERRORS)
            .filter((status) => !isPublic || status !== '401')
            .map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
        ),
      },
    };
    return [path, { get: operation }] as const;
  });
  return {
    openapi: '3.0.3',
    info: {
      title: 'weatherd as OGC API - Features 1.0 and OGC API - EDR 1.1',
      version,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: address }],
    security: [],
    paths: Object.fromEntries(paths),
    components: {
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [
          nameOf(status),
          {
            description,
            content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Exception' } } },
          },
        ]),
      ),
      schemas: {
        Exception: {
          type: 'object',
          required: ['code'],
          properties: { code: { type: 'string' }, description: { type: 'string' } },
        },
      },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token from POST /v1/auth/authenticate/ of the API of weatherd.',
        },
      },
    },
  };
}

const nameOf = (status: string) => `Error${status}`;

function schemaOf(mediaType: string): Json {
  return mediaType.endsWith('/csv') ? { type: 'string' } : { type: 'object' };
}

function pathParameters(name: RouteName): Json[] {
  const described: Readonly<Record<string, { readonly text: string; readonly schema: Json }>> = {
    collection: { text: 'Id of the collection', schema: { type: 'string', enum: collectionsWith(name) } },
    id: { text: 'Id of the station', schema: { type: 'string' } },
  };
  return [...ROUTES[name].path.matchAll(/\{(\w+)\}/g)].flatMap(([, field = '']) => {
    const { text, schema } = described[field] as (typeof described)[string];
    return { name: field, in: 'path', required: true, description: text, schema };
  });
}

function queryParameters(fields: z.ZodObject): Json[] {
  const lengths = lengthsOf(fields);
  return Object.entries(fields.shape).map(([name, field]) => {
    const { description, ...form } = toSchema(field as z.ZodType, 'input', () => undefined);
    const isText = form['type'] === 'string' && form['enum'] === undefined;
    return {
      name,
      in: 'query',
      required: !(field as z.ZodType).safeParse(undefined).success,
      ...(description !== undefined && { description }),
      ...(form['type'] === 'array' && { style: 'form', explode: false }),
      schema: isText ? { ...form, maxLength: lengths.get(name) } : form,
    };
  });
}
