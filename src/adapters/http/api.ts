import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { DomainError } from '../../domain/domain-error.js';
import { readBody } from './body.js';
import type { AnyEndpoint, Call } from './endpoint.js';
import { ProtocolError } from './errors.js';
import { exchangeOf } from './exchange.js';
import { bytesReply, COMMON_HEADERS, describeError, emptyReply, type Headers } from './reply.js';
import { jsonReply, type Reply, streamReply, withoutBody } from './reply.js';
import { parseQuery, splitTarget } from './target.js';
import type { Api, Handler, Incoming, Route } from './transport.js';
import { parseWith } from './validate.js';

export interface ApiDefinition {
  readonly endpoints: readonly AnyEndpoint[];
  /** Asked before anything else; throws a ProtocolError for a caller that is not let in. */
  readonly guard?: (message: IncomingMessage) => void;
  /** Headers that depend on the request, CORS for one. */
  readonly headers?: (message: IncomingMessage) => Headers;
  /** Whether shutdown has begun: from then on only endpoints that say so still answer. */
  readonly isClosing: () => boolean;
  /** Is told of failures that are nobody's input. `id` is the request's. */
  readonly onFailure: (id: string, error: unknown) => void;
}

/**
 * Compiles declarations into handlers: authorisation, reading, validation, the call, serialisation and errors.
 *
 * @throws Error when two endpoints collide or a path and its `params` differ
 */
export function compileApi(definition: ApiDefinition): Api {
  assertConsistent(definition.endpoints);
  const routes = definition.endpoints.flatMap((endpoint) => compileEndpoint(endpoint, definition));
  const fail = (error: unknown, message: IncomingMessage) => failure(error, message, definition);
  return { routes, otherwise: compileOtherwise(definition, routes), fail };
}

function compileEndpoint(endpoint: AnyEndpoint, definition: ApiDefinition): Route[] {
  const call = compileCall(endpoint);
  const handle: Handler = async (incoming) => {
    const { message } = incoming;
    const exchange = exchangeOf(message);
    exchange.route = endpoint.path;
    let reply: Reply;
    try {
      definition.guard?.(message);
      if (definition.isClosing() && endpoint.answersWhileClosing !== true) throw closing();
      const result = await call(incoming);
      reply = succeed(endpoint, result, replyHeaders(definition, message));
    } catch (error) {
      reply = failure(error, message, definition, endpoint.success.kind === 'empty');
    }
    return message.method === 'HEAD' ? withoutBody(reply) : reply;
  };
  const methods = endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method];
  return bothForms(endpoint.path).map((path) => ({ methods, path, handle }));
}

/** With and without the trailing slash, in the notation of routers. */
function bothForms(path: string): string[] {
  const pattern = path.replace(/\{(\w+)\}/g, ':$1');
  if (pattern === '/') return ['/'];
  return pattern.endsWith('/') ? [pattern, pattern.slice(0, -1)] : [pattern, `${pattern}/`];
}

function compileCall(endpoint: AnyEndpoint): (incoming: Incoming) => unknown {
  const { params, query, body } = endpoint;
  if (body === undefined && params === undefined && query === undefined) {
    return ({ response }) => endpoint.call(new Input({}, {}, undefined, response));
  }
  return async (incoming) => {
    const { message, response } = incoming;
    // One of the routers takes `/things/` for a thing with an empty name.
    if (Object.values(incoming.params).includes('')) throw noRoute();
    const pathFields = params && parseWith(params, incoming.params, 'path');
    const queryFields =
      query && parseWith(query, parseQuery(splitTarget(message.url ?? '')[1] ?? ''), 'query');
    const content = body && (await readBody(message, body));
    return endpoint.call(new Input(pathFields, queryFields, content, response));
  };
}

class Input<P, Q, B> implements Call<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;

  constructor(params: P, query: Q, body: B, response: ServerResponse) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.#response = response;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      const response = this.#response;
      const abort = () => {
        if (!response.writableFinished) controller.abort();
      };
      if (response.closed) abort();
      else response.once('close', abort);
      this.#controller = controller;
    }
    return this.#controller.signal;
  }
}

function succeed(endpoint: AnyEndpoint, result: unknown, headers: Headers): Reply {
  const { success } = endpoint;
  switch (success.kind) {
    case 'json': {
      const { status, message } = success;
      return jsonReply(status, { success: true, code: status, message, ...(result as object) }, headers);
    }
    case 'document':
      return jsonReply(success.status, result as object, headers);
    case 'empty':
      return emptyReply(success.status, headers);
    case 'bytes':
      return bytesReply(success.status, success.mediaType, result as Uint8Array, headers);
    case 'stream':
      return streamReply(success.status, success.mediaType, result as Readable, headers);
  }
}

function replyHeaders(definition: ApiDefinition, message: IncomingMessage): Headers {
  const own = { ...COMMON_HEADERS, 'x-request-id': exchangeOf(message).id };
  return definition.headers === undefined ? own : { ...own, ...definition.headers(message) };
}

function failure(
  error: unknown,
  message: IncomingMessage,
  definition: ApiDefinition,
  bodiless = false,
): Reply {
  const { status, headers, body } = describeError(error);
  if (status >= 500) reportFailure(error, message, definition);
  const all = { ...replyHeaders(definition, message), ...headers };
  return bodiless && status === 503 ? emptyReply(status, all) : jsonReply(status, body, all);
}

/** What is unexpected, or has a cause that only the log may tell. A plain "not now" is neither. */
function reportFailure(error: unknown, message: IncomingMessage, definition: ApiDefinition): void {
  if (error instanceof DomainError && error.cause === undefined) return;
  definition.onFailure(exchangeOf(message).id, error);
}

function closing(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'The service is shutting down.', { retryAfter: 5 });
}

function noRoute(): ProtocolError {
  return new ProtocolError('ROUTE_NOT_FOUND', 'There is no such route; /openapi.json lists them.');
}

function compileOtherwise(definition: ApiDefinition, routes: readonly Route[]): Handler {
  const matchers = routes.map(({ path, methods }) => ({
    methods,
    matches: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`),
  }));
  const answer = (message: IncomingMessage): Reply => {
    const [path] = splitTarget(message.url ?? '');
    const all = path === '*' ? matchers : matchers.filter(({ matches }) => matches.test(path));
    if (all.length === 0) throw noRoute();
    const allow = [...new Set([...all.flatMap(({ methods }) => methods), 'OPTIONS'])].sort().join(', ');
    if (message.method === 'OPTIONS') return emptyReply(204, { ...replyHeaders(definition, message), allow });
    if (definition.isClosing()) throw closing();
    throw new ProtocolError('METHOD_NOT_ALLOWED', `This route has ${allow}.`, { allow });
  };
  return async ({ message }) => {
    let reply: Reply;
    try {
      definition.guard?.(message);
      reply = answer(message);
    } catch (error) {
      reply = failure(error, message, definition);
    }
    return message.method === 'HEAD' ? withoutBody(reply) : reply;
  };
}

function assertConsistent(endpoints: readonly AnyEndpoint[]): void {
  const seen = new Set<string>();
  for (const { method, path, params } of endpoints) {
    const key = `${method} ${path.replace(/\{\w+\}/g, '{}').replace(/(.)\/$/, '$1')}`;
    if (seen.has(key)) throw new Error(`${method} ${path} is declared twice`);
    seen.add(key);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();
    const declared = Object.keys(params?.shape ?? {}).sort();
    if (inPath.join() !== declared.join())
      throw new Error(`${method} ${path}: its params are not those of its path`);
  }
}
