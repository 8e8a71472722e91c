import type { z } from 'zod';
import { BASIC_TOKEN_LEVEL } from '#domain/accounts/access-token.js';
import { type AnyEndpoint } from '../endpoint.js';
import { envelope } from '../envelope.js';
import { isCompressible } from '../reply/compression.js';
import { EVENT_STREAM_TYPE } from '../reply/event-stream.js';
import { JSON_TYPE } from '../reply/reply.js';
import { mediaTypeOf } from '../request/body.js';
import { lengthsOf } from '../request/sent-fields.js';
import type { ApiDescription, Tag } from './api-description.js';
import type { Components } from './components.js';
import { acceptsRanges, describeErrors } from './describe-errors.js';
import { operationIdOf } from './operation-id.js';
import { type Json, toSchema } from './schema.js';

/** Describes an endpoint as an operation of OpenAPI. */
export function describeOperation(endpoint: AnyEndpoint, api: ApiDescription, components: Components): Json {
  const { path, summary, body } = endpoint;
  const operationId = operationIdOf(endpoint);
  const schemaOf: SchemaOf = (schema, io) => toSchema(schema, io, components.addSchema);
  const description = [endpoint.description, describeAccess(endpoint)].filter(Boolean).join(' ');
  const parameters = [
    ...describeFields(endpoint.params, 'path', schemaOf),
    ...describeFields(endpoint.query, 'query', schemaOf),
    ...(endpoint.conditional === true ? CONDITIONS : []),
    ...(acceptsRanges(endpoint) ? RANGES : []),
  ];
  return {
    operationId,
    ...(api.tags && { tags: [tagOf(path, api.tags)] }),
    summary,
    ...(description !== '' && { description }),
    ...(endpoint.access !== 'public' && { security: securityOf(endpoint.access) }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: describeBody(body, schemaOf) } }),
    responses: {
      ...describeSuccesses(endpoint, schemaOf, api.examples?.[operationId]),
      ...describeErrors(endpoint, api, components),
    },
  };
}

const CONDITIONS: readonly Json[] = [
  {
    name: 'If-Match',
    in: 'header',
    description:
      'The change is made only if the current version has one of these ETags, or with `*` if any version exists. Otherwise the ' +
      'reply is 412.',
    required: false,
    schema: { type: 'string' },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'With `*` the request only creates. If a version exists already, the reply is 412.',
    required: false,
    schema: { type: 'string' },
  },
];

const RANGES: readonly Json[] = [
  {
    name: 'Range',
    in: 'header',
    description:
      'A part of the file: `bytes=FIRST-LAST`, `bytes=FIRST-` or `bytes=-COUNT`. Several ranges, and forms that are not known, get the ' +
      'whole file.',
    required: false,
    schema: { type: 'string' },
  },
  {
    name: 'If-Range',
    in: 'header',
    description: 'An ETag. If the file has another one now, the reply is the whole file.',
    required: false,
    schema: { type: 'string' },
  },
  {
    name: 'If-Match',
    in: 'header',
    description: 'ETags. If the file has none of them now, the reply is 412.',
    required: false,
    schema: { type: 'string' },
  },
];

type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json;

/** @throws Error if no tag matches the path */
function tagOf(path: string, tags: readonly Tag[]): string {
  const matches = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
  const longest = tags
    .flatMap(({ name, paths }) => paths.filter(matches).map((prefix) => ({ name, length: prefix.length })))
    .sort((a, b) => b.length - a.length)[0];
  if (longest === undefined) throw new Error(`${path} has no tag: no path of a tag is a prefix of it.`);
  return longest.name;
}

/** Describes the required role. Returns an empty text if every signed-in user may use the endpoint. */
function describeAccess({ access }: AnyEndpoint): string {
  if (typeof access === 'string') return '';
  if (access.uploadKey === true) return 'Access: writers of the station, or an upload key of the station.';
  return {
    reader: '',
    writer: 'Access: writers of the station.',
    administrator: 'Access: administrators.',
  }[access.role];
}

function securityOf(access: Exclude<AnyEndpoint['access'], 'public'>): Json[] {
  // An empty requirement means that the token may be left out.
  if (access === 'optional-token') return [{}, { token: [] }];
  const { level, uploadKey } = access;
  const token: Json = level > BASIC_TOKEN_LEVEL ? { elevatedToken: [] } : { token: [] };
  return uploadKey === true ? [token, { uploadKey: [] }] : [token];
}

function describeFields(
  fields: z.ZodObject | undefined,
  location: 'path' | 'query',
  schemaOf: SchemaOf,
): Json[] {
  if (fields === undefined) return [];
  const lengths = lengthsOf(fields);
  return Object.entries(fields.shape).map(([name, field]) => {
    const { description, ...form } = schemaOf(field as z.ZodType, 'input');
    const isText = form['type'] === 'string' && form['enum'] === undefined;
    const schema = isText ? { ...form, maxLength: lengths.get(name) } : form;
    const absent = (field as z.ZodType).safeParse(undefined);
    const value = 'default' in schema ? schema['default'] : absent.data;
    // A default is documented only if clients can send a value of its type. Example: clients send a cursor (the position of the
    // next page) as text, but the default of a cursor is the number 0. This default is not documented.
    const forms = [schema, ...((schema['anyOf'] as readonly Json[] | undefined) ?? [])];
    const isSent = forms.some(({ type }) => typeof value === (type === 'integer' ? 'number' : type));
    return {
      name,
      in: location,
      ...(description !== undefined && { description }),
      required: location === 'path' || !absent.success,
      schema: isSent ? { ...schema, default: value } : schema,
    };
  });
}

function describeBody(body: NonNullable<AnyEndpoint['body']>, schemaOf: SchemaOf): Json {
  if (body.kind === 'bytes' || body.kind === 'stream') return { [body.mediaType]: {} };
  const text = body.kind === 'json' && body.text !== undefined ? { [body.text]: TEXT } : {};
  return { [mediaTypeOf(body)]: { schema: schemaOf(body.schema, 'input'), example: body.example }, ...text };
}

const TEXT = { schema: { type: 'string' } };
const BINARY = {};

function describeSuccesses(endpoint: AnyEndpoint, schemaOf: SchemaOf, examples: Json = {}): Json {
  const { success } = endpoint;
  const mayCreate = success.kind === 'json' && success.created !== undefined;
  const described = describeSuccess(endpoint, schemaOf, examples);
  const unchanged =
    success.kind === 'content' ? { 304: { description: 'The client has the current version.' } } : {};
  return {
    [success.status]: described,
    ...(acceptsRanges(endpoint) && { 206: { ...described, description: 'The part of the file.' } }),
    ...unchanged,
    ...(mayCreate && { 201: { ...described, description: 'Created.' } }),
  };
}

function describeSuccess({ success }: AnyEndpoint, schemaOf: SchemaOf, examples: Json): Json {
  const exampleOf = (type: string) => (type in examples ? { example: examples[type] } : {});
  const json = (schema: Json) => ({ [JSON_TYPE]: { schema, ...exampleOf(JSON_TYPE) } });
  switch (success.kind) {
    case 'json':
      return { description: success.message, content: json(schemaOf(envelope(success), 'output')) };
    case 'document': {
      const schema = success.schema === undefined ? { type: 'object' } : schemaOf(success.schema, 'output');
      return { description: success.description, content: json(schema) };
    }
    case 'empty':
      return { description: success.description };
    case 'content':
      return {
        description: success.description,
        ...(success.headers && { headers: describeHeaders(success.headers) }),
        content: Object.fromEntries(
          Object.entries(success.mediaTypes).map(([type, schema]) => {
            const form = isCompressible(type) ? TEXT : BINARY;
            const described = schema === undefined ? form : { schema: schemaOf(schema, 'output') };
            return [type, { ...described, ...exampleOf(type) }];
          }),
        ),
      };
    case 'either':
      return {
        description: success.message,
        content: { [success.mediaType]: {}, ...json(schemaOf(envelope(success), 'output')) },
      };
    case 'events':
      return {
        description: success.description,
        content: { [EVENT_STREAM_TYPE]: { schema: { type: 'string' }, example: success.example } },
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
