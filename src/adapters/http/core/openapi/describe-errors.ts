import { BASIC_TOKEN_LEVEL } from '#domain/accounts/access-token.js';
import type { AnyEndpoint } from '../endpoint.js';
import { comparesVersions } from '../request/conditions.js';
import { type ErrorCode, STATUS } from '../errors.js';
import { JSON_TYPE } from '../reply/reply.js';
import type { ApiDescription } from './api-description.js';
import type { Components } from './components.js';
import type { Json } from './schema.js';

const CODES = Object.keys(STATUS) as ErrorCode[];

/** Returns the error responses of an endpoint, by status. */
export function describeErrors(
  endpoint: AnyEndpoint,
  { errors: general = [], errorExamples = {} }: Pick<ApiDescription, 'errors' | 'errorExamples'>,
  components: Components,
): Json {
  const declared = new Set([...endpoint.errors, ...impliedErrors(endpoint), ...general]);
  const codesOf = new Map<number, ErrorCode[]>();
  // The codes are always in the order of `STATUS`. Endpoints with the same codes thus get the same component.
  for (const code of CODES.filter((each) => declared.has(each))) {
    codesOf.set(STATUS[code], [...(codesOf.get(STATUS[code]) ?? []), code]);
  }
  const described = [...codesOf].map(([status, codes]) => [
    status,
    describeError(endpoint, status, codes, components, errorExamples),
  ]);
  return {
    ...(Object.fromEntries(described) as Json),
    default: components.addResponse('OtherError', {
      description:
        'The request was refused before its operation was found: ROUTE_NOT_FOUND, METHOD_NOT_ALLOWED (the header `Allow` has the methods ' +
        'of the path), HEADERS_TOO_LARGE and similar errors.',
      content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Error' } } },
    }),
  };
}

/** Whether clients may ask for a part of the reply. */
export function acceptsRanges({ success }: AnyEndpoint): boolean {
  return success.kind === 'content' && success.acceptsRanges === true;
}

/** The error codes that follow from the method, query, body and access of an endpoint. */
function impliedErrors(endpoint: AnyEndpoint): ErrorCode[] {
  const { method, body, access, ignoresQuery } = endpoint;
  const codes: ErrorCode[] = body === undefined ? [] : ['BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'];
  if (comparesVersions(method)) codes.push('PRECONDITION_FAILED');
  if (acceptsRanges(endpoint)) codes.push('PRECONDITION_FAILED', 'RANGE_INVALID');
  if (ignoresQuery !== true) codes.push('REQUEST_INVALID');
  if (access === 'public') return codes;
  if (access !== 'optional-token') {
    if (access.level > BASIC_TOKEN_LEVEL) codes.push('AUTH_ELEVATION_REQUIRED');
    if (access.role !== 'reader') codes.push('AUTH_NOT_ALLOWED');
  }
  return [...codes, 'AUTH_TOKEN_INVALID', 'AUTH_NOT_READY_YET', 'SERVICE_UNAVAILABLE'];
}

function describeError(
  endpoint: AnyEndpoint,
  status: number,
  codes: readonly ErrorCode[],
  components: Components,
  examples: Json,
): Json {
  const description = codes.join(', ');
  if (endpoint.success.kind === 'empty' && status === 503) return { description };
  const { errorFormat, documentedErrors = {} } = endpoint;
  const own = errorFormat === undefined ? {} : { [errorFormat.mediaType]: {} };
  const shown = codes.filter((code) => code in examples && !(code in documentedErrors));
  const response = {
    description,
    ...((status === 429 || status === 503) && { headers: { 'Retry-After': RETRY_AFTER } }),
    content: {
      ...own,
      [JSON_TYPE]: {
        schema: bodySchema(status, codes, endpoint),
        ...(shown.length > 0 && {
          examples: Object.fromEntries(shown.map((code) => [code, { value: examples[code] }])),
        }),
      },
    },
  };
  if (codes.some((code) => code in documentedErrors)) return response;
  const name = codes.map(toName).join('Or');
  return components.addResponse(errorFormat === undefined ? name : `${name}InOwnFormat`, response);
}

const RETRY_AFTER = {
  description: 'Seconds after which the client may try again, if known',
  schema: { type: 'integer' },
};

/** `STATION_UNKNOWN` → `StationUnknown`. */
function toName(code: ErrorCode): string {
  return code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The schema of an error body. An error code whose documented body differs from the general body has a schema of its own. */
function bodySchema(
  status: number,
  codes: readonly ErrorCode[],
  { documentedErrors = {} }: AnyEndpoint,
): Json {
  const regular = codes.filter((code) => !(code in documentedErrors));
  const schemas = codes
    .filter((code) => code in documentedErrors)
    .map((code) => errorBody({ success: false, code: status, ...documentedErrors[code] }, [code]));
  if (regular.length > 0) schemas.push(errorBody({ success: false, code: status }, regular));
  return schemas.length === 1 ? (schemas[0] as Json) : { oneOf: schemas };
}

function errorBody(
  { success, code }: { readonly success: boolean; readonly code: number },
  codes: readonly ErrorCode[],
): Json {
  return {
    type: 'object',
    properties: {
      success: { const: success },
      code: { const: code },
      message: { type: 'string', description: 'Message for people' },
      error: codes.length === 1 ? { const: codes[0] } : { enum: codes },
    },
    required: ['success', 'code', 'message', 'error'],
  };
}

/** The general schema of error bodies. The schemas of the single statuses are narrower. */
export function errorSchema(): Json {
  return {
    type: 'object',
    properties: {
      success: {
        type: 'boolean',
        description: 'false; true only in the two documented errors of the authentication route',
      },
      code: {
        type: 'integer',
        description: 'HTTP status code; 403 in the documented error AUTH_NOT_READY_YET',
      },
      message: { type: 'string', description: 'Message for people' },
      error: { type: 'string', enum: CODES.toSorted(), description: 'Code for programs' },
    },
    required: ['success', 'code', 'message', 'error'],
    additionalProperties: false,
  };
}
