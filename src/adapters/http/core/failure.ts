import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { DomainError } from '#domain/domain-error.js';
import type { ApiDefinition } from './api-definition.js';
import type { AnyEndpoint, PublicError } from './endpoint.js';
import { ProtocolError } from './errors.js';
import { prefersJson } from './reply/accept.js';
import {
  bytesReply,
  describeError,
  emptyReply,
  jsonReply,
  commonHeaders,
  type Reply,
} from './reply/reply.js';
import { exchangeOf } from './request/exchange.js';

export function replyHeaders(definition: ApiDefinition, message: IncomingMessage): Record<string, string> {
  const headers = commonHeaders(exchangeOf(message).id);
  const more = definition.headers?.(message);
  return more === undefined ? headers : Object.assign(headers, more);
}

/** Builds the reply to an error. */
export function failure(
  error: unknown,
  message: IncomingMessage,
  definition: ApiDefinition,
  endpoint?: AnyEndpoint,
): Reply {
  const { status, headers, body } = describeError(error, endpoint?.documentedErrors);
  if (status >= 500) reportFailure(error, message, definition);
  const all = Object.assign(replyHeaders(definition, message), headers);
  if (endpoint?.success.kind === 'empty' && status === 503) return emptyReply(status, all);
  if (endpoint?.errorReply !== undefined) {
    const reply = endpoint.errorReply({ status, code: body.error, message: body.message });
    return bytesReply(reply.status, reply.mediaType, Buffer.from(reply.body), all);
  }
  const format = endpoint?.errorFormat;
  return format === undefined || prefersJson(message, format.mediaType)
    ? jsonReply(status, JSON.stringify(body), all)
    : bytesReply(status, format.mediaType, format.reply(toPublicError(error)), all);
}

/** Returns the part of an error that callers may see. */
export function toPublicError(error: unknown): PublicError {
  const { status, body } = describeError(error);
  return { status, code: body.error, message: body.message };
}

/** Reports the failure of a body that is being sent. The client sees that the body was cut off, but does not receive the reason. */
export function reportBodyFailure(body: Readable, message: IncomingMessage, definition: ApiDefinition): void {
  body.on('error', (error) => {
    // The body also ends with an error if the client disconnects. That error is not reported.
    if (!message.socket.destroyed) reportFailure(error, message, definition);
  });
}

/**
 * Reports an error that is unexpected or has a cause. Does nothing for a refusal without a cause or for a disconnected client.
 */
export function reportFailure(error: unknown, message: IncomingMessage, definition: ApiDefinition): void {
  if (error instanceof ProtocolError || (error instanceof DomainError && error.cause === undefined)) return;
  if (error instanceof Error && error.name === 'AbortError') return;
  const { id, ended } = exchangeOf(message);
  const isCutOff = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
  if (ended && isCutOff) return;
  definition.onFailure(id, error);
}
