import { expect } from 'chai';
import { externalHeaders } from '#adapters/http/external/headers.js';
import { internalGuard } from '#adapters/http/internal/guard.js';
import { header, request } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { makeServiceUnderTest, type ServiceUnderTest } from '../../support/service-endpoints.js';

const SECRET = 'an-internal-secret-of-32-bytes-!';

for (const [name, load] of serviceTransports) {
  describe(`internal API › who may call, on ${name}`, () => {
    let open: RunningApi;
    let secured: RunningApi;

    before(async () => {
      const { endpoints } = await makeServiceUnderTest();
      const hosts = ['localhost', '127.0.0.1', '::1'];
      const allowedHosts = ['Weather.Example.org'];
      const start = async (secret: string | undefined) =>
        runApi(await load(), {
          endpoints: endpoints.internal,
          guard: internalGuard({ secret, hosts, allowedHosts }),
        });
      open = await start(undefined);
      secured = await start(SECRET);
    });
    after(() => Promise.all([open.server.close(1000), secured.server.close(1000)]));

    const ask = async (api: RunningApi, headers: string, target = '/', method = 'GET') => {
      const reply = await request(
        api.url,
        `${method} ${target} HTTP/1.1\r\nConnection: close\r\n${headers}\r\n\r\n`,
      );
      const { error } = (reply.body === '' ? {} : JSON.parse(reply.body)) as { error?: string };
      return { status: reply.status, error, challenge: header(reply, 'www-authenticate') };
    };

    it('answers to its own names, in any case and with a port', async () => {
      for (const host of [
        'localhost',
        'LOCALHOST:8081',
        '127.0.0.1:1',
        '[::1]:8081',
        'weather.example.org',
      ]) {
        expect(await ask(open, `Host: ${host}`), host).to.include({ status: 200 });
      }
    });

    it('refuses any other Host on every path: a name that was made to point here', async () => {
      for (const host of [
        'evil.example',
        'localhost.evil.example',
        '127.0.0.1.evil.example',
        '',
        '[::1',
        'localhost@evil',
      ]) {
        for (const target of ['/', '/v1/health/liveliness', '/nope']) {
          expect(await ask(open, `Host: ${host}`, target), host).to.include({
            status: 403,
            error: 'HOST_NOT_ALLOWED',
          });
        }
      }
    });

    it('refuses pages of other origins, whatever the method', async () => {
      for (const origin of [
        'https://evil.example',
        'null',
        'http://localhost.evil.example',
        'localhost',
        '',
        'http://localhost:3000',
        'http://localhost',
        'http://127.0.0.1:8081',
      ]) {
        for (const method of ['GET', 'OPTIONS', 'POST']) {
          const answer = await ask(open, `Host: localhost:8081\r\nOrigin: ${origin}`, '/', method);
          expect(answer, origin).to.include({ status: 403, error: 'ORIGIN_NOT_ALLOWED' });
        }
      }
    });

    it('accepts its own origin, and those of the allowed hosts', async () => {
      for (const headers of [
        'Host: localhost:8081\r\nOrigin: http://localhost:8081',
        'Host: localhost\r\nOrigin: http://localhost',
        'Host: LOCALHOST:80\r\nOrigin: http://localhost',
        'Host: [::1]:8081\r\nOrigin: http://[::1]:8081',
        'Host: weather.example.org\r\nOrigin: https://weather.example.org',
        'Host: localhost:8081\r\nOrigin: https://weather.example.org:8443',
      ]) {
        expect(await ask(open, headers), headers).to.include({ status: 200 });
      }
    });

    it('requires the secret, if there is one, on every path', async () => {
      for (const authorization of [
        '',
        '\r\nAuthorization: Basic YTpi',
        '\r\nAuthorization: Bearer',
        `\r\nAuthorization: Bearer ${SECRET}x`,
        `\r\nAuthorization: Bearer ${SECRET.slice(0, -1)}`,
        `\r\nAuthorization: ${SECRET}`,
        `\r\nAuthorization: Bearer ${SECRET} x`,
      ]) {
        for (const target of ['/', '/v1/health/liveliness', '/openapi.json', '/nope']) {
          expect(await ask(secured, `Host: localhost${authorization}`, target), authorization).to.deep.equal({
            status: 401,
            error: 'AUTH_TOKEN_INVALID',
            challenge: 'Bearer',
          });
        }
      }
    });

    it('accepts a caller with the secret', async () => {
      expect(await ask(secured, `Host: localhost\r\nAuthorization: Bearer ${SECRET}`)).to.include({
        status: 200,
      });
      expect(await ask(secured, `Host: localhost\r\nauthorization: bearer  ${SECRET}`)).to.include({
        status: 200,
      });
      expect(await ask(secured, `Host: localhost\r\nAuthorization: Bearer ${SECRET}`, '/nope')).to.include({
        status: 404,
      });
    });
  });

  describe(`external API › pages of other origins and TLS, on ${name}`, () => {
    let refused: string[];
    let endpoints: ServiceUnderTest['endpoints'];
    before(async () => ({ endpoints } = await makeServiceUnderTest()));
    beforeEach(() => (refused = []));
    const start = async (allowedOrigins: readonly string[], tls = false) => {
      const onRefused = (origin: string) => void refused.push(origin);
      const headers = externalHeaders({ allowedOrigins, tls, onRefused });
      return runApi(await load(), { endpoints: endpoints.external, headers });
    };
    const ask = async (api: RunningApi, headers: string, method = 'GET') => {
      const reply = await request(
        api.url,
        `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n\r\n`,
      );
      const named = reply.headers.filter(([key]) => /^(?:access-control|vary|strict)/.test(key));
      return Object.fromEntries(named);
    };

    it('sends no headers for origins or TLS if none is configured', async () => {
      const api = await start([]);
      expect(await ask(api, 'Origin: https://a.example')).to.deep.equal({});
      await api.server.close(1000);
    });

    it('names the origin that is allowed, and only to it', async () => {
      const api = await start(['https://a.example', 'https://b.example']);
      expect(await ask(api, 'Origin: https://b.example')).to.deep.equal({
        vary: 'Origin',
        'access-control-allow-origin': 'https://b.example',
        'access-control-expose-headers': 'ETag, Link, Retry-After, X-Request-Id',
      });
      expect(await ask(api, 'Origin: https://evil.example')).to.deep.equal({ vary: 'Origin' });
      expect(await ask(api, 'X: y')).to.deep.equal({ vary: 'Origin' });
      await api.server.close(1000);
    });

    it('reports each origin that is refused once, and no page of the service itself', async () => {
      for (const allowed of [[], ['https://b.example']]) {
        refused = [];
        const api = await start(allowed);
        for (const origin of ['https://b.example', 'http://a', 'https://a', 'https://evil.example', 'null'])
          for (const method of ['GET', 'OPTIONS', 'POST']) await ask(api, `Origin: ${origin}`, method);
        await ask(api, 'X: y');
        const others = ['https://evil.example', 'null'];
        expect(refused).to.deep.equal(allowed.length === 0 ? ['https://b.example', ...others] : others);
        await api.server.close(1000);
      }
      refused = [];
      const open = await start(['*']);
      await ask(open, 'Origin: https://evil.example');
      expect(refused).to.deep.equal([]);
      await open.server.close(1000);
    });

    it('answers a preflight', async () => {
      const api = await start(['*']);
      const headers = 'Origin: https://a.example\r\nAccess-Control-Request-Method: POST';
      expect(await ask(api, headers, 'OPTIONS')).to.deep.equal({
        vary: 'Origin',
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
        'access-control-allow-headers': 'Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID',
        'access-control-max-age': '600',
      });
      await api.server.close(1000);
    });

    it('asks browsers to keep using TLS if there is TLS', async () => {
      for (const origins of [[], ['*']]) {
        const api = await start(origins, true);
        expect(await ask(api, 'X: y')).to.include({ 'strict-transport-security': 'max-age=63072000' });
        await api.server.close(1000);
      }
    });
  });
}
