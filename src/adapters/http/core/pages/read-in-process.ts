import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { AnyEndpoint } from '../endpoint.js';
import type { Content } from '../reply/content.js';
import { ProtocolError } from '../errors.js';
import { type Bearer, Input } from '../input.js';
import { attachExchange } from '../request/exchange.js';
import { parseFields } from '../request/sent-fields.js';
import { parseQuery, splitTarget } from '../request/target.js';
import type { Incoming } from '../transport.js';

/**
 * Reads public endpoints of an API without an HTTP request, so that the first screen of a page has the same fields as the replies
 * to the page's later requests. The reader is a visitor without a token, or the user of `bearer`.
 *
 * @param access the token that the caller has checked. Endpoints with the same access can be read too
 * @returns a function of the page's request and a target such as `/v1/stations?limit=5`. The function resolves to the fields of
 *   the JSON reply. The function rejects with the error of the endpoint, or with ROUTE_NOT_FOUND if no public endpoint has this
 *   path.
 */
export function inProcessReader(
  endpoints: readonly AnyEndpoint[],
  access?: AnyEndpoint['access'],
): (incoming: Incoming, target: string, bearer?: Bearer) => Promise<unknown> {
  const readable = endpoints
    .filter(
      ({ method, access: needed, body }) =>
        method === 'GET' && (typeof needed === 'string' || needed === access) && body === undefined,
    )
    .map((endpoint) => ({ endpoint, match: matcher(endpoint.path) }));
  return async (incoming, target, bearer) => {
    const [path, search = ''] = splitTarget(target);
    for (const { endpoint, match } of readable) {
      const params = match(path);
      if (params !== undefined) return call(endpoint, incoming, params, search, bearer);
    }
    throw new ProtocolError('ROUTE_NOT_FOUND', 'No public route has this path.');
  };
}

/**
 * Reads public endpoints as a visitor without a token, for a reader that has no request, such as a message that is sent.
 *
 * @returns a function of the target, see `inProcessReader`
 */
export function visitorReaderOf(endpoints: readonly AnyEndpoint[]): (target: string) => Promise<unknown> {
  const read = inProcessReader(endpoints);
  return async (target) => await read(incomingOfNobody(), target);
}

/** A request that no client has sent. */
function incomingOfNobody(): Incoming {
  const message = new IncomingMessage(new Socket());
  const response = new ServerResponse(message);
  attachExchange({
    id: '',
    client: '',
    startedAt: performance.now(),
    message,
    response,
    refusal: undefined,
    headText: undefined,
    route: null,
    bodyDuration: undefined,
    failBody: undefined,
    ended: false,
    earlier: undefined,
    later: undefined,
  });
  return { message, response, params: {} };
}

function matcher(path: string): (target: string) => Record<string, string> | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  // The regular expression of a declared path. Each `{name}` matches exactly one segment, so matching takes linear time.
  const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`);
  return (target) => {
    const values = pattern.exec(target)?.slice(1);
    if (values === undefined) return undefined;
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
  };
}

async function call(
  endpoint: AnyEndpoint,
  incoming: Incoming,
  params: Record<string, string>,
  search: string,
  bearer: Bearer | undefined,
): Promise<unknown> {
  const path = endpoint.params && parseFields(endpoint.params, params, 'path');
  const query = endpoint.query && parseFields(endpoint.query, parseQuery(search), 'query');
  const result: unknown = await endpoint.call(new Input(incoming, path, query ?? {}, undefined, bearer));
  if (endpoint.success.kind !== 'content') return result;
  const { content } = await (result as Content).body();
  if (content instanceof Readable) return JSON.parse(await text(content)) as unknown;
  return JSON.parse(typeof content === 'string' ? content : Buffer.from(content).toString()) as unknown;
}
