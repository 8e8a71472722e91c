import type { z } from 'zod';

/** The bodies that an endpoint can ask for. */

/** A JSON body: its schema, an example that the schema accepts, and the most bytes that are read. */
export interface JsonBody<T> {
  readonly kind: 'json';
  /** A media type of text that is taken too; the endpoint gets that text then, in an object of its own. */
  readonly text?: string;
  readonly schema: z.ZodType<T>;
  readonly example: unknown;
  readonly limit: number;
}

/** A form (`application/x-www-form-urlencoded`): its fields are text, and none comes twice. */
export interface FormBody<T> {
  readonly kind: 'form';
  readonly schema: z.ZodType<T>;
  readonly example: Readonly<Record<string, string>>;
  readonly limit: number;
}

/** A body of bytes of one media type. */
export interface BytesBody {
  readonly kind: 'bytes';
  readonly mediaType: string;
  readonly limit: number;
}

/** A body of one media type that the endpoint reads while it comes in, piece by piece; the sender waits for the reader. */
export interface StreamBody {
  readonly kind: 'stream';
  readonly mediaType: string;
  readonly limit: number;
}

/** The body that an endpoint of this kind gets. It can be read once. Fails with a ProtocolError if it is cut off or too large. */
export type BodyStream = AsyncIterable<Uint8Array>;
