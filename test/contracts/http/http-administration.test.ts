import { expect } from 'chai';
import { header } from '#transport-suite/raw-http.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';
import { hookText } from '#application/hooks/manage/hook-view.js';
import { NoteSensors, type SensorSender } from '#application/sensors/note-sensors.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { SensorState } from '#domain/sensors/sensor-state.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { answeringKind } from '../../support/devices/answering-kind.js';
import { domainErrorOf } from '../../support/rejection.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

type Json = Record<string, unknown>;

const URLS = ['a', 'b', 'c', 'd', 'e'].map((name) => `https://${name}.example.org/secret-path`);
const SECRET = 'a-secret-of-this-test';
const FROST = { kind: 'below', variable: 'air_temperature', threshold: 0 };

/** By path, five bodies that replace the resource, and a field of the reply that differs between them. */
const RESOURCES: Readonly<Record<string, { bodies: readonly object[]; shown: (body: Json) => unknown }>> = {
  '/v1/users/grace': {
    bodies: ['a', 'b', 'c', 'd', 'e'].map((email) => ({
      email: `${email}@example.org`,
      password: 'a password for grace',
      enabled: true,
      administrator: false,
    })),
    shown: (body) => (body['user'] as Json)['email'],
  },
  '/v1/alarms/frost': {
    // The last two bodies change the condition, the others only the target.
    bodies: URLS.map((url, index) => ({
      station: 'JFK',
      condition: { ...FROST, threshold: index > 2 ? index : 0 },
      target: { url, secret: SECRET },
    })),
    shown: (body) => (body['alarm'] as Json)['target'],
  },
  '/v1/hooks/forward': {
    bodies: URLS.map((url) => ({ stations: ['JFK'], post: { url, secret: SECRET } })),
    shown: (body) => (body['hook'] as Json)['target'],
  },
  '/v1/sources/roof': {
    bodies: [1, 2, 3, 4, 5].map((host) => ({ kind: 'device', station: 'JFK', address: `192.168.1.${host}` })),
    shown: (body) => (body['source'] as Json)['address'],
  },
};

for (const [transport, load] of defaultTransport)
  describe(`administration over HTTP › ${transport}`, () => {
    let world: World;
    let api: RunningApi;
    let client: Client;
    let root: string;

    beforeEach(async () => {
      world = await World.make({ WEATHERD_RETENTION: '10y' });
      world.sourceKinds.push(answeringKind('device'));
      await addStation(world);
      await world.addUser('root', true);
      root = await world.elevate(await world.signIn('root'));
      const authorize = world.get(Authorize);
      api = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
        authorize: (token, access) => authorize.execute({ token, ...access }),
      });
      client = new Client(api.url);
    });
    afterEach(() => api.server.close(1000));

    const send = (method: string, path: string, body?: object, ...conditions: string[]) =>
      client.send(method, path, root, body, conditions);

    for (const [path, { bodies, shown }] of Object.entries(RESOURCES)) {
      const [first, second, ...others] = bodies as [object, object, object, object, object];

      it(`${path} is replaced only in the version that If-Match names`, async () => {
        expect((await send('PUT', path, first, 'If-Match: *')).status).to.equal(412);
        const made = await Promise.all(bodies.map((body) => send('PUT', path, body, 'If-None-Match: *')));
        const statuses = made.map(({ status }) => status);
        expect(statuses.filter((status) => status < 300)).to.have.lengthOf(1);
        for (const status of statuses.filter((one) => one >= 300)) expect(status).to.be.oneOf([409, 412]);
        await send('PUT', path, first);
        const { reply, body: read } = await send('GET', path);
        const etag = header(reply, 'etag') as string;
        expect(etag).to.match(/^"[\w-]{20,}"$/);
        expect(JSON.stringify(read)).not.to.contain('secret');
        for (const condition of ['If-Match: "zzz"', `If-Match: W/${etag}`, 'If-None-Match: *']) {
          const answer = await send('PUT', path, second, condition);
          expect([answer.status, answer.error], condition).to.deep.equal([412, 'PRECONDITION_FAILED']);
        }
        expect(header((await send('GET', path)).reply, 'etag')).to.equal(etag);
        const answers = await Promise.all(
          [second, ...others].map((body) => send('PUT', path, body, `If-Match: ${etag}`)),
        );
        const done = answers.filter(({ status }) => status === 200);
        expect(done, JSON.stringify(answers.map(({ body }) => body))).to.have.lengthOf(1);
        const now = await send('GET', path);
        expect(shown(now.body)).to.deep.equal(shown(done[0]?.body as Json));
        expect(header(now.reply, 'etag')).not.to.equal(etag);
        expect((await send('PUT', path, first, `If-Match: ${etag}`)).status).to.equal(412);
      });
    }

    const ALARM = { station: 'JFK', condition: { ...FROST, threshold: 5 }, keep_target: true };
    const HOOK = { stations: null, keep_target: true };

    it('keeps a target that the form does not know', async () => {
      await send('PUT', '/v1/alarms/frost', RESOURCES['/v1/alarms/frost']?.bodies[0]);
      await send('PUT', '/v1/hooks/forward', RESOURCES['/v1/hooks/forward']?.bodies[0]);
      expect((await send('PUT', '/v1/alarms/frost', ALARM)).status).to.equal(200);
      expect((await send('PUT', '/v1/hooks/forward', HOOK)).body['hook']).to.include({
        target: 'https://a.example.org/…',
        signed: true,
        stations: null,
      });
      const [alarm] = await world.stores.alarms.alarms();
      const [hook] = (await world.stores.hooks.hooks()).hooks;
      for (const target of [alarm?.target, hook?.target])
        expect(target).to.include({ url: URLS[0], secret: SECRET });
      expect(alarm?.condition).to.include({ threshold: 5 });
    });

    it('takes a template of the messages of an alarm, and keeps the settings that a request does not have', async () => {
      const { keep_target: _keep, ...alarm } = ALARM;
      const put = (target: object) => send('PUT', '/v1/alarms/chat', { ...alarm, target });
      const storedOf = async () =>
        (await world.stores.alarms.alarms()).find(({ name }) => name === 'chat')?.target;
      const post = { kind: 'post', url: 'https://chat.example.org/hook', secret: SECRET };
      await put({ ...post, body: '{"text": "{{text}}"}' });
      const stored = { ...post, allowPrivate: false };
      expect(await storedOf()).to.deep.equal({ ...stored, body: '{"text": "{{text}}"}' });
      expect((await put({ kind: 'post', body: '{{title}}', keep_settings: true })).status).to.equal(200);
      expect(await storedOf()).to.deep.equal({ ...stored, body: '{{title}}' });
      const ntfy = { kind: 'ntfy', url: 'https://ntfy.example.org/garden' };
      const refused = [
        { kind: 'post', body: '{{nothing}}', keep_settings: true },
        { kind: 'post', url: 'https://thief.example.org/', keep_settings: true },
        { ...ntfy, keep_settings: true },
        { ...ntfy, body: '{{text}}' },
      ];
      for (const sent of refused) expect((await put(sent)).status, JSON.stringify(sent)).to.equal(400);
      expect((await put(ntfy)).status).to.equal(200);
      await send('PUT', '/v1/alarms/chat', alarm);
      expect((await put({ ...ntfy, keep_settings: true })).status, 'no stored target').to.equal(400);
    });

    it('does not change an alarm or a hook with a program or a private address, and keeps no missing target', async () => {
      const targets: readonly HookTarget[] = [
        { kind: 'command', command: ['/bin/true'] },
        { kind: 'post', url: 'http://127.0.0.1:9/', allowPrivate: true },
      ];
      for (const target of targets) {
        const name = target.kind;
        const condition = { kind: 'silent', intervals: 3 } as const;
        await world.get(AddAlarm).execute({ name, station: 'JFK', condition, target }, CALLER);
        await world.get(AddHook).execute({ name, stations: ['JFK'], target }, CALLER);
      }
      for (const name of ['post', 'command', 'missing'])
        for (const [path, body] of [
          [`/v1/alarms/${name}`, ALARM],
          [`/v1/hooks/${name}`, HOOK],
        ] as const) {
          const answer = await send('PUT', path, body);
          expect([answer.status, answer.error], path).to.deep.equal([400, 'REQUEST_INVALID']);
        }
      const { hooks } = await world.stores.hooks.hooks();
      expect(hooks.map(({ stations }) => stations?.length)).to.deep.equal([1, 1]);
      for (const path of ['/v1/alarms/x', '/v1/hooks/x']) {
        const { bodies } = RESOURCES[path.replace(/x$/, path.includes('hooks') ? 'forward' : 'frost')] as {
          bodies: readonly object[];
        };
        expect((await send('PUT', path, { ...bodies[0], keep_target: true })).status, path).to.equal(400);
      }
    });

    it('replaces a hook only if it still is as expected when it is written', async () => {
      const target = { kind: 'post', url: 'https://example.org/', allowPrivate: false } as const;
      const put = (expected: string | null, stations: readonly string[] | null) =>
        world.get(AddHook).execute({ name: 'forward', stations, target }, CALLER, true, expected);
      await domainErrorOf(put('stale', null), 'PRECONDITION_FAILED');
      const text = hookText(await put(null, null));
      for (const stale of [null, 'stale']) await domainErrorOf(put(stale, ['JFK']), 'PRECONDITION_FAILED');
      await put(text, ['JFK']);
      await domainErrorOf(put(text, null), 'PRECONDITION_FAILED');
    });

    it('lists the sessions, marks the own one, and ends one or all of a user', async () => {
      await world.addUser('grace', false);
      const tokens = [await world.signIn('grace'), await world.signIn('grace')];
      const list = async (query = '') =>
        (await send('GET', `/v1/sessions${query}`)).body['sessions'] as readonly Json[];
      const all = await list();
      expect(all.map(({ user }) => user)).to.have.members(['grace', 'grace', 'root']);
      expect(all.filter(({ current }) => current).map(({ user }) => user)).to.deep.equal(['root']);
      expect(all.find(({ current }) => current)?.['elevated_to']).to.be.a('string');
      const [first, second] = await Promise.all(tokens.map((token) => world.elevate(token)));
      const own = async (method: string, path: string) => {
        const { status, body } = await client.send(method, path, second);
        return body['sessions'] ?? status;
      };
      expect(((await own('GET', '/v1/sessions')) as readonly Json[]).map(({ user }) => user)).to.deep.equal([
        'grace',
        'grace',
      ]);
      expect(await own('GET', '/v1/sessions?user=root')).to.equal(403);
      const idOf = (name: string) => String(all.find(({ user }) => user === name)?.['id']);
      expect(await own('DELETE', `/v1/sessions/${idOf('root')}`)).to.equal(404);
      expect(await own('DELETE', `/v1/sessions/${idOf('grace')}`)).to.equal(200);
      tokens.push(await world.signIn('grace'), first as string);
      const [one] = await list('?user=grace');
      expect((await send('DELETE', `/v1/sessions/${String(one?.['id'])}`)).status).to.equal(200);
      expect(await list('?user=grace')).to.have.lengthOf(1);
      expect((await send('DELETE', '/v1/users/grace/sessions')).body).to.include({ sessions: 1 });
      for (const token of tokens)
        expect((await client.send('POST', '/v1/auth/drop/', token)).status).to.equal(401);
      for (const [path, error] of [
        ['/v1/sessions/x', 'SESSION_UNKNOWN'],
        ['/v1/users/nobody/sessions', 'USER_UNKNOWN'],
      ] as const)
        expect((await send('DELETE', path)).error).to.equal(error);
      const audited = (await send('GET', '/v1/audit?action=revocation&actor=root')).body['events'];
      expect((audited as readonly Json[]).map(({ subject }) => subject)).to.deep.equal([
        'grace',
        `session ${String(one?.['id'])}`,
      ]);
    });

    it('filters the audit trail by user, action and time', async () => {
      const start = world.clock.time;
      world.clock.time = start + 60_000;
      await send('PUT', '/v1/hooks/forward', RESOURCES['/v1/hooks/forward']?.bodies[0]);
      const count = async (query: string) =>
        ((await send('GET', `/v1/audit?${query}`)).body['events'] as readonly Json[]).length;
      const later = new Date(start + 1).toISOString();
      expect(await count('action=hook-add')).to.equal(1);
      expect(await count('actor=root&action=hook-add&limit=1')).to.equal(1);
      expect(await count('actor=ROOT&action=hook-add')).to.equal(0);
      expect(await count(`from=${later}`)).to.equal(1);
      expect(await count(`from=${later}&action=elevation`)).to.equal(0);
      const all = await count('limit=1000');
      expect(await count(`limit=1000&to=${later}`)).to.equal(all - 1);
      expect((await send('GET', '/v1/audit?action=unknown')).error).to.equal('REQUEST_INVALID');
    });

    it('lists the batteries and signals of sensors, with their history on request', async () => {
      const now = Date.UTC(2026, 0, 1, 10);
      const number = (await world.get(StationDirectory).current()).byId.get('JFK')?.number as number;
      const note = (sender: SensorSender, state: SensorState, time: number) =>
        world.get(NoteSensors).note(number, sender, [state], time);
      note({ key: 1 }, { sensor: 'wh65batt', isBatteryLow: true }, now);
      note({ source: 'roof' }, { sensor: 'iss 1', batteryVoltage: 2.9, signal: -71 }, now);
      note({ source: 'roof' }, { sensor: 'iss 1', batteryVoltage: 2.8, reception: 99 }, now + 3_600_000);
      const none = {
        battery_percent: null,
        battery_voltage: null,
        battery_low: null,
        signal: null,
        reception: null,
      };
      const [first, second] = ['2026-01-01T10:00:00.000Z', '2026-01-01T11:00:00.000Z'];
      const console = { sensor: 'wh65batt', source: null, upload_key: 1, ...none, battery_low: true };
      const iss = { sensor: 'iss 1', source: 'roof', upload_key: null, ...none, battery_voltage: 2.8 };
      const shown = [
        { ...console, low: true, since: first, last_seen: first },
        { ...iss, reception: 99, low: false, since: first, last_seen: second },
      ];
      const { body } = await send('GET', '/v1/stations/JFK/sensors');
      expect(body).to.deep.include({ station: 'JFK', sensors: shown });
      const whole = (await send('GET', '/v1/stations/JFK/sensors?history=true')).body['sensors'];
      expect(whole).to.deep.equal([
        { ...shown[0], history: [{ time: first, ...none, battery_low: true }] },
        {
          ...shown[1],
          history: [
            { time: first, ...none, battery_voltage: 2.9, signal: -71 },
            { time: second, ...none, battery_voltage: 2.8, reception: 99 },
          ],
        },
      ]);
      expect((await send('GET', '/v1/stations/x/sensors')).error).to.equal('STATION_UNKNOWN');
    });

    it('sets the retention period of a station, after it has counted what would be erased', async () => {
      world.clock.time = Date.UTC(2026, 0, 1, 10);
      root = await world.elevate(await world.signIn('root'));
      await record(world, '2020-01-15T03:00:00Z', { air_temperature: [1, 2, 3] });
      const put = (period: unknown, dryRun: boolean) =>
        send('PUT', `/v1/stations/JFK/retention${dryRun ? '?dry_run=true' : ''}`, { period });
      const list = async () => (await send('GET', '/v1/retention')).body;
      const [tenYears, year] = [315_576_000, 31_557_600];
      const inherited = [{ station: 'JFK', period: tenYears, own: false }];
      expect(await list()).to.deep.include({ default: tenYears, retention: inherited });
      const erased = { rows: 3, estimate: false, before: '2024-12-01T05:00:00.000Z' };
      expect((await put(year, true)).body['expiring']).to.deep.equal(erased);
      expect(await list()).to.deep.include({ retention: inherited });
      expect((await put(year, false)).body['expiring']).to.deep.equal(erased);
      expect(await list()).to.deep.include({ retention: [{ station: 'JFK', period: year, own: true }] });
      const nothing = { rows: 0, estimate: false, before: null };
      expect((await put(null, false)).body['expiring']).to.deep.equal(nothing);
      expect(await list()).to.deep.include({ retention: [{ station: 'JFK', period: null, own: true }] });
      expect((await put('default', false)).body['expiring']).to.deep.equal(nothing);
      expect(await list()).to.deep.include({ retention: inherited });
      for (const period of [0, -1, 5e-324, 1.5, 'forever', 1e300])
        expect((await put(period, true)).status).to.equal(400);
      const unknown = await send('PUT', '/v1/stations/x/retention', { period: null });
      expect(unknown.error).to.equal('STATION_UNKNOWN');
    });
  });
