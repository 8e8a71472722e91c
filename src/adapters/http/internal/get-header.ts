import { type AnyEndpoint, bytesEndpoint } from '../core/endpoint.js';
import type { InternalContext } from './internal-context.js';

/** @param header the text of clients/c/weatherd.h */
export function getHeaderEndpoint({ header }: InternalContext): AnyEndpoint {
  const bytes = Buffer.from(header);
  return bytesEndpoint({
    method: 'GET',
    path: '/v1/weatherd.h',
    summary: 'The header for C and C++',
    description:
      'Self-contained C99 and C++11, of the same version as the service. It reads and writes frames in ' +
      'memory.',
    access: 'public',
    success: { kind: 'bytes', status: 200, mediaType: 'text/x-c' },
    errors: [],
    call: () => bytes,
  });
}
