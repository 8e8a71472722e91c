import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ELEVATION_SECONDS } from '#domain/accounts/access-token.js';
import { DomainError } from '#domain/domain-error.js';
import type { DocumentedErrors } from '../documented-errors.js';
import { type ErrorCode, ProtocolError, STATUS } from '../errors.js';
import { withHint } from '../hints.js';
import { exchangeOf } from '../request/exchange.js';

export type Headers = Readonly<Record<string, string>>;

/**
 * A reply, with header names in lower case. The transport, which connects the handlers to a router such as Express or Fastify,
 * sends the reply without changes.
 */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** A string is sent as UTF-8. The header `content-length` is already set, except for a stream. */
  readonly body: string | Uint8Array | Readable | undefined;
  /** `stronger`: a higher level of gzip, for bodies of limited length. `none`: no compression. */
  readonly compression?: 'stronger' | 'none' | undefined;
}

/** A body that can write itself to a response, with less work than a stream. It can also be read as a stream. */
export abstract class WritingBody extends Readable {
  /**
   * Begins to write the body after the head of the reply, and continues later.
   *
   * @returns false if the body cannot write itself; the caller must then read the body as a stream
   */
  abstract writeTo(response: ServerResponse): boolean;
}

/** A content security policy that forbids everything, in case a browser shows a reply as a page. */
const STRICTEST_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Creates the headers that every reply has. The caller may add to the object. The object is a new literal, because a spread of a
 * constant object would cost a tenth of the work for a small reply.
 *
 * @param id id of the request
 */
export function commonHeaders(id: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': STRICTEST_POLICY,
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
  };
}

/** The documented content type. It has no charset, because JSON is always UTF-8 (RFC 8259). */
export const JSON_TYPE = 'application/json';

/** @param body JSON text */
export function jsonReply(status: number, body: string, headers: Record<string, string>): Reply {
  headers['content-type'] = JSON_TYPE;
  headers['content-length'] = String(Buffer.byteLength(body));
  return { status, headers, body };
}

export function bytesReply(
  status: number,
  type: string,
  body: Uint8Array,
  headers: Record<string, string>,
): Reply {
  headers['content-type'] = type;
  headers['content-length'] = String(body.byteLength);
  return { status, headers, body };
}

export function streamReply(
  status: number,
  type: string,
  body: Readable,
  headers: Record<string, string>,
): Reply {
  headers['content-type'] = type;
  return { status, headers, body };
}

export function emptyReply(status: number, headers: Record<string, string>): Reply {
  // A 204 must not have a Content-Length. The Content-Length of a 304 would be the length of the body that a 200 would send, and
  // this length is not known here (RFC 9110, section 8.6).
  if (status !== 204 && status !== 304) headers['content-length'] = '0';
  return { status, headers, body: undefined };
}

/** Returns the reply without its body, for HEAD. The header `content-length` is still the length of the body that GET would send. */
export function withoutBody(reply: Reply): Reply {
  if (reply.body instanceof Readable) reply.body.destroy();
  return { ...reply, body: undefined };
}

/** Returns the headers with `name` added to `Vary`. `name` is a request header on which the reply depends. */
export function varyBy(headers: Headers, name: string): Headers {
  const { vary } = headers;
  if (vary?.split(', ').includes(name) === true) return headers;
  return { ...headers, vary: vary === undefined ? name : `${vary}, ${name}` };
}

/**
 * Returns status, headers and body of an error. The message of an unexpected error is not shown to callers.
 *
 * @param documented fields that replace the fields of the general error body, for an endpoint whose documentation differs from it
 */
export function describeError(
  error: unknown,
  documented?: DocumentedErrors,
): { status: number; headers: Headers; body: ErrorBody } {
  const known = error instanceof DomainError || error instanceof ProtocolError;
  const code: ErrorCode = known ? error.code : 'INTERNAL_ERROR';
  const message = known
    ? withHint(error.code, error.message)
    : 'The service has failed. Its log names the reason, with the id of this request.';
  const status = STATUS[code];
  const body = { success: false, code: status, message, error: code, ...documented?.[code] };
  return { status, headers: errorHeaders(error), body };
}

export interface ErrorBody {
  readonly success: boolean;
  readonly code: number;
  readonly message: string;
  readonly error: ErrorCode;
}

/** The headers that describe how a client can react to an error. */
function errorHeaders(error: unknown): Headers {
  if (error instanceof ProtocolError) return error.headers;
  if (!(error instanceof DomainError)) return {};
  const { code, retryAfter, quota } = error;
  if (code === 'AUTH_TOKEN_INVALID') return { 'www-authenticate': 'Bearer error="invalid_token"' };
  if (code === 'AUTH_ELEVATION_REQUIRED') {
    // The user must have entered the password within this number of seconds (`max_age`, RFC 9470).
    const age = ELEVATION_SECONDS.initial;
    return {
      'www-authenticate': `Bearer error="insufficient_user_authentication", max_age=${age}`,
    };
  }
  if (retryAfter === undefined) return {};
  const wait = { 'retry-after': String(retryAfter) };
  // draft-ietf-httpapi-ratelimit-headers: `r` is the remaining quota, `t` the seconds until new quota is available.
  return code === 'RATE_LIMITED' ? { ...wait, ratelimit: `"${quota}";r=0;t=${retryAfter}` } : wait;
}

/**
 * Writes a reply to a response of Node.
 *
 * @returns a promise only for a body that is read as a stream, otherwise undefined, because a promise would cost more than the
 *   writing. The promise never rejects.
 * @throws TypeError if a header is not valid in HTTP; then nothing was written
 */
export function writeReply(
  response: ServerResponse,
  { status, headers, body }: Reply,
): Promise<void> | undefined {
  if (!(body instanceof Readable)) {
    if (exchangeOf(response.req).headText?.write(response, status, headers, body) === true) return undefined;
    response.writeHead(status, headers).end(body);
    return undefined;
  }
  response.writeHead(status, headers);
  if (body instanceof WritingBody && body.writeTo(response)) return undefined;
  // After a failure `pipeline` has destroyed the connection, so that the client sees an incomplete body.
  return pipeline(body, response).catch(() => undefined);
}
