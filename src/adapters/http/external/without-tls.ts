import type { IncomingMessage } from 'node:http';
import type { AnyEndpoint } from '../core/endpoint.js';
import { ProtocolError } from '../core/errors.js';

/** Methods that change nothing. OPTIONS is the preflight of web pages. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A guard for an API that other machines reach over plain HTTP: passwords, tokens and keys could be read on the way, so every
 * request that has one is refused, and so is every request that changes something.
 *
 * @param next the guard of the requests that remain
 * @throws ProtocolError TLS_REQUIRED
 */
export function withoutSecrets(
  next: ((message: IncomingMessage) => void) | undefined,
): (message: IncomingMessage) => void {
  return (message) => {
    next?.(message);
    if (!READING.has(message.method ?? '') || message.headers.authorization !== undefined)
      throw tlsRequired();
  };
}

/** The same endpoints, of which only those that everybody may read are answered. They are documented as before. */
export function publicReadsOnly(endpoints: readonly AnyEndpoint[]): readonly AnyEndpoint[] {
  return endpoints.map((endpoint): AnyEndpoint => {
    const isOpen = typeof endpoint.access === 'string';
    if (isOpen && endpoint.method === 'GET') return endpoint;
    const { body: _body, query: _query, ...rest } = endpoint;
    return {
      ...rest,
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
    'This service is reached over plain HTTP, so it can only be read, without sign-in: passwords, tokens and keys are ' +
      'refused. Use the command line on its machine, or set up TLS (WEATHERD_EXTERNAL_TLS_CERT).',
  );
}
