import { request as send } from 'node:http';
import { expect } from 'chai';
import { OpenSetup } from '#application/accounts/setup/open-setup.js';
import { clientAddresses } from '#adapters/http/server/client-address.js';
import { loadConfig } from '#composition/config.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { setupAccess } from '#composition/setup-access.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

type Headers = Readonly<Record<string, string>>;
/** Sends the body of a setup as any program of the machine can, with any headers. @returns status and code of the error */
const post = (url: string, body: object, headers: Headers = {}) =>
  new Promise<readonly [number, unknown]>((done, failed) => {
    const all = { 'content-type': 'application/json', ...headers };
    const request = send(`${url}/v1/setup`, { method: 'POST', headers: all }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      reply.on('end', () => done([reply.statusCode ?? 0, (JSON.parse(text) as { error?: unknown }).error]));
    });
    request.on('error', failed).end(JSON.stringify(body));
  });

for (const [transport, load] of serviceTransports) {
  describe(`the first administrator over HTTP › ${transport}`, () => {
    let world: World;
    let api: RunningApi;
    let body: { code: string; username: string; password: string };
    const start = async (settings: Headers = {}) => {
      const access = setupAccess(loadConfig(undefined, settings));
      const endpoints = makeExternalEndpoints(world.container, 'public', UPLOAD_REACH, access);
      api = await runApi(await load(), { endpoints, ...clientAddresses([]) });
    };
    beforeEach(async () => {
      world = await World.make();
      const code = (await world.get(OpenSetup).execute(true)).code ?? '';
      body = { code, username: 'ada', password: 'correct horse' };
    });
    afterEach(() => api.server.close(1000));

    it('is created by a visitor of the machine, without a page and from the own page', async () => {
      await start();
      const { host } = new URL(api.url);
      expect(await post(api.url, { ...body, code: 'wrong' })).to.deep.equal([403, 'SETUP_CODE_INVALID']);
      const short = { ...body, password: 'short' };
      expect(await post(api.url, short)).to.deep.equal([400, 'REQUEST_INVALID']);
      expect(await post(api.url, body, { origin: `http://${host}` })).to.deep.equal([201, undefined]);
      expect(await post(api.url, body)).to.deep.equal([409, 'ADMINISTRATOR_EXISTS']);
    });

    it('is refused to pages of other origins and host names, to proxies, and to forms', async () => {
      await start();
      const { host, port } = new URL(api.url);
      const foreign = [403, 'ORIGIN_NOT_ALLOWED'];
      const remote = [403, 'SETUP_NOT_LOCAL'];
      const cases: readonly (readonly [Headers, readonly unknown[]])[] = [
        [{ origin: 'http://evil.example' }, foreign],
        [{ origin: `http://localhost:${port}` }, foreign],
        [{ origin: 'http://127.0.0.1:3000' }, foreign],
        [{ origin: `https://${host}` }, foreign],
        [{ origin: `http://${host}.evil.example` }, foreign],
        [{ origin: 'null' }, foreign],
        [{ host: 'evil.example', origin: 'http://evil.example' }, remote],
        [{ host: `evil.example:${port}` }, remote],
        [{ host: '127.0.0.1.evil.example' }, remote],
        [{ host: '192.168.1.2:8080' }, remote],
        ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].map(
          (name) => [{ [name]: '127.0.0.1' }, remote] as const,
        ),
        [{ 'content-type': 'text/plain' }, [415, 'MEDIA_TYPE_UNSUPPORTED']],
        [{ 'content-type': 'application/x-www-form-urlencoded' }, [415, 'MEDIA_TYPE_UNSUPPORTED']],
      ];
      for (const [headers, expected] of cases)
        expect(await post(api.url, body, headers), JSON.stringify(headers)).to.deep.equal(expected);
      expect(await world.stores.credentials.list()).to.deep.equal([]);
      expect(await post(api.url, body)).to.deep.equal([201, undefined]);
    });

    it('is refused where remote visitors may look local', async () => {
      await start({ WEATHERD_TRUSTED_PROXIES: '10.0.0.1' });
      expect(await post(api.url, body)).to.deep.equal([403, 'SETUP_NOT_LOCAL']);
    });
  });
}

describe('the first administrator in the browser', () => {
  for (const [settings, expected] of [
    [{}, 'http'],
    [{ WEATHERD_EXTERNAL_HOST: '::1' }, 'http'],
    [{ WEATHERD_EXTERNAL_HOST: 'localhost' }, 'http'],
    [{ WEATHERD_EXTERNAL_HOST: '0.0.0.0', WEATHERD_EXTERNAL_INSECURE: 'true' }, undefined],
    [{ WEATHERD_EXTERNAL_TLS_TERMINATED: 'true' }, undefined],
    [{ WEATHERD_TRUSTED_PROXIES: '127.0.0.1' }, undefined],
    [{ WEATHERD_AUTH_ENABLED: 'false' }, undefined],
    [{ WEATHERD_SITE: 'false' }, undefined],
  ] as const)
    it(`is ${expected === undefined ? 'not ' : ''}offered with ${JSON.stringify(settings)}`, () => {
      expect(setupAccess(loadConfig(undefined, settings))?.scheme).to.equal(expected);
    });

  it('is asked for only by requests from a loopback address', () => {
    const access = setupAccess(loadConfig(undefined, {}));
    const isLocal = (address: string | null) => access?.isLocal(address, { host: '127.0.0.1:8080' });
    for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])
      expect(isLocal(address)).to.equal(true);
    for (const address of ['192.168.1.2', '::2', '::ffff:10.0.0.1', '', null])
      expect(isLocal(address)).to.equal(false);
  });
});
