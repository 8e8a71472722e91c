import type { ErrorReply, PublicError } from '#adapters/http/core/endpoint.js';
import { ProtocolError } from '#adapters/http/core/errors.js';
import { withHint } from '#adapters/http/core/hints.js';
import { JSON_TYPE } from '#adapters/http/core/reply/reply.js';

/** An exception of OGC APIs: `code` for programs, `description` for people (OGC 17-069r4, schema `exception`). */
export function ogcError({ status, code, message }: PublicError): ErrorReply {
  // The routes accept no bodies, so a media type that is unsupported here is one of the reply.
  const shown = status === 415 ? 406 : status;
  // The sentence that names a route of the other API is left out, because clients of this dialect do not use that API.
  const hint = withHint(code, '');
  const description = hint !== '' && message.endsWith(hint) ? message.slice(0, -hint.length) : message;
  return { status: shown, mediaType: JSON_TYPE, body: JSON.stringify({ code, description }) };
}

export function invalid(message: string): ProtocolError {
  return new ProtocolError('REQUEST_INVALID', message);
}

export function notFound(message: string): ProtocolError {
  return new ProtocolError('ROUTE_NOT_FOUND', message);
}

/** The refusal of a reply that would have too many values (status 413, as OGC 19-086r6 lists it). */
export function tooLarge(message: string): ProtocolError {
  return new ProtocolError('BODY_TOO_LARGE', message);
}
