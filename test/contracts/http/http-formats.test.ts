import { check } from '@placemarkio/check-geojson';
import { expect } from 'chai';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { header } from '#transport-suite/raw-http.js';
import { ReadGate } from '#application/observations/read/gate/read-gate.js';
import { ROW_LIMITS } from '#application/observations/read/read-observations.js';
import { DomainError } from '#domain/domain-error.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { type MetricFamily, parseOpenMetrics } from '../../support/openmetrics.js';
import { eventually } from '../../support/process.js';
import { addStation, record } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

interface Features {
  readonly bbox?: readonly number[];
  readonly features: readonly {
    readonly id: string;
    readonly geometry: { readonly coordinates: readonly number[] };
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
  readonly units?: Readonly<Record<string, string>>;
  readonly limit: number;
  readonly next: string | null;
}

for (const [name, load] of defaultTransport) {
  describe(`formats for maps and monitoring › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let client: Client;

    beforeEach(async () => {
      world = await World.make();
      await addStation(world);
      await addStation(world, {
        id: 'FIJI',
        name: 'A "quoted" \\ name é',
        latitude: -17.755,
        longitude: 177.123456789,
        elevation: null,
        reportingInterval: null,
      });
      await addStation(world, { id: 'SAMOA', latitude: -13.8, longitude: -171.8 });
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
      });
      client = new Client(running.url);
    });
    afterEach(() => running.server.close(1000));

    const get = async (path: string) => {
      const { status, reply } = await client.ask('GET', path);
      expect(status, reply.body).to.equal(200);
      return {
        type: header(reply, 'content-type'),
        link: header(reply, 'link'),
        text: Buffer.from(reply.body, 'latin1').toString(),
      };
    };
    const geoJson = async (path: string): Promise<Features> => {
      const { type, text } = await get(path);
      expect(type).to.equal('application/geo+json');
      check(text);
      return JSON.parse(text) as Features;
    };
    const metrics = async (path: string): Promise<Map<string, MetricFamily>> => {
      const { type, text } = await get(path);
      expect(type).to.equal('application/openmetrics-text; version=1.0.0; charset=utf-8');
      return new Map(parseOpenMetrics(text).map((family) => [family.name, family]));
    };
    const write = async (values: Readonly<Record<string, readonly number[]>>, station = 'JFK') => {
      await record(world, '2013-01-01T00:00:00Z', values, station);
      world.clock.time = Date.parse('2013-01-01T02:20:00Z');
    };

    it('lists stations as GeoJSON: positions with the longitude first, and the box around them', async () => {
      const { bbox, features, limit, next } = await geoJson('/v1/stations?format=geojson');
      expect(features.map(({ id }) => id)).to.deep.equal(['FIJI', 'JFK', 'SAMOA']);
      expect(features[0]?.geometry.coordinates).to.deep.equal([177.1234568, -17.755]);
      expect(bbox).to.deep.equal([177.1234568, -17.755, -73.778925, 40.639751]);
      expect([limit, next]).to.deep.equal([100, null]);
      expect(features[1]?.properties).to.deep.equal({
        id: 'JFK',
        number: 1,
        name: 'John F Kennedy Intl',
        elevation: 4,
        time_zone: 'America/New_York',
        identifiers: { icao: 'KJFK' },
        reporting_interval: 3600,
      });
      const near = await geoJson('/v1/stations?format=geojson&near=-14,-172&radius=2000');
      expect(near.features.map(({ id }) => id)).to.deep.equal(['SAMOA', 'FIJI']);
      expect(near.features[0]?.properties).to.have.property('distance_km');
      expect(near.bbox).to.deep.equal([177.1234568, -17.755, -171.8, -13.8]);
      const none = await geoJson('/v1/stations?format=geojson&q=nowhere');
      expect(none).to.deep.equal({ type: 'FeatureCollection', features: [], limit: 100, next: null });
    });

    it('leads from page to page in each format, by `next` and by the header Link', async () => {
      for (const path of ['/v1/stations', '/v1/observations/latest'])
        for (const format of ['json', 'geojson', 'openmetrics']) {
          if (path === '/v1/stations' && format === 'openmetrics') continue;
          let next: string | undefined = `?limit=2&format=${format}`;
          const ids: string[] = [];
          while (next !== undefined) {
            const { link, text } = await get(path + next);
            ids.push(...(text.match(/FIJI|JFK|SAMOA/g) ?? []));
            const following: string | undefined = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
            if (format !== 'openmetrics') {
              const sent = (JSON.parse(text) as Features).next;
              expect(sent === null ? undefined : `?limit=2&format=${format}&cursor=${sent}`).to.equal(
                following,
              );
            }
            next = following;
          }
          expect([...new Set(ids)], `${path} ${format}`).to.deep.equal(['FIJI', 'JFK', 'SAMOA']);
        }
    });

    it('has the newest values as GeoJSON, and those that passed as properties for a map', async () => {
      await write({ air_temperature: [3.9, -0.5], wind_speed: [5, 468.6] });
      const { features, units } = await geoJson('/v1/observations/latest?format=geojson&units=imperial');
      const [fiji, jfk] = features;
      expect(units?.['air_temperature']).to.equal('°F');
      expect(fiji?.properties).to.include({ name: 'A "quoted" \\ name é', last_seen: null });
      expect(fiji?.properties['latest']).to.deep.equal({});
      expect(jfk?.properties).to.include({ air_temperature: 31.1, last_seen: '2013-01-01T01:00:00Z' });
      expect(jfk?.properties).not.to.have.property('wind_speed');
      const plain = JSON.parse((await get('/v1/observations/latest?units=imperial')).text) as {
        stations: { station: { id: string }; latest: unknown }[];
      };
      const same = plain.stations.find(({ station }) => station.id === 'JFK');
      expect(jfk?.properties['latest']).to.deep.equal(same?.latest);
    });

    it('has the newest values as OpenMetrics: in base units, with the names of stations and their times', async () => {
      await write({ air_temperature: [3.9, -0.5], relative_humidity: [50, 54], wind_speed: [5, 468.6] });
      await write({ air_temperature: [25] }, 'FIJI');
      const families = await metrics('/v1/observations/latest?format=openmetrics&units=imperial');
      expect([...families.keys()]).to.deep.equal([
        'weather_air_temperature_celsius',
        'weather_relative_humidity_ratio',
        'weather_station_info',
        'weather_observation_timestamp_seconds',
      ]);
      expect(families.get('weather_air_temperature_celsius')).to.deep.equal({
        name: 'weather_air_temperature_celsius',
        type: 'gauge',
        unit: 'celsius',
        help: 'Newest value of air_temperature.',
        samples: [
          { labels: { station: 'FIJI' }, value: 25 },
          { labels: { station: 'JFK' }, value: -0.5 },
        ],
      });
      expect(families.get('weather_relative_humidity_ratio')?.samples[0]?.value).to.equal(0.54);
      expect(families.get('weather_station_info')?.samples[0]?.labels).to.deep.equal({
        station: 'FIJI',
        name: 'A "quoted" \\ name é',
      });
      expect(families.get('weather_observation_timestamp_seconds')?.samples).to.deep.equal([
        { labels: { station: 'FIJI' }, value: Date.parse('2013-01-01T00:00:00Z') / 1000 },
        { labels: { station: 'JFK' }, value: Date.parse('2013-01-01T01:00:00Z') / 1000 },
      ]);
    });

    it('ends the series of a station that is silent for three of its intervals, and keeps its last time', async () => {
      await write({ air_temperature: [3.9, -0.5] });
      await write({ air_temperature: [25, 26] }, 'FIJI');
      const stationsAt = async (time: string) => {
        world.clock.time = Date.parse(time);
        const families = await metrics('/v1/observations/latest?format=openmetrics');
        expect(families.get('weather_observation_timestamp_seconds')?.samples).to.have.length(2);
        return families
          .get('weather_air_temperature_celsius')
          ?.samples.map(({ labels }) => labels['station']);
      };
      expect(await stationsAt('2013-01-01T04:00:00Z')).to.deep.equal(['FIJI', 'JFK']);
      expect(await stationsAt('2013-01-01T04:00:01Z')).to.equal(undefined);
      await addStation(world, { reportingInterval: 10 });
      expect(await stationsAt('2013-01-01T01:10:00Z')).to.deep.equal(['FIJI', 'JFK']);
      expect(await stationsAt('2013-01-01T01:10:01Z')).to.deep.equal(['FIJI']);
    });

    const FILE = '/v1/stations/JFK/observations?limit=all';
    /** Two pages of hours. */
    const writeFile = async () => {
      const hours = Array.from({ length: ROW_LIMITS.atOnce + 2 }, (_, hour) => hour);
      await write({ air_temperature: hours.map((hour) => hour % 30), wind_speed: hours.map(() => 2) });
      return hours.length;
    };
    const download = async (query: string, coding = 'br') => {
      const headers = { 'accept-encoding': coding };
      const reply = await fetch(`${running.url}${FILE}&${query}`, { headers });
      return { headers: reply.headers, file: await reply.arrayBuffer() };
    };

    it('sends all rows of a range as one file of CSV or Parquet, and gives the place of the read back', async () => {
      const rows = await writeFile();
      const csv = await download('format=csv&units=imperial');
      const lines = Buffer.from(csv.file).toString().split('\r\n');
      expect(lines[0]).to.equal('time,air_temperature (°F),wind_speed (mph),quality');
      expect(lines).to.have.length(rows + 2);
      expect(lines.at(-2)).to.match(/^2015-04-14T09:00:00Z,69.8,4\.4738/);
      expect(new Set(lines.slice(1, -1).map((line) => line.slice(0, 20)))).to.have.property('size', rows);
      const parquet = await download('format=parquet&units=imperial&variables=air_temperature');
      expect(parquet.headers.get('content-type')).to.equal('application/vnd.apache.parquet');
      const { file } = parquet;
      const read = await parquetReadObjects({ file });
      expect(parquetMetadata(file).row_groups).to.have.length(2);
      expect(read).to.have.length(rows);
      expect(read[20_001]).to.deep.equal({
        time: new Date('2015-04-14T09:00:00Z'),
        'air_temperature (°F)': 69.8,
        quality: null,
      });
      for (const { headers } of [csv, parquet])
        expect([headers.get('etag'), headers.get('link'), headers.get('cache-control')]).to.deep.equal([
          null,
          null,
          'no-store',
        ]);
      expect((await client.ask('HEAD', `${FILE}&format=parquet`)).status).to.equal(200);
      await eventually(
        () => Promise.resolve(world.get(ReadGate).held),
        (held) => held === 0,
      );
      const json = await client.ask('GET', FILE);
      expect([json.status, json.body['message']]).to.deep.equal([
        400,
        'query.limit: limit=all needs format=csv or format=parquet',
      ]);
    });

    it('has pages of Parquet too, with the address of the next one', async () => {
      await write({ air_temperature: [1, 2, 3] });
      const reply = await fetch(`${running.url}/v1/stations/JFK/observations?format=parquet&limit=2`);
      expect(reply.headers.get('link')).to.match(/^<\?format=parquet&limit=2&cursor=\d+>; rel="next"$/);
      expect(reply.headers.get('etag')).to.be.a('string');
      expect(await parquetReadObjects({ file: await reply.arrayBuffer() })).to.have.length(2);
    });

    it('sends files without rows, and everything else afterwards', async () => {
      await write({ air_temperature: [1, 2, 3] });
      for (const range of ['from=2030-01-01', 'last=1min', 'from=2012-01-01&to=2012-01-02']) {
        for (const limit of ['limit=all', 'limit=2']) {
          const path = `/v1/stations/JFK/observations?${limit}&${range}`;
          for (const format of ['parquet', 'csv', 'parquet']) {
            const reply = await fetch(`${running.url}${path}&format=${format}`);
            const file = await reply.arrayBuffer();
            const rows = format === 'csv' ? [] : await parquetReadObjects({ file });
            expect([reply.status, rows.length, file.byteLength > 0], path).to.deep.equal([200, 0, true]);
          }
        }
      }
      for (const path of [
        '/v1/stations/JFK/observations/latest?include=today,trend',
        '/v1/observations/latest?include=today',
      ])
        expect((await client.ask('GET', path)).status, path).to.equal(200);
      const { file } = await download('format=parquet', 'identity');
      expect(await parquetReadObjects({ file })).to.have.length(3);
    });

    it('cuts a file off where a later row cannot be read', async () => {
      await writeFile();
      const { observations } = world.stores;
      const read = observations.read.bind(observations);
      let reads = 0;
      observations.read = (query) => {
        reads += 1;
        if (reads % 2 === 0) throw new DomainError('DATA_DAMAGED', 'One row cannot be read.');
        return read(query);
      };
      for (const [query, coding] of [
        ['format=csv', 'identity'],
        ['format=csv', 'br'],
        ['format=parquet', 'identity'],
      ] as const) {
        const outcome = await download(query, coding).then(
          () => 'whole',
          () => 'cut off',
        );
        expect(outcome, `${query} ${coding}`).to.equal('cut off');
      }
      expect(world.get(ReadGate).held).to.equal(0);
    });
  });
}
