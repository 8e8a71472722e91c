import { expect } from 'chai';
import { z } from 'zod';
import { DomainError } from '#domain/domain-error.js';
import { type AnyEndpoint, contentEndpoint } from '#adapters/http/core/endpoint.js';
import { requestLimit } from '#adapters/http/external/request-limit.js';
import { header, request } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, transports } from '../../support/api-server.js';

const ERROR_TYPE = 'application/json; charset=utf-8';

/** An endpoint whose clients read errors in the form of another API. Each way of failing has a path. */
function failing(path: string, more: Partial<AnyEndpoint>): AnyEndpoint {
  return {
    ...contentEndpoint({
      method: 'GET',
      path,
      summary: 'Fails.',
      access: 'public',
      success: { kind: 'content', status: 200, description: 'Nothing.', mediaTypes: {} },
      errors: [],
      errorReply: ({ status, code, message }) => ({
        status: status === 404 ? 400 : status,
        mediaType: ERROR_TYPE,
        body: JSON.stringify({ error: true, reason: `${code}: ${message}` }),
      }),
      call: () => {
        throw new Error('a failure that nobody expected, with a secret in it');
      },
    }),
    ...more,
  };
}

for (const [name, load] of transports) {
  describe(`the errors of a dialect › ${name}`, () => {
    let api: RunningApi;
    const unknown = () => {
      throw new DomainError('STATION_UNKNOWN', 'There is no such station.');
    };
    const send = (method: string, path: string) =>
      request(api.url, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    before(async () => {
      const guard = requestLimit(7);
      api = await runApi(await load(), {
        endpoints: [
          failing('/other/failed', {}),
          failing('/other/unknown', { call: unknown }),
          failing('/other/number', { query: z.strictObject({ number: z.coerce.number() }) }),
          failing('/other/secret', { access: { level: 1, role: 'reader' } }),
        ],
        ...(guard && { guard }),
      });
    });
    after(() => api.server.close(1000));

    it('have the form, the status and the type of the dialect, and the headers of the service', async () => {
      const replies: [path: string, status: number, reason: RegExp][] = [
        ['/other/failed', 500, /^INTERNAL_ERROR: The service has failed\. Its log names the reason/],
        ['/other/unknown', 400, /^STATION_UNKNOWN: There is no such station\./],
        ['/other/number?number=x', 400, /^REQUEST_INVALID: .*number/],
        ['/other/number?word=x', 400, /^REQUEST_INVALID: .*word/],
        ['/other/secret', 401, /^AUTH_TOKEN_INVALID: /],
      ];
      for (const [path, status, reason] of replies) {
        const reply = await send('GET', path);
        expect([reply.status, header(reply, 'content-type')], path).to.deep.equal([status, ERROR_TYPE]);
        const body = JSON.parse(reply.body) as { error: true; reason: string };
        expect(body).to.have.all.keys('error', 'reason');
        expect(body.reason).to.match(reason).and.not.contain('secret in it');
        expect(header(reply, 'x-request-id')).to.be.a('string');
        expect(header(reply, 'cache-control')).to.equal('no-store');
        expect(header(reply, 'www-authenticate') !== undefined).to.equal(status === 401);
      }
      expect(api.failures.map(String)).to.deep.equal([
        'Error: a failure that nobody expected, with a secret in it',
      ]);
    });

    it('have no body for HEAD, and keep Retry-After if there are too many requests', async () => {
      const head = await send('HEAD', '/other/unknown');
      expect([head.status, head.body, header(head, 'content-type')]).to.deep.equal([400, '', ERROR_TYPE]);
      await send('GET', '/other/unknown');
      const refused = await send('GET', '/other/unknown');
      expect([refused.status, header(refused, 'content-type')]).to.deep.equal([429, ERROR_TYPE]);
      expect(JSON.parse(refused.body))
        .to.have.property('reason')
        .that.matches(/^RATE_LIMITED: /);
      expect(Number(header(refused, 'retry-after'))).to.be.within(1, 60);
    });
  });
}
