import { expect } from 'chai';
import fc from 'fast-check';
import type { AnyEndpoint } from '#adapters/http/core/endpoint.js';
import { header } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, serviceTransports } from '../support/api-server.js';
import { Client } from '../support/client.js';
import { CODE_POINT } from '../support/code-point.js';
import { makeServiceUnderTest, type ServiceUnderTest } from '../support/service-endpoints.js';

const RUNS = 25;

/** JSON that is almost valid: the fields of an example, some missing, some added, some of another type. */
function nearly(example: object): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 3 },
    { arbitrary: fc.string({ unit: CODE_POINT, maxLength: 80 }), weight: 2 },
    {
      arbitrary: fc.constantFrom(null, true, -0, 1e308, 900, '', ' ', '\u0000', '\ud800', 'ada', '__proto__'),
      weight: 2,
    },
  );
  const fields = Object.fromEntries(
    Object.entries(example).map(([name, given]) => [name, fc.oneof(fc.constant(given), value)]),
  );
  return fc.oneof(
    { arbitrary: fc.record(fields, { requiredKeys: [] }), weight: 4 },
    {
      arbitrary: fc
        .tuple(fc.record(fields), fc.dictionary(fc.string(), value, { maxKeys: 2 }))
        .map(([a, b]) => ({ ...a, ...b })),
      weight: 2,
    },
    { arbitrary: fc.jsonValue(), weight: 1 },
  );
}

/** Numbers at the limits of what a store, a date or a whole number can hold. */
const LIMITS = [5e-324, 1.5, -1, -0, 2 ** 53, 1e308];

/** The example with each of its numbers replaced by each of `LIMITS`. */
function atLimits(example: object): [object][] {
  return Object.entries(example)
    .filter(([, given]) => typeof given === 'number')
    .flatMap(([field]) => LIMITS.map((limit): [object] => [{ ...example, [field]: limit }]));
}

for (const [name, load] of serviceTransports) {
  describe(`fuzz › ${name}`, () => {
    let service: ServiceUnderTest;
    let running: RunningApi;
    let client: Client;

    before(async () => {
      service = await makeServiceUnderTest();
      const { endpoints, authorize } = service;
      const all = [...endpoints.external, ...endpoints.internal.filter(({ body }) => body !== undefined)];
      running = await runApi(await load(), { endpoints: all, authorize });
      client = new Client(running.url);
    });
    after(() => running.server.close(1000));

    const tokenFor = async ({ access }: AnyEndpoint) =>
      typeof access === 'string' ? undefined : await service.tokenFor(access);
    const send = async (
      { method, success }: AnyEndpoint,
      token: string | undefined,
      path: string,
      type?: string,
      body?: string,
    ) => {
      if (success.kind === 'events') {
        const headers = new Headers(token === undefined ? [] : [['authorization', `Bearer ${token}`]]);
        const response = await fetch(`${running.url}${path}`, { headers });
        if (!response.ok) return { status: response.status, content: await response.json() };
        // A body without an end.
        await response.body?.cancel();
        return { status: response.status, content: {} };
      }
      const headers = type === undefined ? [] : [`Content-Type: ${type}`];
      if (token !== undefined) headers.push(`Authorization: Bearer ${token}`);
      const { status, body: content, reply } = await client.ask(method, path, headers, body);
      expect(header(reply, 'content-type'), path).to.equal('application/json');
      return { status, content };
    };
    const expectAnswer = ({ status, content }: Awaited<ReturnType<typeof send>>, what: string) => {
      expect(status, what).to.be.oneOf([200, 201, 400, 401, 403, 404, 409, 413, 429]);
      if (status < 300) return;
      expect(content, what).to.have.all.keys('success', 'code', 'message', 'error');
      expect(JSON.stringify(content), what).not.to.match(/\\n +at |node_modules|argon2/);
    };

    it('any body is accepted or refused, and never breaks the service', async () => {
      const takers = [...service.endpoints.external, ...service.endpoints.internal].filter(
        ({ body }) => body !== undefined,
      );
      expect(takers.length).to.be.at.least(5);
      for (const endpoint of takers) {
        const { path, body } = endpoint;
        if (body === undefined || body.kind === 'bytes' || body.kind === 'stream') continue;
        // A request about authentication may end the session of its token.
        const endsSessions = path.startsWith('/v1/auth/');
        const kept = await tokenFor(endpoint);
        const examples = atLimits(body.example as object);
        await fc.assert(
          fc.asyncProperty(nearly(body.example as object), async (content) => {
            const text =
              body.kind === 'json'
                ? JSON.stringify(content)
                : new URLSearchParams(
                    Object.entries(Object(content)).map(([k, v]): [string, string] => [
                      k,
                      typeof v === 'string' ? v : (JSON.stringify(v) ?? ''),
                    ]),
                  ).toString();
            const type = body.kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
            const target = path.replace('{name}', 'fuzzed').replace('{id}', 'JFK');
            const token = endsSessions ? await tokenFor(endpoint) : kept;
            expectAnswer(await send(endpoint, token, target, type, text), `${path} ${text}`);
          }),
          { numRuns: RUNS + examples.length, examples },
        );
      }
      expect(running.failures).to.deep.equal([]);
    });

    it('any path parameter and query is accepted or refused, and never breaks the service', async () => {
      const named = service.endpoints.external.filter(
        ({ method, params, query }) => method === 'GET' && (params !== undefined || query !== undefined),
      );
      expect(named.length).to.be.at.least(2);
      const text = fc
        .string({ unit: CODE_POINT, minLength: 1, maxLength: 40 })
        .filter((value) => value.isWellFormed());
      for (const endpoint of named) {
        const token = await tokenFor(endpoint);
        const names = Object.keys(endpoint.query?.shape ?? { x: undefined });
        await fc.assert(
          fc.asyncProperty(text, fc.constantFrom(...names, 'other'), text, async (segment, key, value) => {
            const path = endpoint.path.replace(/\{\w+\}/, encodeURIComponent(segment));
            const target = `${path}?${encodeURIComponent(key)}=${encodeURIComponent(value)}`;
            expectAnswer(await send(endpoint, token, target), target);
          }),
          { numRuns: RUNS },
        );
      }
      expect(running.failures).to.deep.equal([]);
    });
  });
}
