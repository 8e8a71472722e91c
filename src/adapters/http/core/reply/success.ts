import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ApiDefinition } from '../api-definition.js';
import type { AnyEndpoint, ErrorFormat } from '../endpoint.js';
import { reportFailure, toPublicError } from '../failure.js';
import type { Incoming } from '../transport.js';
import { prefersJson } from './accept.js';
import type { EventFeed } from './event-body.js';
import { compileEventStream } from './event-stream.js';
import { hasBearer } from '../request/bearer.js';
import { bytesReply, emptyReply, jsonReply, type Reply, streamReply, varyBy } from './reply.js';
import { contentReply, type Represented } from './representation.js';

export type Succeed = (result: unknown, headers: Record<string, string>, incoming: Incoming) => Reply;

/** Compiles a function that builds the reply from the result of an endpoint's call. */
export function compileSuccess(endpoint: AnyEndpoint, definition: ApiDefinition): Succeed {
  const { success, errorFormat } = endpoint;
  const { status } = success;
  const { access } = endpoint;
  // A reply to a request with a token is only for the user of the token. Shared caches must not store this reply (RFC 9111,
  // section 5.2.2.7).
  const isPrivate = (message: IncomingMessage) =>
    access === 'optional-token' ? hasBearer(message) : access !== 'public';
  const makeCacheable = (headers: Record<string, string>, control: string, message: IncomingMessage) => {
    headers['cache-control'] = isPrivate(message) ? `private, ${control}` : control;
    if (access === 'optional-token') Object.assign(headers, varyBy(headers, 'Authorization'));
  };
  switch (success.kind) {
    case 'json': {
      const write = compileEnvelope(success);
      const { created } = success;
      return (result, headers) =>
        created?.(result) === true ? createdReply(success.message, result, headers) : write(result, headers);
    }
    case 'document': {
      const { cacheControl } = success;
      return (result, headers, { message }) => {
        if (cacheControl !== undefined) makeCacheable(headers, cacheControl, message);
        return jsonReply(status, JSON.stringify(result), headers);
      };
    }
    case 'empty':
      return (_result, headers) => emptyReply(status, headers);
    case 'bytes':
      return (result, headers) => bytesReply(status, success.mediaType, result as Uint8Array, headers);
    case 'either': {
      const write = compileEnvelope(success);
      const { mediaType } = success;
      return (result, headers, { message }) =>
        prefersJson(message, mediaType)
          ? write(result, headers)
          : bytesReply(status, mediaType, success.encode(result), headers);
    }
    case 'content':
      return (result, headers, { message }) => {
        const represented = result as Represented;
        const { cacheControl } = represented.content;
        if (cacheControl !== undefined) makeCacheable(headers, cacheControl, message);
        return contentReply(status, represented, headers);
      };
    case 'events': {
      const reply = compileEventStream(status);
      return (result, headers, { message }) => reply(result as EventFeed, message, headers);
    }
    case 'stream':
      return (result, headers, incoming) => {
        const stream = result as Readable;
        const whole =
          errorFormat === undefined ? stream : withTrailingError(stream, incoming, errorFormat, definition);
        return streamReply(status, success.mediaType, whole, headers);
      };
  }
}

function compileEnvelope({
  status,
  message,
  stringify = JSON.stringify,
}: {
  readonly status: number;
  readonly message: string;
  readonly stringify?: (result: unknown) => string;
}) {
  const envelopeStart = JSON.stringify({ success: true, code: status, message }).slice(0, -1);
  const textOf = (result: unknown) => {
    const fields = stringify(result);
    return fields === '{}' ? `${envelopeStart}}` : `${envelopeStart},${fields.slice(1)}`;
  };
  // The text of the last frozen result is cached. An endpoint with a frozen result returns the same object for every request.
  let frozen: unknown;
  let frozenText = '';
  return (result: unknown, headers: Record<string, string>): Reply => {
    if (result !== frozen) {
      if (!Object.isFrozen(result)) return jsonReply(status, textOf(result), headers);
      [frozen, frozenText] = [result, textOf(result)];
    }
    return jsonReply(status, frozenText, headers);
  };
}

/** Returns a body that ends with an error, and closes the connection, if `stream` fails after the status was sent. */
function withTrailingError(
  stream: Readable,
  { message, response }: Incoming,
  format: ErrorFormat,
  definition: ApiDefinition,
): Readable {
  // If the body is closed unread, as after HEAD, the generator has not started and does not close `stream`. The listener of the
  // event `close` therefore closes `stream`.
  return Readable.from(pieces(), { objectMode: false }).once('close', () => stream.destroy());

  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* stream as AsyncIterable<Uint8Array>;
    } catch (error) {
      reportFailure(error, message, definition);
      const { socket } = message;
      response.once('finish', () => socket.destroySoon());
      yield format.trailingError(toPublicError(error));
    }
  }
}

function createdReply(message: string, result: unknown, headers: Record<string, string>): Reply {
  return jsonReply(
    201,
    JSON.stringify({ success: true, code: 201, message, ...(result as object) }),
    headers,
  );
}
