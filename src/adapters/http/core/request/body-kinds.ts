import type { z } from 'zod';

/** The kinds of body that an endpoint can declare. */

/** A JSON body. `example` must be valid, and `limit` is the largest size in bytes. */
export interface JsonBody<T> {
  readonly kind: 'json';
  /** A text media type that is accepted too. The endpoint then receives a `TextContent`. */
  readonly text?: string;
  readonly schema: z.ZodType<T>;
  readonly example: unknown;
  readonly limit: number;
}

/** A form (`application/x-www-form-urlencoded`). Each field is text and occurs once. */
export interface FormBody<T> {
  readonly kind: 'form';
  readonly schema: z.ZodObject & z.ZodType<T>;
  readonly example: Readonly<Record<string, string>>;
  readonly limit: number;
}

/** A body of bytes of one media type. */
export interface BytesBody {
  readonly kind: 'bytes';
  readonly mediaType: string;
  readonly limit: number;
}

/**
 * A body of one media type. The endpoint reads the body piece by piece while it arrives. If the endpoint reads slowly, the sender
 * waits.
 */
export interface StreamBody {
  readonly kind: 'stream';
  readonly mediaType: string;
  /** Whether a body with any other media type, or without one, is accepted too. */
  readonly anyType?: true;
  readonly limit: number;
  /**
   * Longest time in milliseconds from the start of the request to the end of the body, in place of `Limits.requestTimeout`. The
   * client must still not pause for longer than `Limits.idleTimeout`.
   */
  readonly duration?: number;
}

/**
 * The body of a request with a `StreamBody`. The stream can be read only once. Reading fails with a ProtocolError if the body is
 * cut off or too large.
 */
export type BodyStream = AsyncIterable<Uint8Array>;
