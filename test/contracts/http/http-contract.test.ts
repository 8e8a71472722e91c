import { expect } from 'chai';
import { endFrame } from '#adapters/formats/frames/small-frames.js';
import { type AnyEndpoint } from '#adapters/http/core/endpoint.js';
import { envelope } from '#adapters/http/core/envelope.js';
import { STATUS } from '#adapters/http/core/errors.js';
import { mediaTypeOf } from '#adapters/http/core/request/body.js';
import { exchangeRaw, header, parseReplies, type RawReply } from '#transport-suite/raw-http.js';
import type { ApiName } from '#application/operation/get-info.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { KeptConnections } from '../../support/kept-connections.js';
import { makeServiceUnderTest, type ServiceUnderTest } from '../../support/service-endpoints.js';

/** The only headers that a reply may have. A framework might add others. */
const ALLOWED_HEADERS = new Set([
  'accept-ranges',
  'allow',
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'etag',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
  'x-request-id',
]);
const REQUEST_ID = /^[0-9a-f]{12}-[0-9a-z]+$/;
const COMMON_ROUTES = [
  'GET /',
  'GET /v1/health/liveliness',
  'GET /v1/health/info',
  'GET /v1/health/checks',
  'GET /openapi.json',
];
const OWN_ROUTES = {
  external: [
    'POST /v1/auth/authenticate/',
    'POST /v1/auth/elevate/',
    'POST /v1/auth/drop/',
    'POST /v1/auth/revoke/',
    'GET /v1/auth/keys',
    'POST /v1/setup',
    'GET /v1/users',
    'GET /v1/users/{name}',
    'PUT /v1/users/{name}',
    'DELETE /v1/users/{name}',
    'DELETE /v1/users/{name}/sessions',
    'GET /v1/sessions',
    'DELETE /v1/sessions/{id}',
    'GET /v1/audit',
    'GET /v1/variables',
    'GET /v1/places',
    'GET /v1/stations',
    'GET /v1/stations/{id}',
    'PUT /v1/stations/{id}',
    'DELETE /v1/stations/{id}',
    'DELETE /v1/stations/{id}/observations',
    'POST /v1/stations/{id}/restore',
    'GET /v1/session',
    'GET /v1/removed-stations',
    'GET /v1/retention',
    'GET /v1/backups',
    'GET /v1/stations/{id}/retention',
    'PUT /v1/stations/{id}/retention',
    'GET /v1/stations/{id}/sensors',
    'GET /v1/stations/{id}/overrules',
    'POST /v1/stations/{id}/overrules',
    'DELETE /v1/stations/{id}/overrules/{overrule}',
    'GET /v1/stations/{id}/observations',
    'POST /v1/stations/{id}/observations',
    'GET /v1/stations/{id}/observations/latest',
    'GET /v1/stations/{id}/now',
    'GET /v1/observations/latest',
    'GET /v1/events',
    'GET /v1/observations',
    'GET /v1/summaries',
    'GET /v1/stations/{id}/summaries',
    'GET /v1/stations/{id}/wind-rose',
    'GET /v1/stations/{id}/derived',
    'GET /v1/stations/{id}/lasting-steps',
    'GET /v1/stations/{id}/notices',
    'GET /v1/stations/{id}/source-flags',
    'GET /v1/stations/{id}/climate/months',
    'GET /v1/stations/{id}/climate/normals',
    'GET /v1/stations/{id}/climate/anomalies',
    'GET /v1/stations/{id}/climate/drought',
    'GET /v1/stations/{id}/climate/return-levels',
    'GET /v1/stations/{id}/climate/records',
    'GET /v1/stations/{id}/climate/indices',
    'GET /v1/stations/{id}/climate/degree-days',
    'GET /v1/stations/{id}/climate/usual',
    'GET /v1/stations/{id}/reports/noaa/{file}',
    'GET /v1/stations/{id}/files',
    'GET /v1/stations/{id}/files/{month}',
    'GET /v1/stations/{id}/indices/air-quality',
    'GET /v1/stations/{id}/indices/growing-degree-days',
    'GET /v1/stations/{id}/indices/chill',
    'GET /v1/stations/{id}/indices/leaf-wetness',
    'GET /v1/stations/{id}/indices/spray',
    'GET /v1/stations/{id}/indices/water-balance',
    'GET /v1/stations/{id}/indices/fire-weather',
    'GET /v1/stations/{id}/indices/heat-stress',
    'GET /v1/upload-keys',
    'POST /v1/upload-keys',
    'DELETE /v1/upload-keys/{id}',
    'POST /v1/upload-keys/{id}/rotate',
    'GET /v1/upload-keys/{id}/mappings',
    'PUT /v1/upload-keys/{id}/mappings',
    'GET /v1/settings/uploads',
    'PUT /v1/settings/uploads',
    'GET /v1/uploads',
    'GET /v1/uploads/pending',
    'POST /v1/uploads/pending/{id}/approve',
    'GET /v1/stations/{id}/forecast',
    'GET /v1/stations/{id}/forecast/verification',
    'GET /v1/stations/{id}/forecast/verification/cases',
    'GET /v1/forecasts',
    'GET /v1/forecasts/{id}',
    'PUT /v1/forecasts/{id}',
    'DELETE /v1/forecasts/{id}',
    'GET /v1/sources',
    'GET /v1/sources/{name}',
    'PUT /v1/sources/{name}',
    'DELETE /v1/sources/{name}',
    'DELETE /v1/sources/{name}/gaps',
    'POST /v1/sources/{name}/pause',
    'POST /v1/sources/{name}/resume',
    'POST /v1/sources/{name}/test',
    'GET /v1/hooks',
    'GET /v1/hooks/{name}',
    'PUT /v1/hooks/{name}',
    'DELETE /v1/hooks/{name}',
    'POST /v1/hooks/{name}/pause',
    'POST /v1/hooks/{name}/resume',
    'POST /v1/hooks/{name}/test',
    'GET /v1/imports',
    'POST /v1/imports',
    'GET /v1/imports/{id}',
    'GET /v1/imports/{id}/events',
    'PUT /v1/imports/{id}/answers',
    'POST /v1/imports/{id}/undo',
    'DELETE /v1/imports/{id}',
    'GET /v1/alarms',
    'GET /v1/alarms/{name}',
    'PUT /v1/alarms/{name}',
    'DELETE /v1/alarms/{name}',
    'POST /v1/alarms/{name}/test',
  ],
  internal: [
    'GET /metrics',
    'POST /v1/tokens/introspect',
    'POST /v1/observations',
    'GET /v1/observations',
    'GET /v1/observations/newest',
    'GET /v1/stations',
    'POST /v1/stations',
    'GET /v1/weatherd.h',
  ],
};
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

for (const [transportName, load] of serviceTransports) {
  for (const apiName of ['external', 'internal'] as const satisfies ApiName[]) {
    describe(`HTTP contract › ${apiName} on ${transportName}`, () => {
      let service: ServiceUnderTest;
      let running: RunningApi;
      let connections: KeptConnections;

      before(async () => {
        service = await makeServiceUnderTest();
        const { endpoints, authorize } = service;
        running = await runApi(await load(), { endpoints: endpoints[apiName], authorize });
        connections = new KeptConnections(running.url);
      });
      after(() => running.server.close(1000));

      const send = async (method: string, path: string, parts?: RequestParts): Promise<RawReply> => {
        const replies = parseReplies(
          await connections.exchange(makeRequest(method, path, parts)),
          method === 'HEAD',
        );
        expect(replies).to.have.length(1);
        return replies[0] as RawReply;
      };
      /** The path with the id of an upload key, a session, an override or a pending sender that exists. */
      const withExistingId = async (path: string) => {
        if (path.includes('/pending/none/')) return path.replace('none', await service.pendingSender());
        if (path.startsWith('/v1/sessions/'))
          return path.replace(/^\/v1\/sessions\/\w+/, `/v1/sessions/${await service.session()}`);
        return path
          .replace('/upload-keys/0', `/upload-keys/${service.uploadKey()}`)
          .replace('/overrules/none', `/overrules/${service.override()}`);
      };
      /** Sends a request that matches the declaration of the endpoint. */
      const ask = async (
        endpoint: AnyEndpoint,
        path = concrete(endpoint),
        method: string = endpoint.method,
      ) => {
        const { access } = endpoint;
        if (endpoint.method === 'DELETE') await service.addDeletable();
        if (endpoint.path.endsWith('/files/{month}')) await service.settle();
        const token = typeof access === 'string' ? undefined : await service.tokenFor(access);
        const target = await withExistingId(path);
        if (endpoint.success.kind === 'events' && method === 'GET')
          return await beginningOf(running.url, target, token);
        return await send(method, target, { ...exampleBody(endpoint), token });
      };

      it('has the documented routes', () => {
        const routes = service.endpoints[apiName].map(({ method, path }) => `${method} ${path}`);
        expect(routes).to.have.members([...COMMON_ROUTES, ...OWN_ROUTES[apiName]]);
      });

      it('serves every endpoint as declared, with and without the trailing slash', async () => {
        for (const endpoint of service.endpoints[apiName]) {
          for (const path of bothForms(concrete(endpoint))) {
            const reply = await ask(endpoint, path);
            expect(reply.status, `${endpoint.method} ${path}`).to.equal(endpoint.success.status);
            expectHeaders(reply);
            expectBody(endpoint, reply);
          }
        }
      });

      it('answers HEAD as GET, without the body', async () => {
        for (const endpoint of service.endpoints[apiName]) {
          // The audit trail and the sessions differ after every sign-in.
          if (endpoint.method !== 'GET' || ['/v1/audit', '/v1/sessions'].includes(endpoint.path)) continue;
          const path = concrete(endpoint);
          const [get, head] = [await ask(endpoint), await ask(endpoint, path, 'HEAD')];
          expect(head.body).to.equal('');
          expect(headerMap(head)).to.deep.equal(headerMap(get));
          expect(head.status).to.equal(get.status);
        }
      });

      it('lists the methods of a path with OPTIONS and with 405', async () => {
        for (const endpoint of service.endpoints[apiName]) {
          const path = concrete(endpoint);
          const allow = allowed(service.endpoints[apiName], endpoint.path);
          const options = await send('OPTIONS', path);
          expect([options.status, header(options, 'allow'), options.body]).to.deep.equal([204, allow, '']);
          for (const other of METHODS.filter((name) => !allow.split(', ').includes(name))) {
            const reply = await send(other, path);
            expect([reply.status, header(reply, 'allow')], `${other} ${path}`).to.deep.equal([405, allow]);
            expectHeaders(reply);
            if (other !== 'HEAD') expectError(reply, 'METHOD_NOT_ALLOWED');
          }
        }
      });

      it('answers an unknown route with the envelope, whatever the method', async () => {
        for (const method of METHODS) {
          const reply = await send(method, '/v1/nothing/here?token=secret');
          expect(reply.status).to.equal(404);
          if (method !== 'HEAD') expectError(reply, 'ROUTE_NOT_FOUND');
        }
      });

      it('gives every reply a unique request id, which is logged too', async () => {
        const replies = [await send('GET', '/'), await send('GET', '/nope')];
        const ids = replies.map((reply) => header(reply, 'x-request-id'));
        expect(new Set(ids)).to.have.property('size', 2);
        for (const id of ids) {
          expect(id).to.match(REQUEST_ID);
          expect(running.log.map(({ fields }) => fields['id'])).to.include(id);
        }
      });

      it('does not tell by its request ids how many requests there are', async () => {
        const ids: number[] = [];
        for (let count = 0; count < 20; count += 1) {
          ids.push(Number.parseInt(header(await send('GET', '/'), 'x-request-id')?.split('-')[1] ?? '', 16));
        }
        const steps = ids.slice(1).map((id, index) => Math.abs(id - (ids[index] as number)));
        // Two of 48 random bits each are nearer than this once in 100 million pairs.
        expect(Math.min(...steps)).to.be.above(1_000_000);
      });

      it('replies 503 without a body when not alive', async () => {
        service.state.alive = false;
        const reply = await send('GET', '/v1/health/liveliness');
        service.state.alive = true;
        expect([reply.status, reply.body, header(reply, 'content-type')]).to.deep.equal([503, '', undefined]);
        expect((await send('GET', '/v1/health/liveliness')).status).to.equal(200);
      });

      it('ignores a query and a body that the route does not use', async () => {
        expect((await send('GET', '/v1/health/info?a=1&a=2&%')).status).to.equal(200);
        expect((await send('GET', '/', { body: '{"a":' })).status).to.equal(200);
      });
    });
  }
}

interface RequestParts {
  readonly body?: string | Uint8Array | undefined;
  readonly type?: string;
  readonly token?: string | undefined;
}

function makeRequest(
  method: string,
  path: string,
  { body, type, token }: RequestParts = {},
): string | Uint8Array {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost'];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  if (body !== undefined) {
    lines.push(`Content-Type: ${type ?? 'application/json'}`, `Content-Length: ${Buffer.byteLength(body)}`);
  }
  const head = `${lines.join('\r\n')}\r\n\r\n`;
  if (typeof body === 'string' || body === undefined) return `${head}${body ?? ''}`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** The reply with the first event stream chunk of a body that has no end. */
async function beginningOf(url: string, target: string, token: string | undefined): Promise<RawReply> {
  const isThere = (received: string) => received.endsWith('\n\n\r\n');
  const text = await exchangeRaw(url, makeRequest('GET', target, { token }), isThere);
  return parseReplies(`${text}0\r\n\r\n`)[0] as RawReply;
}

/** Queries of routes that need one, by the last segment of the path. */
const QUERIES: Readonly<Record<string, string>> = {
  derived: '?variables=heat_index',
  places: '?bbox=10,59,11,60',
};

/** A path with parameters that exist in the test data; `withExistingId` gives ids that the service has chosen. */
function concrete({ method, path }: AnyEndpoint): string {
  if (path.startsWith('/v1/upload-keys/')) return path.replace('{id}', method === 'DELETE' ? '0' : '1');
  if (path.startsWith('/v1/uploads/')) return path.replace('{id}', 'none');
  if (method === 'POST' && path === '/v1/imports') return `${path}?station=JFK&filename=a.csv`;
  const query = QUERIES[path.split('/').at(-1) ?? ''] ?? '';
  if (method === 'DELETE' && path.endsWith('/observations'))
    return `${path.replace('{id}', 'JFK')}?from=2000-01-01&to=2000-01-02`;
  const names = method === 'DELETE' ? ['eve', 'LGA'] : ['ada', 'JFK'];
  const target = path.replace('{name}', names[0] ?? '').replace('{id}', names[1] ?? '');
  return (
    target.replace('{overrule}', 'none').replace('{file}', '2026.txt').replace('{month}', '2025-12.parquet') +
    query
  );
}

function allowed(endpoints: readonly AnyEndpoint[], path: string): string {
  const methods = endpoints
    .filter((endpoint) => endpoint.path === path)
    .map(({ method }) => method as string);
  return [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])].toSorted().join(', ');
}

function bothForms(target: string): string[] {
  if (target === '/') return [target];
  const [path = '', query] = target.split('?');
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  return [target, query === undefined ? other : `${other}?${query}`];
}

function exampleBody({ path, body }: AnyEndpoint): RequestParts {
  if (body?.kind === 'form') {
    return { body: new URLSearchParams(body.example).toString(), type: mediaTypeOf(body) };
  }
  if (path === '/v1/imports' && body !== undefined)
    return { body: 'time,air_temperature\n', type: mediaTypeOf(body) };
  // A body with only an end frame.
  if (body?.kind === 'stream') return { body: endFrame(0, 0), type: mediaTypeOf(body) };
  if (body?.kind !== 'json') return {};
  // The example of the authentication route has the password of ada, but another user elevates here.
  const example = path === '/v1/auth/elevate/' ? { password: 'correct horse', duration: null } : body.example;
  return { body: JSON.stringify(example) };
}

/**
 * The headers without those that differ between replies, and without how a body is transferred, which a reply to HEAD
 * may omit.
 */
function headerMap(reply: RawReply): Record<string, string> {
  const ignored = new Set(['date', 'x-request-id', 'transfer-encoding']);
  const entries = reply.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(entries.filter(([name]) => !ignored.has(name)));
}

function expectHeaders(reply: RawReply): void {
  const names = reply.headers.map(([name]) => name.toLowerCase());
  expect(names).to.satisfy((all: string[]) => all.every((name) => ALLOWED_HEADERS.has(name)), names.join());
  expect(new Set(names).size, 'a header came twice').to.equal(names.length);
  expect(header(reply, 'content-security-policy')).to.equal("default-src 'none'; frame-ancestors 'none'");
}

function expectBody(endpoint: AnyEndpoint, reply: RawReply): void {
  const { success } = endpoint;
  if (success.kind === 'empty') {
    expect([reply.body, header(reply, 'content-length')]).to.deep.equal(['', '0']);
    return;
  }
  if (success.kind === 'events') {
    expect(header(reply, 'content-type')).to.equal('text/event-stream');
    expect(reply.body).to.match(/^retry: \d+\nid: [\w-]+\n\n(?:event: import\ndata: \{.*\}\n\n)?$/);
    return;
  }
  if (success.kind === 'either' || success.kind === 'stream' || success.kind === 'bytes') {
    expect(header(reply, 'content-type')).to.equal(success.mediaType);
    expect(reply.body).not.to.equal('');
    return;
  }
  if (success.kind === 'content' && !('application/json' in success.mediaTypes)) {
    expect(Object.keys(success.mediaTypes)).to.include(header(reply, 'content-type'));
    expect(reply.body).not.to.equal('');
    return;
  }
  expect(header(reply, 'content-type')).to.equal('application/json');
  const content: unknown = JSON.parse(reply.body);
  if (success.kind === 'json') expect(envelope(success).parse(content)).to.deep.equal(content);
  if (success.kind === 'content') {
    expect(success.mediaTypes['application/json']?.parse(content)).to.deep.equal(content);
  }
}

function expectError(reply: RawReply, error: keyof typeof STATUS): void {
  const content = JSON.parse(reply.body) as Record<string, unknown>;
  expect(content).to.have.all.keys('success', 'code', 'message', 'error');
  expect(content).to.include({ success: false, code: STATUS[error], error });
  expect(header(reply, 'content-type')).to.equal('application/json');
}
