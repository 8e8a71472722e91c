import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { TokenLevel } from '../../../domain/accounts/access-token.js';
import type { Caller } from '../../../domain/accounts/audit-event.js';
import type { Principal } from '../../../domain/accounts/session.js';
import type { Role } from '../../../domain/accounts/user.js';
import type { DocumentedErrors } from './documented-errors.js';
import type { ErrorCode } from './errors.js';
import type { BodyStream, BytesBody, FormBody, JsonBody, StreamBody } from './request/body-kinds.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The documented envelope around the fields of `schema`. */
export interface JsonSuccess<T> {
  readonly kind: 'json';
  readonly status: number;
  readonly message: string;
  readonly schema: z.ZodObject & z.ZodType<T>;
  /** Where something may have been made: whether it was. The status is 201 then. */
  readonly created?: (result: T) => boolean;
}

/** A JSON document that is no envelope. */
export interface DocumentSuccess {
  readonly kind: 'document';
  readonly status: number;
  readonly description: string;
  readonly schema?: z.ZodObject;
  /** Instead of `no-store`. */
  readonly cacheControl?: string;
}

/** No content; a 503 of such an endpoint has none either, so that a probe reads nothing but the status. */
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

/** Bytes of a media type of our own, or the documented envelope for callers who ask for JSON. */
export interface EitherSuccess<T> {
  readonly kind: 'either';
  readonly status: number;
  readonly mediaType: string;
  readonly message: string;
  readonly schema: z.ZodObject & z.ZodType<T>;
  encode(result: T): Uint8Array;
}

/** How errors are told in a media type of our own; callers who ask for JSON get the envelope. */
export interface ErrorFormat {
  readonly mediaType: string;
  /** A whole reply. */
  reply(error: PublicError): Uint8Array;
  /** The last bytes of a body that fails halfway: the error in this format. */
  lastWords(error: PublicError): Uint8Array;
}

export interface PublicError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** A body that is made while it is sent. With an `errorFormat`, a failure halfway ends the body with an error in this format. */
export interface StreamSuccess {
  readonly kind: 'stream';
  readonly status: number;
  readonly mediaType: string;
}

/** A representation that a client may hold already, in one of several media types (RFC 9110, sections 8.8.3 and 13). */
export interface ContentSuccess {
  readonly kind: 'content';
  readonly status: number;
  readonly description: string;
  /** The schema by media type; undefined for media types other than JSON. */
  readonly mediaTypes: Readonly<Record<string, z.ZodObject | undefined>>;
  /** Descriptions of further headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Content {
  readonly mediaType: string;
  /** A strong ETag without its quotes; undefined where the version is unknown. */
  readonly etag?: string;
  readonly cacheControl?: string;
  /** Made only for a client that does not have it yet. */
  body(): Promise<ContentBody>;
}

export interface ContentBody {
  /** A string is UTF-8. */
  readonly content: string | Uint8Array | Readable;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Success<T> =
  | JsonSuccess<T>
  | DocumentSuccess
  | EmptySuccess
  | BytesSuccess
  | EitherSuccess<T>
  | StreamSuccess
  | ContentSuccess;

/** The body of an endpoint that accepts text as well as JSON, where the request had text. */
export interface TextContent {
  /** Valid UTF-8. */
  readonly text: Uint8Array;
}

/**
 * Who may call an endpoint: whoever has a token of this level and this role. With the role `writer` the station is the
 * one that the path parameter `id` names.
 */
export interface TokenAccess {
  readonly level: TokenLevel;
  readonly role: Role;
}

export interface Call<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The query as it was sent, without its question mark. */
  readonly search: string;
  /** Where the request comes from. */
  readonly caller: Caller;
  /** Whose token it carries. @throws Error in an endpoint that is public */
  readonly principal: Principal;
  /** Fires when the client leaves before the reply is complete. Made on first use. */
  readonly signal: AbortSignal;
}

/** An endpoint, declared once: routing, validation, reply, OpenAPI and table-driven tests all come from this. */
export interface Endpoint<P = unknown, Q = unknown, B = unknown, R = unknown> {
  readonly method: Method;
  /** Segments are literal or `{name}`; each name has its field in `params`. Both trailing-slash forms answer. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: 'public' | TokenAccess;
  readonly params?: z.ZodObject & z.ZodType<P>;
  /** Strict: unknown parameters are refused. Without a schema every parameter is refused. */
  readonly query?: z.ZodObject & z.ZodType<Q>;
  /** Ignores a query instead of refusing it: for routes that clients of version 1 and probes may call with one. */
  readonly ignoresQuery?: true;
  readonly body?: JsonBody<B> | FormBody<B> | BytesBody | StreamBody;
  readonly success: Success<R>;
  readonly errorFormat?: ErrorFormat;
  /** The error codes of this endpoint, in addition to those that every request can get. */
  readonly errors: readonly ErrorCode[];
  /** Error bodies of this endpoint that are documented otherwise than they would be. */
  readonly documentedErrors?: DocumentedErrors;
  /** Still answers after shutdown has begun. */
  readonly answersWhileClosing?: boolean;
  call(input: Call<P, Q, B>): R | Promise<R>;
}

/** An endpoint in the list of an API. Its types have been checked where it is declared. */
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

export function eitherEndpoint<P, Q, R>(
  endpoint: Endpoint<P, Q, BodyStream, R> & { readonly success: EitherSuccess<R> },
): AnyEndpoint {
  return endpoint;
}

/** The fields that begin every JSON reply. */
export function envelope(success: JsonSuccess<unknown> | EitherSuccess<unknown>): z.ZodObject {
  const mayMake = success.kind === 'json' && success.created !== undefined;
  return z.strictObject({
    success: z.literal(true),
    code: z.literal(mayMake ? [success.status, 201] : [success.status]).describe('HTTP status code'),
    message: z.literal(success.message),
    ...success.schema.shape,
  });
}
