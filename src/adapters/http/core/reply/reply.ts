import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ELEVATION_SECONDS } from '#domain/accounts/access-token.js';
import { DomainError } from '#domain/domain-error.js';
import type { DocumentedErrors } from '../documented-errors.js';
import { type ErrorCode, ProtocolError, STATUS } from '../errors.js';
import { exchangeOf } from '../request/exchange.js';

export type Headers = Readonly<Record<string, string>>;

/** A reply, which a transport writes as it is. Header names are in lower case. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** A string is UTF-8. `content-length` is set already, but for a stream. */
  readonly body: string | Uint8Array | Readable | undefined;
  /** `stronger`: by gzip at a higher level, for bodies of limited length. `none`: not at all. */
  readonly compression?: 'stronger' | 'none' | undefined;
}

/** A body that can write itself to a response with less work than a stream needs. A transport may also read it as a stream. */
export abstract class WritingBody extends Readable {
  /**
   * Writes the body, now and later, after the head of the reply.
   *
   * @returns false where it cannot; then it is to be read as a stream
   */
  abstract writeTo(response: ServerResponse): boolean;
}

/** Nothing in a reply is run, loaded or framed, should a browser ever show one as a page. */
const NO_CONTENT = "default-src 'none'; frame-ancestors 'none'";

/**
 * The headers that every reply carries, in an object that the reply then owns and adds to. A literal, not a spread of a
 * constant: that costs a tenth.
 */
export function openHeaders(id: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': NO_CONTENT,
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
  };
}

/** Of the documented replies: no charset, JSON is UTF-8 by definition (RFC 8259). */
export const JSON_TYPE = 'application/json';

/** @param body JSON */
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
  // RFC 9110, section 8.6: no Content-Length with 204, nor with 304 unless it is that of the representation.
  if (status !== 204 && status !== 304) headers['content-length'] = '0';
  return { status, headers, body: undefined };
}

/** The reply without its body, for HEAD. `content-length` is still the length of the body of GET. */
export function withoutBody(reply: Reply): Reply {
  if (reply.body instanceof Readable) reply.body.destroy();
  return { ...reply, body: undefined };
}

/** The headers, with one more request header in `Vary` that the reply depends on. */
export function varyBy(headers: Headers, name: string): Headers {
  const { vary } = headers;
  if (vary?.split(', ').includes(name) === true) return headers;
  return { ...headers, vary: vary === undefined ? name : `${vary}, ${name}` };
}

/**
 * Body and headers of an error. Text of anything that is not meant for callers is left out.
 *
 * @param documented bodies of this endpoint that differ
 */
export function describeError(
  error: unknown,
  documented?: DocumentedErrors,
): { status: number; headers: Headers; body: ErrorBody } {
  const known = error instanceof DomainError || error instanceof ProtocolError;
  const code: ErrorCode = known ? error.code : 'INTERNAL_ERROR';
  const message = known ? error.message : 'Something went wrong inside the service.';
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

/** The headers that tell a client what it can do about a DomainError. */
function errorHeaders(error: unknown): Headers {
  if (error instanceof ProtocolError) return error.headers;
  if (!(error instanceof DomainError)) return {};
  const { code, retryAfter, quota } = error;
  if (code === 'AUTH_TOKEN_INVALID') return { 'www-authenticate': 'Bearer error="invalid_token"' };
  if (code === 'AUTH_ELEVATION_REQUIRED') {
    // RFC 9470: the bearer must have given the password within so many seconds.
    const age = ELEVATION_SECONDS.initial;
    return {
      'www-authenticate': `Bearer error="insufficient_user_authentication", max_age=${age}`,
    };
  }
  if (retryAfter === undefined) return {};
  const wait = { 'retry-after': String(retryAfter) };
  // draft-ietf-httpapi-ratelimit-headers: nothing remains, and so many seconds until something does.
  return code === 'RATE_LIMITED' ? { ...wait, ratelimit: `"${quota}";r=0;t=${retryAfter}` } : wait;
}

/**
 * Writes a reply with Node's own means.
 *
 * @returns a promise only for a body that is read as a stream, which never rejects: for the others it would cost more than the
 *   writing
 * @throws TypeError for a header that HTTP does not allow; nothing is written then
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
  // A failure has destroyed the connection by now: the caller sees a body that was cut off, never a whole one.
  return pipeline(body, response).catch(() => undefined);
}
