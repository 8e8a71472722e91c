import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { PRIVATE_URLS } from '../../support/private-urls.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

const SECRET = '0123456789abcdef';
const SERVICE = { kind: 'wunderground', account: 'KNY1', secret: 'hunter22' };
const HOOK = {
  stations: ['JFK'],
  post: { url: 'https://example.org/hooks/secret?token=1', secret: SECRET },
};

for (const [transport, load] of defaultTransport) {
  describe(`hooks over HTTP › ${transport}`, () => {
    let world: World;
    let api: RunningApi;
    let client: Client;
    let root: string;
    let target: Server;
    let visits: number;

    beforeEach(async () => {
      world = await World.make();
      await addStation(world);
      await world.addUser('root', true);
      root = await world.elevate(await world.signIn('root'));
      const authorize = world.get(Authorize);
      api = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'token', UPLOAD_REACH),
        authorize: (token, access) => authorize.execute({ token, ...access }),
      });
      client = new Client(api.url);
      visits = 0;
      target = createServer((_request, response) => {
        visits += 1;
        response.end();
      });
      await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    });
    afterEach(async () => {
      target.close();
      await api.server.close(1000);
    });

    const local = () => `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    const send = (method: string, path: string, body?: object) =>
      client.send(method, `/v1/hooks${path}`, root, body);

    it('are made, listed, paused and removed, without a word of their secrets', async () => {
      const made = await send('PUT', '/forward', HOOK);
      const shown = {
        name: 'forward',
        kind: 'post',
        target: 'https://example.org/…',
        signed: true,
        allow_private: false,
        stations: ['JFK'],
        forecasts: false,
        paused: false,
        since: new Date(world.clock.time).toISOString(),
        delivered_at: null,
        failing_since: null,
        reason: null,
      };
      expect([made.status, made.body['hook']]).to.deep.equal([200, shown]);
      await send('POST', '/forward/pause');
      const listed = await send('GET', '');
      expect(listed.body['hooks']).to.deep.equal([{ ...shown, paused: true }]);
      expect(JSON.stringify([made.body, listed.body])).not.to.contain(SECRET);
      await send('POST', '/forward/resume');
      expect((await send('GET', '')).body['hooks']).to.deep.equal([shown]);
      expect((await send('DELETE', '/forward')).status).to.equal(200);
      expect((await send('GET', '')).body['hooks']).to.deep.equal([]);
      for (const [method, path] of [
        ['DELETE', '/forward'],
        ['POST', '/forward/pause'],
        ['POST', '/forward/test'],
      ] as const)
        expect((await send(method, path)).error, path).to.equal('HOOK_UNKNOWN');
    });

    it('send forecasts to URLs alone, and lose them if a request that replaces the hook does not name them', async () => {
      const upload = { stations: ['JFK'], target: SERVICE, forecasts: true };
      const refused = await send('PUT', '/wu', upload);
      expect([refused.error, refused.body['message']]).to.deep.equal([
        'REQUEST_INVALID',
        'Weather services accept no forecasts. A hook with forecasts needs a URL or a program as target.',
      ]);
      const shown = async () => (await send('GET', '/forward')).body['hook'] as object;
      for (const [sent, forecasts] of [
        [{ forecasts: true }, true],
        [{}, false],
      ] as const) {
        const made = await send('PUT', '/forward', { ...HOOK, ...sent });
        expect(made.body['hook']).to.include({ forecasts });
        expect(await shown()).to.include({ forecasts });
      }
      const kept = { stations: ['JFK'], keep_target: true, forecasts: true };
      expect((await send('PUT', '/forward', kept)).body['hook']).to.deep.include({
        forecasts: true,
        signed: true,
      });
      expect((await send('PUT', '/forward', { ...HOOK, forecasts: 1 })).error).to.equal('REQUEST_INVALID');
    });

    it('are refused with a reason', async () => {
      const upload = { service: 'wunderground', account: 'K', key: 'k' };
      const { post: _post, ...without } = HOOK;
      const refusals: [string, object][] = [
        ['one', without],
        ['one', { ...HOOK, upload }],
        ['one', { ...HOOK, stations: ['LGA'] }],
        ['A_b', HOOK],
        ['one', { ...HOOK, command: ['/bin/sh'] }],
        ['one', { ...HOOK, allow_private: true }],
        ['one', { ...HOOK, post: { ...HOOK.post, allow_private: true } }],
        ...PRIVATE_URLS.map((url): [string, object] => ['one', { ...HOOK, post: { url } }]),
        ...PRIVATE_URLS.map((url): [string, object] => ['one', { ...without, target: { ...SERVICE, url } }]),
        ['one', { ...HOOK, target: SERVICE }],
        ['one', { ...HOOK, keep_target: true }],
        ...[
          { kind: 'command' },
          { kind: 'wundergroun', account: 'K', secret: 'k' },
          { kind: 'wunderground', account: 'K' },
          { kind: 'wunderground', account: 'K', secret: 'k', url: 'tcp://example.org:23' },
          { kind: 'post', url: 'https://example.org', account: 'K' },
          { account: 'K' },
          { ...SERVICE, allow_private: true },
        ].map((sent): [string, object] => ['one', { ...without, target: sent }]),
      ];
      const errors: unknown[] = [];
      for (const [name, body] of refusals) errors.push((await send('PUT', `/${name}`, body)).error);
      expect(errors).to.deep.equal(
        refusals.map((_, index) => (index === 2 ? 'STATION_UNKNOWN' : 'REQUEST_INVALID')),
      );
      expect((await send('GET', '')).body['hooks']).to.deep.equal([]);
    });

    it('made here reach no private address, and those of the command line do where they may', async () => {
      // The address of a name is looked up only when it is used.
      await send('PUT', '/forward', { ...HOOK, post: { url: local().replace('127.0.0.1', 'localhost') } });
      const tested = await send('POST', '/forward/test');
      expect(tested.body).to.deep.include({ delivered: false });
      expect(tested.body['reason']).to.contain('no public address');
      expect(visits).to.equal(0);
      const allowed = { kind: 'post', url: local(), allowPrivate: true } as const;
      await world.get(AddHook).execute({ name: 'local', target: allowed, stations: null }, CALLER);
      expect((await send('POST', '/local/test')).body).to.deep.include({ delivered: true, reason: null });
      expect(visits).to.equal(1);
    });

    it('upload to the services of the list, which says what each needs', async () => {
      const { body } = await send('GET', '');
      expect((body['kinds'] as object[])[0]).to.deep.equal({
        name: 'wunderground',
        title: 'Weather Underground',
        settings: [
          { name: 'account', required: true },
          { name: 'secret', required: true },
          { name: 'url', required: false },
        ],
        interval: 60,
      });
      const shown = { kind: 'upload', service: 'wunderground', target: 'wunderground KNY1' };
      const made = await send('PUT', '/new', { stations: ['JFK'], target: SERVICE });
      expect(made.body['hook']).to.deep.include(shown);
      const { kind: service, account, secret: key } = SERVICE;
      const old = await send('PUT', '/old', { stations: ['JFK'], upload: { service, account, key } });
      expect(old.body['hook']).to.deep.include(shown);
      const posted = { kind: 'post', url: 'https://example.org/a' };
      expect((await send('PUT', '/posted', { stations: null, target: posted })).body['hook']).to.deep.include(
        {
          kind: 'post',
          target: 'https://example.org/…',
        },
      );
      const stored = (await world.stores.hooks.hooks()).hooks.map(({ target: one }) => one);
      const network = { kind: 'service', service, account, secret: key, allowPrivate: false };
      expect(stored).to.deep.equal([network, network, { ...posted, allowPrivate: false }]);
    });

    it('keep the settings that a request does not have, and the secret only for its own address', async () => {
      const put = (sent: object, path = '/wu') =>
        send('PUT', path, { stations: ['JFK'], target: { ...sent, keep_settings: true } });
      const storedOf = async () =>
        (await world.stores.hooks.hooks()).hooks.find(({ name }) => name === 'wu')?.target;
      expect((await put(SERVICE)).error, 'a new hook').to.equal('REQUEST_INVALID');
      await send('PUT', '/wu', { stations: ['JFK'], target: SERVICE });
      expect((await put({ kind: 'wunderground', account: 'KNY2' })).status).to.equal(200);
      const kept = { kind: 'service', service: 'wunderground', account: 'KNY2', allowPrivate: false };
      expect(await storedOf()).to.deep.equal({ ...kept, secret: 'hunter22' });
      const refused = [
        { kind: 'wunderground', url: 'https://thief.example.org/' },
        { kind: 'wunderground', url: 'http://127.0.0.1/', secret: 'x' },
        { kind: 'pwsweather', account: 'A' },
        { kind: 'post' },
      ];
      for (const sent of refused)
        expect((await put(sent)).error, JSON.stringify(sent)).to.equal('REQUEST_INVALID');
      expect(await storedOf()).to.deep.equal({ ...kept, secret: 'hunter22' });
      const url = 'https://own.example.org/';
      expect((await put({ kind: 'wunderground', url, secret: 'other' })).status).to.equal(200);
      expect((await put({ kind: 'wunderground', url })).status, 'the same address').to.equal(200);
      expect(await storedOf()).to.deep.equal({ ...kept, secret: 'other', url });
      const inside = { kind: 'service', service: 'wunderground', account: 'A', secret: 'k' } as const;
      const reached = { ...inside, url: 'http://127.0.0.1:9/', allowPrivate: true };
      await world.get(AddHook).execute({ name: 'wu', target: reached, stations: ['JFK'] }, CALLER, true);
      expect((await put({ kind: 'wunderground', account: 'B' })).error).to.equal('REQUEST_INVALID');
    });

    it('show in a test what was sent and answered, without the secret', async () => {
      const secret = 'pass word&1';
      const allowed = { kind: 'service', service: 'wunderground', allowPrivate: true } as const;
      const settings = { account: 'KNY1', secret, url: local() };
      const hook = { name: 'local', target: { ...allowed, ...settings }, stations: ['JFK'] };
      await world.get(AddHook).execute(hook, CALLER);
      await record(world, new Date(world.clock.time).toISOString(), { air_temperature: [3.5] });
      const { body } = await send('POST', '/local/test');
      expect(body).to.deep.include({ delivered: true, reason: null });
      const [exchange, ...others] = body['exchanges'] as { sent: string; received: string }[];
      expect(others).to.deep.equal([]);
      expect(exchange?.sent).to.match(/^GET http:\/\/127.*ID=KNY1&PASSWORD=\*\*\*&.*&tempf=38\.3$/);
      expect(exchange?.received).to.equal('200');
      expect(visits).to.equal(1);
    });

    it('are for administrators with an elevated token', async () => {
      await world.addUser('ann');
      const ann = await world.elevate(await world.signIn('ann'));
      const plain = await world.signIn('root');
      expect((await client.send('GET', '/v1/hooks', ann)).error).to.equal('AUTH_NOT_ALLOWED');
      expect((await client.send('GET', '/v1/hooks', plain)).error).to.equal('AUTH_ELEVATION_REQUIRED');
      expect((await client.send('PUT', '/v1/hooks/one', ann, HOOK)).error).to.equal('AUTH_NOT_ALLOWED');
    });
  });
}
