import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { header } from '#transport-suite/raw-http.js';
import { ListKeys } from '#application/accounts/keys/list-keys.js';
import { RetireKey } from '#application/accounts/keys/retire-key.js';
import { RotateKey } from '#application/accounts/keys/rotate-key.js';
import { ReadAudit } from '#application/accounts/read-audit.js';
import { SIGN_IN_LIMITS } from '#application/accounts/sessions/sign-in-limits.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { Client } from '../support/client.js';
import { Place } from '../support/place.js';
import { eventually } from '../support/process.js';
import { Proxy } from '../support/proxy.js';

const PASSWORD = 'correct horse battery staple';
const ATTEMPTS = SIGN_IN_LIMITS[0]?.attempts ?? 0;

for (const store of ['sqlite', 'postgres']) {
  describe(`two instances that share ${store}, behind a proxy`, () => {
    let place: Place;
    let instances: Service[];
    let proxy: Proxy;
    let both: Client;
    let first: Client;
    let second: Client;

    before(async () => {
      place = await Place.make(store);
      // Both instances start at once on an empty database, and both must start.
      instances = await Promise.all(
        ['express', 'fastify'].map((transport) =>
          place.serve({
            WEATHERD_EXTERNAL_TRANSPORT: transport,
            WEATHERD_TRUSTED_PROXIES: '127.0.0.1',
          }),
        ),
      );
      const urls = instances.map(({ externalUrl }) => externalUrl);
      [first, second] = urls.map((url) => new Client(url)) as [Client, Client];
      proxy = await Proxy.start(urls);
      both = new Client(proxy.url);
      const add = instances[0]?.application.container.get(AddUser);
      await add?.execute(
        { name: 'Ada', email: 'ada@example.org', password: PASSWORD, administrator: true },
        COMMAND_LINE,
      );
    });
    after(async () => {
      await proxy.close();
      await Promise.all(instances.map((instance) => instance.stop()));
      await place.remove();
    });

    const inSecond = () => instances[1]?.application.container as Service['application']['container'];
    const from = (address: string) => [`X-Client: ${address}`];

    it('behave as one: sign in, elevate, act, drop, revoke', async () => {
      const token = Client.tokenOf(await both.signIn('ada', PASSWORD));
      const elevated = Client.tokenOf(
        await both.send('POST', '/v1/auth/elevate/', token, { password: PASSWORD, duration: 60 }),
      );
      const bob = { email: null, password: 'a password for bob', enabled: true, administrator: false };
      expect((await both.send('PUT', '/v1/users/bob', elevated, bob)).status).to.equal(201);
      expect((await both.send('PUT', '/v1/users/bob', elevated, bob)).status).to.equal(200);
      expect((await both.signIn('bob', 'a password for bob')).status).to.equal(200);
      expect((await both.send('POST', '/v1/auth/drop/', elevated)).status).to.equal(200);
      for (let time = 0; time < 4; time += 1) {
        expect((await both.send('GET', '/v1/users', elevated)).error).to.equal('AUTH_TOKEN_INVALID');
      }
      expect((await both.send('POST', '/v1/auth/revoke/', token, { scope: 'session' })).status).to.equal(200);
      expect((await both.send('GET', '/v1/audit', elevated)).status).to.equal(401);
    });

    it("accept each other's changes: an elevated token ends at once, a basic one when the cached session is too old", async () => {
      const token = Client.tokenOf(await first.signIn('ada', PASSWORD));
      const elevated = Client.tokenOf(
        await first.send('POST', '/v1/auth/elevate/', token, { password: PASSWORD, duration: null }),
      );
      expect((await second.send('GET', '/v1/users', elevated)).status).to.equal(200);
      const ask = async () =>
        (await second.send('POST', '/v1/auth/elevate/', token, { password: '', duration: 0 })).status;
      expect(await ask()).to.equal(400); // The token is accepted; the rest of the request is refused.
      await first.send('POST', '/v1/auth/revoke/', token, { scope: 'all' });
      expect((await second.send('GET', '/v1/users', elevated)).error).to.equal('AUTH_TOKEN_INVALID');
      // Five seconds, which the test of the cache measures with its own clock.
      expect(await eventually(ask, (status) => status !== 400)).to.equal(401);
    });

    it("accept each other's changes: a new key, and the end of an old one", async () => {
      const old = Client.tokenOf(await first.signIn('ada', PASSWORD));
      const { id } = await inSecond().get(RotateKey).execute({ lead: 0 }, COMMAND_LINE);
      const kidOf = (token: string) => jwt.decode(token, { complete: true })?.header.kid;
      const signIn = async () => kidOf(Client.tokenOf(await first.signIn('ada', PASSWORD)));
      await eventually(signIn, (kid) => kid === id);
      expect((await first.send('POST', '/v1/auth/drop/', old)).status).to.equal(200);
      const others = async () =>
        (await inSecond().get(ListKeys).execute()).filter((key) => key.id !== id && key.retiredAt === null);
      for (const key of await others()) {
        await inSecond().get(RetireKey).execute({ id: key.id }, COMMAND_LINE);
      }
      await eventually(
        () => first.send('POST', '/v1/auth/drop/', old),
        ({ error }) => error === 'AUTH_TOKEN_INVALID',
      );
      const { body, reply } = await first.send('GET', '/v1/auth/keys');
      expect((body['keys'] as { kid: string }[]).map(({ kid }) => kid)).to.deep.equal([id]);
      expect(header(reply, 'cache-control')).to.match(/max-age=\d+/);
    });

    it('count failed sign-ins together, by name and network, and let the owner in from elsewhere', async () => {
      const names = ['ada', 'ADA', ' Ada ', 'ａｄａ', 'aDa'];
      expect(names).to.have.length(ATTEMPTS);
      for (const [index, name] of names.entries()) {
        // One network, with different last 64 bits.
        const { status } = await both.signIn(name, 'wrong', from(`2001:db8:0:1::${index}`));
        expect(status).to.equal(403);
      }
      for (const client of [first, second]) {
        const { status, error, reply } = await client.signIn('ada', PASSWORD, [
          'X-Forwarded-For: 2001:db8:0:1:ffff::1',
        ]);
        expect([status, error]).to.deep.equal([429, 'RATE_LIMITED']);
        const wait = Number(header(reply, 'retry-after'));
        expect(wait).to.be.within(1, 60);
        expect(header(reply, 'ratelimit')).to.equal(`"attempts";r=0;t=${wait}`);
      }
      const byEmail = await both.send(
        'POST',
        '/v1/auth/authenticate/',
        undefined,
        { username: null, email: 'ada@example.org', password: PASSWORD },
        from('2001:db8:0:1::9'),
      );
      // Separate limits. A shared limit would reveal which email belongs to which user.
      expect(byEmail.status).to.equal(200);
      for (const elsewhere of ['2001:db8:0:2::1', '198.51.100.7']) {
        expect((await both.signIn('ada', PASSWORD, from(elsewhere))).status, elsewhere).to.equal(200);
      }
      expect((await both.signIn('nobody', 'wrong', from('2001:db8:0:1::9'))).status).to.equal(403);
    });

    it('record the address of the client, not of the proxy', async () => {
      await both.signIn('ada', 'wrong', from('203.0.113.9'));
      const { events } = await inSecond().get(ReadAudit).execute({ limit: 1 });
      expect(events[0]).to.include({
        action: 'sign-in',
        outcome: 'refused',
        subject: 'Ada',
        address: '203.0.113.9',
      });
    });

    // The last test, because the proxy does not know the address of the instance that it starts.
    it('continue counting after a restart', async () => {
      for (let time = 0; time < ATTEMPTS; time += 1) await both.signIn('ada', 'wrong');
      await instances[0]?.stop();
      instances[0] = await place.serve({ WEATHERD_TRUSTED_PROXIES: '127.0.0.1' });
      const again = new Client(instances[0].externalUrl);
      const { status } = await again.signIn('ada', PASSWORD, ['X-Forwarded-For: 192.0.2.1']);
      expect(status).to.equal(429);
    });
  });
}

describe('the client address', () => {
  it('is not taken from a header of an untrusted host', async () => {
    const place = await Place.make('sqlite');
    const service = await place.serve();
    const client = new Client(service.externalUrl);
    for (let time = 0; time < ATTEMPTS; time += 1) {
      await client.signIn('ada', 'wrong', [`X-Forwarded-For: 192.0.2.${time}`]);
    }
    const { status } = await client.signIn('ada', 'wrong', [
      'X-Forwarded-For: 198.51.100.1',
      'Forwarded: for=1.2.3.4',
    ]);
    expect(status).to.equal(429);
    await service.stop();
    await place.remove();
  });
});

for (const transport of ['express', 'fastify']) {
  describe(`the request limit › ${transport}`, () => {
    it('refuses a client with too many requests, on every external route, and no other client', async () => {
      const place = await Place.make('sqlite');
      const service = await place.serve({
        WEATHERD_EXTERNAL_TRANSPORT: transport,
        WEATHERD_RATE_LIMIT: '5',
        WEATHERD_TRUSTED_PROXIES: '127.0.0.1',
      });
      const external = new Client(service.externalUrl);
      const ask = (path: string, address = '2001:db8::1') =>
        external.ask('GET', path, [`X-Forwarded-For: ${address}`]);
      for (const path of ['/', '/openapi.json', '/v1/health/info', '/nope', '/v1/users']) {
        expect((await ask(path, `2001:db8::${path.length}`)).status).not.to.equal(429);
      }
      for (const path of ['/', '/v1/users', '/nope']) {
        const { status, error, reply } = await ask(path);
        expect([status, error]).to.deep.equal([429, 'RATE_LIMITED']);
        const wait = Number(header(reply, 'retry-after'));
        expect(wait).to.be.within(1, 60);
        expect(header(reply, 'ratelimit')).to.equal(`"requests";r=0;t=${wait}`);
        expect(header(reply, 'ratelimit-policy')).to.equal('"requests";q=5;w=60');
      }
      expect((await ask('/', '2001:db8:1::1')).status).to.equal(200);
      const internal = new Client(service.internalUrl);
      for (let time = 0; time < 8; time += 1) expect((await internal.ask('GET', '/')).status).to.equal(200);
      await service.stop();
      await place.remove();
    });
  });
}
