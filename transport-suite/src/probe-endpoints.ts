import { Readable } from 'node:stream';
import { z } from 'zod';
import { DomainError } from '../../src/domain/domain-error.js';
import {
  type AnyEndpoint,
  bytesEndpoint,
  type EndpointCall,
  eitherEndpoint,
  jsonEndpoint,
  streamEndpoint,
} from '../../src/adapters/http/core/endpoint.js';

/** Endpoints that together declare every kind of parameter, body and reply. */
export class Probe {
  /** The abort signal of the last requested stream. */
  signal: AbortSignal | undefined;
  /** The source of the stream that `?endless` requests. The stream never ends. */
  readonly source = new Readable({ read: () => undefined }).on('error', () => undefined);

  endpoints(): readonly AnyEndpoint[] {
    return [
      jsonEndpoint({
        method: 'GET',
        path: '/v1/things/{id}',
        summary: 'One thing',
        access: 'public',
        params: z.strictObject({ id: z.string().max(2000) }),
        query: z.strictObject({
          units: z.enum(['metric', 'imperial']).default('metric'),
          q: z.string().optional(),
        }),
        success: {
          kind: 'json',
          status: 200,
          message: 'A thing.',
          schema: z.strictObject({ id: z.string(), units: z.string(), q: z.string().nullable() }),
        },
        errors: ['REQUEST_INVALID'],
        call: ({ params, query }) => ({ id: params.id, units: query.units, q: query.q ?? null }),
      }),
      bytesEndpoint({
        method: 'PUT',
        path: '/v1/bytes',
        summary: 'The bytes, backwards',
        access: 'public',
        body: { kind: 'bytes', mediaType: 'application/octet-stream', limit: 8 },
        success: { kind: 'bytes', status: 200, mediaType: 'application/octet-stream' },
        errors: [],
        call: ({ body }) => Buffer.from(body).reverse(),
      }),
      eitherEndpoint({
        method: 'POST',
        path: '/v1/pieces',
        summary: 'The length of a body that is read in pieces',
        access: 'public',
        body: { kind: 'stream', mediaType: 'application/octet-stream', limit: 8 },
        success: {
          kind: 'either',
          status: 200,
          mediaType: 'text/plain',
          message: 'Counted.',
          schema: z.strictObject({ length: z.int() }),
          encode: ({ length }) => Buffer.from(String(length)),
        },
        errors: [],
        call: async ({ body }) => {
          let length = 0;
          for await (const piece of body) length += piece.length;
          return { length };
        },
      }),
      streamEndpoint({
        method: 'GET',
        path: '/v1/stream',
        summary: 'A stream',
        access: 'public',
        query: z.strictObject({ fail: z.string().optional(), endless: z.string().optional() }),
        success: { kind: 'stream', status: 200, mediaType: 'text/csv' },
        errors: [],
        call: (input) => this.#stream(input),
      }),
      jsonEndpoint({
        method: 'DELETE',
        path: '/v1/things/{id}',
        summary: 'Fails on purpose',
        access: 'public',
        params: z.strictObject({ id: z.string() }),
        success: { kind: 'json', status: 200, message: '', schema: z.strictObject({}) },
        errors: ['USER_UNKNOWN', 'AUTH_NOT_READY_YET'],
        call: ({ params }): Record<string, never> => {
          if (params.id === 'domain') throw new DomainError('USER_UNKNOWN', 'There is no such user.');
          throw params.id === 'text' ? 'not even an Error' : new DomainError('STORE_UNAVAILABLE', 'down');
        },
      }),
    ];
  }

  #stream({
    query,
    signal,
  }: EndpointCall<unknown, { fail?: string | undefined; endless?: string | undefined }, undefined>) {
    this.signal = signal;
    if (query.endless !== undefined) {
      this.source.push('a,b\n');
      return this.source;
    }
    return Readable.from(
      (function* () {
        yield 'a,b\n';
        if (query.fail !== undefined) throw new Error('in the middle');
        yield '1,2\n';
      })(),
    );
  }
}
