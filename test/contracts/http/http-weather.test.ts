import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { header, request } from '#transport-suite/raw-http.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { READ_LIMITS, ReadGate } from '#application/observations/read/gate/read-gate.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { DomainError } from '#domain/domain-error.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { type Answer, Client } from '../../support/client.js';
import { addStation, record } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

type Json = Record<string, unknown>;

for (const [name, load] of defaultTransport) {
  describe(`weather over HTTP › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let client: Client;
    let token: string;

    const start = async (readAccess: 'public' | 'token' = 'public') => {
      world = await World.make();
      await world.addUser('ada', true);
      await addStation(world);
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, readAccess, UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
      client = new Client(running.url);
      token = await world.elevate(await world.signIn('ada'));
    };
    beforeEach(() => start());
    afterEach(() => running.server.close(1000));

    const get = (path: string, headers: string[] = []): Promise<Answer> => client.ask('GET', path, headers);
    const text = async (path: string) => await (await fetch(`${running.url}${path}`)).text();
    const OBSERVATIONS = '/v1/stations/JFK/observations';
    const winter = () =>
      record(world, '2013-01-01T00:00:00Z', {
        air_temperature: [3.9, -0.5, Number.NaN],
        wind_speed: [5, 468.6, 6],
        wind_from_direction: [270, 280, 290],
      });

    it('reads observations as columns, with units, verdicts, and a cursor', async () => {
      await winter();
      const { body } = await get(`${OBSERVATIONS}?limit=2`);
      expect(body).to.deep.equal({
        success: true,
        code: 200,
        message: 'Observations, oldest first.',
        station: 'JFK',
        from: '2013-01-01T00:00:00Z',
        to: '2013-01-01T02:00:00.001Z',
        limit: 2,
        units: { air_temperature: '°C', wind_speed: 'm/s', wind_from_direction: 'degree' },
        observations: {
          time: ['2013-01-01T00:00:00Z', '2013-01-01T01:00:00Z'],
          air_temperature: [3.9, -0.5],
          wind_speed: [5, 468.6],
          wind_from_direction: [270, 280],
        },
        quality: [{ variable: 'wind_speed', index: 1, verdict: 'fail', checks: ['gross_range'] }],
        next: '1357005600000',
      });
      const { body: rest } = await get(`${OBSERVATIONS}?limit=2&cursor=${String(body['next'])}`);
      expect(rest['observations']).to.deep.equal({
        time: ['2013-01-01T02:00:00Z'],
        air_temperature: [null],
        wind_speed: [6],
        wind_from_direction: [290],
      });
      expect(rest['next']).to.equal(null);
    });

    it('reads other units, other times, and only values that passed', async () => {
      await winter();
      const query = 'units=imperial&time=unix&qc=pass&variables=wind_speed,air_temperature';
      const { body } = await get(`${OBSERVATIONS}?${query}`);
      expect(body['units']).to.deep.equal({ wind_speed: 'mph', air_temperature: '°F' });
      expect(body['observations']).to.deep.equal({
        time: [1_356_998_400, 1_357_002_000, 1_357_005_600],
        wind_speed: [11.184681460272, null, 13.4216177523264],
        air_temperature: [39.02, 31.1, null],
      });
      expect(body['quality']).to.deep.equal([]);
    });

    it('reads CSV, with verdicts in its last column', async () => {
      await winter();
      const path = `${OBSERVATIONS}?format=csv&variables=air_temperature,wind_speed`;
      expect(await text(path)).to.equal(
        'time,air_temperature,wind_speed,quality\r\n' +
          '2013-01-01T00:00:00Z,3.9,5,\r\n' +
          '2013-01-01T01:00:00Z,-0.5,468.6,wind_speed fail gross_range\r\n' +
          '2013-01-01T02:00:00Z,,6,\r\n',
      );
    });

    /** The texts of all pages from this one on, found only by the `Link` header (RFC 8288). */
    const follow = async (path: string): Promise<string[]> => {
      const pages: string[] = [];
      for (let url: string | undefined = `${running.url}${path}`; url !== undefined;) {
        const response: Response = await fetch(url);
        pages.push(await response.text());
        expect(response.status, url).to.equal(200);
        const link = response.headers.get('link');
        const next = link === null ? null : /^<([^<>]*)>; rel="next"$/.exec(link);
        if (link !== null) expect(next, link).not.to.equal(null);
        url = next ? new URL(next[1] as string, url).href : undefined;
      }
      return pages;
    };

    it('keeps the query in Link, so that CSV pages can be joined', async () => {
      await winter();
      for (const query of [
        'format=csv&variables=air_temperature&units=imperial&time=unix&qc=pass',
        'format=csv',
        'format=csv&from=2012-12-31&to=2013-01-01&units=si',
        'format=csv&from=2013-01-01T01:00:00+01:00&to=2013-01-01T03:00:00%2B01:00',
        'format=csv&timezone=Etc/GMT%2B1&to=2013-01-02',
      ]) {
        const whole = await text(`${OBSERVATIONS}?${query}`);
        const pages = await follow(`${OBSERVATIONS}?limit=1&${query}`);
        const [first = '', ...others] = pages;
        const joined = [first, ...others.map((page) => page.slice(page.indexOf('\r\n') + 2))].join('');
        expect(joined, query).to.equal(whole);
        expect(pages.length, query).to.be.greaterThan(1);
        expect(new Set(pages.map((page) => page.split('\r\n')[0])).size, query).to.equal(1);
      }
    });

    it('has Link in JSON too, with the cursor that the body has, in place of the one before', async () => {
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1, 2, 3], wind_speed: [9, 9, 9] });
      for (const [path, field, expected] of [
        [`${OBSERVATIONS}?cursor=0&units=imperial&limit=1`, 'observations', [33.8, 35.6, 37.4]],
        ['/v1/stations/JFK/derived?limit=1&variables=wind_chill&cursor=0', 'derived', [-5.4, -4.09, -2.78]],
      ] as const) {
        const pages = (await follow(path)).map((page) => JSON.parse(page) as Json);
        const found = pages.flatMap((page) => Object.values(page[field] as Json)[1]);
        expect(found, path).to.deep.equal(expected);
        expect(
          pages.map(({ next }) => next),
          path,
        ).to.deep.equal(['1357002000000', '1357005600000', null]);
        const { reply } = await get(path);
        expect(header(reply, 'link'), path).to.match(
          /^<\?(?!.*cursor=0)[^<>]*&cursor=1357002000000>; rel="next"$/,
        );
      }
    });

    it('replaces the cursor in Link however it was written', async () => {
      await winter();
      const { reply } = await get(`${OBSERVATIONS}?&limit=1&&time=iso&cur%73or=0`);
      expect(reply.status).to.equal(200);
      expect(header(reply, 'link')).to.equal('<?limit=1&time=iso&cursor=1357002000000>; rel="next"');
    });

    it('has an empty page for a range before the first row, with either bound', async () => {
      await winter();
      for (const path of [OBSERVATIONS, '/v1/stations/JFK/derived', '/v1/stations/JFK/summaries']) {
        const more = path.endsWith('derived') ? '&variables=wind_chill' : '';
        for (const range of ['to=2010-01-01T00:00:00Z', 'to=2010-01-01', 'from=2009-01-01&to=2010-01-01']) {
          const { status, body } = await get(`${path}?${range}${more}`);
          expect([status, body['next'] ?? null], `${path} ${range}`).to.deep.equal([200, null]);
          expect(Date.parse(String(body['from'])), range).to.be.at.most(Date.parse(String(body['to'])));
          const { time } = (body['observations'] ?? body['derived'] ?? {}) as { time?: unknown[] };
          expect(time ?? [], range).to.have.length(0);
        }
      }
    });

    it('accepts times with an offset, dates, and a plus that is not encoded', async () => {
      await winter();
      for (const range of [
        'from=2013-01-01T01:00:00Z&to=2013-01-01T02:00:00Z',
        'from=2013-01-01T02:00:00%2B01:00&to=2013-01-01T03:00:00%2B01:00',
        'from=2013-01-01T02:00:00+01:00&to=2013-01-01T03:00:00+01:00',
      ]) {
        const { body } = await get(`${OBSERVATIONS}?${range}&variables=air_temperature`);
        expect((body['observations'] as Json)['air_temperature'], range).to.deep.equal([-0.5]);
      }
    });

    it('reads a date as a day of the station, or of the given zone, and returns its instants', async () => {
      await record(world, '2012-12-31T23:00:00Z', { air_temperature: Array.from({ length: 50 }, () => 1) });
      for (const [query, from, to, rows] of [
        ['from=2013-01-01&to=2013-01-02', '2013-01-01T05:00:00Z', '2013-01-02T05:00:00Z', 24],
        ['from=2013-01-01&to=2013-01-02&timezone=UTC', '2013-01-01T00:00:00Z', '2013-01-02T00:00:00Z', 24],
        ['from=2013-01-01&timezone=Asia/Kolkata', '2012-12-31T18:30:00Z', '2013-01-03T00:00:00.001Z', 50],
        ['from=2013-01-01T00:00:00Z&to=2013-01-01', '2013-01-01T00:00:00Z', '2013-01-01T05:00:00Z', 5],
        ['to=2013-01-01', '2012-12-31T23:00:00Z', '2013-01-01T05:00:00Z', 6],
      ] as const) {
        for (const path of [
          `${OBSERVATIONS}?${query}`,
          `/v1/stations/JFK/derived?variables=wind_chill&${query}`,
          `/v1/stations/JFK/summaries?interval=hour&variables=air_temperature&${query}`,
        ]) {
          const { body } = await get(path);
          expect([body['from'], body['to']], path).to.deep.equal([from, to]);
          if (!path.startsWith(OBSERVATIONS)) continue;
          expect((body['observations'] as { time: unknown[] }).time, path).to.have.length(rows);
        }
      }
      const { body } = await get('/v1/stations/JFK/summaries?from=2013-01-01&to=2013-01-02');
      expect((body['summaries'] as Json[]).map((row) => [row['start'], row['end']])).to.deep.equal([
        ['2013-01-01T00:00:00-05:00', '2013-01-02T00:00:00-05:00'],
      ]);
    });

    it('takes an offset in place of a time zone, with its plus sign encoded or not', async () => {
      for (const zone of ['-03:30', '%2B05:30', '+05:30']) {
        const { body } = await get(
          `/v1/stations/JFK/summaries?timezone=${zone}&from=2013-01-01&to=2013-01-02`,
        );
        const offset = zone.replace('%2B', '+');
        expect([body['time_zone'], (body['summaries'] as Json[]).map((row) => row['start'])]).to.deep.equal([
          offset,
          [`2013-01-01T00:00:00${offset}`],
        ]);
      }
    });

    it('reads a date as the day that day_start defines, so that it is one interval of the summaries', async () => {
      await winter();
      const { body } = await get('/v1/stations/JFK/summaries?day_start=06:00&from=2013-01-01&to=2013-01-02');
      expect([body['from'], body['to']]).to.deep.equal(['2013-01-01T11:00:00Z', '2013-01-02T11:00:00Z']);
      expect((body['summaries'] as Json[]).map((row) => [row['start'], row['end']])).to.deep.equal([
        ['2013-01-01T06:00:00-05:00', '2013-01-02T06:00:00-05:00'],
      ]);
    });

    it('releases the place of a read at the gate, however the read ends', async () => {
      await record(world, '2013-01-01T00:00:00Z', {
        air_temperature: Array.from({ length: 9000 }, (_, row) => row % 10),
      });
      const gate = world.get(ReadGate);
      const left = async (path: string) => {
        // The service sees the end of the connection slightly later than the client.
        for (let round = 0; round < 500 && gate.held > 0; round += 1) await sleep(2);
        expect([gate.held, gate.waiting], path).to.deep.equal([0, 0]);
      };
      const paths = [
        `${OBSERVATIONS}?limit=100000`,
        `${OBSERVATIONS}?limit=100000&format=csv`,
        '/v1/stations/JFK/derived?variables=wind_chill&limit=100000',
        '/v1/stations/JFK/summaries?interval=hour&to=2013-12-31',
        '/v1/stations/JFK/wind-rose',
        '/v1/observations/latest',
        `${OBSERVATIONS}?points=1000`,
        `${OBSERVATIONS}/latest?include=today,rain`,
        '/v1/observations/latest?include=trend',
        '/v1/observations?limit=100000',
        '/v1/summaries',
      ];
      for (const path of paths) {
        expect((await get(path)).status, path).to.equal(200);
        await left(`GET ${path}`);
        const head = `HEAD ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
        expect((await request(running.url, head)).status, path).to.equal(200);
        await left(`HEAD ${path}`);
        const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
        await once(socket, 'data');
        socket.resetAndDestroy();
        await left(`reset ${path}`);
      }
      const fail = async function* () {
        yield await Promise.reject(new DomainError('STORE_UNAVAILABLE', 'gone'));
      };
      const { observations } = world.stores;
      const failing = [
        sinon.stub(observations, 'read').callsFake(fail),
        sinon.stub(observations, 'sum').callsFake(fail),
      ];
      for (const path of paths.filter((one) => one !== '/v1/observations/latest')) {
        expect((await get(path)).error, path).to.equal('STORE_UNAVAILABLE');
        await left(`failed ${path}`);
      }
      for (const method of failing) method.restore();
    });

    it('replies 429 with Retry-After to an address with too many large reads', async () => {
      await winter();
      const gate = world.get(ReadGate);
      const taken = gate.permitFor({ network: '127.0.0.1', signal: new AbortController().signal });
      await taken.acquire(READ_LIMITS.cellsOfNetwork);
      const waiting = Array.from({ length: READ_LIMITS.waitingOfNetwork }, () => get(OBSERVATIONS));
      for (let round = 0; round < 500 && gate.waiting < waiting.length; round += 1) await sleep(2);
      const { status, error, reply } = await get(OBSERVATIONS);
      expect([status, error, header(reply, 'retry-after')]).to.deep.equal([429, 'RATE_LIMITED', '5']);
      expect(header(reply, 'ratelimit')).to.equal('"reads";r=0;t=5');
      taken.release();
      for (const answer of await Promise.all(waiting)) expect(answer.status).to.equal(200);
      expect([gate.held, gate.waiting]).to.deep.equal([0, 0]);
    });

    it('replies 304 to a client with the current version, until something changes', async () => {
      await winter();
      for (const path of [
        OBSERVATIONS,
        `${OBSERVATIONS}?format=csv`,
        '/v1/stations/JFK',
        '/v1/stations/JFK/summaries',
        '/v1/stations/JFK/derived?variables=wind_chill',
      ]) {
        const { reply: first } = await get(path);
        const etag = header(first, 'etag') ?? '';
        expect(etag, path).to.match(/^"[\w-]{27}"$/);
        for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const { status, reply } = await get(path, [`If-None-Match: ${held}`]);
          expect([status, reply.body, header(reply, 'etag')], path).to.deep.equal([304, '', etag]);
          expect(header(reply, 'content-length'), path).to.equal(undefined);
        }
        const changed = await fetch(`${running.url}${path}`, { headers: { 'if-none-match': '"other"' } });
        expect(changed.status).to.equal(200);
        await changed.text();
      }
      const { reply: before } = await get('/v1/stations/JFK');
      await record(world, '2013-01-01T03:00:00Z', { air_temperature: [1] });
      const { reply: after } = await get('/v1/stations/JFK');
      expect(header(after, 'etag')).not.to.equal(header(before, 'etag'));
      const other = await fetch(`${running.url}${OBSERVATIONS}?units=si`);
      await other.text();
      expect(other.headers.get('etag')).not.to.equal(header(after, 'etag'));
    });

    it('has another ETag whenever anything of the station or of its rows has changed', async () => {
      await winter();
      const paths = [
        OBSERVATIONS,
        `${OBSERVATIONS}?format=csv&from=2012-12-31`,
        '/v1/stations/JFK',
        '/v1/stations/JFK/summaries',
        '/v1/stations/JFK/derived?variables=wind_chill',
      ];
      const tags = async () =>
        await Promise.all(paths.map(async (path) => header((await get(path)).reply, 'etag') as string));
      const seen = paths.map(() => new Set<string>());
      const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
        ['nothing yet', async () => undefined],
        ['name', () => addStation(world, { name: 'Kennedy' })],
        ['latitude', () => addStation(world, { latitude: 40.6 })],
        ['elevation', () => addStation(world, { elevation: 5 })],
        ['time zone', () => addStation(world, { timeZone: 'UTC' })],
        ['identifiers', () => addStation(world, { identifiers: { icao: 'KXXX' } })],
        ['reporting interval', () => addStation(world, { reportingInterval: 600 })],
        ['limits', () => addStation(world, { limits: { air_temperature: { min: -1, max: 1 } } })],
        ['a new row', () => record(world, '2013-01-01T03:00:00Z', { air_temperature: [1] })],
        ['a late row', () => record(world, '2012-01-01T03:00:00Z', { air_temperature: [1] })],
        ['another value', () => record(world, '2013-01-01T00:00:00Z', { air_temperature: [2] })],
        ['a value more', () => record(world, '2013-01-01T02:00:00Z', { air_temperature: [2] })],
        ['a new variable', () => record(world, '2013-01-01T01:00:00Z', { dew_point_temperature: [-2] })],
      ];
      for (const [what, change] of changes) {
        await change();
        for (const [index, tag] of (await tags()).entries()) {
          expect(seen[index]?.has(tag), `${paths[index]} after ${what}`).to.equal(false);
          seen[index]?.add(tag);
        }
      }
      const before = await tags();
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [2] });
      expect(await tags()).to.deep.equal(before);
    });

    it('returns the newest values, with ages, also of a silent station and of many', async () => {
      world.clock.time = Date.parse('2013-01-01T02:20:00Z');
      await winter();
      const { body } = await get('/v1/stations/JFK/observations/latest');
      expect(body).to.include({ station: 'JFK', last_seen: '2013-01-01T02:00:00Z' });
      expect((body['latest'] as Json)['air_temperature']).to.deep.equal({
        time: '2013-01-01T01:00:00Z',
        value: -0.5,
        age: 4800,
        verdict: 'pass',
      });
      await addStation(world, { id: 'LGA', longitude: -73.87 });
      const silent = await get('/v1/stations/LGA/observations/latest');
      expect([silent.status, silent.body['last_seen'], silent.body['latest']]).to.deep.equal([200, null, {}]);
      const { body: many } = await get('/v1/observations/latest?bbox=-74,40,-73,41&units=imperial');
      const stations = many['stations'] as { station: Json; last_seen: unknown; latest: Json }[];
      expect(stations.map(({ station }) => station['id'])).to.deep.equal(['JFK', 'LGA']);
      expect((stations[0] as { latest: Record<string, Json> }).latest['wind_speed']?.['value']).to.equal(
        13.4216177523,
      );
      expect((many['units'] as Json)['air_temperature']).to.equal('°F');
    });

    it('finds stations near, in a box, by text, and page by page', async () => {
      await addStation(world, { id: 'LGA', latitude: 40.777, longitude: -73.872 });
      const { body } = await get('/v1/stations?near=40.78,-73.87&radius=100');
      const found = body['stations'] as Json[];
      expect(found.map(({ id }) => id)).to.deep.equal(['LGA', 'JFK']);
      expect(found[0]).to.include({
        distance_km: 0.374,
        elevation: 4,
        time_zone: 'America/New_York',
        reporting_interval: 3600,
      });
      expect((await get('/v1/stations?q=kenn')).body['stations']).to.have.length(2);
      const { body: page } = await get('/v1/stations?limit=1');
      expect(page['next']).to.equal('1');
      const { body: last } = await get(`/v1/stations?limit=1&cursor=${String(page['next'])}`);
      expect([(last['stations'] as Json[])[0]?.['id'], last['next']]).to.deep.equal(['LGA', null]);
      expect((await get('/v1/stations?bbox=170,-50,-170,50')).body['stations']).to.deep.equal([]);
    });

    it('finds no station beyond 1,000 km of a position whose swapped position has no station either, or with a large radius', async () => {
      for (const query of [
        'near=0,0',
        'near=-73.87,40.78&radius=20000',
        'near=52.5,170',
        'near=0,0&radius=10',
      ]) {
        expect((await get(`/v1/stations?${query}`)).status, query).to.equal(200);
      }
    });

    it('reads a list of years as the period from the first to the last', async () => {
      await record(world, '2013-01-01T05:00:00Z', { air_temperature: [1, 2, 3] });
      await record(world, '2011-01-01T05:00:00Z', { air_temperature: [1, 2, 3] });
      const yearsOf = async (years: string) => {
        const { body } = await get(`/v1/stations/JFK/climate/months?years=${years}`);
        return body['years'];
      };
      expect(await yearsOf('2011,2012')).to.deep.equal(await yearsOf('2011-2012'));
      expect(await yearsOf('2013,2011-2012,2012')).to.deep.equal({ from: 2011, to: 2013 });
    });

    it('summarizes by the calendar', async () => {
      await winter();
      const incomplete = {
        count: 2,
        expected: 744,
        complete: false,
        valid: false,
        missing: 742 * 3600,
        days: 0,
        rule: 'wmo_1203',
      };
      const { body } = await get(
        '/v1/stations/JFK/summaries?interval=month&timezone=UTC&variables=air_temperature,wind_from_direction',
      );
      expect(body).to.include({ interval: 'month', time_zone: 'UTC', day_start: '00:00' });
      expect(body['summaries']).to.deep.equal([
        {
          start: '2013-01-01T00:00:00+00:00',
          end: '2013-02-01T00:00:00+00:00',
          complete: false,
          air_temperature: {
            ...incomplete,
            min: -0.5,
            min_time: '2013-01-01T01:00:00+00:00',
            max: 3.9,
            max_time: '2013-01-01T00:00:00+00:00',
            mean: 1.7,
            method: 'plain',
            midrange: null,
          },
          // The wind of the first instant is that of December.
          wind_from_direction: {
            ...incomplete,
            count: 1,
            missing: 743 * 3600,
            mean: 290,
            method: 'plain',
            vector_speed: 6,
            prevailing: 'WNW',
          },
        },
      ]);
    });

    it('summarizes as CSV, with degree days and the units of the reply', async () => {
      await record(world, '2013-01-01T05:00:00Z', {
        air_temperature: Array.from({ length: 24 }, () => 10),
        precipitation_amount: Array.from({ length: 24 }, () => 0.254),
      });
      const csv = await text(
        '/v1/stations/JFK/summaries?from=2013-01-01&to=2013-01-02&units=imperial&heating_base=60&format=csv',
      );
      const [headings = [], cells = []] = csv.split('\r\n').map((line) => line.split(','));
      const row = Object.fromEntries(headings.map((heading, index) => [heading, cells[index]]));
      expect(row).to.include({
        start: '2013-01-01T00:00:00-05:00',
        complete: 'false',
        'air_temperature.mean (°F)': '50',
        'air_temperature.complete': 'true',
        'air_temperature.heating_degree_days (°F d)': '10',
        'precipitation_amount.missing (s)': '3600',
        'precipitation_amount.sum (in)': '0.23',
      });
    });

    it('sends more intervals than it computes at once, without a gap', async () => {
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1] });
      await record(world, '2014-12-31T23:00:00Z', { air_temperature: [2] });
      const query = 'interval=hour&timezone=UTC&from=2013-01-01&to=2015-01-01';
      const { body } = await get(`/v1/stations/JFK/summaries?${query}`);
      const found = body['summaries'] as (Record<'start' | 'end', string> & {
        readonly air_temperature: Json;
      })[];
      expect(found).to.have.length(730 * 24);
      expect(found.slice(1).every((one, index) => one.start === found[index]?.end)).to.equal(true);
      expect([found[0], found.at(-1)].map((one) => one?.air_temperature['mean'])).to.deep.equal([1, 2]);
      expect(body['to']).to.equal('2015-01-01T00:00:00Z');
    });

    it('computes derived quantities and names their formulas', async () => {
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [-5, 20], wind_speed: [10, 10] });
      const { body } = await get('/v1/stations/JFK/derived?variables=wind_chill');
      expect((body['derived'] as Json)['wind_chill']).to.deep.equal([-13.68, null]);
      expect((body['formulas'] as Record<string, Json>)['wind_chill']?.['validity']).to.contain('10 °C');
    });

    it('reports what is wrong with a query, and the limit that is exceeded', async () => {
      for (const [path, reason] of [
        [`${OBSERVATIONS}?from=yesterday`, 'query.from'],
        [`${OBSERVATIONS}?from=2013-01-02&to=2013-01-01`, 'to is before from'],
        [`${OBSERVATIONS}?from=2013-02-30`, 'query.from: is not a date: February 2013 has 28 days'],
        [`${OBSERVATIONS}?to=2013-13-01`, 'query.to: is not a date: months are 01 to 12'],
        [`${OBSERVATIONS}?from=2013-02-30T00:00:00Z`, 'February 2013 has 28 days'],
        [`${OBSERVATIONS}?from=2013-02-01T24:00:00Z`, 'hours are 00 to 23'],
        [`${OBSERVATIONS}?from=2013-02-01T12:00`, 'neither Z nor an offset'],
        [`${OBSERVATIONS}?from=2013-02-01&timezone=Mars/Base`, 'no time zone'],
        ['/v1/stations/JFK/summaries?from=2013-06-31', 'June 2013 has 30 days'],
        ['/v1/stations/JFK/derived?variables=wind_chill&to=2013-06-31', 'June 2013 has 30 days'],
        [`${OBSERVATIONS}?limit=100001`, 'from 1 to 100000'],
        [`${OBSERVATIONS}?limit=-1`, 'from 1 to 100000'],
        [`${OBSERVATIONS}?limit=1.5`, 'from 1 to 100000'],
        [`${OBSERVATIONS}?variables=temp`, 'no variable \\"temp\\". Did you mean \\"air_temperature\\"?'],
        [`${OBSERVATIONS}?variables=wind_sped`, 'Did you mean \\"wind_speed\\"?'],
        ['/v1/stations/JFK/derived?variables=windchill', 'Did you mean \\"wind_chill\\"?'],
        [`${OBSERVATIONS}?fro=2013-01-01`, 'The known fields are from, to, last, timezone, variables, qc'],
        [`${OBSERVATIONS}?fro=2013-01-01`, 'Did you mean \\"from\\"?'],
        [`${OBSERVATIONS}/latest?unit=si`, 'Did you mean \\"units\\"?'],
        [
          '/v1/stations/JFK?units=si',
          'query: Unrecognized key: \\"units\\". The known fields are inventory.',
        ],
        ['/v1/variables?x', 'No fields are known here.'],
        ['/openapi.json?x=1', 'No fields are known here.'],
        [`${OBSERVATIONS}?units=nautical`, 'query.units'],
        [`${OBSERVATIONS}?form=csv`, 'form'],
        [`${OBSERVATIONS}?cursor=x`, 'query.cursor'],
        ['/v1/stations?near=91,0', '-90 to 90'],
        ['/v1/stations?near=-73.87,40.78', 'but near=40.78,-73.87 has stations. The latitude comes first.'],
        ['/v1/observations/latest?near=-73.87,40.78&radius=50', 'The latitude comes first.'],
        ['/v1/summaries?near=-73.87,40.78', 'send a radius above 1000'],
        ['/v1/stations/JFK/climate/months?years=2013,2015', 'without a gap'],
        ['/v1/stations/JFK/climate/months?years=2013-2012', 'must not be after the last year'],
        ['/v1/stations/JFK/climate/months?years=2013,', 'or a list (2012,2013)'],
        ['/v1/stations?near=1', 'LATITUDE,LONGITUDE'],
        ['/v1/stations?radius=5', 'needs a position'],
        ['/v1/stations?bbox=0,50,1,40', 'north'],
        ['/v1/stations?limit=0', 'from 1 to'],
        ['/v1/stations/JFK/summaries?day_start=24:00', 'HH:MM'],
        ['/v1/stations/JFK/summaries?timezone=Mars/Base', 'no time zone'],
        ['/v1/stations/JFK/summaries?fields=mean,maxx', 'no statistic \\"maxx\\". Did you mean \\"max\\"?'],
        ['/v1/summaries?fields=average', 'The statistics are count, expected,'],
        ['/v1/stations/JFK/summaries?interval=hour&from=1990-01-01&to=2020-01-01', 'at most 200000'],
        ['/v1/stations/JFK/derived', 'query.variables'],
        ['/v1/stations/JFK/derived?variables=air_temperature', 'no derived quantity'],
      ] as const) {
        const { status, error, reply } = await get(path);
        expect([status, error], path).to.deep.equal([400, 'REQUEST_INVALID']);
        expect(reply.body, path).to.contain(reason);
      }
      for (const path of [
        OBSERVATIONS,
        '/v1/stations/JFK',
        '/v1/stations/JFK/summaries',
        '/v1/stations/JFK/observations/latest',
      ]) {
        const { error, body } = await get(path.replace('JFK', 'none'));
        expect(error, path).to.equal('STATION_UNKNOWN');
        expect(body['message'], path).to.contain('GET /v1/stations lists the stations.');
      }
    });

    it('creates, changes and removes stations only with an elevated token', async () => {
      const station = { name: 'Park', latitude: 40.7789, longitude: -73.9692, time_zone: 'America/New_York' };
      const basic = await world.signIn('ada');
      for (const [method, path] of [
        ['PUT', '/v1/stations/NYC'],
        ['DELETE', '/v1/stations/JFK'],
        ['POST', OBSERVATIONS],
      ] as const) {
        expect((await client.send(method, path, undefined, {})).error).to.equal('AUTH_TOKEN_INVALID');
        expect((await client.send(method, path, basic, {})).error).to.equal('AUTH_ELEVATION_REQUIRED');
      }
      const made = await client.send('PUT', '/v1/stations/NYC', token, station);
      expect([made.status, made.body['made'], (made.body['station'] as Json)['number']]).to.deep.equal([
        201,
        true,
        2,
      ]);
      expect(
        (await client.send('PUT', '/v1/stations/NYC', token, { ...station, elevation: 47 })).status,
      ).to.equal(200);
      expect((await get('/v1/stations/NYC')).body['station']).to.deep.include({
        elevation: 47,
        identifiers: {},
      });
      expect((await client.send('PUT', '/v1/stations/a%20b', token, station)).error).to.equal(
        'REQUEST_INVALID',
      );
      expect(
        (await client.send('PUT', '/v1/stations/NYC', token, { ...station, time_zone: 'x' })).error,
      ).to.equal('REQUEST_INVALID');
      for (const [zone, status] of [
        ['-05:00', 200],
        ['+14:30', 400],
        ['-0500', 400],
      ] as const) {
        const changes = { ...station, time_zone: zone };
        expect((await client.send('PUT', '/v1/stations/NYC', token, changes)).status, zone).to.equal(status);
        const { body } = await get('/v1/stations/NYC');
        expect((body['station'] as Json)['time_zone'], zone).to.equal('-05:00');
      }
      // A date is the day of the station: from 05:00 UTC in summer too.
      expect((await get('/v1/stations/NYC/summaries?from=2013-07-01&to=2013-07-02')).body).to.deep.include({
        time_zone: '-05:00',
        from: '2013-07-01T05:00:00Z',
      });
      expect((await client.send('DELETE', '/v1/stations/NYC', token)).status).to.equal(200);
      expect((await get('/v1/stations/NYC')).error).to.equal('STATION_UNKNOWN');
    });

    it('removes the values of a range, or counts them', async () => {
      const range = `${OBSERVATIONS}?from=2013-01-01T00:00:00Z&to=2013-01-01T01:00:00Z`;
      const remove = async (target: string, as: string | undefined = token) =>
        await client.send('DELETE', target, as);
      await client.send('POST', OBSERVATIONS, token, {
        time: ['2013-01-01T00:00:00Z', '2013-01-01T01:00:00Z'],
        air_temperature: [1, 2],
        relative_humidity: [50, 60],
      });
      const rows = async () => ((await get(range)).body['observations'] as Json)['time'];
      expect((await remove(range, await world.signIn('ada'))).error).to.equal('AUTH_ELEVATION_REQUIRED');
      expect((await remove(OBSERVATIONS)).error).to.equal('REQUEST_INVALID');
      expect((await remove(`${range}&variables=nonsense`)).error).to.equal('REQUEST_INVALID');
      expect((await remove(range.replace('JFK', 'none'))).error).to.equal('STATION_UNKNOWN');
      expect((await remove(`${range}&dry_run=true`)).body).to.deep.include({ rows: 1, values: 2 });
      expect(await rows()).to.have.length(1);
      const one = await remove(`${range}&variables=relative_humidity`);
      expect([one.status, one.body['rows'], one.body['values']]).to.deep.equal([200, 1, 1]);
      expect((await remove(range)).body).to.deep.include({ rows: 1, values: 1 });
      expect(await rows()).to.deep.equal([]);
      const [event] = await world.stores.audit.list(1);
      expect(event).to.deep.include({ action: 'observations-remove', subject: 'JFK' });
    });

    it('writes columns, and gives the reason for every rejected row', async () => {
      const time = [
        '2013-01-01T00:00:00Z',
        '2013-01-01T01:00:00+01:00',
        'soon',
        1_357_002_000,
        '2999-01-01T00:00:00Z',
        null,
      ];
      const sent = {
        time,
        units: 'imperial',
        air_temperature: [39.02, null, 1, 32, 1, 1],
        wind_speed: [null, 'strong', 1, 10, 1, 1],
      };
      const { status, body } = await client.send('POST', OBSERVATIONS, token, sent);
      expect([status, body['inserted'], body['rejected']]).to.deep.equal([200, 2, 4]);
      expect(body['rejections']).to.have.deep.members([
        { index: 1, field: 'wind_speed', reason: '"strong" is not a number' },
        { index: 1, field: 'row', reason: 'has no value' },
        { index: 2, field: 'time', reason: '"soon" is not a time such as 2024-02-29T12:00:00Z' },
        { index: 4, field: 'time', reason: 'is in the future' },
        {
          index: 5,
          field: 'time',
          reason: 'is not a time such as 2024-02-29T12:00:00Z or seconds since 1970-01-01T00:00:00Z',
        },
      ]);
      const { body: read } = await get(OBSERVATIONS);
      expect(read['observations']).to.deep.equal({
        time: ['2013-01-01T00:00:00Z', '2013-01-01T01:00:00Z'],
        air_temperature: [3.9, 0],
        wind_speed: [null, 4.4704],
      });
      for (const bad of [
        { air_temperature: [1] },
        { time: ['2013-01-01T00:00:00Z'], temp: [1] },
        { time: ['2013-01-01T00:00:00Z'], air_temperature: [1, 2] },
        { time: ['2013-01-01T00:00:00Z'], air_temperature: [1], units: { air_temperature: 'hPa' } },
        { time: ['2013-01-01T00:00:00Z'], air_temperature: [1], units: { temp: '°C' } },
      ]) {
        expect((await client.send('POST', OBSERVATIONS, token, bad)).error, JSON.stringify(bad)).to.equal(
          'REQUEST_INVALID',
        );
      }
    });

    it('writes CSV, its own too, and names the line of a fault', async () => {
      const { body } = await post(
        'time,air_temperature,quality\r\n2013-01-01T00:00:00Z,3.9,\r\n2013-01-01T01:00:00Z,warm,\r\n2013-01-01T02:00:00Z,,\r\n',
      );
      expect(body).to.include({ inserted: 1, rejected: 2 });
      expect(body['rejections']).to.deep.include({
        index: 1,
        field: 'air_temperature',
        reason: '"warm" is not a number',
      });
      const again = await post(await text(`${OBSERVATIONS}?format=csv`));
      expect(again.body).to.include({ inserted: 0, unchanged: 1, rejected: 0 });
      for (const [csv, reason] of [
        ['air_temperature\n1\n', 'no column \\"time\\"'],
        ['time,time\n1,2\n', 'two columns'],
        ['time,temp\n1,2\n', 'no variable'],
        ['time,air_temperature\n2013-01-01T00:00:00Z,1,2\n', 'at line 2'],
        ['time,air_temperature\n"2013', 'cannot be read at line'],
        ['', 'no column \\"time\\"'],
      ] as const) {
        const { status, reply } = await post(csv);
        expect(status, csv).to.equal(400);
        expect(reply.body, csv).to.contain(reason);
      }
    });

    const post = (csv: string, query = '') =>
      client.ask(
        'POST',
        `${OBSERVATIONS}${query}`,
        [`Authorization: Bearer ${token}`, 'Content-Type: text/csv; charset=utf-8'],
        csv,
      );

    it('refuses times that do not exist, in JSON and in CSV, with the reason', async () => {
      const wrong = [
        ['2024-02-30T12:00:00Z', 'is not a date: February 2024 has 29 days'],
        ['2023-02-29T12:00Z', 'is not a date: February 2023 has 28 days'],
        ['2024-04-31 12:00:00+02:00', 'is not a date: April 2024 has 30 days'],
        ['2024-13-01T12:00:00Z', 'is not a date: months are 01 to 12'],
        ['2024-01-01T24:00:00Z', 'is not a time: hours are 00 to 23'],
        ['2024-01-01T24:61:00Z', 'is not a time: hours are 00 to 23'],
        ['2024-01-01T12:00:60Z', 'is not a time: hours are 00 to 23'],
        ['2024-01-01T12:00:00', 'has neither Z nor an offset'],
        ['2024-01-01', 'is a date without a time'],
      ] as const;
      const times = wrong.map(([time]) => time);
      const json = await client.send('POST', OBSERVATIONS, token, {
        time: times,
        air_temperature: times.map(() => 1),
      });
      const csv = await post(`time,air_temperature\n${times.map((time) => `${time},1\n`).join('')}`);
      for (const { body } of [json, csv]) {
        expect(body).to.include({ inserted: 0, updated: 0, rejected: wrong.length });
        const reasons = (body['rejections'] as { field: string; reason: string }[]).map(
          ({ reason }) => reason,
        );
        for (const [index, [time, reason]] of wrong.entries()) {
          expect(reasons[index]).to.contain(JSON.stringify(time)).and.contain(reason);
        }
      }
      expect((await get(OBSERVATIONS)).body['observations']).to.deep.equal({ time: [] });
    });

    it('accepts its own CSV in every system of units, without changing anything', async () => {
      const written = await client.send('POST', OBSERVATIONS, token, {
        time: ['2013-01-01T00:00:00Z', '2013-01-01T01:00:00Z'],
        units: { wind_speed: 'kt', air_temperature: '°F' },
        air_temperature: [32.01, 98.7],
        wind_speed: [12, 7],
        air_pressure_at_mean_sea_level: [1013.2, 987.65],
        precipitation_amount: [0.2, 12.7],
        relative_humidity: [33, 100],
        visibility_in_air: [16_093.44, 1],
      });
      expect(written.body).to.include({ inserted: 2 });
      for (const units of ['metric', 'imperial', 'si']) {
        const csv = await text(`${OBSERVATIONS}?format=csv&units=${units}`);
        for (const query of ['', `?units=${units}`]) {
          const { body } = await post(csv, query);
          expect(body, `${units} ${query}`).to.include({
            inserted: 0,
            updated: 0,
            unchanged: 2,
            rejected: 0,
          });
        }
        const other = await post(csv, `?units=${units === 'imperial' ? 'si' : 'imperial'}`);
        if (units === 'metric') expect(other.body).to.include({ inserted: 0, updated: 2 });
        else expect([other.status, other.error]).to.deep.equal([400, 'REQUEST_INVALID']);
        await post(csv, `?units=${units}`);
      }
    });

    it('accepts its own JSON for another station, which then has the same rows and verdicts', async () => {
      const value = fc.option(
        fc.integer({ min: -50_000, max: 80_000 }).map((number) => number / 1000),
        { freq: 4 },
      );
      const hour = fc.integer({ min: 0, max: 500 });
      const rows = fc.uniqueArray(fc.tuple(hour, value, value), { selector: ([at]) => at, maxLength: 12 });
      let number = 0;
      await fc.assert(
        fc.asyncProperty(
          rows,
          fc.constantFrom('iso', 'unix&units=si', 'iso&units=imperial'),
          async (sent, time) => {
            number += 1;
            for (const id of [`A${number}`, `B${number}`]) await addStation(world, { id });
            const [first, second] = [`/v1/stations/A${number}`, `/v1/stations/B${number}`];
            const body = {
              time: sent.map(([at]) => 1_357_002_000 + at * 3600),
              air_temperature: sent.map(([, temperature]) => temperature),
              wind_speed: sent.map(([, , speed]) => speed),
            };
            await client.send('POST', `${first}/observations`, token, body);
            const reply = (await get(`${first}/observations?time=${time}`)).body;
            const written = await client.send('POST', `${second}/observations`, token, reply);
            expect([written.status, written.body['rejected']]).to.deep.equal([200, 0]);
            const again = (await get(`${second}/observations?time=${time}`)).body;
            for (const field of ['observations', 'quality', 'units', 'from', 'to'])
              expect(again[field], field).to.deep.equal(reply[field]);
          },
        ),
        { numRuns: 15 },
      );
      await winter();
      const reply = (await get(`${OBSERVATIONS}?units=imperial`)).body;
      const rejected: readonly (readonly [object, string])[] = [
        [{ ...reply, unitz: 'imperial' }, 'Unrecognized key: \\"unitz\\"'],
        [{ ...reply, time: [] }, 'Unrecognized key: \\"time\\"'],
        [{ ...reply, observations: { air_temperature: [1] } }, 'body.observations.time'],
        [{ ...reply, units: { air_temperature: 'hPa' } }, 'cannot be in hPa'],
        [{ time: [], observations: { time: [] } }, 'observations'],
      ];
      for (const [bad, reason] of rejected) {
        const { status, reply: raw } = await client.send('POST', OBSERVATIONS, token, bad);
        expect(status, reason).to.equal(400);
        expect(raw.body).to.contain(reason);
      }
      const unchanged = await client.send('POST', OBSERVATIONS, token, reply);
      expect(unchanged.body).to.include({ inserted: 0, updated: 0, unchanged: 3 });
    });

    it('names the unit in the heading of CSV if it is not the stored one', async () => {
      await winter();
      const csv = await text(`${OBSERVATIONS}?format=csv&units=imperial`);
      expect(csv.split('\r\n')[0]).to.equal(
        'time,air_temperature (°F),wind_speed (mph),wind_from_direction,quality',
      );
    });

    it('reads units from the query, and refuses contradicting or meaningless ones', async () => {
      const { body } = await post(
        'time,air_temperature,wind_speed (mph)\n2013-01-01T00:00:00Z,50,\n',
        '?units=imperial',
      );
      expect(body).to.include({ inserted: 1 });
      const json = { time: ['2013-01-01T01:00:00Z'], air_temperature: [283.15] };
      expect((await client.send('POST', `${OBSERVATIONS}?units=si`, token, json)).body).to.include({
        inserted: 1,
      });
      expect((await get(OBSERVATIONS)).body['observations']).to.deep.include({ air_temperature: [10, 10] });
      for (const [query, units] of [
        ['?units=imperial', 'metric'],
        ['?units=imperial', { air_temperature: '°F' }],
        ['?units=furlongs', undefined],
        ['?unit=imperial', undefined],
      ] as const) {
        const { status, error } = await client.send('POST', `${OBSERVATIONS}${query}`, token, {
          ...json,
          units,
        });
        expect([status, error], query).to.deep.equal([400, 'REQUEST_INVALID']);
      }
      expect(
        (await client.send('POST', `${OBSERVATIONS}?units=si`, token, { ...json, units: 'si' })).status,
      ).to.equal(200);
      for (const heading of ['air_temperature (hPa)', 'air_temperature (°F),air_temperature', 'temp (°F)']) {
        expect((await post(`time,${heading}\n`)).status, heading).to.equal(400);
      }
    });

    it('counts and lists rows whose time occurred earlier in the request', async () => {
      const time = ['2013-01-01T00:00:00Z', '2013-01-01T00:00:00Z', '2013-01-01T01:00:00Z', 1_356_998_400];
      const sent = { time, air_temperature: [10, 20, 5, 30], wind_speed: [1, null, 2, null] };
      const expected = {
        inserted: 2,
        updated: 0,
        unchanged: 0,
        repeated: 2,
        rejected: 0,
        repetitions: [
          { index: 1, first: 0 },
          { index: 3, first: 0 },
        ],
      };
      expect((await client.send('POST', OBSERVATIONS, token, sent)).body).to.deep.include(expected);
      expect((await get(OBSERVATIONS)).body['observations']).to.deep.include({
        air_temperature: [30, 5],
        wind_speed: [1, 2],
      });
      expect((await client.send('POST', OBSERVATIONS, token, sent)).body).to.deep.include({
        ...expected,
        inserted: 0,
        unchanged: 2,
      });
    });

    it('writes a large CSV in parts, lists a thousand rejections, and counts all of them', async () => {
      const rows = Array.from({ length: 20_000 }, (_, row) =>
        row % 4 === 3 ? `${row * 60},warm\n` : `${row * 60},${row / 100}\n`,
      );
      const { body } = await post(`time,air_temperature\n${rows.join('')}`);
      expect(body).to.include({ inserted: 15_000, rejected: 5000, repeated: 0 });
      expect(body['rejections']).to.have.length(1000);
      expect((body['rejections'] as unknown[])[999]).to.deep.equal({
        index: 3999,
        field: 'air_temperature',
        reason: '"warm" is not a number',
      });
      const { body: read } = await get(`${OBSERVATIONS}?limit=100000`);
      expect((read['observations'] as { time: unknown[] }).time).to.have.length(15_000);
    });

    it('refuses CSV of too many columns or too long lines, and JSON that is too deep, in a short reply', async () => {
      const columns = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(',');
      const wide = await post(`time,${columns}\n`);
      const open = await post(`time,air_temperature\n"${'9'.repeat(200_000)}`);
      const deep = await client.ask(
        'POST',
        OBSERVATIONS,
        [`Authorization: Bearer ${token}`, 'Content-Type: application/json'],
        `{"time":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      );
      const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, 1]));
      const many = await client.send('POST', OBSERVATIONS, token, { time: [], ...fields });
      for (const { status, reply } of [wide, open, deep, many]) {
        expect(status).to.equal(400);
        expect(reply.body.length).to.be.below(5000);
      }
      expect(deep.reply.body).to.contain('levels deep');
      const escaped = { time: ['2013-01-01T00:00:00Z'], air_temperature: ['"[\\'.repeat(40_000)] };
      expect((await client.send('POST', OBSERVATIONS, token, escaped)).body).to.include({ rejected: 1 });
    });

    it('requires a token to read if that is configured', async () => {
      await running.server.close(1000);
      await start('token');
      for (const path of [OBSERVATIONS, '/v1/variables', '/v1/stations', '/v1/observations/latest']) {
        expect((await get(path)).error, path).to.equal('AUTH_TOKEN_INVALID');
        const { status, reply } = await client.send('GET', path, token);
        expect(status, path).to.equal(200);
        expect(header(reply, 'cache-control'), path).to.match(/^(?:no-store|private, .+)$/);
      }
      const { reply } = await client.send('GET', OBSERVATIONS, token);
      expect(header(reply, 'cache-control')).to.match(/^private, /);
      const condition = `If-None-Match: ${header(reply, 'etag')}`;
      const unchanged = await client.send('GET', OBSERVATIONS, token, undefined, [condition]);
      expect([unchanged.status, header(unchanged.reply, 'cache-control')]).to.deep.equal([
        304,
        header(reply, 'cache-control'),
      ]);
    });
  });
}
