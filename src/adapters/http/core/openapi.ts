import { z } from 'zod';
import { BASIC_TOKEN_LEVEL } from '../../../domain/accounts/access-token.js';
import { type AnyEndpoint, type DocumentSuccess, envelope } from './endpoint.js';
import { type ErrorCode, STATUS } from './errors.js';
import { JSON_TYPE } from './reply/reply.js';
import { mediaTypeOf } from './request/body.js';

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Whether every route needs a bearer token. */
  readonly secured: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** Makes the OpenAPI 3.1 document of an API. Equal declarations give equal text. */
export function describeApi(api: ApiDescription, endpoints: readonly AnyEndpoint[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describeEndpoint(endpoint);
  }
  const schemes = {
    ...(api.secured && { bearer: { type: 'http', scheme: 'bearer' } }),
    ...(endpoints.some(({ access }) => access !== 'public') && {
      token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    }),
    ...(endpoints.some(acceptsUploadKey) && { uploadKey: UPLOAD_KEY_SCHEME }),
  };
  return {
    openapi: '3.1.1',
    info: { title: api.title, version: api.version, description: api.description, license: LICENSE },
    ...(api.secured && { security: [{ bearer: [] }] }),
    paths,
    components: {
      schemas: { Error: errorSchema() },
      ...(Object.keys(schemes).length > 0 && { securitySchemes: schemes }),
    },
  };
}

const UPLOAD_KEY_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description: 'An upload key: it writes observations of one station and can do nothing else.',
};

const LICENSE = { name: 'MIT', identifier: 'MIT' };

function describeEndpoint(endpoint: AnyEndpoint): Json {
  const { method, path, summary, body } = endpoint;
  const description = [endpoint.description, describeAccess(endpoint)].filter(Boolean).join(' ');
  const parameters = [...describeFields(endpoint.params, 'path'), ...describeFields(endpoint.query, 'query')];
  return {
    operationId: operationId(method, path),
    summary,
    ...(description !== '' && { description }),
    ...(endpoint.access !== 'public' && {
      security: [{ token: [] }, ...(acceptsUploadKey(endpoint) ? [{ uploadKey: [] }] : [])],
    }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: describeBody(body) } }),
    responses: { ...describeSuccesses(endpoint), ...describeErrors(endpoint) },
  };
}

function acceptsUploadKey({ access }: AnyEndpoint): boolean {
  return access !== 'public' && access.uploadKey === true;
}

/** The required role, where a signed-in user is not enough. */
function describeAccess({ access }: AnyEndpoint): string {
  if (access === 'public') return '';
  if (access.uploadKey === true) return 'For writers of the station, and with an upload key of the station.';
  return { reader: '', writer: 'For writers of the station.', administrator: 'For administrators.' }[
    access.role
  ];
}

/** `POST /v1/auth/authenticate/` → `postAuthAuthenticate`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '' && !/^v\d+$/.test(word));
  if (words.length === 0) words.push('info');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function describeFields(fields: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(fields?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: toSchema(field as z.ZodType, 'input'),
  }));
}

function describeBody(body: NonNullable<AnyEndpoint['body']>): Json {
  if (body.kind === 'bytes' || body.kind === 'stream') return { [body.mediaType]: {} };
  const text = body.kind === 'json' && body.text !== undefined ? { [body.text]: {} } : {};
  return { [mediaTypeOf(body)]: { schema: toSchema(body.schema, 'input'), example: body.example }, ...text };
}

function describeSuccesses(endpoint: AnyEndpoint): Json {
  const { success } = endpoint;
  const made = success.kind === 'json' && success.created !== undefined;
  const described = describeSuccess(endpoint);
  const unchanged =
    success.kind === 'content' ? { 304: { description: 'The version of the client is current.' } } : {};
  return {
    [success.status]: described,
    ...unchanged,
    ...(made && { 201: { ...described, description: 'Created.' } }),
  };
}

function describeSuccess({ success }: AnyEndpoint): Json {
  switch (success.kind) {
    case 'json':
      return {
        description: success.message,
        content: { [JSON_TYPE]: { schema: toSchema(envelope(success), 'output') } },
      };
    case 'document':
      return {
        description: success.description,
        content: { [JSON_TYPE]: { schema: documentSchema(success) } },
      };
    case 'empty':
      return { description: success.description };
    case 'content':
      return {
        description: success.description,
        ...(success.headers && { headers: describeHeaders(success.headers) }),
        content: Object.fromEntries(
          Object.entries(success.mediaTypes).map(([type, schema]) => [
            type,
            schema === undefined ? {} : { schema: toSchema(schema, 'output') },
          ]),
        ),
      };
    case 'either':
      return {
        description: success.message,
        content: {
          [success.mediaType]: {},
          [JSON_TYPE]: { schema: toSchema(envelope(success), 'output') },
        },
      };
    case 'bytes':
    case 'stream':
      return { description: success.mediaType, content: { [success.mediaType]: {} } };
  }
}

function describeHeaders(headers: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

function documentSchema({ schema }: DocumentSuccess): Json {
  return schema === undefined ? { type: 'object' } : toSchema(schema, 'output');
}

/** The error codes of every endpoint with such a body and access. */
function impliedErrors({ body, access }: AnyEndpoint): ErrorCode[] {
  const codes: ErrorCode[] = body === undefined ? [] : ['BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'];
  if (access === 'public') return codes;
  if (access.level > BASIC_TOKEN_LEVEL) codes.push('AUTH_ELEVATION_REQUIRED');
  if (access.role !== 'reader') codes.push('AUTH_NOT_ALLOWED');
  return [...codes, 'AUTH_TOKEN_INVALID', 'AUTH_NOT_READY_YET', 'SERVICE_UNAVAILABLE'];
}

function describeErrors(endpoint: AnyEndpoint): Json {
  const codesOf = new Map<number, ErrorCode[]>();
  for (const code of new Set([...endpoint.errors, ...impliedErrors(endpoint)])) {
    codesOf.set(STATUS[code], [...(codesOf.get(STATUS[code]) ?? []), code]);
  }
  const described = [...codesOf].map(([status, codes]) => {
    const bodiless = endpoint.success.kind === 'empty' && status === 503;
    const description = codes.join(', ');
    const own = endpoint.errorFormat === undefined ? {} : { [endpoint.errorFormat.mediaType]: {} };
    const content = { ...own, [JSON_TYPE]: { schema: errorOf(codes, endpoint) } };
    return [status, bodiless ? { description } : { description, content }];
  });
  return Object.fromEntries(described) as Json;
}

/**
 * The schema of the error body for a status with these codes. If one code is documented differently, each code has a
 * schema.
 */
function errorOf(codes: readonly ErrorCode[], { documentedErrors = {} }: AnyEndpoint): Json {
  const reference = { $ref: '#/components/schemas/Error' };
  if (!codes.some((code) => code in documentedErrors)) return reference;
  const schemas = codes.map((code) => {
    const fields = { success: false, code: STATUS[code], ...documentedErrors[code], error: code };
    const constants = Object.entries(fields).map(([name, value]) => [name, { const: value }]);
    return { allOf: [reference, { properties: Object.fromEntries(constants) }] };
  });
  return schemas.length === 1 ? (schemas[0] as Json) : { oneOf: schemas };
}

function errorSchema(): Json {
  return toSchema(
    z.object({
      success: z.boolean().describe('false; true in the two documented errors of the authentication route'),
      code: z.int().describe('HTTP status code; 403 in AUTH_NOT_READY_YET, as documented'),
      message: z.string().describe('Message for people'),
      error: z.enum(Object.keys(STATUS).sort() as [ErrorCode]).describe('Code for programs'),
    }),
    'output',
  );
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
