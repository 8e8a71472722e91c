import type { IncomingMessage } from 'node:http';
import { prefersHtml } from '../reply/accept.js';
import { acceptedCoding } from '../reply/accept-encoding.js';
import { codedTag, compressed } from '../reply/compression.js';
import type { ApiDefinition } from '../api-definition.js';
import type { TokenAccess } from '../endpoint.js';
import { failure, replyHeaders } from '../failure.js';
import type { Bearer } from '../input.js';
import { emptyReply, type Reply, varyBy, withoutBody } from '../reply/reply.js';
import { knownVersion } from '../reply/representation.js';
import { ANY_USER, bearerToken, hasBearer } from '../request/bearer.js';
import { exchangeOf } from '../request/exchange.js';
import { networkOf } from '../request/network.js';
import { routeForms } from '../request/route-forms.js';
import { splitTarget } from '../request/target.js';
import type { Handler, Incoming, Route } from '../transport.js';
import type { Page, PageReply, StreamedBody } from './page.js';
import { inProcessReader } from './read-in-process.js';

/** Returns the routes of the endpoints together with the routes of the pages of an API. */
export function withPages(routes: readonly Route[], definition: ApiDefinition): readonly Route[] {
  const pages = new Map((definition.pages ?? []).map((page) => [page.path, page]));
  if (pages.size === 0) return routes;
  const handlerOf = compilePage(definition);
  const byForm = new Map(
    [...pages.values()].flatMap((page) => routeForms(page.path).map((form) => [form, page])),
  );
  const shared = routes.map((route) => {
    const page = byForm.get(route.path);
    if (page === undefined) return route;
    pages.delete(page.path);
    return { ...route, handle: negotiated(route.handle, handlerOf(page)) };
  });
  pages.delete(NOT_FOUND);
  const own = [...pages].flatMap(([path, page]) =>
    routeForms(path).map((form) => ({ methods: ['GET', 'HEAD'], path: form, handle: handlerOf(page) })),
  );
  return [...shared, ...own];
}

/** The `path` of the page for unknown paths. */
const NOT_FOUND = '*';

/** The handler of the page that browsers get for an unknown path; undefined if the API has no such page. */
export function notFoundPage(definition: ApiDefinition): Handler | undefined {
  const page = definition.pages?.find(({ path }) => path === NOT_FOUND);
  if (page === undefined) return undefined;
  const handle = compilePage(definition)(page);
  return async (incoming) => varied(await handle(incoming));
}

/**
 * Calls the page for callers who prefer HTML, otherwise the endpoint. The header `Vary` tells caches that the reply depends on
 * `Accept`.
 */
function negotiated(endpoint: Handler, page: Handler): Handler {
  return (incoming) => {
    const reply = prefersHtml(incoming.message) ? page(incoming) : endpoint(incoming);
    return reply instanceof Promise ? reply.then(varied) : varied(reply);
  };
}

function varied(reply: Reply): Reply {
  const { vary } = reply.headers;
  // Changes the headers in place. A copy of the headers, as `varyBy` makes it, would cost a tenth of the work for such a small
  // reply.
  (reply.headers as Record<string, string>)['vary'] = vary === undefined ? 'Accept' : `${vary}, Accept`;
  return reply;
}

function compilePage(definition: ApiDefinition): (page: Page) => Handler {
  const readAsVisitor = inProcessReader(definition.endpoints);
  return ({ path, access, answer }) => {
    const read = access === undefined ? readAsVisitor : inProcessReader(definition.endpoints, access);
    return async (incoming) => {
      const { message, params } = incoming;
      const exchange = exchangeOf(message);
      exchange.route = path;
      try {
        definition.guard?.(message);
        const bearer = access && (await bearerOf(message, access, definition));
        const page = await answer({
          method: message.method ?? 'GET',
          params,
          search: splitTarget(message.url ?? '')[1] ?? '',
          headers: message.headers,
          network: networkOf(exchange.client) ?? exchange.client,
          read: (target) => read(incoming, target, bearer),
        });
        const reply = pageReply(incoming, page, definition);
        return finish(incoming, typeof page.body === 'string' ? await compressed(reply, incoming) : reply);
      } catch (error) {
        return finish(incoming, failure(error, message, definition));
      }
    };
  };
}

/** The user of a request to a page with `access`; undefined without a token. @throws DomainError for an invalid token */
async function bearerOf(
  message: IncomingMessage,
  access: 'optional-token' | TokenAccess,
  { authorize }: ApiDefinition,
): Promise<Bearer | undefined> {
  if (access === 'optional-token' && !hasBearer(message)) return undefined;
  const needed = access === 'optional-token' ? ANY_USER : access;
  const principal = await authorize(bearerToken(message), needed);
  return { actor: principal.userName, principal };
}

function pageReply({ message }: Incoming, page: PageReply, definition: ApiDefinition): Reply {
  const own = replyHeaders(definition, message);
  const headers: Record<string, string> = { ...own, ...page.headers };
  const vary = [own['vary'], page.headers['vary']].filter((names) => names !== undefined);
  if (vary.length > 0) headers['vary'] = vary.join(', ');
  if (typeof page.body !== 'string' && 'open' in page.body)
    return streamedReply(message, page, page.body, headers);
  const { etag, body, isCodable } =
    typeof page.body === 'string'
      ? { etag: page.etag, body: page.body, isCodable: true }
      : { ...fileReply(message, page.etag, page.body, headers), isCodable: false };
  const known = page.status === 200 ? knownVersion(message, etag, isCodable) : undefined;
  headers['etag'] = `"${known ?? etag}"`;
  if (known !== undefined) {
    delete headers['content-type'];
    delete headers['content-encoding'];
    return emptyReply(304, isCodable ? varyBy(headers, 'Accept-Encoding') : headers);
  }
  headers['content-length'] = String(Buffer.byteLength(body));
  return { status: page.status, headers, body };
}

/** The reply with a body that is not in memory: the whole body (200), or the part that the client asked for (206). */
function streamedReply(
  message: IncomingMessage,
  { status, etag }: PageReply,
  { length, open }: StreamedBody,
  headers: Record<string, string>,
): Reply {
  headers['etag'] = `"${etag}"`;
  if (knownVersion(message, etag, false) !== undefined) {
    for (const name of ['content-type', 'content-range']) delete headers[name];
    return emptyReply(304, headers);
  }
  headers['content-length'] = String(length);
  return { status, headers, body: message.method === 'HEAD' ? undefined : open() };
}

/**
 * Chooses the content in the coding that the client prefers, or the uncompressed content. The content was compressed at build.
 * Each coding has its own ETag.
 */
function fileReply(
  message: IncomingMessage,
  hash: string,
  contents: ReadonlyMap<string, Uint8Array>,
  headers: Record<string, string>,
): { readonly etag: string; readonly body: Uint8Array } {
  const { coding } = acceptedCoding(message.headers['accept-encoding']);
  const compressedContent = coding === undefined ? undefined : contents.get(coding);
  Object.assign(headers, varyBy(headers, 'Accept-Encoding'));
  if (coding === undefined || compressedContent === undefined)
    return { etag: hash, body: contents.get('identity') as Uint8Array };
  headers['content-encoding'] = coding;
  return { etag: codedTag(hash, coding), body: compressedContent };
}

function finish({ message }: Incoming, reply: Reply): Reply {
  return message.method === 'HEAD' ? withoutBody(reply) : reply;
}
