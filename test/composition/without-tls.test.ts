import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Service } from '#composition/service.js';
import { Place } from '../support/place.js';

interface Operation {
  readonly security?: readonly object[];
}

const { paths } = JSON.parse(readFileSync('docs/openapi-external.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

describe('the external API over plain HTTP (WEATHERD_EXTERNAL_INSECURE)', () => {
  let place: Place;
  let service: Service;
  let url: string;

  before(async () => {
    place = await Place.make('sqlite');
    service = await place.serve({
      WEATHERD_EXTERNAL_HOST: '0.0.0.0',
      WEATHERD_EXTERNAL_INSECURE: 'true',
    });
    url = `http://127.0.0.1:${new URL(service.externalUrl).port}`;
  });
  after(async () => {
    await service.stop();
    await place.remove();
  });

  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const target = url + path.replace(/\{id\}/g, '1').replace(/\{\w+\}/g, 'x');
    const signal = AbortSignal.timeout(120_000);
    const response = await fetch(target, { method, headers, signal });
    // The stream of events does not end.
    const isJson = method !== 'HEAD' && response.headers.get('content-type') === 'application/json';
    const body = isJson ? ((await response.json()) as { readonly error?: string }) : undefined;
    await response.body?.cancel().catch(() => undefined);
    return { status: response.status, error: body?.error };
  };
  const refused = { status: 403, error: 'TLS_REQUIRED' };

  for (const { path, method, operation } of operations) {
    const { security = [{}] } = operation;
    // An empty requirement means that no token is needed.
    const isRead = method === 'GET' && security.some((needed) => Object.keys(needed).length === 0);
    it(`${isRead ? 'answers' : 'refuses'} ${method} ${path}`, async () => {
      const answer = await ask(method, path);
      if (isRead) expect(answer.status).to.be.oneOf([200, 204, 400, 404]);
      else expect(answer).to.deep.equal(refused);
      expect(await ask(method, path, { authorization: 'Bearer anything' })).to.deep.equal(refused);
    });
  }

  it('refuses other methods, and answers HEAD', async () => {
    expect(await ask('PATCH', '/v1/stations')).to.deep.equal(refused);
    expect((await ask('HEAD', '/v1/stations')).status).to.equal(200);
  });

  it('tells pages to hide sign-in, and serves them', async () => {
    const html = async (path: string) =>
      (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
    expect(await html('/')).to.include('"signIn":false');
  });

  it('changes nothing on a loopback address', async () => {
    const home = await Place.make('sqlite');
    const local = await home.serve({ WEATHERD_EXTERNAL_INSECURE: 'true' });
    const users = await fetch(`${local.externalUrl}/v1/users`);
    expect(users.status).to.equal(401);
    const page = await fetch(`${local.externalUrl}/`, { headers: { accept: 'text/html' } });
    expect(await page.text()).to.include('"signIn":true');
    await local.stop();
    await home.remove();
  });
});
