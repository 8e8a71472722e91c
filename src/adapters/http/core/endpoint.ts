import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { TokenLevel } from '#domain/accounts/access-token.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import type { Principal } from '#domain/accounts/session.js';
import type { Role } from '#domain/accounts/user.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import type { DocumentedErrors } from './documented-errors.js';
import type { ErrorCode } from './errors.js';
import type { Content } from './reply/content.js';
import type { EventFeed } from './reply/event-body.js';
import type { EventsSuccess } from './reply/event-stream.js';
import type { Preconditions } from './request/conditions.js';
import type { BodyStream, BytesBody, FormBody, JsonBody, StreamBody } from './request/body-kinds.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A JSON reply: the documented envelope (the fields `success`, `code` and `message`), followed by the fields of `schema`. */
export interface JsonSuccess<T> {
  readonly kind: 'json';
  readonly status: number;
  readonly message: string;
  readonly schema: z.ZodObject & z.ZodType<T>;
  /** Whether the call has created something. The status is then 201. */
  readonly created?: (result: T) => boolean;
  /** Writes the result as JSON text. Needed only if JSON.stringify would be a large part of the cost of a request. */
  readonly stringify?: (result: T) => string;
}

/** A JSON document without an envelope. */
export interface DocumentSuccess {
  readonly kind: 'document';
  readonly status: number;
  readonly description: string;
  readonly schema?: z.ZodObject;
  /** Value of the header `Cache-Control`; `no-store` by default. */
  readonly cacheControl?: string;
}

/**
 * A reply without a body, because a probe needs only the status. If the endpoint fails with status 503, the reply has no body
 * either.
 */
export interface EmptySuccess {
  readonly kind: 'empty';
  readonly status: number;
  readonly description: string;
}

export interface BytesSuccess {
  readonly kind: 'bytes';
  readonly status: number;
  readonly mediaType: string;
}

/**
 * A reply in a media type that only this service defines, such as `application/vnd.weatherd.frames`. Callers who ask for JSON get
 * a JSON reply as in `JsonSuccess` instead.
 */
export interface EitherSuccess<T> {
  readonly kind: 'either';
  readonly status: number;
  readonly mediaType: string;
  readonly message: string;
  readonly schema: z.ZodObject & z.ZodType<T>;
  encode(result: T): Uint8Array;
}

/**
 * Writes the errors of an endpoint in a media type that only this service defines, such as `application/vnd.weatherd.frames`.
 * Callers who ask for JSON get the documented error body in JSON instead.
 */
export interface ErrorFormat {
  readonly mediaType: string;
  /** The body of an error reply. */
  reply(error: PublicError): Uint8Array;
  /** The error in this format, written at the end of a body that fails after its first part was sent. */
  trailingError(error: PublicError): Uint8Array;
}

/** An error in the form of another API; see `Endpoint.errorReply`. */
export interface ErrorReply {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

export interface PublicError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * A body that is generated while it is sent. With an `errorFormat`, a body that fails halfway ends with an error in this
 * format.
 */
export interface StreamSuccess {
  readonly kind: 'stream';
  readonly status: number;
  readonly mediaType: string;
}

/** A reply that a client may have cached, in one of several media types (RFC 9110, sections 8.8.3 and 13). */
export interface ContentSuccess {
  readonly kind: 'content';
  readonly status: number;
  readonly description: string;
  /** The schema of each media type; undefined for media types other than JSON. */
  readonly mediaTypes: Readonly<Record<string, z.ZodObject | undefined>>;
  /** Descriptions of further headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the content accepts ranges; see `Content.acceptsRanges`. Used for the OpenAPI document. */
  readonly acceptsRanges?: true;
}

export type Success<T> =
  | JsonSuccess<T>
  | DocumentSuccess
  | EmptySuccess
  | BytesSuccess
  | EitherSuccess<T>
  | StreamSuccess
  | EventsSuccess
  | ContentSuccess;

/** The body of a request that was sent as text, for an endpoint that accepts both text and JSON. */
export interface TextContent {
  /** UTF-8, already validated. */
  readonly text: Uint8Array;
}

/**
 * The token that an endpoint requires. The token must have at least this level: basic after a sign-in, or elevated after the user
 * has entered the password again. The user must have at least this role. A `writer` must be a writer of the station `id` in the
 * path.
 */
export interface TokenAccess {
  readonly level: TokenLevel;
  readonly role: Role;
  /** Whether an upload key of the station is accepted instead of a token with this level and role. */
  readonly uploadKey?: true;
}

export interface EndpointCall<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The query as sent, without the question mark. */
  readonly search: string;
  /** The `Host` header as sent; empty if there is none (HTTP/1.0). */
  readonly host: string;
  /** All headers, with lower-case names. */
  readonly headers: IncomingHttpHeaders;
  /**
   * The media type that the client prefers (RFC 9110, section 12.5.1). If the client has no preference, the result is the first
   * of `mediaTypes`.
   */
  prefers(mediaTypes: readonly string[]): string;
  /** The origin of the request, for use-cases. */
  readonly caller: Caller;
  /** `users` for a request with a valid token of a user, otherwise `everybody`. */
  readonly audience: Audience;
  /** The user of the token. @throws Error in a public endpoint, and for an upload key */
  readonly principal: Principal;
  /** The If-Match and If-None-Match of the request, for a `conditional` endpoint. */
  readonly conditions: Preconditions;
  /** Aborted when the client disconnects before the reply is complete. Created at the first access. */
  readonly signal: AbortSignal;
}

/** The declaration of an endpoint. Routing, validation, replies, OpenAPI and table-driven tests use it. */
export interface Endpoint<P = unknown, Q = unknown, B = unknown, R = unknown> {
  readonly method: Method;
  /**
   * Segments are literal or `{name}`. Each name is a field of `params`. The path is served with and without a trailing
   * slash.
   */
  readonly path: string;
  /** The name of the operation in generated code. By default it is built from the method and the words of the path. */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * `optional-token`: a token is not required. A token that is sent must be valid. The user of the token may receive more than
   * other callers.
   */
  readonly access: 'public' | 'optional-token' | TokenAccess;
  readonly params?: z.ZodObject & z.ZodType<P>;
  /**
   * Schema of the query parameters. The schema must be strict, so that unknown parameters are refused. Without a schema, all
   * parameters are refused.
   */
  readonly query?: z.ZodObject & z.ZodType<Q>;
  /**
   * Ignores the query of a request. Other endpoints refuse unknown parameters, but probes and clients of version 1 may send
   * unknown parameters.
   */
  readonly ignoresQuery?: true;
  readonly body?: JsonBody<B> | FormBody<B> | BytesBody | StreamBody;
  readonly success: Success<R>;
  readonly errorFormat?: ErrorFormat;
  /**
   * Writes the errors of an endpoint of a dialect, whose clients read errors in the form of another API. Headers such as
   * `Retry-After` stay.
   */
  readonly errorReply?: (error: PublicError) => ErrorReply;
  /** The error codes of this endpoint, in addition to the codes of every request. */
  readonly errors: readonly ErrorCode[];
  /**
   * Fields of error bodies of this endpoint that differ from the general error body, which has `success: false` and the HTTP
   * status as `code`.
   */
  readonly documentedErrors?: DocumentedErrors;
  /**
   * Whether the reply contains a secret or personal data. Such a reply is never compressed (BREACH). A reply that contains a
   * correct guess of the secret compresses better than a reply with a wrong guess. An attacker who can insert text into the reply
   * and sees its length could therefore guess the secret.
   */
  readonly isSecret?: true;
  /**
   * Whether the endpoint compares the versions in If-Match and If-None-Match. Other endpoints with PUT or DELETE refuse these
   * headers, because a client that sends them depends on the comparison.
   */
  readonly conditional?: true;
  /** Whether the endpoint still answers after shutdown has begun. */
  readonly answersWhileClosing?: boolean;
  call(input: EndpointCall<P, Q, B>): R | Promise<R>;
}

/** An endpoint in the list of an API. The compiler has checked the types of the endpoint at its declaration. */
export type AnyEndpoint = Endpoint<any, any, any, any>; // oxlint-disable-line typescript/no-explicit-any

/** Declares an endpoint whose success is the JSON envelope. */
export function jsonEndpoint<P, Q, B, R>(
  endpoint: Endpoint<P, Q, B, R> & { readonly success: JsonSuccess<R> },
): AnyEndpoint {
  return endpoint;
}

/** Declares an endpoint that reads a body of any size while it arrives, and whose success is the JSON envelope. */
export function uploadEndpoint<P, Q, R>(
  endpoint: Endpoint<P, Q, BodyStream, R> & { readonly success: JsonSuccess<R> },
): AnyEndpoint {
  return endpoint;
}

export function emptyEndpoint<P, Q, B>(
  endpoint: Endpoint<P, Q, B, void> & { readonly success: EmptySuccess },
): AnyEndpoint {
  return endpoint;
}

export function documentEndpoint<P, Q, B>(
  endpoint: Endpoint<P, Q, B, object> & { readonly success: DocumentSuccess },
): AnyEndpoint {
  return endpoint;
}

export function bytesEndpoint<P, Q>(
  endpoint: Endpoint<P, Q, Uint8Array, Uint8Array> & { readonly success: BytesSuccess },
): AnyEndpoint {
  return endpoint;
}

export function contentEndpoint<P, Q>(
  endpoint: Endpoint<P, Q, undefined, Content> & { readonly success: ContentSuccess },
): AnyEndpoint {
  return endpoint;
}

export function streamEndpoint<P, Q, B = undefined>(
  endpoint: Endpoint<P, Q, B, Readable> & { readonly success: StreamSuccess },
): AnyEndpoint {
  return endpoint;
}

export function eventsEndpoint<P, Q>(
  endpoint: Endpoint<P, Q, undefined, EventFeed> & { readonly success: EventsSuccess },
): AnyEndpoint {
  return endpoint;
}

export function eitherEndpoint<P, Q, R>(
  endpoint: Endpoint<P, Q, BodyStream, R> & { readonly success: EitherSuccess<R> },
): AnyEndpoint {
  return endpoint;
}
