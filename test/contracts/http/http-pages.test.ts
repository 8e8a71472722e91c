import { expect } from 'chai';
import type { Page, PageReply } from '#adapters/http/core/pages/page.js';
import { header, request } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { makeServiceUnderTest } from '../../support/service-endpoints.js';

const TYPE = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

for (const [name, load] of defaultTransport) {
  describe(`pages, on ${name}`, () => {
    let api: RunningApi;

    before(async () => {
      const { endpoints, authorize } = await makeServiceUnderTest();
      const html = (body: string): PageReply => ({ status: 200, headers: TYPE, etag: 'one', body });
      const pages: Page[] = [
        { path: '/', answer: () => html('<p>home</p>') },
        { path: '/stations/{id}', answer: ({ params, search }) => html(`${params['id']}|${search}`) },
        { path: '/read/{id}', answer: async ({ params, read }) => html(await readText(read, params['id'])) },
        {
          path: '/file',
          answer: () => ({
            status: 200,
            headers: { 'content-type': 'text/css' },
            etag: 'two',
            body: new Map([
              ['identity', Buffer.from('plain')],
              ['br', Buffer.from('br')],
              ['gzip', Buffer.from('gz')],
            ]),
          }),
        },
        { path: '*', answer: () => ({ ...html('<p>nothing</p>'), status: 404 }) },
        { path: '/broken', answer: () => Promise.reject(new Error('a fault with a secret')) },
      ];
      api = await runApi(await load(), { endpoints: endpoints.external, pages, authorize });
    });
    after(() => api.server.close(1000));

    const get = (target: string, headers: readonly string[] = [], method = 'GET') =>
      request(
        api.url,
        [`${method} ${target} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, '', ''].join('\r\n'),
      );

    const choices: readonly (readonly [accept: string | undefined, isHtml: boolean])[] = [
      [undefined, false],
      ['', false],
      ['*/*', false],
      ['application/json', false],
      [BROWSER, true],
      ['text/html', true],
      ['TEXT/HTML', true],
      ['text/*', true],
      ['text/html;level=1', true],
      ['text/html, */*', false],
      ['text/html, application/json', false],
      ['text/html;q=0.9, */*;q=0.8', true],
      ['text/html;q=0.8, */*;q=0.9', false],
      ['text/html;q=0.5, application/json;q=0.4', true],
      ['text/html;q=0', false],
      ['text/html;q=nonsense', false],
      ['text/html;q=0.1, */*;q=1', false],
      ['text/html, application/json;q=0', true],
      ['application/*, text/html;q=0.9', false],
      ['text/plain', false],
      ['application/json;q=0.5, */*;q=0.9', true],
      ['application/json;q=0, */*', true],
      ['image/png, */*;q=0.8', false],
    ];
    for (const [accept, isHtml] of choices) {
      it(`answers ${isHtml ? 'HTML' : 'JSON'} at / for Accept: ${accept ?? '(none)'}`, async () => {
        const reply = await get('/', accept === undefined ? [] : [`Accept: ${accept}`]);
        expect(reply.status).to.equal(200);
        expect(header(reply, 'content-type')).to.equal(isHtml ? TYPE['content-type'] : 'application/json');
        expect(header(reply, 'vary')).to.equal('Accept');
        if (isHtml) expect(reply.body).to.equal('<p>home</p>');
        else expect(JSON.parse(reply.body)).to.include({ success: true, code: 200 });
      });
    }

    it('answers HEAD as GET without a body', async () => {
      const reply = await get('/', [`Accept: ${BROWSER}`], 'HEAD');
      expect([reply.status, header(reply, 'content-length'), reply.body]).to.deep.equal([200, '11', '']);
    });

    it('answers 304 to whoever has the version, without a type and a body', async () => {
      const reply = await get('/', [`Accept: ${BROWSER}`, 'If-None-Match: W/"zero", "one"']);
      expect([reply.status, reply.body]).to.deep.equal([304, '']);
      expect(header(reply, 'etag')).to.equal('"one"');
      expect(header(reply, 'content-type')).to.equal(undefined);
    });

    it('has each page with and without a slash at its end', async () => {
      for (const path of ['/stations/JFK', '/file'])
        expect((await get(`${path}/`)).body).to.equal((await get(path)).body);
    });

    for (const path of ['/nowhere', '/v1/nowhere', '/stations/JFK/more'])
      it(`answers browsers at ${path} with the page of nothing, and others with JSON`, async () => {
        const page = await get(path, [`Accept: ${BROWSER}`]);
        expect([page.status, page.body, header(page, 'vary')]).to.deep.equal([
          404,
          '<p>nothing</p>',
          'Accept',
        ]);
        expect((await get(path, [`Accept: ${BROWSER}`], 'HEAD')).body).to.equal('');
        for (const headers of [[], ['Accept: */*']])
          expect(JSON.parse((await get(path, headers)).body)).to.include({ error: 'ROUTE_NOT_FOUND' });
        const posted = await get(path, [`Accept: ${BROWSER}`], 'POST');
        expect([posted.status, header(posted, 'content-type')]).to.deep.equal([404, 'application/json']);
      });

    it('hands over path parameters and the query', async () => {
      expect((await get('/stations/a%20b?x=1&y')).body).to.equal('a b|x=1&y');
    });

    it('lets a page read the API in the process, as a visitor without a token', async () => {
      expect((await get('/read/JFK')).body).to.equal('JFK 2.5');
      expect((await get('/read/nowhere')).body).to.equal('STATION_UNKNOWN');
      expect((await get('/read/users')).body).to.equal('ROUTE_NOT_FOUND');
    });

    const codings: readonly (readonly [sent: string, coding: string | undefined, body: string])[] = [
      ['gzip, deflate, br', 'br', 'br'],
      ['gzip', 'gzip', 'gz'],
      ['br;q=0, gzip', 'gzip', 'gz'],
      ['identity', undefined, 'plain'],
      ['', undefined, 'plain'],
      ['zstd', undefined, 'plain'],
    ];
    for (const [sent, coding, body] of codings) {
      it(`sends a file as ${coding ?? 'it is'} for Accept-Encoding: ${sent}`, async () => {
        const reply = await get('/file', [`Accept-Encoding: ${sent}`]);
        expect(reply.body).to.equal(body);
        expect(header(reply, 'content-encoding')).to.equal(coding);
        expect(header(reply, 'vary')).to.equal('Accept-Encoding');
        expect(header(reply, 'etag')).to.equal(coding === undefined ? '"two"' : `"two-${coding}"`);
      });
    }

    it('answers a fault of a page as any fault of the service', async () => {
      const reply = await get('/broken', [`Accept: ${BROWSER}`]);
      expect(reply.status).to.equal(500);
      expect(reply.body).not.to.include('secret');
      expect(api.failures.map((error) => (error as Error).message)).to.include('a fault with a secret');
    });
  });
}

async function readText(read: (target: string) => Promise<unknown>, id = ''): Promise<string> {
  const target = id === 'users' ? '/v1/users' : `/v1/stations/${id}/observations/latest?units=metric`;
  try {
    const { station, latest } = (await read(target)) as {
      station: string;
      latest: { air_temperature: { value: number } };
    };
    return `${station} ${latest.air_temperature.value}`;
  } catch (error) {
    return (error as { code: string }).code;
  }
}
