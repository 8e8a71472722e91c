import { expect } from 'chai';
import { comparable, exchangeRaw, parseReplies, request } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, transports } from '../../support/api-server.js';
import { makeServiceUnderTest, type ServiceUnderTest } from '../../support/service-endpoints.js';

const AUTH = '/v1/auth/authenticate/';
const VALID = '{"username":"ada","email":null,"password":"correct horse battery staple"}';
const MEBIBYTE = 1024 * 1024;

interface Case {
  readonly title: string;
  readonly bytes: string | Uint8Array;
  readonly status: number;
  readonly error?: string;
}

/** A request with a body and these headers, which may be unusual. */
function post(
  body: string | Uint8Array,
  headers = 'Content-Type: application/json\r\n',
  path = AUTH,
): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}`;
  return Buffer.concat([
    Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`),
    Buffer.from(body),
  ]);
}

const get = (target: string, rest = 'Host: localhost\r\n') =>
  `GET ${target} HTTP/1.1\r\n${rest}Connection: close\r\n\r\n`;

const type = (value: string) => `Content-Type: ${value}\r\n`;

const CASES: readonly Case[] = [
  { title: 'a good request', bytes: post(VALID), status: 200 },
  {
    title: 'a lone surrogate in the password',
    bytes: post('{"username":"ada","password":"\\ud800xxxxxxx"}'),
    status: 400,
    error: 'REQUEST_INVALID',
  },
  {
    title: 'a wrong password',
    bytes: post('{"username":"ada","password":"wrong"}'),
    status: 403,
    error: 'AUTH_INVALID_CREDENTIALS',
  },
  {
    title: 'an unknown user',
    bytes: post('{"username":"eve","password":"wrong"}'),
    status: 403,
    error: 'AUTH_INVALID_CREDENTIALS',
  },
  ...[
    ['an empty body', ''],
    ['no JSON', '{"username":'],
    ['a string', '"ada"'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '12'],
    ['deep nesting', '['.repeat(8000) + ']'.repeat(8000)],
    ['deep nesting in a field', `{"username":${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}}`],
    ['an unknown field', '{"username":"ada","password":"x","admin":true}'],
    ['__proto__', '{"username":"ada","password":"x","__proto__":{"admin":true}}'],
    ['constructor', '{"username":"ada","password":"x","constructor":{"prototype":{"admin":true}}}'],
    ['neither name nor email', '{"username":null,"email":null,"password":"x"}'],
    ['no password', '{"username":"ada"}'],
    ['a password of 1025 bytes', `{"username":"ada","password":"${'a'.repeat(1025)}"}`],
    ['a number for a name', '{"username":1,"password":"x"}'],
    ['a lone surrogate in the name', '{"username":"\\udfff","password":"x"}'],
    ['NaN', '{"username":NaN}'],
    ['trailing text', `${VALID} x`],
  ].map(([title = '', body = '']): Case => ({
    title: `a body of ${title}`,
    bytes: post(body),
    status: 400,
    error: 'REQUEST_INVALID',
  })),
  {
    title: 'invalid UTF-8',
    bytes: post(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
    status: 400,
    error: 'REQUEST_INVALID',
  },
  {
    title: 'overlong UTF-8',
    bytes: post(Buffer.from([0x22, 0xc0, 0xaf, 0x22])),
    status: 400,
    error: 'REQUEST_INVALID',
  },
  { title: 'a byte order mark', bytes: post(`\ufeff${VALID}`), status: 200 },
  ...[
    ['no content type', ''],
    ['text/plain', type('text/plain')],
    ['a form', type('application/x-www-form-urlencoded')],
    ['a content type that is none', type(';;;')],
    ['JSON of another kind', type('application/problem+json')],
    ['a prefix of it', type('application/jsonx')],
    ['two in one', type('application/json, text/plain')],
    ['latin1', type('application/json; charset=iso-8859-1')],
    ['UTF-16', type('application/json;charset="utf-16"')],
    ['gzip', `${type('application/json')}Content-Encoding: gzip\r\n`],
    ['br', `${type('application/json')}Content-Encoding: br\r\n`],
  ].map(([title = '', headers = '']): Case => ({
    title: `a body with ${title}`,
    bytes: post(VALID, headers),
    status: 415,
    error: 'MEDIA_TYPE_UNSUPPORTED',
  })),
  ...[
    type('Application/JSON'),
    type('application/json;charset=utf-8'),
    type('application/json ; Charset="UTF-8"'),
    type('application/json; v=1'),
    `${type('application/json')}Content-Encoding: identity\r\n`,
  ].map((headers): Case => ({
    title: `a body with ${headers.trim()}`,
    bytes: post(VALID, headers),
    status: 200,
  })),
  ...['near', 'from', 'radius', 'last', 'cursor', 'q', 'nothing'].map((name): Case => ({
    title: `a parameter ${name} with 300 characters`,
    bytes: get(`/v1/observations?${name}=${'1'.repeat(300)}`),
    status: 400,
    error: 'REQUEST_INVALID',
  })),
  {
    title: 'a station id of 65 characters',
    bytes: get(`/v1/stations/${'a'.repeat(65)}`),
    status: 400,
    error: 'REQUEST_INVALID',
  },
  ...['accept', 'Accept-Encoding', 'If-None-Match', 'Origin', 'X-Forwarded-For', 'Last-Event-ID'].map(
    (name): Case => ({
      title: `a header ${name} with 2,049 characters`,
      bytes: get('/v1/stations', `Host: localhost\r\n${name}: ${'a'.repeat(2049)}\r\n`),
      status: 400,
      error: 'REQUEST_INVALID',
    }),
  ),
  {
    title: 'a header Accept with 2,100 characters in 21 lines',
    bytes: get('/v1/stations', `Host: localhost\r\n${`Accept: ${'a'.repeat(100)}\r\n`.repeat(21)}`),
    status: 400,
    error: 'REQUEST_INVALID',
  },
  {
    title: 'a header with 8,000 characters that the service does not read',
    bytes: get('/', `Host: localhost\r\nCookie: ${'a'.repeat(8000)}\r\n`),
    status: 200,
  },
  {
    title: 'two content types',
    bytes: post(VALID, type('application/json') + type('text/plain')),
    status: 400,
    error: 'REQUEST_INVALID',
  },
  { title: 'a body beyond the limit', bytes: post('a'.repeat(16_385)), status: 413, error: 'BODY_TOO_LARGE' },
  {
    title: 'a body far beyond the limit',
    bytes: post('a'.repeat(MEBIBYTE)),
    status: 413,
    error: 'BODY_TOO_LARGE',
  },
  {
    title: 'chunks beyond the limit',
    bytes: `POST ${AUTH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${type('application/json')}Transfer-Encoding: chunked\r\n\r\n${`4000\r\n${'a'.repeat(0x4000)}\r\n`.repeat(4)}0\r\n\r\n`,
    status: 413,
    error: 'BODY_TOO_LARGE',
  },
  {
    title: 'a body in chunks',
    bytes: `POST ${AUTH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${type('application/json')}Transfer-Encoding: chunked\r\n\r\n${Array.from(VALID, (character) => `1\r\n${character}\r\n`).join('')}0\r\n\r\n`,
    status: 200,
  },
  {
    title: 'a bad chunk',
    bytes: `POST ${AUTH} HTTP/1.1\r\nHost: localhost\r\n${type('application/json')}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    status: 400,
    error: 'REQUEST_INVALID',
  },
  ...[
    ['an unknown route', '/nope'],
    ['a route that takes no body', '/'],
    ['a route of another method', AUTH.replace('authenticate/', 'keys')],
  ].map(([title = '', path = '']): Case => ({
    title: `a bad chunk to ${title}`,
    bytes: `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    status: 400,
    error: 'REQUEST_INVALID',
  })),
  ...['gzip, chunked', 'chunked, chunked', 'chunked\r\nTransfer-Encoding: chunked', 'identity, chunked'].map(
    (coding): Case => ({
      title: `the transfer coding ${JSON.stringify(coding)}`,
      bytes: `POST ${AUTH} HTTP/1.1\r\nHost: localhost\r\n${type('application/json')}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      status: 400,
      error: 'REQUEST_INVALID',
    }),
  ),
  {
    title: 'the transfer coding in capitals',
    bytes: `POST ${AUTH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${type('application/json')}Transfer-Encoding: CHUNKED\r\n\r\n${VALID.length.toString(16)}\r\n${VALID}\r\n0\r\n\r\n`,
    status: 200,
  },
  ...['DESCRIBE', 'ANNOUNCE', 'SETUP', 'PLAY', 'PAUSE', 'TEARDOWN', 'RECORD', 'FLUSH', 'GET_PARAMETER'].map(
    (method): Case => ({
      title: `${method} of RTSP`,
      bytes: `${method} / RTSP/1.0\r\n\r\n`,
      status: 405,
      error: 'METHOD_NOT_ALLOWED',
    }),
  ),
  {
    title: 'a method of RTSP and an unknown route',
    bytes: 'ANNOUNCE /nope RTSP/1.0\r\n\r\n',
    status: 404,
    error: 'ROUTE_NOT_FOUND',
  },
  {
    title: 'an expectation',
    bytes: get('/', 'Host: localhost\r\nExpect: tea\r\n'),
    status: 417,
    error: 'EXPECTATION_FAILED',
  },

  ...[
    '//',
    '//v1/health/info',
    '/v1//health/info',
    '/v1/health/info//',
    '/V1/health/info',
    '/v1/health/Info',
    '/v1/health',
    '/v1/health/info/x',
    '/v1%2Fhealth/info',
    '/.',
    '/v1/../',
  ].map((target): Case => ({
    title: `the target ${target}`,
    bytes: get(target),
    status: 404,
    error: 'ROUTE_NOT_FOUND',
  })),
  ...[
    '/v1/health/liveliness',
    '/v1/health/liveliness/',
    '/v1/health/%6civeliness',
    '/v1/health/liveliness?x=%zz',
    '/v1/health/liveliness?',
    'http://elsewhere/v1/health/liveliness',
  ].map((target): Case => ({ title: `the target ${target}`, bytes: get(target), status: 200 })),
  { title: 'an absolute target without a path', bytes: get('http://localhost'), status: 200 },
  { title: 'an absolute target with a query alone', bytes: get('http://localhost?a=1'), status: 200 },
  ...[
    '/v1/%',
    '/v1/%zz',
    '/v1/health/info%ff',
    '/%c0%af',
    '/a\\b',
    '/a"b',
    '/a<b>',
    '/a|b',
    '/#x',
    '*',
    '/v1/h\u00e9',
    'x',
  ].map((target): Case => ({
    title: `the bad target ${target}`,
    bytes: Buffer.from(get(target), 'latin1'),
    status: 400,
    error: 'REQUEST_INVALID',
  })),
  {
    title: 'OPTIONS *',
    bytes: 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    status: 204,
  },
  { title: 'HEAD of a bad target', bytes: 'HEAD /% HTTP/1.1\r\nHost: localhost\r\n\r\n', status: 400 },
  {
    title: 'CONNECT',
    bytes: 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    status: 400,
    error: 'REQUEST_INVALID',
  },
  { title: 'an upgrade', bytes: get('/', 'Host: localhost\r\nUpgrade: websocket\r\n'), status: 200 },

  { title: 'two Hosts', bytes: get('/', 'Host: a\r\nHost: b\r\n'), status: 400, error: 'REQUEST_INVALID' },
  {
    title: 'the same Host twice',
    bytes: get('/', 'Host: a\r\nhOST: a\r\n'),
    status: 400,
    error: 'REQUEST_INVALID',
  },
  { title: 'no Host', bytes: get('/', ''), status: 400, error: 'REQUEST_INVALID' },
  { title: 'no Host in HTTP/1.0', bytes: 'GET / HTTP/1.0\r\n\r\n', status: 200 },
  ...[
    ['no HTTP', 'hello\r\n\r\n'],
    ['no version', 'GET /\r\n\r\n'],
    ['a version of the future', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a method in lower case', 'get / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n\tmore: 2\r\n\u0001: 3\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: \u0000\r\n\r\n'],
    ['a TLS hello', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
    ['two lengths', `POST ${AUTH} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['a negative length', `POST ${AUTH} HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n`],
    [
      'a length and chunks',
      `POST ${AUTH} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'chunks that are not last',
      `POST ${AUTH} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n`,
    ],
  ].map(([title = '', bytes = '']): Case => ({
    title,
    bytes: Buffer.from(bytes, 'latin1'),
    status: 400,
    error: 'REQUEST_INVALID',
  })),
  {
    title: 'headers beyond the limit',
    bytes: get('/', `Host: a\r\nX: ${'a'.repeat(20_000)}\r\n`),
    status: 431,
    error: 'HEADERS_TOO_LARGE',
  },
  {
    title: 'a target beyond the limit',
    bytes: get(`/${'a'.repeat(20_000)}`),
    status: 431,
    error: 'HEADERS_TOO_LARGE',
  },
];

const SECRETS = [
  'correct horse',
  'staple',
  'node_modules',
  'at Object',
  'fastify',
  'express',
  'FST_',
  'SyntaxError',
];

describe('HTTP parity › the same bytes on the wire', () => {
  let service: ServiceUnderTest;
  const running: [name: string, api: RunningApi][] = [];

  before(async () => {
    service = await makeServiceUnderTest();
    for (const [name, load] of transports) {
      const { endpoints, authorize } = service;
      running.push([name, await runApi(await load(), { endpoints: endpoints.external, authorize })]);
    }
  });
  after(() => Promise.all(running.map(([, api]) => api.server.close(1000))));

  for (const { title, bytes, status, error } of CASES) {
    it(`${title} › ${status} on every transport`, async () => {
      const [first, ...others] = await Promise.all(
        running.map(async ([, api]) => comparable(await request(api.url, bytes))),
      );
      expect(first?.status, first?.body).to.equal(status);
      if (error !== undefined) expect(JSON.parse(first?.body ?? '')).to.include({ error });
      for (const secret of SECRETS) expect(JSON.stringify(first)).not.to.contain(secret);
      for (const other of others) expect(other).to.deep.equal(first);
    });
  }

  it('a failure that nobody expected › 500 without its text, and the log has it', async () => {
    service.state.key = false;
    const replies = await Promise.all(running.map(([, api]) => request(api.url, post(VALID))));
    service.state.key = true;
    for (const reply of replies) {
      expect(comparable(reply)).to.deep.equal(comparable(replies[0]!));
      expect(JSON.parse(reply.body)).to.deep.equal({
        success: false,
        code: 500,
        message: 'The service has failed. Its log names the reason, with the id of this request.',
        error: 'INTERNAL_ERROR',
      });
    }
    for (const [name, api] of running) expect(api.failures, name).to.have.length(1);
  });

  it('a wrong password for elevation › 403 without success: true, which only the sign-in route has', async () => {
    const wrong = '{"password":"a wrong password","duration":null}';
    for (const [name, api] of running) {
      const token = await service.tokenFor({ level: 0, role: 'reader' });
      const headers = `${type('application/json')}Authorization: Bearer ${token}\r\n`;
      const elevated = await request(api.url, post(wrong, headers, '/v1/auth/elevate/'));
      const error = { code: 403, error: 'AUTH_INVALID_CREDENTIALS' };
      expect(elevated.status, name).to.equal(403);
      expect(JSON.parse(elevated.body)).to.include({ ...error, success: false });
      const signedIn = await request(api.url, post('{"username":"ada","password":"a wrong one"}'));
      expect(JSON.parse(signedIn.body)).to.include({ ...error, success: true });
    }
  });

  it('too many sign-ins › 503 with Retry-After', async () => {
    service.passwords.busy = true;
    const replies = await Promise.all(running.map(([, api]) => request(api.url, post(VALID))));
    service.passwords.busy = false;
    for (const reply of replies) {
      expect(comparable(reply)).to.deep.equal(comparable(replies[0]!));
      expect(reply.status).to.equal(503);
      expect(Object.fromEntries(reply.headers)).to.include({ 'retry-after': '7' });
    }
  });

  it('requests sent together on one connection › answered in their order', async () => {
    const bytes = `GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /v1/health/liveliness HTTP/1.1\r\nHost: a\r\n\r\n${get('/nope')}`;
    for (const [, api] of running) {
      const replies = parseReplies(await exchangeRaw(api.url, bytes));
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 404]);
    }
  });

  it('a body that follows a refusal › does not become the next request', async () => {
    const smuggled = `GET /v1/health/info HTTP/1.1\r\nHost: a\r\n\r\n`;
    const head = `POST ${AUTH} HTTP/1.1\r\nHost: a\r\n${type('text/plain')}Content-Length: ${smuggled.length}\r\n\r\n`;
    for (const [, api] of running) {
      const replies = parseReplies(await exchangeRaw(api.url, `${head}${smuggled}${get('/nope')}`));
      expect(replies.map(({ status }) => status)).to.deep.equal([415, 404]);
    }
  });
});
