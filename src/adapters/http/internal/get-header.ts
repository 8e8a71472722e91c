import { type AnyEndpoint, bytesEndpoint } from '../core/endpoint.js';
import type { InternalContext } from './internal-context.js';

/** @param context `header` is the text of clients/c/weatherd.h */
export function getHeaderEndpoint({ header }: InternalContext): AnyEndpoint {
  const bytes = Buffer.from(header);
  return bytesEndpoint({
    method: 'GET',
    path: '/v1/weatherd.h',
    summary: 'Get the header file for C and C++',
    description:
      'The file is self-contained C99 and C++11 and has the version of the service. Its functions read and ' +
      'write frames in memory.',
    access: 'public',
    success: { kind: 'bytes', status: 200, mediaType: 'text/x-c' },
    errors: [],
    call: () => bytes,
  });
}
