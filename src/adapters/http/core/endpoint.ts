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

/** The documented envelope, followed by the fields of `schema`. */
export interface JsonSuccess<T> {
  readonly kind: 'json';
  readonly status: number;
  readonly message: string;
  readonly schema: z.ZodObject & z.ZodType<T>;
  /** For an endpoint that may create something: whether it did. The status is 201 then. */
  readonly created?: (result: T) => boolean;
  /** Returns the result as JSON text, for an endpoint where JSON.stringify is a large part of a request. */
  readonly stringify?: (result: T) => string;
}

/** A JSON document without an envelope. */
export interface DocumentSuccess {
  readonly kind: 'document';
  readonly status: number;
  readonly description: string;
  readonly schema?: z.ZodObject;
  /** Replaces `no-store`. */
  readonly cacheControl?: string;
}

/** No content. A 503 of such an endpoint has none either, so that a probe needs only the status. */
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

/** Bytes of our own media type, or the documented envelope for callers who ask for JSON. */
export interface EitherSuccess<T> {
  readonly kind: 'either';
  readonly status: number;
  readonly mediaType: string;
  readonly message: string;
  readonly schema: z.ZodObject & z.ZodType<T>;
  encode(result: T): Uint8Array;
}

/** The form of errors in our own media type. Callers who ask for JSON get the envelope. */
export interface ErrorFormat {
  readonly mediaType: string;
  /** The body of an error reply. */
  reply(error: PublicError): Uint8Array;
  /** Written after the part of a body that was sent before it failed: the error in this format. */
  trailingError(error: PublicError): Uint8Array;
}

export interface PublicError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * A body that is made while it is sent. With an `errorFormat`, a body that fails halfway ends with an error in this
 * format.
 */
export interface StreamSuccess {
  readonly kind: 'stream';
  readonly status: number;
  readonly mediaType: string;
}

/** A representation that a client may have cached, in one of several media types (RFC 9110, sections 8.8.3 and 13). */
export interface ContentSuccess {
  readonly kind: 'content';
  readonly status: number;
  readonly description: string;
  /** The schema by media type; undefined for media types other than JSON. */
  readonly mediaTypes: Readonly<Record<string, z.ZodObject | undefined>>;
  /** Descriptions of further headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
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

/** The body of an endpoint that accepts text as well as JSON, if the request contained text. */
export interface TextContent {
  /** UTF-8, already validated. */
  readonly text: Uint8Array;
}

/** The token that an endpoint requires: at least this level and this role. A `writer` is one of the station `id` in the path. */
export interface TokenAccess {
  readonly level: TokenLevel;
  readonly role: Role;
  /** Whether an upload key of the station is accepted too. It needs no elevation. */
  readonly uploadKey?: true;
}

export interface EndpointCall<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The query as sent, without its question mark. */
  readonly search: string;
  /** The `Host` header as sent; empty without one (HTTP/1.0). */
  readonly host: string;
  /** The media type that the client prefers (RFC 9110, section 12.5.1); the first where it has no preference. */
  prefers(mediaTypes: readonly string[]): string;
  /** The origin of the request, for use-cases. */
  readonly caller: Caller;
  /** `users` with a valid token of a user. */
  readonly audience: Audience;
  /** The user of its token. @throws Error in a public endpoint, and for an upload key */
  readonly principal: Principal;
  /** The conditions of the request, for an endpoint that is `conditional`. */
  readonly conditions: Preconditions;
  /** Aborted when the client leaves before the reply is complete. Created on first use. */
  readonly signal: AbortSignal;
}

/** The one declaration of an endpoint. Routing, validation, reply, OpenAPI and table-driven tests use it. */
export interface Endpoint<P = unknown, Q = unknown, B = unknown, R = unknown> {
  readonly method: Method;
  /**
   * Segments are literal or `{name}`. Each name is a field of `params`. The path is served with and without a trailing
   * slash.
   */
  readonly path: string;
  /** The name of the operation in generated code. Default: the method and the words of the path. */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  /** `optional-token`: for everybody, but a token that is sent must be valid, and its user may get more. */
  readonly access: 'public' | 'optional-token' | TokenAccess;
  readonly params?: z.ZodObject & z.ZodType<P>;
  /** Strict: unknown parameters are refused. Without a schema all parameters are refused. */
  readonly query?: z.ZodObject & z.ZodType<Q>;
  /** Ignores the query instead of refusing it, because probes and clients of version 1 may send one. */
  readonly ignoresQuery?: true;
  readonly body?: JsonBody<B> | FormBody<B> | BytesBody | StreamBody;
  readonly success: Success<R>;
  readonly errorFormat?: ErrorFormat;
  /** The error codes of this endpoint, in addition to those of every request. */
  readonly errors: readonly ErrorCode[];
  /** Error bodies of this endpoint that are documented differently from the general rule. */
  readonly documentedErrors?: DocumentedErrors;
  /**
   * Whether a reply has a secret or data about people. It is never compressed: who sees its length and can put text into it
   * guesses the secret, because a right guess compresses better (BREACH).
   */
  readonly isSecret?: true;
  /**
   * Whether it compares the versions in If-Match and If-None-Match. Other endpoints that replace or remove something refuse
   * these headers, because a client that sends them relies on the comparison.
   */
  readonly conditional?: true;
  /** Whether it replies after shutdown has begun. */
  readonly answersWhileClosing?: boolean;
  call(input: EndpointCall<P, Q, B>): R | Promise<R>;
}

/** An endpoint in the list of an API. Its types were checked at its declaration. */
export type AnyEndpoint = Endpoint<any, any, any, any>; // oxlint-disable-line typescript/no-explicit-any

/** Declares an endpoint whose success is the JSON envelope. */
export function jsonEndpoint<P, Q, B, R>(
  endpoint: Endpoint<P, Q, B, R> & { readonly success: JsonSuccess<R> },
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
