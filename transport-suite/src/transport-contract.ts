import { once } from 'node:events';
import { get } from 'node:http';
import { resolve as resolvePath } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Transport } from '../../src/adapters/http/core/transport.js';
import { Probe } from './probe-endpoints.js';
import { comparable, exchangeRaw, header, parseReplies, type RawReply, request } from './raw-http.js';
import { type RunningApi, runApi } from './running-api.js';

/**
 * Declares the mocha suite that tests the rules for a transport, which is a module that routes HTTP requests to handlers
 * (docs/transports.md). The title of each test is a rule.
 *
 * @param module the module whose default export is the transport: a path relative to the working directory, or a file URL
 */
export function transportContract(module: string | URL): void {
  const url = module instanceof URL ? module.href : pathToFileURL(resolvePath(module)).href;
  describe(`transport › ${url.split('/').at(-1)}`, () =>
    transportRules(async () => ((await import(url)) as { default: Transport }).default));
}

/**
 * Declares the tests of the rules inside a mocha suite of the caller.
 *
 * @param load returns the transport. The tests mount it several times.
 */
export function transportRules(load: () => Promise<Transport>): void {
  const probe = new Probe();
  let api: RunningApi;

  before(async () => (api = await runApi(await load(), { endpoints: probe.endpoints() })));
  after(() => api.server.close(1000));

  const send = (method: string, target: string, headersAndBody = '\r\n'): Promise<RawReply> =>
    request(api.url, `${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headersAndBody}`);
  const json = async (target: string) => parseUtf8((await send('GET', target)).body);

  it('passes a body in pieces up to its limit, with and without a Content-Length', async () => {
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

  it('writes status, headers and body unchanged, and adds no header', async () => {
    const reply = await send('GET', '/v1/things/1');
    const names = reply.headers.map(([key]) => key.toLowerCase()).sort();
    // Node.js adds `date` and `connection`.
    expect(names).to.deep.equal([
      'cache-control',
      'connection',
      'content-length',
      'content-security-policy',
      'content-type',
      'date',
      'x-content-type-options',
      'x-request-id',
    ]);
    expect(header(reply, 'content-type')).to.equal('application/json');
    expect(reply.body).to.equal(
      '{"success":true,"code":200,"message":"A thing.","id":"1","units":"metric","q":null}',
    );
  });

  it('matches paths exactly and with case; a path may end with a slash', async () => {
    for (const [target, status] of [
      ['/v1/stream', 200],
      ['/v1/stream/', 200],
      ['/v1/Stream', 404],
      ['/V1/stream', 404],
      ['/v1/stream//', 404],
      ['/v1/strea', 404],
      ['/v1/streams', 404],
    ] as const) {
      expect((await send('GET', target)).status, target).to.equal(status);
    }
  });

  it('passes requests that match no route to `otherwise`: other methods and OPTIONS', async () => {
    const wrong = await send('PATCH', '/v1/things/1');
    expect([wrong.status, header(wrong, 'allow')]).to.deep.equal([405, 'DELETE, GET, HEAD, OPTIONS']);
    const options = await send('OPTIONS', '/v1/bytes');
    expect([options.status, header(options, 'allow')]).to.deep.equal([204, 'OPTIONS, PUT']);
  });

  it('decodes path parameters once, including encoded slashes', async () => {
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

  it('parses the declared query parameters and sets their defaults', async () => {
    expect(await json('/v1/things/1')).to.include({ units: 'metric', q: null });
    expect(await json('/v1/things/1?units=imperial&q=a+b%26c%C3%A9')).to.include({
      units: 'imperial',
      q: 'a b&cé',
    });
  });

  it('refuses an invalid query, and names the parameter and the fault', async () => {
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
    expect(message).to.match(/^[^;]*units[^;]*; [^;]*other/);
  });

  it('reads and writes bytes unchanged', async () => {
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

  it('streams a reply, and sends no body for HEAD', async () => {
    const reply = await send('GET', '/v1/stream');
    expect([reply.status, reply.body, header(reply, 'content-type')]).to.deep.equal([
      200,
      'a,b\n1,2\n',
      'text/csv',
    ]);
    const head = await send('HEAD', '/v1/stream');
    expect([head.status, head.body]).to.deep.equal([200, '']);
  });

  it('breaks off a stream that fails, so that the client sees an incomplete reply', async () => {
    const text = await exchangeRaw(api.url, 'GET /v1/stream?fail=1 HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(text)
      .not.to.contain('in the middle')
      .and.not.match(/0\r\n\r\n$/);
    expect(() => parseReplies(text)).to.throw();
  });

  it('stops a stream and aborts the signal when the client disconnects', async () => {
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

  it('maps a thrown DomainError to its status, and any other thrown value to 500', async () => {
    expect(JSON.parse((await send('DELETE', '/v1/things/domain')).body)).to.deep.equal({
      success: false,
      code: 404,
      message: 'There is no such user. GET /v1/users lists the users.',
      error: 'USER_UNKNOWN',
    });
    expect((await send('DELETE', '/v1/things/down')).status).to.equal(503);
    const { length } = api.failures;
    const reply = await send('DELETE', '/v1/things/text');
    expect([reply.status, reply.body.includes('not even')]).to.deep.equal([500, false]);
    expect(api.failures).to.have.length(length + 1);
  });

  it('logs the route that matched, never the path of the request', async () => {
    await send('GET', '/v1/things/eyJhbGciOi?q=secret');
    await send('GET', '/eyJhbGciOi?token=secret');
    const lines = api.log.slice(-2);
    expect(lines.map(({ fields }) => fields['route'])).to.deep.equal(['/v1/things/{id}', null]);
    expect(JSON.stringify(api.log)).not.to.contain('eyJhbGciOi').and.not.contain('secret');
  });

  it('refuses new requests while closing, but still answers OPTIONS', async () => {
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
}

/** Parses the JSON of a reply whose bytes were read as latin1. */
function parseUtf8(body: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(body, 'latin1').toString()) as Record<string, unknown>;
}
