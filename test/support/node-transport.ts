import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Reply } from '#adapters/http/core/reply/reply.js';
import type { Api, Handler, Transport } from '#adapters/http/core/transport.js';

type Params = Record<string, string>;
interface Candidate {
  readonly methods: readonly string[];
  readonly segments: readonly string[];
  readonly handle: Handler;
}

/**
 * A transport, which routes HTTP requests to handlers. It uses only Node.js, and no package. It compares the segments of a path
 * with the segments of each route.
 */
const nodeTransport: Transport = {
  name: 'node',

  mount(api: Api) {
    const candidates = api.routes.map(({ methods, path, handle }): Candidate => {
      return { methods, segments: path.split('/'), handle };
    });
    return {
      dispatch(message, response) {
        const [path = ''] = (message.url ?? '').split('?');
        const { handle, params } = find(candidates, message.method ?? '', path.split('/'), api.otherwise);
        Promise.resolve(handle({ message, response, params }))
          .then((reply) => write(response, reply))
          .catch((error: unknown) => write(response, api.fail(error, message)));
      },
    };
  },
};

export default nodeTransport;

function find(candidates: readonly Candidate[], method: string, segments: string[], otherwise: Handler) {
  for (const { methods, segments: pattern, handle } of candidates) {
    const params = methods.includes(method) ? match(pattern, segments) : undefined;
    if (params !== undefined) return { handle, params };
  }
  return { handle: otherwise, params: {} };
}

/** Decodes the parameters; undefined if the path does not match. The server has already validated the percent encoding. */
function match(pattern: readonly string[], segments: readonly string[]): Params | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Params = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith(':') && segment !== '') params[expected.slice(1)] = decodeURIComponent(segment);
    else if (expected !== segment) return undefined;
  }
  return params;
}

async function write(response: ServerResponse, { status, headers, body }: Reply): Promise<void> {
  response.writeHead(status, headers);
  if (body instanceof Readable) await pipeline(body, response).catch(() => undefined);
  else response.end(body);
}
