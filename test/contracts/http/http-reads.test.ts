import { expect } from 'chai';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { maxThinnedRows } from '#domain/weather/charts/thinned.js';
import { header, request } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { type Answer, Client } from '../../support/client.js';
import { naturalYear } from '../../support/natural-year.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

type Columns = { readonly time: readonly string[] } & Readonly<Record<string, readonly (number | null)[]>>;

for (const [name, load] of serviceTransports) {
  describe(`reads for front-ends over HTTP › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let client: Client;

    beforeEach(async () => {
      world = await World.make();
      await addStation(world);
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
      client = new Client(running.url);
    });
    afterEach(() => running.server.close(1000));

    const get = (path: string): Promise<Answer> => client.ask('GET', path);
    const refusal = async (path: string) => {
      const { status, body } = await get(path);
      expect(status, path).to.equal(400);
      return body['message'];
    };
    const OBSERVATIONS = '/v1/stations/JFK/observations';

    it('thins a year for a chart, with its extremes, its flags and a row without values in its gap', async () => {
      const { times, values } = naturalYear(Date.UTC(2023, 0, 1));
      const temperatures = values.get(1) as Float64Array;
      temperatures[1000] = 900;
      const columns = [...values].map(([variable, column]) => ({
        variable,
        unit: undefined,
        values: column.map((value, row) => (row > 20_000 && row < 30_000 ? Number.NaN : value)),
      }));
      await world.get(RecordObservations).execute({ stations: 'JFK', times, columns }, CALLER);
      const { body } = await get(`${OBSERVATIONS}?points=100`);
      expect(body).to.include({ points: 100, limit: 100_000, next: null, to: '2023-12-31T23:50:00.001Z' });
      const observations = body['observations'] as Columns;
      const { time, air_temperature: shown = [] } = observations;
      expect(time.length).to.be.within(400, 2 * maxThinnedRows(100, 4));
      const passing = temperatures.filter((value, row) => value !== 900 && (row <= 20_000 || row >= 30_000));
      const present = shown.filter((value) => value !== null);
      expect(Math.min(...present)).to.equal(Math.min(...passing));
      expect(present.toSorted((one, other) => other - one).slice(0, 2)).to.deep.equal([
        900,
        Math.max(...passing),
      ]);
      const quality = body['quality'] as readonly {
        readonly index: number;
        readonly checks: readonly string[];
      }[];
      expect(quality.find(({ checks }) => checks.includes('gross_range'))).to.include({
        variable: 'air_temperature',
        verdict: 'fail',
        index: time.indexOf(new Date(times[1000] as number).toISOString().replace('.000', '')),
      });
      const gap = Object.keys(observations).map((column) => observations[column]?.[shown.indexOf(null)]);
      // The station reports every hour, so the first missing report is that of an hour later.
      expect(gap).to.deep.equal(['2023-05-19T22:20:00Z', null, null, null, null]);
      expect(shown.filter((value) => value === null)).to.have.length(1);
      const passed = (await get(`${OBSERVATIONS}?points=100&qc=pass&variables=air_temperature`)).body;
      const kept = ((passed['observations'] as Columns)['air_temperature'] ?? []).filter(
        (value) => value !== null,
      );
      expect([Math.min(...kept), Math.max(...kept)]).to.deep.equal([
        Math.min(...passing),
        Math.max(...passing),
      ]);
      const csv = await fetch(`${running.url}${OBSERVATIONS}?points=16&format=csv`);
      expect((await csv.text()).split('\r\n').length).to.be.within(50, 2 * maxThinnedRows(16, 4));
    });

    // The core compresses, and it takes seconds to write a year: one transport will do.
    if (name === 'express')
      it('sends a year of 10-minute rows for a chart of 1,000 pixels in at most 55 kB', async () => {
        const { times, values } = naturalYear(Date.UTC(2023, 0, 1));
        const columns = [...values].map(([variable, column]) => ({
          variable,
          unit: undefined,
          values: column,
        }));
        await world.get(RecordObservations).execute({ stations: 'JFK', times, columns }, CALLER);
        for (const path of [`${OBSERVATIONS}?`, '/v1/observations?stations=JFK&'])
          for (const coding of ['br', 'gzip']) {
            const head = `GET ${path}points=1000&from=2023-01-01&to=2024-01-01 HTTP/1.1\r\nHost: localhost\r\n`;
            const reply = await request(
              running.url,
              `${head}Accept-Encoding: ${coding}\r\nConnection: close\r\n\r\n`,
            );
            expect(header(reply, 'content-encoding')).to.equal(coding);
            expect(reply.body.length, `${coding} ${path}`).to.be.within(20_000, 55_000);
          }
      });

    it('refuses points out of bounds, with a cursor, and of too many variables, and names the bound', async () => {
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1, 2], wind_speed: [1, 2] });
      expect(await refusal(`${OBSERVATIONS}?points=15`)).to.contain('from 16 to 10000');
      expect(await refusal(`${OBSERVATIONS}?points=16&cursor=5`)).to.contain('cursor');
      const six =
        'air_temperature,wind_speed,wind_from_direction,relative_humidity,rainfall_rate,leaf_wetness';
      expect(await refusal(`${OBSERVATIONS}?points=10000&variables=${six}`)).to.contain('points=7142');
      expect((await get(`${OBSERVATIONS}?points=7142&variables=${six}`)).status).to.equal(200);
      const { body } = await get(`${OBSERVATIONS}?points=16&from=2014-01-01&to=2014-01-01`);
      expect(body['observations']).to.deep.equal({ time: [], air_temperature: [], wind_speed: [] });
    });

    it('adds the trend, the day and the rain to the newest values, of one station and of many', async () => {
      // Local midnight is at 05:00Z.
      world.clock.time = Date.parse('2013-01-02T10:20:00Z');
      const hours = Array.from({ length: 34 }, (_, hour) => hour);
      await record(world, '2013-01-01T01:00:00Z', {
        air_temperature: hours.map((hour) => (hour === 33 ? 5 : Math.abs(hour - 30) / 2)),
        wind_speed_of_gust: hours.map((hour) => (hour === 31 ? 12 : 5)),
        wind_gust_from_direction: hours.map((hour) => hour * 10),
        precipitation_amount: hours.map(() => 0.1),
        cloud_area_fraction: hours.map(() => 50),
      });
      await addStation(world, { id: 'LGA', longitude: -73.87 });
      const recent = {
        trend: {
          air_temperature: {
            change: 5,
            time: '2013-01-02T10:00:00Z',
            value: 5,
            earlier_time: '2013-01-02T07:00:00Z',
            earlier_value: 0,
          },
        },
        today: {
          from: '2013-01-02T05:00:00Z',
          extremes: {
            air_temperature: {
              min: 0,
              min_time: '2013-01-02T07:00:00Z',
              max: 5,
              max_time: '2013-01-02T10:00:00Z',
            },
            cloud_area_fraction: {
              min: 50,
              min_time: '2013-01-02T05:00:00Z',
              max: 50,
              max_time: '2013-01-02T05:00:00Z',
            },
          },
          rain: 0.5,
          rain_last_hour: 0.1,
          gust: { value: 12, time: '2013-01-02T08:00:00Z', direction: 310 },
        },
      };
      const path = '/v1/stations/JFK/observations/latest';
      const { body } = await get(`${path}?include=trend,today,rain`);
      expect(body).to.deep.include({ ...recent, rain: { month: 2.9, year: 2.9 } });
      expect(body['latest']).to.have.property('air_temperature');
      const plain = await get(path);
      expect(plain.body).to.not.have.any.keys('trend', 'today', 'rain');
      const imperial = (await get(`${path}?include=trend&units=imperial`)).body;
      expect((imperial['trend'] as Record<string, unknown>)['air_temperature']).to.include({
        change: 9,
        value: 41,
      });
      const { body: many } = await get('/v1/observations/latest?include=today,trend');
      const [first, silent] = many['stations'] as Record<string, unknown>[];
      expect(first).to.deep.include(recent);
      expect(silent).to.deep.include({
        trend: {},
        today: { from: '2013-01-02T05:00:00Z', extremes: {}, rain: null, rain_last_hour: null, gust: null },
      });
      expect(await refusal('/v1/observations/latest?include=trend&limit=501')).to.contain(
        'at most 500 stations',
      );
      expect(await refusal('/v1/observations/latest?include=rain')).to.contain('include');
    });

    it('omits newest values above an age', async () => {
      world.clock.time = Date.parse('2013-01-01T02:20:00Z');
      await record(world, '2013-01-01T00:00:00Z', {
        air_temperature: [1, 2, Number.NaN],
        wind_speed: [1, 2, 3],
      });
      for (const [age, names] of [
        [4800, ['air_temperature', 'wind_speed']],
        [4799, ['wind_speed']],
        [1199, []],
      ] as const) {
        const { body } = await get(`/v1/stations/JFK/observations/latest?max_age=${age}`);
        expect(body['last_seen']).to.equal('2013-01-01T02:00:00Z');
        expect(Object.keys(body['latest'] as object)).to.deep.equal(names);
        const { body: many } = await get(`/v1/observations/latest?max_age=${age}`);
        const [station] = many['stations'] as { readonly latest: object }[];
        expect(Object.keys(station?.latest ?? {})).to.deep.equal(names);
      }
    });

    it('reads the last hours exactly, and the last days and months by the calendar of the zone', async () => {
      // Four hours after the clocks were set forward in New York.
      world.clock.time = Date.parse('2013-03-10T11:00:00.500Z');
      await record(world, '2013-03-09T00:00:00Z', { air_temperature: Array.from({ length: 40 }, () => 1) });
      for (const [query, from] of [
        ['last=24h', '2013-03-09T11:00:00.500Z'],
        ['last=PT36H', '2013-03-08T23:00:00.500Z'],
        ['last=1d', '2013-03-09T12:00:00.500Z'],
        ['last=1d&timezone=UTC', '2013-03-09T11:00:00.500Z'],
        ['last=7d', '2013-03-03T12:00:00.500Z'],
        ['last=P1M', '2013-02-10T12:00:00.500Z'],
        ['last=P1Y', '2012-03-10T12:00:00.500Z'],
      ]) {
        for (const path of [OBSERVATIONS, `${OBSERVATIONS.slice(0, -12)}summaries`]) {
          const { body } = await get(`${path}?${query}`);
          expect([body['from'], body['to']], query).to.deep.equal([from, '2013-03-10T11:00:00.500Z']);
        }
      }
      const hours = await get(`${OBSERVATIONS}?last=3h&points=16`);
      expect((hours.body['observations'] as Columns).time).to.have.length(3);
      const { body: derived } = await get('/v1/stations/JFK/derived?variables=humidex&last=3h');
      expect((derived['derived'] as Columns).time).to.have.length(3);
      expect(await refusal(`${OBSERVATIONS}?last=24h&from=2013-03-09`)).to.contain(
        'cannot be combined with from',
      );
      expect(await refusal(`${OBSERVATIONS}?last=24h&to=2013-03-09`)).to.contain(
        'cannot be combined with from',
      );
      expect(await refusal(`${OBSERVATIONS}?last=24`)).to.contain('90min, 24h, 7d');
      expect((await get(`${OBSERVATIONS}?last=1000y`)).body['from']).to.equal('1013-03-10T11:56:02.500Z');
    });

    it('has another ETag when the time of last has moved', async () => {
      await record(world, '2013-03-09T00:00:00Z', { air_temperature: [1] });
      const tagOf = async (query: string) =>
        (await fetch(`${running.url}${OBSERVATIONS}?${query}`)).headers.get('etag');
      const before = [await tagOf('last=24h'), await tagOf('from=2013-03-09')];
      world.clock.time += 1000;
      expect(await tagOf('last=24h')).to.not.equal(before[0]);
      expect(await tagOf('from=2013-03-09')).to.equal(before[1]);
    });

    it('summarizes by parts of hours and of days, with the completeness of hours', async () => {
      // The day on which clocks are set back in New York; 01:00 occurs twice.
      await record(world, '2013-11-03T04:00:00Z', {
        air_temperature: Array.from({ length: 26 }, (_, hour) => hour),
      });
      const range = 'from=2013-11-03&to=2013-11-04';
      const { body } = await get(`/v1/stations/JFK/summaries?interval=6h&${range}`);
      const summaries = body['summaries'] as readonly Record<string, Record<string, unknown>>[];
      expect(body['interval']).to.equal('6h');
      expect(
        summaries.map(({ start, air_temperature: found }) => [start, found?.['count'], found?.['expected']]),
      ).to.deep.equal([
        ['2013-11-03T00:00:00-04:00', 7, 7],
        ['2013-11-03T06:00:00-05:00', 6, 6],
        ['2013-11-03T12:00:00-05:00', 6, 6],
        ['2013-11-03T18:00:00-05:00', 6, 6],
      ]);
      const [first] = summaries;
      expect(first?.['air_temperature']).to.include({ complete: true, missing: 0, rule: 'time_80', mean: 3 });
      expect(first?.['air_temperature']).to.not.have.any.keys('days', 'midrange');
      for (const [interval, count] of [
        ['10min', 150],
        ['30min', 50],
        ['hour', 25],
        ['3h', 8],
        ['12h', 2],
      ] as const) {
        const found = (await get(`/v1/stations/JFK/summaries?interval=${interval}&${range}`)).body;
        expect(found['summaries'], interval).to.have.length(count);
      }
    });

    const ROSE = '/v1/stations/JFK/wind-rose';
    const windy = () =>
      record(world, '2013-01-01T00:00:00Z', {
        // The fifth speed and the sixth direction are beyond their limits.
        wind_speed: [3, 2, 0.4, 5, 300, 2, 7, Number.NaN],
        wind_from_direction: [0, 360, 180, 22.5, 90, 400, Number.NaN, 45],
      });

    it('counts winds by sector and class, with calms, and without the values that did not pass', async () => {
      await windy();
      expect((await get(`${ROSE}?sectors=8&classes=2,4.5`)).body).to.deep.equal({
        success: true,
        code: 200,
        message: 'Winds by direction and speed.',
        station: 'JFK',
        from: '2013-01-01T00:00:00Z',
        to: '2013-01-01T07:00:00.001Z',
        units: { wind_speed: 'm/s', wind_from_direction: 'degree' },
        count: 4,
        calm_below: 0.5,
        calms: 1,
        without_direction: 2,
        without_speed: 2,
        classes: [
          { from: 0.5, to: 2 },
          { from: 2, to: 4.5 },
          { from: 4.5, to: null },
        ],
        sector_width: 45,
        sectors: [0, 45, 90, 135, 180, 225, 270, 315].map((direction) => ({
          direction,
          count: [2, 1][direction / 45] ?? 0,
          counts: [
            [0, 2, 0],
            [0, 0, 1],
          ][direction / 45] ?? [0, 0, 0],
        })),
      });
      const all = (await get(`${ROSE}?qc=all`)).body;
      expect(all).to.include({ count: 6, without_direction: 1, without_speed: 1 });
      expect(all['sectors']).to.have.length(16);
      const tens = (await get(`${ROSE}?sectors=36&qc=all`)).body['sectors'] as readonly {
        readonly count: number;
      }[];
      expect(tens.flatMap(({ count }, sector) => (count > 0 ? [[sector * 10, count]] : []))).to.deep.equal([
        [0, 2],
        [20, 1],
        [40, 1],
        [90, 1],
      ]);
      expect((await get(`${ROSE}?from=2014-01-01&to=2014-01-02`)).body).to.include({ count: 0, calms: 0 });
    });

    it('gives the bounds of classes and calms in the units of the reply, in CSV too', async () => {
      await windy();
      const { body } = await get(`${ROSE}?units=imperial&sectors=8`);
      expect(body).to.include({ calm_below: 1.11846814603, count: 4 });
      expect(
        (body['classes'] as readonly { readonly to: number | null }[]).map(({ to }) => to),
      ).to.deep.equal([4, 8, 13, 18, 25, null]);
      // 8 mph are 3.57632 m/s.
      await record(world, '2013-01-02T00:00:00Z', { wind_speed: [3.57632], wind_from_direction: [270] });
      const csv = await (
        await fetch(`${running.url}${ROSE}?units=imperial&sectors=8&classes=8&format=csv`)
      ).text();
      expect(csv.split('\r\n').slice(0, 4)).to.deep.equal([
        'direction,speed_from,speed_to,unit,count',
        ',0,1.11846814603,mph,1',
        '0,1.11846814603,8,mph,2',
        '0,8,,mph,0',
      ]);
      expect(csv).to.contain('\r\n270,8,,mph,1\r\n');
      expect((await get(`${ROSE}?units=si`)).body['units']).to.include({ wind_speed: 'm/s' });
    });

    it('counts the winds of days of 23 and 25 hours, and up to now', async () => {
      const hourly = {
        wind_speed: Array.from({ length: 72 }, () => 3),
        wind_from_direction: Array.from({ length: 72 }, () => 10),
      };
      await record(world, '2013-03-09T00:00:00Z', hourly);
      await record(world, '2013-11-02T00:00:00Z', hourly);
      const countOf = async (query: string) => (await get(`${ROSE}?${query}`)).body['count'];
      for (const [day, hours] of [
        ['from=2013-03-10&to=2013-03-11', 23],
        ['from=2013-11-03&to=2013-11-04', 25],
      ] as const) {
        expect(await countOf(day)).to.equal(hours);
        expect(await countOf(`${day}&timezone=UTC`)).to.equal(24);
      }
      world.clock.time = Date.parse('2013-03-10T11:00:00Z');
      expect([await countOf('last=24h'), await countOf('last=1d')]).to.deep.equal([24, 23]);
    });

    it('refuses other numbers of sectors, and bounds that do not rise from above a calm', async () => {
      for (const [query, said] of [
        ['sectors=12', 'sectors'],
        ['classes=4,2', 'must rise'],
        ['classes=2,2', 'must rise'],
        ['classes=0.5', 'above 0.5 m/s'],
        ['classes=1&units=imperial', 'above 0.5 m/s'],
        ['classes=', 'at most 12 numbers'],
        ['classes=1,two', 'at most 12 numbers'],
        ['classes=1,2,3,4,5,6,7,8,9,10,11,12,13', 'at most 12 numbers'],
        ['from=2013-01-02&to=2013-01-01', 'before from'],
      ] as const)
        expect(JSON.stringify((await get(`${ROSE}?${query}`)).body), query).to.contain(said);
      expect((await get(`${ROSE}?classes=1.2&units=imperial`)).status).to.equal(200);
    });
  });
}
