import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../../domain/domain-error.js';
import { DOCUMENTED_AUTH_ERRORS, isDocumentedAuthError } from './documented-auth-errors.js';
import { type ErrorCode, ProtocolError, STATUS } from './errors.js';

export type Headers = Readonly<Record<string, string>>;

/** What a transport writes: nothing is left for it to decide. Header names are in lower case. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** A string is UTF-8. `content-length` is set already, but for a stream. */
  readonly body: string | Uint8Array | Readable | undefined;
}

/** What every reply carries. One frozen object: spreading it is all the work. */
export const COMMON_HEADERS: Headers = Object.freeze({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
});

/** Of the documented replies: no charset, JSON is UTF-8 by definition (RFC 8259). */
export const JSON_TYPE = 'application/json';

export function jsonReply(status: number, content: object, headers: Headers): Reply {
  const body = JSON.stringify(content);
  const length = String(Buffer.byteLength(body));
  return { status, headers: { ...headers, 'content-type': JSON_TYPE, 'content-length': length }, body };
}

export function bytesReply(status: number, type: string, body: Uint8Array, headers: Headers): Reply {
  const length = String(body.byteLength);
  return { status, headers: { ...headers, 'content-type': type, 'content-length': length }, body };
}

export function streamReply(status: number, type: string, body: Readable, headers: Headers): Reply {
  return { status, headers: { ...headers, 'content-type': type }, body };
}

export function emptyReply(status: number, headers: Headers): Reply {
  // RFC 9110, section 8.6: no Content-Length with 204.
  return {
    status,
    headers: status === 204 ? headers : { ...headers, 'content-length': '0' },
    body: undefined,
  };
}

/** The same reply without its body, as HEAD asks; `content-length` still tells how long it would be. */
export function withoutBody(reply: Reply): Reply {
  if (reply.body instanceof Readable) reply.body.destroy();
  return { ...reply, body: undefined };
}

/** Body and headers of an error. Text of anything that is not meant for callers is left out. */
export function describeError(error: unknown): { status: number; headers: Headers; body: ErrorBody } {
  const known = error instanceof DomainError || error instanceof ProtocolError;
  const code: ErrorCode = known ? error.code : 'INTERNAL_ERROR';
  const message = known ? error.message : 'Something went wrong inside the service.';
  const status = STATUS[code];
  const documented = isDocumentedAuthError(code)
    ? DOCUMENTED_AUTH_ERRORS[code]
    : { success: false, code: status };
  return { status, headers: errorHeaders(error), body: { ...documented, message, error: code } };
}

export interface ErrorBody {
  readonly success: boolean;
  readonly code: number;
  readonly message: string;
  readonly error: ErrorCode;
}

function errorHeaders(error: unknown): Headers {
  if (error instanceof ProtocolError) return error.headers;
  const retryAfter = error instanceof DomainError ? error.retryAfter : undefined;
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}

/** Writes a reply with Node's own means, for transports that have none of their own. Never rejects. */
export async function writeReply(response: ServerResponse, reply: Reply): Promise<void> {
  response.writeHead(reply.status, reply.headers);
  if (!(reply.body instanceof Readable)) {
    response.end(reply.body);
    return;
  }
  // A failure has destroyed the connection by now: the caller sees a body that was cut off, never a whole one.
  await pipeline(reply.body, response).catch(() => undefined);
}
