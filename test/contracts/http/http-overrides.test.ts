import { expect } from 'chai';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { header } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { Client } from '../../support/client.js';
import { catchUp } from '../../support/recheck.js';
import { addStation, record, STATION } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

type Json = Record<string, unknown>;

for (const [name, load] of defaultTransport) {
  describe(`overrules and settings over HTTP › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let client: Client;
    let token: string;

    beforeEach(async () => {
      world = await World.make();
      await world.addUser('ada', true);
      await addStation(world);
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
      client = new Client(running.url);
      token = await world.elevate(await world.signIn('ada'));
      await record(world, '2013-01-01T05:00:00Z', {
        air_temperature: [3, 4, 5],
        relative_humidity: [50, 50, 50],
      });
    });
    afterEach(() => running.server.close(1000));

    const OVERRIDES = '/v1/stations/JFK/overrules';
    const day = {
      variable: 'air_temperature',
      from: '2013-01-01',
      to: '2013-01-01T07:00:00Z',
      verdict: 'bad',
      reason: ' Spider. ',
    };
    const send = async (method: string, target: string, body?: Json, as: string | undefined = token) =>
      await client.send(method, target, as, body);
    const observations = async (qc = 'all') => {
      const { body, reply } = await client.ask('GET', `/v1/stations/JFK/observations?qc=${qc}`);
      return { ...(body as { observations: Json; quality: Json[] }), etag: header(reply, 'etag') };
    };

    it('names an offset that lasts for days with its beginning, its size and its end', async () => {
      const degrees = (hour: number) => 5 + 2 * Math.sin((hour * Math.PI) / 12) + (hour % 3) / 10;
      const isOffset = (hour: number) => hour >= 100 && hour < 180;
      const hours = Array.from({ length: 300 }, (_, hour) => degrees(hour) + (isOffset(hour) ? 15 : 0));
      await record(world, '2013-02-01T00:00:00Z', { air_temperature: hours });
      await catchUp(world.get(RecheckObservations));
      const target = '/v1/stations/JFK/lasting-steps?from=2013-02-01T00:00:00Z';
      const found = await client.ask('GET', target);
      const change = hours[100] as number;
      expect([found.status, found.body['next'], found.body['steps']]).to.deep.equal([
        200,
        null,
        [
          {
            variable: 'air_temperature',
            unit: '°C',
            time: '2013-02-05T04:00:00.000Z',
            change: Number((change - (hours[99] as number)).toPrecision(12)),
            returned: '2013-02-08T12:00:00.000Z',
          },
        ],
      ]);
      const page = await client.ask('GET', `${target}&limit=150`);
      expect((page.body['steps'] as Json[])[0]?.['returned']).to.equal(null);
      expect(page.body['next']).to.equal(String(Date.parse('2013-02-07T06:00:00Z')));
      const other = await client.ask('GET', `${target}&variables=relative_humidity`);
      expect(other.body['steps']).to.deep.equal([]);
      const reason = 'Offset.';
      const range = { from: '2013-02-05T04:00:00Z', to: '2013-02-08T12:00:00Z' };
      await send('POST', OVERRIDES, { ...day, ...range, reason });
      const after = await client.ask('GET', target);
      expect((after.body['steps'] as Json[]).filter(({ returned }) => returned !== null)).to.deep.equal([]);
    });

    it('marks values as bad or as good, and takes it back', async () => {
      const before = await observations();
      const { status, body } = await send('POST', OVERRIDES, day);
      const bad = body['overrule'] as Json;
      expect([status, bad]).to.deep.equal([
        201,
        {
          id: bad['id'],
          variable: 'air_temperature',
          from: '2013-01-01T05:00:00.000Z',
          to: '2013-01-01T07:00:00.000Z',
          verdict: 'bad',
          reason: 'Spider.',
          made_by: 'ada',
          made_at: new Date(world.clock.now()).toISOString(),
        },
      ]);
      const marked = await observations();
      const entry = { variable: 'air_temperature', verdict: 'fail', checks: ['overruled'] };
      expect(marked.quality).to.deep.equal([
        { ...entry, index: 0 },
        { ...entry, index: 1 },
      ]);
      expect(marked.observations).to.deep.equal(before.observations);
      expect(marked.etag).not.to.equal(before.etag);
      expect((await observations('pass')).observations['air_temperature']).to.deep.equal([null, null, 5]);

      world.clock.time += 1;
      const good = await send('POST', OVERRIDES, { ...day, to: '2013-01-01T06:00:00Z', verdict: 'good' });
      expect((await observations()).quality).to.deep.equal([{ ...entry, index: 1 }]);
      expect((await send('GET', OVERRIDES)).body['overrules']).to.deep.equal([bad, good.body['overrule']]);

      const target = `${OVERRIDES}/${String(bad['id'])}`;
      expect((await send('DELETE', target)).status).to.equal(200);
      expect((await observations()).quality).to.deep.equal([]);
      expect((await send('DELETE', target)).error).to.equal('OVERRULE_UNKNOWN');
      const { events } = (await send('GET', '/v1/audit')).body as { events: Json[] };
      const told = events.filter(({ action }) =>
        ['overrule-add', 'overrule-remove'].includes(String(action)),
      );
      const { id: override, made_by: _by, made_at: _at, ...detail } = bad;
      expect(told.map((event) => event['action'])).to.deep.equal([
        'overrule-remove',
        'overrule-add',
        'overrule-add',
      ]);
      const whole = { overrule: override, ...detail };
      expect([told[0]?.['detail'], told[2]?.['detail']]).to.deep.equal([whole, whole]);
    });

    it('refuses what is unclear', async () => {
      const refused: readonly (readonly [Json, string])[] = [
        [{ ...day, variable: 'air_temp' }, 'REQUEST_INVALID'],
        [{ ...day, to: '2012-12-31' }, 'REQUEST_INVALID'],
        [{ ...day, to: day.from }, 'REQUEST_INVALID'],
        [{ ...day, from: 'soon' }, 'REQUEST_INVALID'],
        [{ ...day, verdict: 'ugly' }, 'REQUEST_INVALID'],
        [{ ...day, reason: ' ' }, 'REQUEST_INVALID'],
        [{ ...day, reason: 'x'.repeat(501) }, 'REQUEST_INVALID'],
      ];
      for (const [body, error] of refused)
        expect((await send('POST', OVERRIDES, body)).error, JSON.stringify(body)).to.equal(error);
      expect((await send('POST', '/v1/stations/none/overrules', day)).error).to.equal('STATION_UNKNOWN');
      expect((await send('GET', '/v1/stations/none/overrules')).error).to.equal('STATION_UNKNOWN');
      expect((await send('DELETE', '/v1/stations/none/overrules/x')).error).to.equal('STATION_UNKNOWN');
      expect((await send('GET', OVERRIDES)).body['overrules']).to.deep.equal([]);
    });

    it('replaces the settings of a station, and keeps its history', async () => {
      const { timeZone, reportingInterval, ...rest } = STATION;
      const { id: _id, ...draft } = { ...rest, time_zone: timeZone, reporting_interval: reportingInterval };
      const settings = {
        limits: { air_temperature: { min: -9, max: 9 } },
        steps: { air_temperature: { per_minute: 1, per_hour: 5 } },
        persistence: { air_temperature: 7200 },
        sensor_heights: { wind_speed: 10 },
        cell_methods: { wind_speed: 'point', air_temperature: 'interval' },
        stamp_interval: 3600,
      };
      const shown = async () => {
        const { body } = await client.ask('GET', '/v1/stations/JFK');
        const { limits, steps, persistence, sensor_heights, cell_methods, stamp_interval, history } = body;
        const described = { limits, steps, persistence, sensor_heights, cell_methods, stamp_interval };
        return { ...described, history: history as readonly Json[] };
      };
      const { latitude, longitude, elevation } = STATION;
      const place = {
        latitude,
        longitude,
        elevation,
        reporting_interval: 3600,
        daily_observation_time: null,
        sensor_heights: {},
      };
      const none = {
        limits: {},
        steps: {},
        persistence: {},
        sensor_heights: {},
        cell_methods: {},
        stamp_interval: null,
      };
      expect(await shown()).to.deep.equal({ ...none, history: [{ since: null, until: null, ...place }] });

      const moved = { ...draft, ...settings, elevation: 30, since: '2020-01-01' };
      expect((await send('PUT', '/v1/stations/JFK', moved)).status).to.equal(200);
      const since = '2020-01-01T05:00:00.000Z';
      const audit = (await send('GET', '/v1/audit?limit=1')).body as {
        events: Json[];
        cursor: number;
        next: string;
      };
      expect(audit.next).to.equal(String(audit.cursor));
      const { body: older } = await send('GET', `/v1/audit?limit=1000&cursor=${audit.next}`);
      expect([(older['events'] as Json[])[0]?.['number'], older['next']]).to.deep.equal([
        (audit.events[0]?.['number'] as number) - 1,
        null,
      ]);
      const { events } = audit;
      expect([events[0]?.['action'], events[0]?.['detail']]).to.deep.equal(['station-put', { since }]);
      const present = { ...place, elevation: 30, sensor_heights: { wind_speed: 10 } };
      expect(await shown()).to.deep.equal({
        ...settings,
        history: [
          { since: null, until: since, ...place },
          { since, until: null, ...present },
        ],
      });
      // Sent at the beginning of the hour, stored at its end, beside the rows that are there.
      const rain = { time: ['2013-01-01T06:00:00Z', '2013-01-01T07:00:00Z'], precipitation_amount: [1, 2] };
      const receipt = (await send('POST', '/v1/stations/JFK/observations', rain)).body;
      expect([receipt['inserted'], receipt['updated']]).to.deep.equal([1, 1]);
      expect((await observations()).observations['precipitation_amount']).to.deep.equal([null, null, 1, 2]);
      expect((await send('PUT', '/v1/stations/JFK', { ...draft, elevation: 31 })).status).to.equal(200);
      expect(await shown()).to.deep.equal({
        ...none,
        history: [
          { since: null, until: since, ...place },
          { since, until: null, ...place, elevation: 31 },
        ],
      });
      for (const bad of [
        { steps: { air_temperature: { per_minute: 2, per_hour: 1 } } },
        { steps: { air_temp: { per_minute: 1, per_hour: 1 } } },
        { persistence: { air_temperature: 86_401 } },
        { persistence: { x: 3600 } },
        { sensor_heights: { wind_speed: 5000 } },
        { sensor_heights: { wind_speed: 0 } },
        { stamp_interval: 0 },
        { cell_methods: { wind_speed: 'mean' } },
        { cell_methods: { wind: 'point' } },
        { cell_methods: { precipitation_amount: 'point' } },
        { cell_methods: { daily_maximum_air_temperature: 'point' } },
        { since: 'soon' },
      ])
        expect((await send('PUT', '/v1/stations/JFK', { ...draft, ...bad })).error).to.equal(
          'REQUEST_INVALID',
        );
    });
  });
}
