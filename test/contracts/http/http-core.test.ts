import { once } from 'node:events';
import { get } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { z } from 'zod';
import { compileApi } from '../../../src/adapters/http/core/api.js';
import { DOCUMENTED_AUTH_ERRORS } from '../../../src/adapters/http/core/documented-errors.js';
import {
  type AnyEndpoint,
  bytesEndpoint,
  type Call,
  jsonEndpoint,
  eitherEndpoint,
  streamEndpoint,
} from '../../../src/adapters/http/core/endpoint.js';
import { describeApi } from '../../../src/adapters/http/core/openapi.js';
import { exchangeOf } from '../../../src/adapters/http/core/request/exchange.js';
import { DomainError } from '../../../src/domain/domain-error.js';
import { type RunningApi, runApi, transports } from '../../support/api-server.js';
import {
  comparable,
  exchangeRaw,
  header,
  parseReplies,
  type RawReply,
  request,
} from '../../support/raw-http.js';

/** What the service has no route for yet: parameters, queries, bytes and streams, so that they work when it has. */
class Probe {
  signal: AbortSignal | undefined;
  readonly source = new Readable({ read: () => undefined }).on('error', () => undefined);

  endpoints(): readonly AnyEndpoint[] {
    return [
      jsonEndpoint({
        method: 'GET',
        path: '/v1/things/{id}',
        summary: 'One thing',
        access: 'public',
        params: z.strictObject({ id: z.string().max(2000) }),
        query: z.strictObject({
          units: z.enum(['metric', 'imperial']).default('metric'),
          q: z.string().optional(),
        }),
        success: {
          kind: 'json',
          status: 200,
          message: 'A thing.',
          schema: z.strictObject({ id: z.string(), units: z.string(), q: z.string().nullable() }),
        },
        errors: ['REQUEST_INVALID'],
        call: ({ params, query }) => ({ id: params.id, units: query.units, q: query.q ?? null }),
      }),
      bytesEndpoint({
        method: 'PUT',
        path: '/v1/bytes',
        summary: 'The bytes, backwards',
        access: 'public',
        body: { kind: 'bytes', mediaType: 'application/octet-stream', limit: 8 },
        success: { kind: 'bytes', status: 200, mediaType: 'application/octet-stream' },
        errors: [],
        call: ({ body }) => Buffer.from(body).reverse(),
      }),
      eitherEndpoint({
        method: 'POST',
        path: '/v1/pieces',
        summary: 'The length of a body that comes in pieces',
        access: 'public',
        body: { kind: 'stream', mediaType: 'application/octet-stream', limit: 8 },
        success: {
          kind: 'either',
          status: 200,
          mediaType: 'text/plain',
          message: 'Counted.',
          schema: z.strictObject({ length: z.int() }),
          encode: ({ length }) => Buffer.from(String(length)),
        },
        errors: [],
        call: async ({ body }) => {
          let length = 0;
          for await (const piece of body) length += piece.length;
          return { length };
        },
      }),
      streamEndpoint({
        method: 'GET',
        path: '/v1/stream',
        summary: 'A stream',
        access: 'public',
        query: z.strictObject({ fail: z.string().optional(), endless: z.string().optional() }),
        success: { kind: 'stream', status: 200, mediaType: 'text/csv' },
        errors: [],
        call: (input) => this.#stream(input),
      }),
      jsonEndpoint({
        method: 'DELETE',
        path: '/v1/things/{id}',
        summary: 'Fails on purpose',
        access: 'public',
        params: z.strictObject({ id: z.string() }),
        success: { kind: 'json', status: 200, message: '', schema: z.strictObject({}) },
        errors: ['USER_UNKNOWN', 'AUTH_NOT_READY_YET'],
        call: ({ params }): Record<string, never> => {
          if (params.id === 'domain') throw new DomainError('USER_UNKNOWN', 'nobody');
          throw params.id === 'text' ? 'not even an Error' : new DomainError('STORE_UNAVAILABLE', 'down');
        },
      }),
    ];
  }

  #stream({
    query,
    signal,
  }: Call<unknown, { fail?: string | undefined; endless?: string | undefined }, undefined>) {
    this.signal = signal;
    if (query.endless !== undefined) {
      this.source.push('a,b\n');
      return this.source;
    }
    return Readable.from(
      (function* () {
        yield 'a,b\n';
        if (query.fail !== undefined) throw new Error('in the middle');
        yield '1,2\n';
      })(),
    );
  }
}

for (const [name, load] of transports) {
  describe(`HTTP core › on ${name}`, () => {
    const probe = new Probe();
    let api: RunningApi;

    before(async () => (api = await runApi(await load(), { endpoints: probe.endpoints() })));
    after(() => api.server.close(1000));

    const send = (method: string, target: string, rest = ''): Promise<RawReply> =>
      request(api.url, `${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${rest || '\r\n'}`);
    const json = async (target: string) => parseUtf8((await send('GET', target)).body);

    it('gives a body in pieces, as far as its limit, whether its length was announced or not', async () => {
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      const head = 'Content-Type: application/octet-stream\r\n';
      const chunked = (...parts: string[]) =>
        send(
          'POST',
          '/v1/pieces',
          `${head}Transfer-Encoding: chunked\r\n\r\n${parts.map(chunk).join('')}0\r\n\r\n`,
        );
      expect(await chunked('abc', 'de', 'fgh')).to.include({ status: 200, body: '8' });
      const refused = await chunked('abc', 'de', 'fghi', 'jkl');
      expect([refused.status, refused.body]).to.satisfy(([status, text]: [number, string]) => {
        return status === 413 && text.includes('BODY_TOO_LARGE');
      });
      expect((await send('POST', '/v1/pieces', `${head}Content-Length: 9\r\n\r\nabcdefghi`)).status).to.equal(
        413,
      );
      const asJson = await send(
        'POST',
        '/v1/pieces',
        `${head}Accept: application/json\r\nContent-Length: 3\r\n\r\nabc`,
      );
      expect(JSON.parse(asJson.body)).to.deep.equal({
        success: true,
        code: 200,
        message: 'Counted.',
        length: 3,
      });
    });

    it('decodes path parameters once, slashes and all', async () => {
      for (const [target, id] of [
        ['/v1/things/a-b_c.d~', 'a-b_c.d~'],
        ['/v1/things/%41%2fb', 'A/b'],
        ['/v1/things/%25%34%31', '%41'],
        ['/v1/things/h%C3%A9%20%E2%82%AC', 'hé €'],
        ['/v1/things/a+b;c=d,e:f@g', 'a+b;c=d,e:f@g'],
        [`/v1/things/${'x'.repeat(1900)}`, 'x'.repeat(1900)],
        ['/v1/things/__proto__/', '__proto__'],
      ] as const) {
        expect(await json(target), target).to.include({ id });
      }
    });

    it('has no route for an empty parameter or one with a slash', async () => {
      for (const target of ['/v1/things/', '/v1/things', '/v1/things//', '/v1/things/a/b']) {
        expect((await send('GET', target)).status, target).to.equal(404);
      }
    });

    it('parses the query that is declared, with its defaults', async () => {
      expect(await json('/v1/things/1')).to.include({ units: 'metric', q: null });
      expect(await json('/v1/things/1?units=imperial&q=a+b%26c%C3%A9')).to.include({
        units: 'imperial',
        q: 'a b&cé',
      });
    });

    it('refuses a query that is not, and says what and where', async () => {
      for (const [query, message] of [
        ['units=si', /^query\.units: /],
        ['other=1', /^query: .*other/],
        ['q=1&q=2', /^query\.q: given more than once/],
        ['q=%zz', /percent-encoding/],
        ['q=%ff', /percent-encoding/],
        ['__proto__=1', /__proto__/],
      ] as const) {
        const reply = await json(`/v1/things/1?${query}`);
        expect(reply, query).to.include({ code: 400, error: 'REQUEST_INVALID' });
        expect(reply['message'], query).to.match(message);
      }
    });

    it('names every fault of a request at once', async () => {
      const { message } = await json(`/v1/things/1?units=si&other=1`);
      expect(message).to.match(/units.*; .*other/);
    });

    it('takes and gives bytes as they are', async () => {
      const head = 'Content-Type: application/octet-stream\r\nContent-Length: 3\r\n\r\n';
      const reply = await request(
        api.url,
        Buffer.concat([
          Buffer.from(`PUT /v1/bytes HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}`),
          Buffer.from([0xff, 0x00, 0x80]),
        ]),
      );
      expect([...Buffer.from(reply.body, 'latin1')]).to.deep.equal([0x80, 0x00, 0xff]);
      expect(header(reply, 'content-type')).to.equal('application/octet-stream');
      const large = await send('PUT', '/v1/bytes', `${head.replace('3', '9')}123456789`);
      expect([large.status, header(large, 'content-type')]).to.deep.equal([413, 'application/json']);
    });

    it('streams, and has no body for HEAD', async () => {
      const reply = await send('GET', '/v1/stream');
      expect([reply.status, reply.body, header(reply, 'content-type')]).to.deep.equal([
        200,
        'a,b\n1,2\n',
        'text/csv',
      ]);
      const head = await send('HEAD', '/v1/stream');
      expect([head.status, head.body]).to.deep.equal([200, '']);
    });

    it('cuts a stream that fails off, so that nobody takes it for whole', async () => {
      const text = await exchangeRaw(api.url, 'GET /v1/stream?fail=1 HTTP/1.1\r\nHost: a\r\n\r\n');
      expect(text)
        .not.to.contain('in the middle')
        .and.not.match(/0\r\n\r\n$/);
      expect(() => parseReplies(text)).to.throw();
    });

    it('stops a stream and fires the signal when the client leaves', async () => {
      const client = get(`${api.url}/v1/stream?endless=1`);
      client.on('error', () => undefined);
      const [response] = (await once(client, 'response')) as [Readable];
      await once(response, 'data');
      expect(probe.signal?.aborted).to.equal(false);
      client.destroy();
      if (!probe.source.closed) await new Promise((resolve) => probe.source.once('close', resolve));
      expect(probe.source.destroyed).to.equal(true);
      if (probe.signal?.aborted === false) await once(probe.signal, 'abort');
      expect(probe.signal?.aborted).to.equal(true);
      expect(api.log.at(-1)?.fields).to.include({ route: '/v1/stream', aborted: true });
    });

    it('maps what a use-case throws: a DomainError by the table, anything else to 500', async () => {
      expect(JSON.parse((await send('DELETE', '/v1/things/domain')).body)).to.deep.equal({
        success: false,
        code: 404,
        message: 'nobody',
        error: 'USER_UNKNOWN',
      });
      expect((await send('DELETE', '/v1/things/down')).status).to.equal(503);
      const { length } = api.failures;
      const reply = await send('DELETE', '/v1/things/text');
      expect([reply.status, reply.body.includes('not even')]).to.deep.equal([500, false]);
      expect(api.failures).to.have.length(length + 1);
    });

    it('logs the route that was matched, never the path that was sent', async () => {
      await send('GET', '/v1/things/eyJhbGciOi?q=secret');
      await send('GET', '/eyJhbGciOi?token=secret');
      const lines = api.log.slice(-2);
      expect(lines.map(({ fields }) => fields['route'])).to.deep.equal(['/v1/things/{id}', null]);
      expect(JSON.stringify(api.log)).not.to.contain('eyJhbGciOi').and.not.contain('secret');
    });

    it('refuses new work while closing, and says so to OPTIONS no differently', async () => {
      const closing = await runApi(await load(), { endpoints: probe.endpoints() });
      closing.beginClosing();
      const ask = (method: string) =>
        request(closing.url, `${method} /v1/stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      const [read, wrong, options] = [await ask('GET'), await ask('PUT'), await ask('OPTIONS')];
      await closing.server.close(1000);
      expect([read.status, wrong.status, options.status]).to.deep.equal([503, 503, 204]);
      expect(header(read, 'retry-after')).to.equal('5');
      expect(comparable(wrong).body).to.equal(read.body);
    });
  });
}

/** JSON of a reply whose bytes were read as latin1. */
function parseUtf8(body: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(body, 'latin1').toString()) as Record<string, unknown>;
}

describe('compileApi', () => {
  const definition = (endpoints: readonly AnyEndpoint[]) => ({
    endpoints,
    authorize: () => Promise.reject(new Error('no tokens here')),
    isClosing: () => false,
    onFailure: () => undefined,
  });
  const [thing] = new Probe().endpoints() as [AnyEndpoint];

  it('refuses two endpoints for the same method and path', () => {
    const other = { ...thing, path: '/v1/things/{id}/' };
    expect(() => compileApi(definition([thing, other]))).to.throw('declared twice');
  });

  it('refuses a path whose parameters are not those declared', () => {
    const { params: _none, ...bare } = thing;
    expect(() => compileApi(definition([{ ...thing, path: '/v1/{name}' }]))).to.throw('its params');
    expect(() => compileApi(definition([bare]))).to.throw('its params');
  });

  it('serves only messages that a server has received', () => {
    expect(() => exchangeOf({} as never)).to.throw('no HttpServer');
  });
});

describe('documented errors', () => {
  const failing = (path: string, code: 'AUTH_NOT_READY_YET' | 'AUTH_INVALID_CREDENTIALS') =>
    jsonEndpoint({
      method: 'GET',
      path,
      summary: '',
      access: 'public',
      success: { kind: 'json', status: 200, message: '', schema: z.strictObject({}) },
      errors: ['AUTH_INVALID_CREDENTIALS', 'AUTH_NOT_ALLOWED', 'AUTH_NOT_READY_YET'],
      call: (): Record<string, never> => {
        throw new DomainError(code, 'text');
      },
    });
  const documented = (endpoint: AnyEndpoint): AnyEndpoint => ({
    ...endpoint,
    documentedErrors: DOCUMENTED_AUTH_ERRORS,
  });

  it('belong to the endpoint that has them', async () => {
    const endpoints = [
      failing('/true-500', 'AUTH_NOT_READY_YET'),
      failing('/true-403', 'AUTH_INVALID_CREDENTIALS'),
      documented(failing('/documented-500', 'AUTH_NOT_READY_YET')),
      documented(failing('/documented-403', 'AUTH_INVALID_CREDENTIALS')),
    ];
    const api = await runApi(await transports[0]![1](), { endpoints });
    for (const [path, status, success, code] of [
      ['/true-500', 500, false, 500],
      ['/true-403', 403, false, 403],
      ['/documented-500', 500, true, 403],
      ['/documented-403', 403, true, 403],
    ] as const) {
      const reply = await request(api.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(reply.status, path).to.equal(status);
      expect(JSON.parse(reply.body), path).to.include({ success, code, message: 'text' });
    }
    await api.server.close(1000);
  });

  it('are described where they are, one schema for each code of a status', () => {
    const info = { title: 't', version: '1.0.0', description: 'd', secured: false };
    const endpoints = [
      failing('/true', 'AUTH_NOT_READY_YET'),
      documented(failing('/lie', 'AUTH_NOT_READY_YET')),
    ];
    const { paths } = JSON.parse(JSON.stringify(describeApi(info, endpoints)));
    const schemaOf = (path: string, status: number) =>
      paths[path].get.responses[status].content['application/json'].schema;
    const reference = { $ref: '#/components/schemas/Error' };
    const variant = (success: boolean, error: string) => ({
      allOf: [
        reference,
        { properties: { success: { const: success }, code: { const: 403 }, error: { const: error } } },
      ],
    });
    expect([schemaOf('/true', 403), schemaOf('/true', 500)]).to.deep.equal([reference, reference]);
    expect(schemaOf('/lie', 500)).to.deep.equal(variant(true, 'AUTH_NOT_READY_YET'));
    expect(schemaOf('/lie', 403)).to.deep.equal({
      oneOf: [variant(true, 'AUTH_INVALID_CREDENTIALS'), variant(false, 'AUTH_NOT_ALLOWED')],
    });
  });
});

describe('describeApi', () => {
  it('describes parameters, bytes and streams', () => {
    const info = { title: 't', version: '1.0.0', description: 'd', secured: true };
    const document = JSON.parse(JSON.stringify(describeApi(info, new Probe().endpoints())));
    const { get: read, delete: remove } = document.paths['/v1/things/{id}'];
    expect(
      read.parameters.map((item: Record<string, unknown>) => [item['name'], item['in'], item['required']]),
    ).to.deep.equal([
      ['id', 'path', true],
      ['units', 'query', false],
      ['q', 'query', false],
    ]);
    expect(remove.responses['500'].content['application/json'].schema).to.deep.equal({
      $ref: '#/components/schemas/Error',
    });
    expect(document.paths['/v1/bytes'].put.requestBody.content).to.have.keys('application/octet-stream');
    expect(document.paths['/v1/stream'].get.responses['200'].content).to.have.keys('text/csv');
    expect(document.security).to.deep.equal([{ bearer: [] }]);
  });
});
