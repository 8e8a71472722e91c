import type { z } from 'zod';

/** The kinds of body that an endpoint can declare. */

/** A JSON body: its schema, a valid example, and the largest size in bytes. */
export interface JsonBody<T> {
  readonly kind: 'json';
  /** A media type of text that is accepted too. The endpoint then gets the text in a `TextContent`. */
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
 * A body of one media type that the endpoint reads piece by piece while it arrives. The sender waits for the reader.
 */
export interface StreamBody {
  readonly kind: 'stream';
  readonly mediaType: string;
  readonly limit: number;
}

/** The body of such an endpoint. It can be read once. Fails with a ProtocolError if it is cut off or too large. */
export type BodyStream = AsyncIterable<Uint8Array>;
