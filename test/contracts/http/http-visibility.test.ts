import { expect } from 'chai';
import type { AnyEndpoint } from '#adapters/http/core/endpoint.js';
import { inProcessReader } from '#adapters/http/core/pages/read-in-process.js';
import type { Incoming } from '#adapters/http/core/transport.js';
import { header } from '#transport-suite/raw-http.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { ObservationFeed } from '#application/observations/live/observation-feed.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { type Answer, Client } from '../../support/client.js';
import { EventClient } from '../../support/event-client.js';
import { domainErrorOf } from '../../support/rejection.js';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { catchUp } from '../../support/recheck.js';
import { orderForecast } from '../../support/forecast-world.js';
import { addStation, record } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

/** Endpoints that show no station. A new one must be in this list, or it is tested as one that does. */
const WITHOUT_STATIONS = new Set([
  '/',
  '/v1/health/liveliness',
  '/v1/health/info',
  '/v1/auth/keys',
  '/openapi.json',
  '/v1/variables',
  '/v1/places',
]);

/** Parameters that the query of an endpoint needs. */
const REQUIRED: Readonly<Record<string, string>> = {
  '/v1/stations/{id}/summaries': 'interval=day',
  '/v1/summaries': 'interval=day',
  '/v1/stations/{id}/derived': 'variables=heat_index',
};

const EXACT = { latitude: 59.91273, longitude: 10.74612 };
const ROUNDED = { latitude: 59.9, longitude: 10.7 };
/** The exact position in degrees, and in degrees and minutes as in the text of NOAA. */
const EXACT_TEXT = /59\.91|10\.74|59-54\.76|010-44\.77/;

const at = ({ latitude, longitude }: typeof EXACT) => `${latitude},${longitude}`;
const around = ({ latitude, longitude }: typeof EXACT) =>
  [longitude - 0.005, latitude - 0.005, longitude + 0.005, latitude + 0.005].join(',');

for (const [name, load] of serviceTransports) {
  describe(`stations that are hidden or have a rounded position › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let client: Client;
    let token: string;
    let reads: readonly AnyEndpoint[];

    beforeEach(async () => {
      world = await World.make();
      // After the last row below. Indices are computed for all hours from the first row on.
      world.clock.time = Date.UTC(2013, 5, 2);
      await world.addUser('ada', true);
      await addStation(world);
      await addStation(world, { id: 'secret', name: 'A garden', visibility: 'hidden' });
      await addStation(world, {
        id: 'blurred',
        ...EXACT,
        elevation: 23,
        identifiers: {},
        positionDecimals: 1,
      });
      for (const id of ['JFK', 'secret', 'blurred'])
        await record(world, '2013-05-01T00:00:00Z', { air_temperature: [1, 2.5], wind_speed: [5, 6] }, id);
      for (const id of ['JFK', 'secret', 'blurred']) await orderForecast(world, id);
      // Files of months exist only when quality control has finished.
      await catchUp(world.get(RecheckObservations));
      const authorize = world.get(Authorize);
      const endpoints = makeExternalEndpoints(world.container, 'public', UPLOAD_REACH);
      running = await runApi(await load(), {
        endpoints,
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
      client = new Client(running.url);
      token = await world.signIn('ada');
      reads = endpoints.filter(
        ({ method, access, path }) =>
          method === 'GET' && typeof access === 'string' && !WITHOUT_STATIONS.has(path),
      );
    });
    afterEach(async () => {
      world.get(ObservationFeed).close();
      await running.server.close(1000);
    });

    const targetOf = ({ path }: AnyEndpoint, id: string, ...parameters: string[]) => {
      const all = [REQUIRED[path] ?? [], ...parameters].flat();
      const filled = path
        .replace('{id}', id)
        .replace('{file}', '2013.txt')
        .replace('{month}', '2013-04.parquet');
      return all.length === 0 ? filled : `${filled}?${all.join('&')}`;
    };
    const ofStation = () => reads.filter(({ path }) => path.includes('{id}'));
    const ofMany = (...parameters: string[]) =>
      reads.filter(
        ({ path, query, success }) =>
          !path.includes('{id}') &&
          success.kind !== 'events' &&
          parameters.every((one) => one in (query?.shape ?? {})),
      );
    /** A reply in every format of the endpoint. */
    const inFormats = async (
      endpoint: AnyEndpoint,
      given: string | undefined,
      ...parts: [string, ...string[]]
    ) => {
      const field = endpoint.query?.shape['format'] as { unwrap?: () => { options: string[] } } | undefined;
      const formats = field?.unwrap?.().options.map((format) => [`format=${format}`]) ?? [[]];
      const answers: [string, Answer][] = [];
      for (const format of formats) {
        const target = targetOf(endpoint, ...parts, ...format);
        answers.push([target, await client.send('GET', target, given)]);
      }
      return answers;
    };

    it('every public route that shows stations has a parameter for them, so that the tests below find it', () => {
      for (const { path, query, access } of reads) {
        const names = Object.keys(query?.shape ?? {});
        expect(path.includes('{id}') || names.includes('near'), path).to.equal(true);
        expect(access, path).to.equal('optional-token');
      }
      expect(reads.length).to.be.greaterThan(15);
    });

    it('a hidden station does not exist for visitors on any route, and does for users', async () => {
      for (const endpoint of ofStation()) {
        const none = await client.send('GET', targetOf(endpoint, 'nothing'));
        for (const [target, hidden] of await inFormats(endpoint, undefined, 'secret')) {
          expect([hidden.status, hidden.error], target).to.deep.equal([404, 'STATION_UNKNOWN']);
          expect(hidden.reply.body, target).to.equal(none.reply.body.replaceAll('nothing', 'secret'));
        }
        for (const [target, shown] of await inFormats(endpoint, token, 'secret'))
          expect(shown.status, target).to.equal(200);
      }
      for (const endpoint of reads.filter(({ query }) => 'stations' in (query?.shape ?? {}))) {
        const target = targetOf(endpoint, '', 'stations=JFK,secret');
        expect((await client.send('GET', target)).error, target).to.equal('STATION_UNKNOWN');
        if (endpoint.success.kind !== 'events')
          expect((await client.send('GET', target, token)).status, target).to.equal(200);
      }
    });

    it('no list, search or page of visitors has a hidden station', async () => {
      for (const endpoint of ofMany('q')) {
        for (const search of [
          [],
          ['q=secret'],
          ['q=garden'],
          [`near=${at(ROUNDED)}`],
          ['bbox=-180,-90,180,90'],
        ])
          for (const [target, { status, reply }] of await inFormats(endpoint, undefined, '', ...search)) {
            expect(status, target).to.equal(200);
            expect(reply.body, target).to.not.match(/secret|A garden/);
          }
        for (const [target, { reply }] of await inFormats(endpoint, token, ''))
          expect(reply.body, target).to.contain('secret');
      }
      const pages = async (given?: string) => {
        const ids: string[][] = [];
        let cursor: string | null = '0';
        while (cursor !== null) {
          const { body } = await client.send('GET', `/v1/stations?limit=1&cursor=${cursor}`, given);
          ids.push((body['stations'] as { id: string }[]).map(({ id }) => id));
          cursor = body['next'] as string | null;
        }
        return ids;
      };
      expect(await pages()).to.deep.equal([['JFK'], ['blurred']]);
      expect(await pages(token)).to.deep.equal([['JFK'], ['blurred'], ['secret']]);
    });

    it('no reply to visitors has the exact position of a station with a rounded one', async () => {
      for (const endpoint of ofStation())
        for (const [target, { status, reply }] of await inFormats(endpoint, undefined, 'blurred')) {
          expect(status, target).to.equal(200);
          expect(reply.body, target).to.not.match(EXACT_TEXT);
        }
      const noaa = '/v1/stations/blurred/reports/noaa/2013.txt';
      expect((await client.send('GET', noaa)).reply.body).to.contain('LAT: 59-54.00 N    LONG: 010-42.00 E');
      expect((await client.send('GET', noaa, token)).reply.body).to.match(EXACT_TEXT);
      for (const endpoint of ofMany('q'))
        for (const [target, { reply }] of await inFormats(endpoint, undefined, ''))
          expect(reply.body, target).to.not.match(EXACT_TEXT);
      const { body } = await client.send('GET', `/v1/stations?near=${at(ROUNDED)}&limit=1`);
      expect(body['stations']).to.containSubset([{ id: 'blurred', ...ROUNDED, distance_km: 0 }]);
      const exact = await client.send('GET', `/v1/stations?near=${at(EXACT)}&limit=1`, token);
      expect(exact.body['stations']).to.containSubset([{ id: 'blurred', ...EXACT, distance_km: 0 }]);
    });

    it('its history is rounded too, and what depends on the sun is computed from the rounded position', async () => {
      const moved = {
        ...EXACT,
        latitude: 59.93456,
        since: '2013-05-25',
        name: 'B',
        time_zone: 'Europe/Oslo',
      };
      const elevated = await world.elevate(token);
      const put = await client.send('PUT', '/v1/stations/blurred', elevated, moved);
      expect(put.body['station'], JSON.stringify(put.body)).to.include({ latitude: 59.93456 });
      const { body } = await client.send('GET', '/v1/stations/blurred');
      expect(body).to.include({ visibility: 'public', position_decimals: 1 });
      const periods = body['history'] as (typeof EXACT)[];
      expect(periods.map(({ latitude, longitude }) => ({ latitude, longitude }))).to.deep.equal([
        ROUNDED,
        ROUNDED,
      ]);
      await addStation(world, { id: 'there', ...ROUNDED, timeZone: 'America/New_York', elevation: 23 });
      await addStation(world, { id: 'sunny', ...EXACT, elevation: 23, positionDecimals: 1 });
      const noon = {
        air_temperature: [20],
        relative_humidity: [50],
        wind_speed: [2],
        surface_downwelling_shortwave_flux_in_air: [500],
        surface_air_pressure: [1010],
      };
      for (const id of ['there', 'sunny']) await record(world, '2013-06-01T11:00:00Z', noon, id);
      const globe = async (id: string, given?: string) => {
        const target = `/v1/stations/${id}/derived?variables=wet_bulb_globe_temperature&decimals=6`;
        return (await client.send('GET', target, given)).body['derived'] as {
          wet_bulb_globe_temperature: number[];
        };
      };
      expect((await globe('there')).wet_bulb_globe_temperature[0]).to.be.a('number');
      expect(await globe('sunny')).to.deep.equal(await globe('there'));
      expect(await globe('sunny', token)).to.not.deep.equal(await globe('there'));
    });

    it('searches of visitors find a station at its rounded position, and nowhere else', async () => {
      for (const endpoint of ofMany('near'))
        for (const search of [
          (place: typeof EXACT) => [`near=${at(place)}`, 'radius=0.3'],
          (place: typeof EXACT) => [`bbox=${around(place)}`],
        ])
          for (const [given, place, isFound] of [
            [undefined, ROUNDED, true],
            [undefined, EXACT, false],
            [token, ROUNDED, false],
            [token, EXACT, true],
          ] as const)
            for (const [target, { reply }] of await inFormats(endpoint, given, '', ...search(place)))
              expect(
                reply.body.includes('blurred'),
                `${target} ${given === undefined ? 'visitor' : 'user'}`,
              ).to.equal(isFound);
    });

    it('keeps the replies to visitors and users apart in caches, and refuses tokens that are not valid', async () => {
      for (const endpoint of [...ofStation(), ...ofMany('near')]) {
        const target = targetOf(endpoint, 'JFK');
        const [visitor, user] = [await client.send('GET', target), await client.send('GET', target, token)];
        const control = header(visitor.reply, 'cache-control');
        if (control === 'no-store') expect(header(user.reply, 'cache-control'), target).to.equal(control);
        else {
          expect(header(user.reply, 'cache-control'), target).to.equal(`private, ${control}`);
          for (const { reply } of [visitor, user])
            expect(header(reply, 'vary'), target).to.match(/\bAuthorization\b/);
        }
        expect(await client.send('GET', target, 'nonsense'), target).to.include({
          status: 401,
          error: 'AUTH_TOKEN_INVALID',
        });
        const basic = await client.ask('GET', target, ['Authorization: Basic YWRhOmFkYQ==']);
        expect(basic.status, target).to.equal(200);
      }
      const target = '/v1/stations/blurred';
      const tag = header((await client.send('GET', target, token)).reply, 'etag') ?? '';
      const held = await client.send('GET', target, undefined, undefined, [`If-None-Match: ${tag}`]);
      expect(held.status).to.equal(200);
    });

    it('a page reads as a visitor, whoever asks for it', async () => {
      const message = { headers: { authorization: `Bearer ${token}` } };
      const read = inProcessReader(reads);
      await domainErrorOf(read({ message } as unknown as Incoming, '/v1/stations/secret'), 'STATION_UNKNOWN');
    });

    it('PUT keeps who sees a station if it does not say so, and the audit trail has the change', async () => {
      const elevated = await world.elevate(token);
      const draft = { name: 'B', ...EXACT, time_zone: 'UTC' };
      const put = async (more: object) =>
        (await client.send('PUT', '/v1/stations/secret', elevated, { ...draft, ...more })).status;
      const shown = async () => {
        const { body } = await client.send('GET', '/v1/stations/secret', token);
        return [body['visibility'], body['position_decimals']];
      };
      expect(await put({})).to.equal(200);
      expect(await shown()).to.deep.equal(['hidden', null]);
      expect(await put({ visibility: 'public', position_decimals: 2 })).to.equal(200);
      expect(await shown()).to.deep.equal(['public', 2]);
      const { body } = await client.send('GET', '/v1/audit?limit=1', elevated);
      expect(body['events']).to.containSubset([
        { action: 'station-put', subject: 'secret', detail: { visibility: 'public', position_decimals: 2 } },
      ]);
      expect(await put({ position_decimals: null })).to.equal(200);
      expect(await shown()).to.deep.equal(['public', null]);
      for (const wrong of [{ visibility: 'secret' }, { position_decimals: 4 }, { position_decimals: 0.5 }])
        expect(await put(wrong), JSON.stringify(wrong)).to.equal(400);
    });

    it('streams of visitors never have a hidden station, nor one that becomes hidden, also when they come back', async () => {
      const open = (query: string, headers: string[] = []) =>
        EventClient.open(running.url, `/v1/events${query}`, headers);
      const bearer = [`Authorization: Bearer ${token}`];
      const visitor = await open('');
      const named = await open('?stations=JFK');
      const user = await open('', bearer);
      const nearby = await open(`?bbox=${around(EXACT)}`);
      const rounded = await open(`?bbox=${around(ROUNDED)}`);
      const clients = [visitor, named, user, nearby, rounded];
      const seen = (one: EventClient) => one.dataOf('observation').map(({ station }) => station);
      let hour = 0;
      const write = async (...ids: string[]) => {
        for (const id of ids) {
          hour += 1;
          await record(
            world,
            new Date(Date.UTC(2013, 4, 21, hour)).toISOString(),
            { air_temperature: [1] },
            id,
          );
          await user.until(() => seen(user).length >= hour);
        }
      };
      await write('secret', 'blurred');
      await visitor.until(() => seen(visitor).includes('blurred'));
      const position = visitor.lastId;
      await write('JFK');
      await visitor.until(() => seen(visitor).includes('JFK'));
      await addStation(world, { visibility: 'hidden' });
      await write('JFK', 'blurred');
      await visitor.until(() => seen(visitor).length >= 3);
      await rounded.until(() => seen(rounded).length >= 2);
      const again = await open('', [`Last-Event-ID: ${position}`]);
      await again.until(() => again.dataOf('reset').length === 1);
      await write('JFK', 'blurred');
      await again.until(() => seen(again).length >= 1);
      await visitor.until(() => seen(visitor).length >= 4);
      await rounded.until(() => seen(rounded).length >= 3);
      for (const one of [...clients, again]) one.close();
      for (const one of [visitor, named]) expect(one.dataOf('reset')).to.deep.equal([{ reason: 'removed' }]);
      expect(user.dataOf('reset')).to.deep.equal([]);
      expect(seen(user)).to.deep.equal(['secret', 'blurred', 'JFK', 'JFK', 'blurred', 'JFK', 'blurred']);
      expect(seen(visitor)).to.deep.equal(['blurred', 'JFK', 'blurred', 'blurred']);
      expect(seen(named)).to.deep.equal(['JFK']);
      expect(seen(nearby)).to.deep.equal([]);
      expect(seen(rounded)).to.deep.equal(['blurred', 'blurred', 'blurred']);
      expect(seen(again)).to.deep.equal(['blurred']);
    });
  });
}
