import { expect } from 'chai';
import { type AnyEndpoint, envelope } from '../../src/adapters/http/endpoint.js';
import { STATUS } from '../../src/adapters/http/errors.js';
import type { ApiName } from '../../src/application/get-info.js';
import { type RunningApi, runApi, transports } from '../support/api-server.js';
import { header, type RawReply, request } from '../support/raw-http.js';
import { makeServiceUnderTest, type ServiceUnderTest } from '../support/service-endpoints.js';

/** The only headers that a reply may have; anything else would be a framework showing. */
const ALLOWED_HEADERS = new Set([
  'allow',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'x-content-type-options',
  'x-request-id',
]);
const REQUEST_ID = /^[0-9a-f]{12}-[0-9a-z]+$/;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

for (const [transportName, load] of transports) {
  for (const apiName of ['external', 'internal'] as const satisfies ApiName[]) {
    describe(`HTTP contract › ${apiName} on ${transportName}`, () => {
      let service: ServiceUnderTest;
      let running: RunningApi;

      before(async () => {
        service = await makeServiceUnderTest();
        running = await runApi(await load(), { endpoints: service.endpoints[apiName] });
      });
      after(() => running.server.close(1000));

      const send = (method: string, path: string, body?: string) =>
        request(running.url, makeRequest(method, path, body));

      it('has the documented routes', () => {
        const routes = service.endpoints[apiName].map(({ method, path }) => `${method} ${path}`);
        const common = ['GET /', 'GET /v1/health/liveliness', 'GET /v1/health/info', 'GET /openapi.json'];
        const own = apiName === 'external' ? ['POST /v1/auth/authenticate/'] : [];
        expect(routes).to.have.members([...common, ...own]);
      });

      it('answers every endpoint as declared, with and without the trailing slash', async () => {
        for (const endpoint of service.endpoints[apiName]) {
          for (const path of bothForms(endpoint.path)) {
            const reply = await send(endpoint.method, path, exampleBody(endpoint));
            expect(reply.status, `${endpoint.method} ${path}`).to.equal(endpoint.success.status);
            expectHeaders(reply);
            expectBody(endpoint, reply);
          }
        }
      });

      it('answers HEAD as GET, without the body', async () => {
        for (const { method, path } of service.endpoints[apiName]) {
          if (method !== 'GET') continue;
          const [get, head] = [await send('GET', path), await send('HEAD', path)];
          expect(head.body).to.equal('');
          expect(headerMap(head)).to.deep.equal(headerMap(get));
          expect(head.status).to.equal(get.status);
        }
      });

      it('lists the methods of a path with OPTIONS and with 405', async () => {
        for (const { method, path } of service.endpoints[apiName]) {
          const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : `OPTIONS, ${method}`;
          const options = await send('OPTIONS', path);
          expect([options.status, header(options, 'allow'), options.body]).to.deep.equal([204, allow, '']);
          for (const other of METHODS.filter((name) => !allow.includes(name))) {
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

      it('gives every reply a request id of its own, which the log has too', async () => {
        const replies = [await send('GET', '/'), await send('GET', '/nope')];
        const ids = replies.map((reply) => header(reply, 'x-request-id'));
        expect(new Set(ids)).to.have.property('size', 2);
        for (const id of ids) {
          expect(id).to.match(REQUEST_ID);
          expect(running.log.map(({ fields }) => fields['id'])).to.include(id);
        }
      });

      it('says 503 without a byte when not alive', async () => {
        service.state.alive = false;
        const reply = await send('GET', '/v1/health/liveliness');
        service.state.alive = true;
        expect([reply.status, reply.body, header(reply, 'content-type')]).to.deep.equal([503, '', undefined]);
        expect((await send('GET', '/v1/health/liveliness')).status).to.equal(200);
      });

      it('ignores a query and a body that no route has', async () => {
        expect((await send('GET', '/v1/health/info?a=1&a=2&%')).status).to.equal(200);
        expect((await send('GET', '/', '{"a":')).status).to.equal(200);
      });
    });
  }
}

function makeRequest(method: string, path: string, body?: string): string {
  const content =
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${content}\r\n${body ?? ''}`;
}

function bothForms(path: string): string[] {
  if (path === '/') return [path];
  return path.endsWith('/') ? [path, path.slice(0, -1)] : [path, `${path}/`];
}

function exampleBody({ body }: AnyEndpoint): string | undefined {
  return body?.kind === 'json' ? JSON.stringify(body.example) : undefined;
}

function headerMap(reply: RawReply): Record<string, string> {
  const entries = reply.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(entries.filter(([name]) => name !== 'date' && name !== 'x-request-id'));
}

function expectHeaders(reply: RawReply): void {
  const names = reply.headers.map(([name]) => name.toLowerCase());
  expect(names).to.satisfy((all: string[]) => all.every((name) => ALLOWED_HEADERS.has(name)), names.join());
  expect(new Set(names).size, 'a header came twice').to.equal(names.length);
}

function expectBody(endpoint: AnyEndpoint, reply: RawReply): void {
  const { success } = endpoint;
  if (success.kind === 'empty') {
    expect([reply.body, header(reply, 'content-length')]).to.deep.equal(['', '0']);
    return;
  }
  expect(header(reply, 'content-type')).to.equal('application/json');
  const content: unknown = JSON.parse(reply.body);
  if (success.kind === 'json') expect(envelope(success).parse(content)).to.deep.equal(content);
}

function expectError(reply: RawReply, error: keyof typeof STATUS): void {
  const content = JSON.parse(reply.body) as Record<string, unknown>;
  expect(content).to.have.all.keys('success', 'code', 'message', 'error');
  expect(content).to.include({ success: false, code: STATUS[error], error });
  expect(header(reply, 'content-type')).to.equal('application/json');
}
