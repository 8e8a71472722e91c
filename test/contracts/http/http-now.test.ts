import { expect } from 'chai';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { addStation, record } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

// The endpoint does not depend on the transport, so one is enough.
for (const [, load] of defaultTransport) {
  describe('the present weather over HTTP', () => {
    let world: World;
    let running: RunningApi;

    const start = async (readAccess: 'public' | 'token' = 'public') => {
      world = await World.make();
      await addStation(world);
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, readAccess, UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
    };
    afterEach(() => running.server.close(1000));

    const get = async (query = '', headers: Record<string, string> = {}) => {
      const reply = await fetch(`${running.url}/v1/stations/JFK/now${query}`, { headers });
      const text = await reply.text();
      return { status: reply.status, etag: reply.headers.get('etag') ?? '', body: text && JSON.parse(text) };
    };
    const day = (value: (hour: number) => number) => Array.from({ length: 24 }, (_, hour) => value(hour));

    it('has the facts in the order of a sentence, in both systems of units', async () => {
      await start();
      for (const year of [2014, 2015, 2016, 2017])
        await record(world, `${year}-11-23T05:00:00Z`, { air_temperature: day(() => 10) });
      await record(world, '2018-11-23T05:00:00Z', {
        air_temperature: day((hour) => (hour === 23 ? 4 : 5)),
        precipitation_amount: day((hour) => (hour > 20 ? 1.27 : 0)),
      });
      world.clock.time = Date.parse('2018-11-24T04:00:00Z');
      const { body } = await get();
      expect(body).to.deep.equal({
        success: true,
        code: 200,
        message: 'The present weather.',
        station: 'JFK',
        time_zone: 'America/New_York',
        last_seen: '2018-11-24T04:00:00Z',
        state: 'live',
        facts: [
          {
            code: 'temperature',
            value: 4,
            unit: '°C',
            time: '2018-11-24T04:00:00Z',
            verdict: 'pass',
            change: -1,
            trend: 'falling',
            hours: 3,
          },
          {
            code: 'rain',
            from: '2018-11-24T01:00:00Z',
            to: '2018-11-24T04:00:00Z',
            amount: 3.81,
            unit: 'mm',
            is_raining: true,
          },
          {
            code: 'unusual',
            difference: -5.041667,
            unit: '°C',
            direction: 'colder',
            date: '11-23',
            years: 5,
            since: 2014,
            mean: 4.958333333,
            median: 10,
            share: 0.2,
            rank: { place: 1, of: 5, kind: 'coldest' },
          },
        ],
      });
      const { body: imperial } = await get('?units=imperial');
      expect(imperial.facts[0]).to.include({ value: 39.2, unit: '°F', change: -1.8, trend: 'falling' });
      expect(imperial.facts[1]).to.include({ amount: 0.15, unit: 'in' });
      expect(imperial.facts[2]).to.include({ difference: -9.075, unit: '°F', median: 50 });
    });

    it('says that the weather is usual if it differs little from the date', async () => {
      await start();
      for (const year of [2014, 2015, 2016, 2017, 2018])
        await record(world, `${year}-11-23T05:00:00Z`, { air_temperature: day(() => 10) });
      const { body } = await get('?units=imperial');
      expect(body.facts.at(-1)).to.deep.equal({
        code: 'usual',
        unit: '°F',
        date: '11-23',
        years: 5,
        since: 2014,
        mean: 50,
        median: 50,
      });
    });

    it('has an ETag that changes with the data, and when the station falls silent, but not with its age', async () => {
      await start();
      const waiting = await get();
      expect(waiting.body).to.include({ state: 'waiting', last_seen: null });
      expect(waiting.body.facts).to.deep.equal([]);
      world.clock.time = Date.parse('2018-11-24T04:00:00Z');
      await record(world, '2018-11-24T04:00:00Z', { air_temperature: [5] });
      const { etag, body } = await get();
      expect([body.state, etag === waiting.etag]).to.deep.equal(['live', false]);
      world.clock.time = Date.parse('2018-11-24T07:00:00Z');
      expect((await get('', { 'if-none-match': etag })).status).to.equal(304);
      world.clock.time += 1;
      const silent = await get('', { 'if-none-match': etag });
      expect([silent.status, silent.body.state]).to.deep.equal([200, 'silent']);
      expect(silent.body.facts).to.deep.equal(body.facts);
      world.clock.time = Date.parse('2019-11-24T07:00:00Z');
      expect((await get('', { 'if-none-match': silent.etag })).status).to.equal(304);
    });

    it('is not shown for a hidden station, and to nobody without a token where reading needs one', async () => {
      await start();
      await addStation(world, { visibility: 'hidden' });
      expect((await get()).status).to.equal(404);
      await running.server.close(1000);
      await start('token');
      expect((await get()).status).to.equal(401);
    });
  });
}
