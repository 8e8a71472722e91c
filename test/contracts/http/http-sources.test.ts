import { expect } from 'chai';
import type { SourceKind } from '#application/ports/source-kind.js';
import { NO_STATE, type SourceGap } from '#domain/sources/source.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { SourceRecords } from '#application/sources/source-records.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { reading } from '../../support/uploads-world.js';
import { addStation } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

const TOKEN = 'a-token-of-a-test';

for (const [transport, load] of defaultTransport)
  describe(`sources over HTTP › ${transport}`, () => {
    let world: World;
    let api: RunningApi;
    let client: Client;
    let root: string;
    let failure: SourceFailure | undefined;

    const kind: SourceKind = {
      name: 'device',
      title: 'A device',
      reach: 'local',
      shortestInterval: 10,
      settings: { address: true, device: false },
      secrets: { token: true },
      history: { longest: 1000 },
      ask: async () => {
        if (failure !== undefined) throw failure;
        return [
          {
            time: Date.UTC(2026, 0, 31, 11),
            readings: [reading('air_temperature', 39.2, { unit: '°F' })],
            counters: [{ gauge: 'tipping', period: 'year', amount: 12.4 }],
            fields: [{ name: 'temp_in', value: 21.5, unit: '°C' }],
          },
        ];
      },
    };

    beforeEach(async () => {
      failure = undefined;
      world = await World.make();
      world.sourceKinds.push(kind);
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

    const send = (method: string, path: string, body?: object) => client.send(method, path, root, body);
    const BODY = { kind: 'device', station: 'JFK', address: '192.168.1.20', secrets: { token: TOKEN } };

    it('are added after one request, shown without secrets, tested, paused and removed', async () => {
      const { status, body } = await send('PUT', '/v1/sources/roof', BODY);
      expect(status).to.equal(200);
      expect(body['source']).to.deep.equal({
        name: 'roof',
        kind: 'device',
        station: 'JFK',
        address: '192.168.1.20',
        account: null,
        device: null,
        url: null,
        file_port: null,
        every: null,
        mappings: [],
        allow_any_address: false,
        since: '2026-01-31T12:00:00.789Z',
        paused: false,
        reported_at: null,
        answered_at: null,
        silent_since: null,
        reason: null,
        gaps: [],
      });
      const listed = await send('GET', '/v1/sources');
      expect(JSON.stringify(listed.body)).not.to.contain(TOKEN);
      expect(listed.body['kinds']).to.deep.equal([
        {
          name: 'device',
          title: 'A device',
          reach: 'local',
          shortest_interval: 10,
          settings: [
            { name: 'address', required: true },
            { name: 'device', required: false },
          ],
          secrets: [{ name: 'token', required: true }],
          fills_gaps: true,
        },
      ]);
      expect((await send('POST', '/v1/sources/roof/test')).body['reports']).to.deep.equal([
        {
          time: '2026-01-31T11:00:00.000Z',
          values: [{ variable: 'air_temperature', value: 39.2, unit: '°F', counter: false }],
          counters: [{ gauge: 'tipping', period: 'year', amount: 12.4 }],
          fields: [{ name: 'temp_in', value: 21.5, unit: '°C' }],
        },
      ]);
      expect((await send('POST', '/v1/sources/roof/pause')).status).to.equal(200);
      expect((await send('GET', '/v1/sources')).body['sources']).to.have.nested.property('[0].paused', true);
      expect((await send('POST', '/v1/sources/roof/resume')).status).to.equal(200);
      expect((await send('DELETE', '/v1/sources/roof')).status).to.equal(200);
      expect((await send('GET', '/v1/sources')).body['sources']).to.deep.equal([]);
      expect((await send('DELETE', '/v1/sources/roof')).error).to.equal('SOURCE_UNKNOWN');
    });

    it('keep their secrets when they are replaced without any', async () => {
      await send('PUT', '/v1/sources/roof', BODY);
      const { secrets: _secrets, ...without } = BODY;
      const replaced = await send('PUT', '/v1/sources/roof', { ...without, every: 60 });
      expect(replaced.body['source']).to.include({ every: 60 });
      expect((await send('PUT', '/v1/sources/other', without)).error).to.equal('REQUEST_INVALID');
    });

    const refusals: readonly (readonly [body: object, error: string, message: string])[] = [
      [{ ...BODY, station: 'ATLANTIS' }, 'STATION_UNKNOWN', 'ATLANTIS'],
      [{ ...BODY, kind: 'other' }, 'REQUEST_INVALID', 'There is no kind of source "other".'],
      [{ ...BODY, address: '192.168.1.20/path' }, 'REQUEST_INVALID', 'is not an address'],
      [{ ...BODY, secrets: { token: 'a\nb' } }, 'REQUEST_INVALID', 'The secret "token" has 1 to 1000'],
      [{ ...BODY, secrets: {} }, 'REQUEST_INVALID', 'A source of the kind device needs the secret "token".'],
      [{ ...BODY, secrets: { token: 'a', key: 'b' } }, 'REQUEST_INVALID', 'has no secret "key"'],
      [{ ...BODY, allow_any_address: true }, 'REQUEST_INVALID', 'allow_any_address'],
    ];
    for (const [body, error, message] of refusals)
      it(`refuse ${JSON.stringify(body)}`, async () => {
        const refused = await send('PUT', '/v1/sources/roof', body);
        expect(refused.error).to.equal(error);
        expect(String(refused.body['message'])).to.contain(message).and.not.contain(TOKEN);
        expect((await send('GET', '/v1/sources')).body['sources']).to.deep.equal([]);
      });

    it('show everybody the gaps that they could not fill, without their names, addresses and reasons', async () => {
      await send('PUT', '/v1/sources/roof', BODY);
      await send('PUT', '/v1/sources/wind', { ...BODY, address: '192.168.1.21' });
      const day = (date: number) => Date.UTC(2026, 0, date);
      const gap = (
        from: number,
        to: number,
        more: Partial<SourceGap> = { reason: 'The device roof is old.' },
      ) => ({
        from: day(from),
        to: day(to),
        reason: null,
        ...more,
      });
      const records = world.get(SourceRecords);
      const roof = [
        gap(1, 3),
        gap(26, 28),
        gap(29, 30, {}),
        gap(30, 31, { problem: '192.168.1.20 is off.' }),
      ];
      await records.putState('roof', { ...NO_STATE, gaps: roof }, 1);
      await records.putState('wind', { ...NO_STATE, gaps: [gap(27, 29)] }, 1);
      const shown = async (path: string) => (await client.send('GET', `/v1/stations/JFK${path}`)).body;
      const [last, merged, first] = [
        [30, 31],
        [26, 29],
        [1, 3],
      ].map((dates) => {
        const [from, to] = dates.map((date) => new Date(day(date)).toISOString());
        return { from, to };
      });
      const reply = await shown('/notices?from=2026-01-01&to=2026-02-01');
      expect(reply['gaps']).to.deep.equal([last, merged, first]);
      expect(JSON.stringify(reply)).not.to.match(/roof|wind|192\.168|old|off/);
      expect((await shown('/notices?from=2026-01-31&to=2026-02-01'))['gaps']).to.deep.equal([]);
      expect((await shown('/notices?from=2026-01-28&to=2026-01-29'))['gaps']).to.deep.equal([merged]);
      // Those of the last seven days.
      const latest = await shown('/observations/latest?include=quality_control');
      expect(latest['quality_control']).to.deep.equal({ notices: 0, gaps: 2, checked: 1 });
      expect((await send('GET', '/v1/sources')).body['sources']).to.have.nested.property(
        '[1].gaps[0].reason',
        'The device roof is old.',
      );
      const dismiss = async (name: string) => await send('DELETE', `/v1/sources/${name}/gaps`);
      expect((await dismiss('roof')).body['dismissed']).to.equal(4);
      expect((await dismiss('roof')).body['dismissed']).to.equal(0);
      expect((await dismiss('nothing')).error).to.equal('SOURCE_UNKNOWN');
      expect((await send('GET', '/v1/sources')).body['sources']).to.have.nested.property(
        '[0].gaps.length',
        0,
      );
      const left = (await shown('/notices?from=2026-01-01&to=2026-02-01'))['gaps'] as readonly object[];
      expect(left).to.have.length(1);
    });

    it('change nothing if they give no report, and say why with status 502', async () => {
      failure = new SourceFailure('The source refused the connection.');
      const refused = await send('PUT', '/v1/sources/roof', BODY);
      expect([refused.status, refused.error, refused.body['message']]).to.deep.equal([
        502,
        'SOURCE_FAILED',
        'The source refused the connection.',
      ]);
      expect((await send('GET', '/v1/sources')).body['sources']).to.deep.equal([]);
    });
  });
