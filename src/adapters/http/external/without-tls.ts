import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '../core/endpoint.js';
import { ProtocolError } from '../core/errors.js';

/** Methods that change nothing. Web pages use OPTIONS for preflight requests. */
const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A guard for an API that other machines reach over plain HTTP. Every request with a token and every request that changes
 * something is refused, because passwords, tokens and keys could be read on the way.
 *
 * @param next a guard that is called first
 * @throws ProtocolError TLS_REQUIRED
 */
export function withoutSecrets(
  next: ((message: IncomingMessage) => void) | undefined,
): (message: IncomingMessage) => void {
  return (message) => {
    next?.(message);
    if (!READ_METHODS.has(message.method ?? '') || message.headers.authorization !== undefined)
      throw tlsRequired();
  };
}

/** Replaces endpoints, except public reads, by endpoints that refuse every request. The OpenAPI document keeps all endpoints. */
export function publicReadsOnly(endpoints: readonly AnyEndpoint[]): readonly AnyEndpoint[] {
  return endpoints.map((endpoint): AnyEndpoint => {
    const isPublic = typeof endpoint.access === 'string';
    if (isPublic && endpoint.method === 'GET') return endpoint;
    const { body: _body, query: _query, ...declaration } = endpoint;
    return {
      ...declaration,
      access: 'public',
      ignoresQuery: true,
      call: () => {
        throw tlsRequired();
      },
    };
  });
}

function tlsRequired(): ProtocolError {
  return new ProtocolError(
    'TLS_REQUIRED',
    'This service is reached over plain HTTP. It can only be read, without sign-in; passwords, tokens and keys are refused. ' +
      'Use the command line on its machine, or set up TLS (WEATHERD_EXTERNAL_TLS_CERT).',
  );
}
