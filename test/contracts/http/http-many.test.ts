import { expect } from 'chai';
import { ReadGate } from '#application/observations/read/gate/read-gate.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { type Answer, Client } from '../../support/client.js';
import { addStation, record } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

type Json = Record<string, unknown>;

for (const [name, load] of defaultTransport) {
  describe(`reads of many stations over HTTP › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let client: Client;

    beforeEach(async () => {
      world = await World.make();
      await addStation(world);
      await addStation(world, { id: 'OSL', latitude: 60.2, longitude: 11.1, timeZone: 'Europe/Oslo' });
      await addStation(world, { id: 'LGA', longitude: -73.87 });
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
      client = new Client(running.url);
      await record(
        world,
        '2013-01-01T00:00:00Z',
        { air_temperature: hours(60), wind_speed: hours(60) },
        'JFK',
      );
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1, 2, 900] }, 'OSL');
    });
    afterEach(async () => {
      expect(world.get(ReadGate).held).to.equal(0);
      await running.server.close(1000);
    });

    const hours = (count: number) => Array.from({ length: count }, (_, hour) => hour % 20);
    const get = (path: string): Promise<Answer> => client.ask('GET', path);
    const refusal = async (path: string) => {
      const { status, body } = await get(path);
      expect(status, path).to.equal(400);
      return body['message'];
    };
    const stationsOf = ({ body }: Answer) => body['stations'] as Json[];
    /** What the route of one station says, of the same fields. */
    const alone = async (id: string, path: string, fields: readonly string[]) => {
      const { body } = await get(`/v1/stations/${id}${path}`);
      return Object.fromEntries(fields.map((field) => [field, body[field]]));
    };

    it('gives for each station what its own route gives, in the order of the request', async () => {
      const fields = ['station', 'from', 'to', 'observations', 'quality'];
      for (const query of [
        'units=imperial',
        'from=2013-01-01&to=2013-01-02',
        'from=2013-01-01&to=2013-01-02&timezone=UTC&time=unix',
        'qc=pass&variables=air_temperature',
        'points=16',
      ]) {
        const found = await get(`/v1/observations?stations=OSL,JFK,LGA,OSL&${query}`);
        expect(found.status, query).to.equal(200);
        const expected = ['OSL', 'JFK', 'LGA'].map((id) => alone(id, `/observations?${query}`, fields));
        expect(stationsOf(found), query).to.deep.equal(await Promise.all(expected));
        expect(found.body['next']).to.equal(null);
      }
      const near = await get('/v1/observations?near=40.6,-73.8&radius=50&last=1d');
      expect(stationsOf(near).map(({ station }) => station)).to.deep.equal(['JFK', 'LGA']);
      expect((await get('/v1/observations?stations=OSL,JFK')).body['units']).to.deep.equal({
        air_temperature: '°C',
        wind_speed: 'm/s',
      });
    });

    it('leads through the rows of all stations by its cursor, and by Link', async () => {
      const whole = stationsOf(await get('/v1/observations?stations=OSL,LGA,JFK'));
      for (const limit of [1, 3, 7, 63]) {
        const rows = new Map<unknown, unknown[]>();
        let pages = 0;
        let path: string | undefined = `/v1/observations?stations=OSL,LGA,JFK&limit=${limit}`;
        while (path !== undefined) {
          const response: Response = await fetch(`${running.url}${path}`);
          const body = (await response.json()) as { stations: Json[]; next: string | null };
          let count = 0;
          for (const { station, observations } of body.stations) {
            const { time } = observations as { time: unknown[] };
            rows.set(station, [...(rows.get(station) ?? []), ...time]);
            count += time.length;
          }
          expect(count).to.be.at.most(limit);
          pages += 1;
          const link = /<([^>]*)>/.exec(response.headers.get('link') ?? '')?.[1];
          expect(link === undefined).to.equal(body.next === null);
          if (body.next !== null) expect(link).to.contain(`cursor=${body.next}`);
          path = link && `/v1/observations${link}`;
        }
        expect(pages).to.equal(Math.ceil(63 / limit));
        expect([...rows]).to.have.deep.members(
          whole.map(({ station, observations }) => [station, (observations as Json)['time']]),
        );
      }
    });

    it('summarizes each station in its own zone', async () => {
      const fields = ['station', 'from', 'to', 'time_zone', 'units', 'summaries'];
      for (const query of [
        'from=2013-01-01&to=2013-01-03',
        'interval=6h&units=imperial&variables=air_temperature',
        'interval=month&timezone=UTC&degree_days=heating&qc=all',
        'interval=month&fields=mean,heating_degree_days',
      ]) {
        const found = await get(`/v1/summaries?stations=JFK,OSL,LGA&${query}`);
        expect(found.status, query).to.equal(200);
        const expected = ['JFK', 'OSL', 'LGA'].map((id) => alone(id, `/summaries?${query}`, fields));
        expect(stationsOf(found), query).to.deep.equal(await Promise.all(expected));
      }
    });

    /** The lines of CSV as objects, with the station in front. */
    const csvLines = async (path: string, station?: string) => {
      const response = await fetch(`${running.url}${path}`);
      expect([response.status, response.headers.get('content-type')]).to.deep.equal([200, 'text/csv']);
      const [headings = '', ...lines] = (await response.text()).trimEnd().split('\r\n');
      const names = headings.split(',');
      return lines.map((line) => {
        const cells = line.split(',').map((cell, index) => [names[index] ?? '?', cell] as const);
        // What a station does not have is empty.
        const filled = cells.filter(([, cell]) => cell !== '');
        return Object.fromEntries(station === undefined ? filled : [['station', station], ...filled]);
      });
    };

    it('writes CSV with the lines that the routes of one station have, and the station in front', async () => {
      for (const [path, query] of [
        ['observations', 'units=imperial&timezone=UTC'],
        ['observations', 'from=2013-01-01&to=2013-01-02&time=unix&qc=pass'],
        ['observations', 'variables=wind_speed,air_temperature'],
        ['observations', 'points=16'],
        ['summaries', 'from=2013-01-01&to=2013-01-03&units=imperial'],
        ['summaries', 'interval=month&degree_days=heating&variables=air_temperature'],
        ['summaries', 'from=2013-01-01&to=2013-01-03&fields=max,method&units=imperial'],
      ] as const) {
        const all = await csvLines(`/v1/${path}?stations=OSL,JFK,LGA&format=csv&${query}`);
        const each = ['OSL', 'JFK', 'LGA'].map((id) =>
          csvLines(`/v1/stations/${id}/${path}?format=csv&${query}`, id),
        );
        expect(all, query).to.deep.equal((await Promise.all(each)).flat());
      }
    });

    it('has the same columns on each page of CSV', async () => {
      const pages: string[][] = [];
      let link: string | undefined = '?stations=OSL,JFK&format=csv&limit=2';
      while (link !== undefined) {
        const response: Response = await fetch(`${running.url}/v1/observations${link}`);
        pages.push((await response.text()).trimEnd().split('\r\n'));
        link = /<([^>]*)>/.exec(response.headers.get('link') ?? '')?.[1];
      }
      expect(pages).to.have.length(32);
      // The first page has rows of the station without wind only.
      expect(new Set(pages.map(([headings]) => headings))).to.deep.equal(
        new Set(['station,time,air_temperature,wind_speed,quality']),
      );
      expect(pages[0]?.[1]).to.equal('OSL,2013-01-01T00:00:00Z,1,,');
    });

    it('has an ETag that changes with the data of every station, and with the stations', async () => {
      for (const path of [
        '/v1/observations?bbox=-80,30,20,65',
        '/v1/summaries?bbox=-80,30,20,65&format=csv',
      ]) {
        const tagOf = async () => {
          const { headers } = await fetch(running.url + path);
          return headers.get('etag') ?? '';
        };
        const changes = [
          () => record(world, '2013-01-02T00:00:00Z', { air_temperature: [path.length] }, 'OSL'),
          () => record(world, '2013-01-02T00:00:00Z', { wind_speed: [path.length % 30] }, 'LGA'),
          () => addStation(world, { id: `NEW${path.length}`, latitude: 41 }),
          () => addStation(world, { id: 'LGA', longitude: -73.86 - path.length / 1000 }),
        ];
        for (const change of changes) {
          const tag = await tagOf();
          expect(tag).to.match(/^"[\w-]{27,}"$/);
          const unchanged = await fetch(running.url + path, { headers: { 'if-none-match': tag } });
          expect([unchanged.status, await unchanged.text()]).to.deep.equal([304, '']);
          await change();
          expect(await tagOf()).not.to.equal(tag);
        }
        const other = await fetch(`${running.url}${path}&units=imperial`);
        expect(other.headers.get('etag')).not.to.equal(await tagOf());
      }
    });

    it('names the bound that a request exceeds, and what is wrong with it', async () => {
      for (const path of ['/v1/observations', '/v1/summaries']) {
        expect(stationsOf(await get(path)).map(({ station }) => station)).to.deep.equal([
          'JFK',
          'LGA',
          'OSL',
        ]);
        expect(await refusal(`${path}?stations=JFK&near=40,-73`)).to.contain(
          'stations cannot be combined with near',
        );
        expect(await refusal(`${path}?q=a&radius=5`)).to.contain('radius');
        const { status, body } = await get(`${path}?stations=JFK,EWR`);
        expect([status, body['error']]).to.deep.equal([404, 'STATION_UNKNOWN']);
      }
      expect(
        await refusal('/v1/summaries?stations=JFK,OSL&interval=hour&from=2000-01-01&to=2000-11-01'),
      ).to.contain('at most 11000 intervals');
      expect(
        await refusal('/v1/observations?stations=JFK,OSL&points=10000&variables=air_temperature,wind_speed'),
      ).to.contain('points=8333');
      expect(await refusal('/v1/observations?stations=JFK&cursor=99')).to.contain('cursor');
      expect(await refusal('/v1/observations?stations=JFK&cursor=x')).to.contain('next');
      for (let index = 0; index < 99; index += 1)
        await addStation(world, { id: `S${index}`, latitude: -40, longitude: index });
      expect(await refusal('/v1/observations?bbox=-180,-90,180,90')).to.contain('at most 100 stations');
      expect(stationsOf(await get('/v1/summaries?bbox=-1,-41,180,-39'))).to.have.length(99);
    });
  });
}
