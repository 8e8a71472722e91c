import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check } from '@placemarkio/check-geojson';
import { expect } from 'chai';
import { ReadGate } from '#application/observations/read/gate/read-gate.js';
import { ROW_LIMITS } from '#application/observations/read/read-observations.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { PutStations } from '#application/stations/put-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { externalHeaders } from '#adapters/http/external/headers.js';
import { makeDialectEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { type Coverage, expectCoverageJson } from '../../support/coverage-json.js';
import { orderForecast } from '../../support/forecast-world.js';
import { openApiProblems } from '../../support/openapi-problems.js';
import { addStation, record, STATION } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const COVERAGE = 'application/prs.coverage+json';
const GEOJSON = 'application/geo+json';
const ADDRESS = 'https://weather.example.org/path';
const SETTINGS = {
  feelsLike: 'apparent_temperature',
  openMeteoRadius: 20,
  addressOf: () => ADDRESS,
} as const;
const DATA = '/ogc/collections/observations';
const ROUND_NEW_YORK = 'POLYGON((-75 40,-73 40,-73 41,-75 41,-75 40))';

type Json = Record<string, unknown>;
interface Link {
  readonly rel: string;
  readonly type: string;
  readonly href: string;
}
interface Features {
  readonly features: readonly {
    readonly id: string;
    readonly geometry: { readonly coordinates: readonly number[] };
    readonly properties: Json;
  }[];
  readonly numberMatched?: number;
  readonly numberReturned: number;
  readonly timeStamp: string;
  readonly links: readonly Link[];
}

for (const [name, load] of serviceTransports) {
  describe(`OGC API - Features and EDR › ${name}`, () => {
    let world: World;
    let api: RunningApi;
    const start = async (readAccess: 'public' | 'token' = 'public') => {
      const authorize = world.get(Authorize);
      api = await runApi(await load(), {
        endpoints: makeDialectEndpoints(world.container, readAccess, SETTINGS),
        authorize: (token, access) => authorize.execute({ token, ...access }),
        headers: externalHeaders({ allowedOrigins: ['https://map.example.org'], tls: true }),
      });
    };
    const ask = (path: string, init: RequestInit = {}) => fetch(`${api.url}${path}`, init);
    const json = async <T = Json>(path: string, status = 200): Promise<T> => {
      const response = await ask(path);
      const text = await response.text();
      expect(response.status, `${path} ${text}`).to.equal(status);
      return JSON.parse(text) as T;
    };
    /** A page of features, which is valid GeoJSON with what OGC 17-069r4 adds. */
    const features = async (path: string): Promise<Features> => {
      const response = await ask(path);
      const text = await response.text();
      expect([response.status, response.headers.get('content-type')], text).to.deep.equal([200, GEOJSON]);
      check(text);
      const page = JSON.parse(text) as Features;
      expect(page.numberReturned).to.equal(page.features.length);
      expect(page.timeStamp).to.match(/^\d{4}-.*Z$/);
      return page;
    };
    const idsOf = ({ features: found }: Features) => found.map(({ id }) => id);
    /** The coverages of a reply, which is valid CoverageJSON. */
    const coverages = async (path: string): Promise<readonly Coverage[]> => {
      const document = await json<Coverage & { readonly coverages?: readonly Coverage[] }>(path);
      expectCoverageJson(document);
      return document.type === 'Coverage' ? [document] : (document.coverages ?? []);
    };
    const stationsOf = (all: readonly Coverage[]) => all.map(({ id }) => id.split('/').at(-1));
    const local = (href: string) => {
      expect(href.startsWith(`${ADDRESS}/ogc`), href).to.equal(true);
      return href.slice(ADDRESS.length);
    };

    beforeEach(async () => {
      world = await World.make();
      await addStation(world);
      await addStation(world, {
        id: 'FIJI',
        name: 'Fiji',
        latitude: -17.7,
        longitude: 179.9,
        timeZone: 'UTC',
      });
      await addStation(world, {
        id: 'SAMOA',
        name: 'Samoa',
        latitude: -13.8,
        longitude: -171.8,
        timeZone: 'UTC',
      });
      await addStation(world, { id: 'ROUND', latitude: 51.23456, longitude: 4.98765, positionDecimals: 1 });
      await addStation(world, { id: 'HIDDEN', latitude: 40.7, longitude: -73.8, visibility: 'hidden' });
      const hours = Array.from({ length: 60 }, (_, hour) => hour % 20);
      await record(world, '2013-01-01T00:00:00Z', {
        air_temperature: hours,
        precipitation_amount: hours.map((hour) => hour / 10),
      });
      await record(world, '2013-01-02T00:00:00Z', { air_temperature: [1, 2, 900] }, 'FIJI');
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [5] }, 'HIDDEN');
      await orderForecast(world, 'JFK');
      await start();
    });
    afterEach(async () => {
      expect(world.get(ReadGate).held).to.equal(0);
      expect(api.failures).to.deep.equal([]);
      await api.server.close(1000);
    });

    it('leads from the landing page to each resource, with absolute links', async () => {
      const seen = new Set<string>();
      const visit = async (path: string, type: string) => {
        if (seen.has(path)) return;
        seen.add(path);
        const response = await ask(path, { headers: { accept: type } });
        expect([response.status, response.headers.get('content-type')], path).to.deep.equal([200, type]);
        const body = JSON.parse(await response.text()) as {
          readonly links?: readonly Link[];
          readonly collections?: readonly { readonly links: readonly Link[] }[];
        };
        const links = [...(body.links ?? []), ...(body.collections ?? []).flatMap((one) => one.links)];
        for (const link of links) {
          expect(link).to.include.keys('rel', 'type', 'href');
          if (/\/(?:position|radius|area|cube)$/.test(link.href)) continue;
          await visit(local(link.href), link.type);
        }
      };
      await visit('/ogc', 'application/json');
      expect([...seen]).to.include.members([
        '/ogc/api',
        '/ogc/conformance',
        '/ogc/collections/stations/items',
        '/ogc/collections/forecast/locations',
      ]);
      const rels = (await json<{ links: Link[] }>('/ogc/')).links.map(({ rel }) => rel);
      expect(rels).to.have.members(['self', 'service-desc', 'conformance', 'data']);
    });

    it('describes each collection as it lists it, with extents, queries and parameters', async () => {
      const { collections } = await json<{ collections: (Json & { id: string })[] }>('/ogc/collections');
      expect(collections.map(({ id }) => id)).to.deep.equal([
        'stations',
        'latest',
        'observations',
        'summaries',
        'forecast',
      ]);
      for (const collection of collections)
        expect(await json(`/ogc/collections/${collection.id}`)).to.deep.equal(collection);
      const [, , observations] = collections;
      expect(observations?.['extent']).to.deep.equal({
        spatial: {
          // The box crosses the antimeridian. It has the rounded position, and not the hidden station.
          bbox: [[179.9, -17.7, 5, 51.2]],
          crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
        },
        temporal: {
          interval: [['2013-01-01T00:00:00Z', '2013-01-03T11:00:00Z']],
          trs: 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian',
        },
      });
      expect(observations)
        .to.have.nested.property('parameter_names.air_temperature')
        .that.deep.equals({
          type: 'Parameter',
          id: 'air_temperature',
          label: 'Air temperature',
          description: 'Air temperature',
          unit: { label: '°C', symbol: { value: 'Cel', type: 'http://www.opengis.net/def/uom/UCUM/' } },
          observedProperty: {
            id: 'http://vocab.nerc.ac.uk/standard_name/air_temperature/',
            label: 'Air temperature',
          },
          dataType: 'float',
          measurementType: { method: 'point' },
        });
      const queries = Object.keys(observations?.['data_queries'] as object);
      expect(queries).to.deep.equal(['locations', 'position', 'radius', 'area', 'cube', 'items']);
    });

    it('describes more than 100 stations by the world and all parameters', async () => {
      for (let index = 0; index < 100; index += 1) await addStation(world, { id: `S${index}` });
      const { extent, parameter_names: names } = await json(DATA);
      expect((extent as Json)['spatial']).to.have.deep.property('bbox', [[-180, -90, 180, 90]]);
      expect(names).to.include.keys('air_temperature', 'soil_temperature');
    });

    it('has stations as features, without hidden ones and with rounded positions', async () => {
      const page = await features('/ogc/collections/stations/items');
      expect(idsOf(page)).to.deep.equal(['FIJI', 'JFK', 'ROUND', 'SAMOA']);
      expect(page.numberMatched).to.equal(4);
      const [, jfk, round] = page.features;
      expect(round?.geometry.coordinates).to.deep.equal([5, 51.2]);
      expect(jfk?.properties).to.deep.include({
        name: 'John F Kennedy Intl',
        label: 'John F Kennedy Intl',
        datetime: '2013-01-01T00:00:00Z/2013-01-03T11:00:00Z',
        'parameter-name': ['air_temperature', 'precipitation_amount'],
        edrqueryendpoint: `${ADDRESS}${DATA}/locations/JFK`,
      });
      const { links, ...one } = await json('/ogc/collections/stations/items/JFK');
      expect(one).to.deep.equal(jfk);
      expect((links as Link[]).map(({ rel }) => rel)).to.deep.equal(['self', 'alternate', 'collection']);
      for (const id of ['latest', 'observations', 'summaries', 'forecast']) {
        const found = await features(`/ogc/collections/${id}/items`);
        expect(idsOf(found), id).to.deep.equal(
          id === 'forecast' ? ['JFK'] : ['FIJI', 'JFK', 'ROUND', 'SAMOA'],
        );
        expect((await json(`/ogc/collections/${id}/items/JFK`))['id']).to.equal('JFK');
        await json(`/ogc/collections/${id}/items/HIDDEN`, 404);
        for (const { properties } of found.features)
          expect(properties).to.include.keys('datetime', 'parameter-name', 'label', 'edrqueryendpoint');
      }
      await json('/ogc/collections/forecast/items/FIJI', 404);
    });

    it('has the newest values that passed quality control, each with its time', async () => {
      const { features: found } = await features('/ogc/collections/latest/items');
      const [fiji, jfk] = found.map(({ properties }) => properties);
      expect(jfk).to.deep.include({
        air_temperature: 19,
        precipitation_amount: 1.9,
        last_seen: '2013-01-03T11:00:00Z',
        times: { air_temperature: '2013-01-03T11:00:00Z', precipitation_amount: '2013-01-03T11:00:00Z' },
      });
      // The newest temperature of Fiji has failed.
      expect(fiji).to.deep.include({ last_seen: '2013-01-02T02:00:00Z', times: {} });
      expect(fiji).not.to.have.property('air_temperature');
      // A station whose newest row may be damaged is a feature without values.
      const { observations } = world.stores;
      const newest = observations.newest.bind(observations);
      const damaged = (await world.stores.stations.find('JFK'))?.number;
      observations.newest = async (numbers) =>
        (await newest(numbers)).map((one, index) =>
          numbers[index] === damaged
            ? { ...one, lastSeen: null, values: new Map(), each: () => undefined, hiddenSince: 0 }
            : one,
        );
      const walked: string[] = [];
      let path: string | undefined = '/ogc/collections/latest/items?limit=1';
      while (path !== undefined) {
        const page: Features = await features(path);
        expect(page.numberMatched).to.equal(4);
        walked.push(...idsOf(page));
        if (walked.at(-1) === 'JFK') expect(page.features[0]?.properties).to.include({ last_seen: null });
        const next = page.links.find(({ rel }) => rel === 'next');
        path = next && local(next.href);
      }
      expect(walked).to.deep.equal(['FIJI', 'JFK', 'ROUND', 'SAMOA']);
    });

    it('selects features in a box, also across the antimeridian, and with heights', async () => {
      const cases: [bbox: string, ids: string[]][] = [
        ['-80,30,-60,50', ['JFK']],
        ['170,-30,-170,0', ['FIJI', 'SAMOA']],
        ['170,-30,180,0', ['FIJI']],
        ['170,-30,0,-170,0,9000', ['FIJI', 'SAMOA']],
        ['-180,-90,180,90', ['FIJI', 'JFK', 'ROUND', 'SAMOA']],
        ['5,51.2,5,51.2', ['ROUND']],
        // The exact position of the rounded station, and a hidden one.
        ['4.98,51.23,4.99,51.24', []],
        ['-73.81,40.69,-73.79,40.71', []],
      ];
      for (const id of ['stations', 'latest', 'observations'])
        for (const [bbox, ids] of cases) {
          const page = await features(`/ogc/collections/${id}/items?bbox=${bbox}`);
          expect(idsOf(page), `${id} ${bbox}`).to.deep.equal(ids);
          expect(page.numberMatched).to.equal(ids.length);
          expect(
            (await features(`/ogc/collections/${id}/items?limit=1&bbox=${bbox}`)).numberMatched,
          ).to.equal(ids.length);
        }
    });

    it('selects features by times, whose ends are included', async () => {
      const cases: [datetime: string, ids: string[]][] = [
        ['2013-01-03T11:00:00Z', ['JFK']],
        ['2013-01-03T11:00:00.001Z', []],
        ['2013-01-02T01:00:00Z/2013-01-02T01:30:00Z', ['FIJI', 'JFK']],
        ['../2013-01-01T00:00:00Z', ['JFK']],
        ['/2013-01-01T00:00:00Z', ['JFK']],
        ['../2012-12-31T23:59:59Z', []],
        ['2013-01-02T02:00:00Z/..', ['FIJI', 'JFK']],
        ['2013-01-02T02:00:01Z/', ['JFK']],
        ['../..', ['FIJI', 'JFK']],
        ['2013-01-02', ['FIJI', 'JFK']],
        ['2013-01-02T03:00:00%2B01:00', ['FIJI', 'JFK']],
      ];
      for (const [datetime, ids] of cases) {
        // Stations without rows have no time, so that each time selects them (OGC 17-069r4, 7.15.4).
        const page = await features(`/ogc/collections/observations/items?datetime=${datetime}`);
        expect(idsOf(page), datetime).to.have.members([...ids, 'ROUND', 'SAMOA']);
      }
      const newest = await features('/ogc/collections/latest/items?datetime=2013-01-03T00:00:00Z/..');
      expect(idsOf(newest)).to.deep.equal(['JFK', 'ROUND', 'SAMOA']);
      const first = await features('/ogc/collections/observations/items?datetime=2013-01-03&limit=1');
      expect([idsOf(first), first.numberMatched]).to.deep.equal([['JFK'], undefined]);
      expect(first.links.map(({ rel }) => rel)).to.include('next');
    });

    it('shows each station once on a walk over the pages, while stations are added and removed', async () => {
      for (let index = 10; index < 30; index += 1) await addStation(world, { id: `S${index}` });
      for (const [id, query] of [
        ['stations', 'limit=3'],
        ['latest', 'limit=4'],
        ['observations', 'limit=3&datetime=../..'],
      ] as const) {
        const before = idsOf(await features(`/ogc/collections/${id}/items`));
        const removed: string[] = [];
        const walked: string[] = [];
        let path: string | undefined = `/ogc/collections/${id}/items?${query}`;
        let round = 0;
        while (path !== undefined) {
          const page: Features = await features(path);
          walked.push(...idsOf(page));
          // Ids before and behind this page, and the removal of a station of this page.
          await addStation(world, { id: `A-${id}-${round}` });
          await addStation(world, { id: `T-${id}-${round}` });
          if (round === 1) {
            const gone = idsOf(page)[1] ?? '';
            removed.push(gone);
            await world.get(RemoveStation).execute(gone, CALLER);
          }
          round += 1;
          const next = page.links.find(({ rel }) => rel === 'next');
          path = next && local(next.href);
          if (round > 60) path = undefined;
        }
        expect(new Set(walked).size, id).to.equal(walked.length);
        expect(walked, id).to.include.members(before);
        for (const gone of removed) await world.get(EraseStation).execute(gone, CALLER);
      }
    });

    it('has the rows of a station as a coverage, from the first instant to the last one', async () => {
      const cases: [datetime: string, hours: [number, number] | undefined][] = [
        ['2013-01-01T05:00:00Z', [5, 5]],
        ['2013-01-01T05:00:00Z/2013-01-01T07:00:00Z', [5, 7]],
        ['2013-01-01T05:00:01Z/2013-01-01T06:59:59Z', [6, 6]],
        ['../2013-01-01T02:00:00Z', [0, 2]],
        ['2013-01-03T10:00:00Z/..', [58, 59]],
        ['../..', [0, 59]],
        ['2013-01-02', [24, 47]],
        ['2013-01-02/2013-01-03', [24, 59]],
        ['2014-01-01T00:00:00Z', undefined],
      ];
      for (const [datetime, hours] of cases) {
        const [found, ...others] = await coverages(`${DATA}/locations/JFK?datetime=${datetime}`);
        expect(others).to.deep.equal([]);
        const times = found?.domain.axes.t.values.map(
          (time) => (Date.parse(time) - Date.UTC(2013, 0, 1)) / 3_600_000,
        );
        expect(times && [times[0], times.at(-1)], datetime).to.deep.equal(hours);
        if (hours === undefined) continue;
        expect(found?.domain.axes.x.values).to.deep.equal([-73.778925]);
        expect(found?.domain.axes.y.values).to.deep.equal([40.639751]);
        expect(found?.ranges['air_temperature']?.values[0]).to.equal(hours[0] % 20);
      }
      const [one] = await coverages(`${DATA}/locations/JFK?parameter-name=air_temperature&crs=OGC:CRS84`);
      expect(Object.keys(one?.ranges ?? {})).to.deep.equal(['air_temperature']);
      expect(one?.parameters['air_temperature']?.['unit']).to.deep.equal({
        label: { en: '°C' },
        symbol: { value: 'Cel', type: 'http://www.opengis.net/def/uom/UCUM/' },
      });
      const [same] = await coverages(`${DATA}/locations/JFK?parameter_names=air_temperature`);
      expect(same).to.deep.equal(one);
    });

    it('leaves out values that did not pass quality control, unless all are asked for', async () => {
      const values = async (query: string) =>
        (await coverages(`${DATA}/locations/FIJI${query}`))[0]?.ranges['air_temperature']?.values;
      expect(await values('')).to.deep.equal([1, 2, null]);
      expect(await values('?qc=all')).to.deep.equal([1, 2, 900]);
    });

    it('finds stations by a point, a radius, polygons and a box, never hidden ones', async () => {
      const cases: [path: string, ids: string[]][] = [
        ['position?coords=POINT(-73.8 40.7)', ['JFK']],
        ['radius?coords=POINT(-73.8 40.7)&within=50&within-units=km', ['JFK']],
        ['radius?coords=POINT(-73.8 40.7)&within=9&within-units=miles', ['JFK']],
        ['radius?coords=POINT(-73.8 40.7)&within=50&within-units=m', []],
        ['radius?coords=POINT(179 -17)&within=3000&within-units=KM', ['FIJI']],
        [`area?coords=${ROUND_NEW_YORK}`, ['JFK']],
        ['area?coords=POLYGON((-75 40,-73.9 40,-73.9 41,-75 41,-75 40))', []],
        [
          'area?coords=MULTIPOLYGON(((170 -30,180 -30,180 0,170 0,170 -30)),((-75 40,-73 40,-73 41,-75 41,-75 40)))',
          ['FIJI', 'JFK'],
        ],
        ['cube?bbox=170,-30,-170,0', ['FIJI']],
        ['cube?bbox=-180,-90,180,90&z=0/100', ['FIJI', 'JFK']],
        ['cube?bbox=0,-10,1,10', []],
      ];
      for (const [path, ids] of cases)
        expect(stationsOf(await coverages(`${DATA}/${path}`)), path).to.deep.equal(ids);
    });

    it('has summaries of calendar intervals with their bounds, and only those that are valid', async () => {
      const path = '/ogc/collections/summaries/locations/JFK';
      const [days] = await coverages(`${path}?datetime=2013-01-01T12:00:00Z/2013-01-02T12:00:00Z`);
      expect(days?.domain.axes.t).to.deep.equal({
        values: ['2013-01-01T05:00:00Z', '2013-01-02T05:00:00Z'],
        bounds: [
          '2013-01-01T05:00:00Z',
          '2013-01-02T05:00:00Z',
          '2013-01-02T05:00:00Z',
          '2013-01-03T05:00:00Z',
        ],
      });
      expect(Object.keys(days?.ranges ?? {})).to.deep.equal([
        'air_temperature.min',
        'air_temperature.max',
        'air_temperature.mean',
        'precipitation_amount.sum',
      ]);
      expect(days?.ranges['air_temperature.max']?.values).to.deep.equal([19, 19]);
      // The first day begins with its sixth hour, the last one ends with its sixth.
      const sums = async (query: string) =>
        (await coverages(`${path}?parameter-name=precipitation_amount.sum${query}`))[0]?.ranges;
      const [passed, all] = [await sums(''), await sums('&qc=all')];
      expect(Object.keys(passed ?? {})).to.deep.equal(['precipitation_amount.sum']);
      expect(passed?.['precipitation_amount.sum']?.values.map((value) => value !== null)).to.deep.equal([
        false,
        true,
        true,
        false,
      ]);
      expect(all?.['precipitation_amount.sum']?.values).not.to.include(null);
      const [months] = await coverages(`${path}?interval=month&qc=all&parameter-name=air_temperature.mean`);
      expect(months?.parameters['air_temperature.mean']?.['measurementType']).to.deep.equal({
        method: 'mean',
        duration: 'P1M',
      });
    });

    it('has the forecasts of the stations that have one, with their attribution', async () => {
      const path = '/ogc/collections/forecast';
      const [one] = await coverages(`${path}/locations/JFK`);
      expect(one).to.have.nested.property('attribution.url', 'https://open-meteo.com/');
      const times = one?.domain.axes.t.values ?? [];
      expect(times).to.have.length(48);
      expect(one?.ranges['air_temperature']?.values.slice(0, 2)).to.deep.equal([10, 10.1]);
      const part = await coverages(`${path}/locations/JFK?datetime=${times[3]}/${times[5]}`);
      expect(part[0]?.domain.axes.t.values).to.deep.equal(times.slice(3, 6));
      expect(stationsOf(await coverages(`${path}/cube?bbox=-180,-90,180,90`))).to.deep.equal(['JFK']);
      expect(await coverages(`${path}/locations/FIJI`)).to.deep.equal([]);
    });

    it('writes the same values as CSV and GeoJSON', async () => {
      const query = 'cube?bbox=-180,-90,180,90&datetime=2013-01-02T00:00:00Z/2013-01-02T01:00:00Z';
      const csv = await ask(`${DATA}/${query}&f=CSV`);
      expect(csv.headers.get('content-type')).to.equal('text/csv');
      expect((await csv.text()).split('\r\n')).to.deep.equal([
        'station,longitude,latitude,time,air_temperature,precipitation_amount,quality',
        'FIJI,179.9,-17.7,2013-01-02T00:00:00Z,1,,',
        'FIJI,179.9,-17.7,2013-01-02T01:00:00Z,2,,',
        'JFK,-73.778925,40.639751,2013-01-02T00:00:00Z,4,0.4,',
        'JFK,-73.778925,40.639751,2013-01-02T01:00:00Z,5,0.5,',
        '',
      ]);
      const { features: found, numberReturned } = await features(`${DATA}/${query}&f=GeoJSON`);
      expect(numberReturned).to.equal(4);
      expect(found[2]).to.deep.equal({
        type: 'Feature',
        id: 'JFK/2013-01-02T00:00:00Z',
        geometry: { type: 'Point', coordinates: [-73.778925, 40.639751] },
        properties: {
          datetime: '2013-01-02T00:00:00Z',
          label: 'John F Kennedy Intl',
          'parameter-name': ['air_temperature', 'precipitation_amount'],
          edrqueryendpoint: `${ADDRESS}${DATA}/locations/JFK`,
          station: 'JFK',
          air_temperature: 4,
          precipitation_amount: 0.4,
        },
      });
      const days = await features('/ogc/collections/summaries/locations/JFK?f=geojson');
      expect(days.features[1]?.properties['datetime']).to.equal('2013-01-01T05:00:00Z/2013-01-02T05:00:00Z');
    });

    it('chooses the format by `f`, otherwise by Accept', async () => {
      const cases: [path: string, accept: string, type: string][] = [
        [`${DATA}/locations/JFK`, '*/*', COVERAGE],
        [`${DATA}/locations/JFK`, 'application/json', 'application/json'],
        [`${DATA}/locations/JFK`, 'text/csv, */*;q=0.1', 'text/csv'],
        [`${DATA}/locations/JFK?f=coveragejson`, 'text/csv', COVERAGE],
        [`${DATA}/items`, 'application/geo+json, application/json', GEOJSON],
        [`${DATA}/items`, 'application/json', 'application/json'],
        [`${DATA}/items?f=json`, GEOJSON, 'application/json'],
        ['/ogc/collections', 'text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
        [
          '/ogc/api',
          'application/vnd.oai.openapi+json;version=3.0',
          'application/vnd.oai.openapi+json;version=3.0',
        ],
      ];
      for (const [path, accept, type] of cases) {
        const response = await ask(path, { headers: { accept } });
        expect([response.status, response.headers.get('content-type')], `${path} ${accept}`).to.deep.equal([
          200,
          type,
        ]);
        expect(response.headers.get('vary')?.split(', '), path).to.include('Accept');
        await response.body?.cancel();
      }
    });

    it('refuses with exceptions of OGC APIs', async () => {
      const cases: [path: string, status: number, description: RegExp, accept?: string][] = [
        ['/ogc/collections/nope', 404, /stations, latest, observations, summaries, forecast/],
        ['/ogc/collections/nope/items', 404, /no such collection/],
        ['/ogc/collections/stations/locations', 404, /observations, summaries, forecast/],
        ['/ogc/collections/latest/position?coords=POINT(0 0)', 404, /no such collection/],
        ['/ogc/collections/stations/items/NONE', 404, /no station "NONE"\.$/],
        [`${DATA}/locations/HIDDEN`, 404, /no station "HIDDEN"\.$/],
        [`${DATA}/position?coords=POINT(100 -80)`, 404, /within 20 km/],
        ['/ogc/collections/stations/items?bbox=1,2,3', 400, /query\.bbox/],
        ['/ogc/collections/stations/items?bbox=1,2,3,a', 400, /query\.bbox/],
        ['/ogc/collections/stations/items?bbox=0,10,1,-10', 400, /south/],
        ['/ogc/collections/stations/items?limit=0', 400, /query\.limit/],
        ['/ogc/collections/stations/items?datetime=yesterday', 400, /query\.datetime/],
        ['/ogc/collections/stations/items?datetime=..', 400, /query\.datetime/],
        [
          '/ogc/collections/stations/items?datetime=2013-01-02T00:00:00Z/2013-01-01T00:00:00Z',
          400,
          /before it begins/,
        ],
        ['/ogc/collections/stations/items?datetime=2013/2014/2015', 400, /one slash/],
        ['/ogc/collections/stations/items?nonsense=1', 400, /nonsense/],
        ['/ogc?nonsense=1', 400, /nonsense/],
        [`${DATA}/locations/JFK?f=netcdf`, 400, /CoverageJSON or GeoJSON or CSV/],
        [`${DATA}/locations/JFK?crs=EPSG:4326`, 400, /query\.crs/],
        [`${DATA}/locations/JFK?parameter-name=air_temprature`, 400, /air_temperature/],
        [`${DATA}/locations/JFK?interval=month`, 400, /summaries/],
        [`${DATA}/position`, 400, /coords/],
        [`${DATA}/position?coords=POINT(40.7 -73.8)`, 400, /longitude comes first/],
        [`${DATA}/radius?coords=POINT(40.7 -73.8)&within=5&within-units=km`, 400, /longitude comes first/],
        [`${DATA}/radius?coords=POINT(0 0)&within=5`, 400, /within-units/],
        [`${DATA}/radius?coords=POINT(0 0)&within-units=km`, 400, /query\.within/],
        [`${DATA}/area?coords=POLYGON((0 0,1 1))`, 400, /four points/],
        [`${DATA}/cube`, 400, /bbox/],
        [
          '/ogc/collections/summaries/locations/JFK?parameter-name=air_temperature',
          400,
          /air_temperature\.m/,
        ],
        [`${DATA}/locations/JFK`, 406, /text\/csv/, 'application/xml'],
        ['/ogc', 406, /application\/json/, 'text/html'],
      ];
      for (const [path, status, description, accept = '*/*'] of cases) {
        const response = await ask(path, { headers: { accept } });
        const text = await response.text();
        expect([response.status, response.headers.get('content-type')], `${path} ${text}`).to.deep.equal([
          status,
          'application/json',
        ]);
        const body = JSON.parse(text) as { code: string; description: string };
        expect(body).to.have.all.keys('code', 'description');
        expect(body.description, path).to.match(description);
      }
    });

    it('refuses a reply with too many rows or stations, and does not cut it', async () => {
      const values = Array.from({ length: ROW_LIMITS.max }, (_, hour) => hour % 20);
      await record(world, '2000-01-01T00:00:00Z', { air_temperature: values }, 'SAMOA');
      // The schemas compare each time with each other time, so that the largest reply is not validated.
      expect(await json(`${DATA}/locations/SAMOA`)).to.have.nested.property(
        'ranges.air_temperature.shape[0]',
        ROW_LIMITS.max,
      );
      expect((await json(`${DATA}/cube?bbox=-180,-90,180,90`, 413))['description']).to.match(/100000 rows/);
      for (let index = 0; index < 100; index += 1) await addStation(world, { id: `S${index}` });
      const everywhere = 'POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))';
      for (const query of ['cube?bbox=-180,-90,180,90', `area?coords=${everywhere}`])
        expect((await json(`${DATA}/${query}`, 400))['description']).to.match(/100 stations/);
      for (let from = 0; from < 3000; from += 1000) {
        const more = Array.from({ length: 1000 }, (_, index) => ({ ...STATION, id: `M${from + index}` }));
        await world.get(PutStations).execute(more, CALLER);
      }
      expect((await json(`${DATA}/area?coords=${everywhere}`, 413))['description']).to.match(/2500 stations/);
    });

    it('needs a token where reads need one, except for pages without weather data', async () => {
      await api.server.close(1000);
      await start('token');
      await world.addUser('ada');
      const headers = { authorization: `Bearer ${await world.signIn('ada')}` };
      for (const path of ['/ogc', '/ogc/conformance', '/ogc/api'])
        expect((await ask(path)).status, path).to.equal(200);
      for (const path of [
        '/ogc/collections',
        '/ogc/collections/stations',
        '/ogc/collections/stations/items',
        '/ogc/collections/stations/items/JFK',
        ...['locations', 'locations/JFK', 'position?coords=POINT(-73.8 40.7)'].map(
          (query) => `${DATA}/${query}`,
        ),
        `${DATA}/radius?coords=POINT(-73.8 40.7)&within=1&within-units=km`,
        `${DATA}/area?coords=${ROUND_NEW_YORK}`,
        `${DATA}/cube?bbox=0,0,1,1`,
      ]) {
        const refused = await ask(path);
        expect([refused.status, await refused.json()], path).to.have.nested.property(
          '1.code',
          'AUTH_TOKEN_INVALID',
        );
        expect(refused.status, path).to.equal(401);
        const allowed = await ask(path, { headers });
        expect(allowed.status, path).to.equal(200);
        expect(allowed.headers.get('cache-control')).to.equal('private, no-cache');
        await allowed.body?.cancel();
      }
    });

    it('shows hidden stations and exact positions to users only', async () => {
      await world.addUser('ada');
      const headers = { authorization: `Bearer ${await world.signIn('ada')}` };
      const page = (await (await ask('/ogc/collections/stations/items', { headers })).json()) as Features;
      expect(idsOf(page)).to.include('HIDDEN');
      expect(page.features.find(({ id }) => id === 'ROUND')?.geometry.coordinates).to.deep.equal([
        4.98765, 51.23456,
      ]);
      expect((await ask(`${DATA}/locations/HIDDEN`, { headers })).status).to.equal(200);
    });

    it('supports HEAD, OPTIONS, conditional requests and pages of other origins', async () => {
      for (const path of [
        '/ogc',
        '/ogc/collections/stations/items',
        `${DATA}/locations/JFK`,
        `${DATA}/locations/JFK?f=csv`,
      ]) {
        const head = await ask(path, { method: 'HEAD' });
        expect([head.status, await head.text()]).to.deep.equal([200, '']);
        const etag = head.headers.get('etag') ?? '';
        const same = await ask(path, { headers: { 'if-none-match': etag } });
        expect(same.status, path).to.equal(304);
        const options = await ask(path, { method: 'OPTIONS' });
        expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'GET, HEAD, OPTIONS']);
        expect((await ask(path, { method: 'POST' })).status).to.equal(405);
        const other = await ask(path, { headers: { origin: 'https://map.example.org' } });
        expect(other.headers.get('access-control-allow-origin')).to.equal('https://map.example.org');
        await other.body?.cancel();
      }
      const path = `${DATA}/locations/JFK`;
      const etag = (await ask(path, { method: 'HEAD' })).headers.get('etag') ?? '';
      await record(world, '2013-01-04T00:00:00Z', { air_temperature: [7] });
      const changed = await ask(path, { headers: { 'if-none-match': etag } });
      expect(changed.status).to.equal(200);
      await changed.body?.cancel();
    });

    it('describes its routes and all of their parameters in an OpenAPI 3.0 document', async () => {
      const document = await json<{
        openapi: string;
        servers: { url: string }[];
        paths: Record<string, { get: { parameters: { name: string; in: string }[]; responses: Json } }>;
      }>('/ogc/api');
      expect(document.openapi).to.match(/^3\.0\./);
      const folder = await mkdtemp(join(tmpdir(), 'weatherd-'));
      try {
        const file = pathToFileURL(join(folder, 'ogc.json'));
        await writeFile(file, JSON.stringify(document));
        expect(await openApiProblems(file)).to.deep.equal([]);
      } finally {
        await rm(folder, { recursive: true });
      }
      expect(document.servers).to.deep.equal([{ url: ADDRESS }]);
      const declared = makeDialectEndpoints(world.container, 'public', SETTINGS).flatMap(({ path }) =>
        path.startsWith('/ogc') ? [path] : [],
      );
      expect(Object.keys(document.paths)).to.have.members(declared);
      const parameters = document.paths['/ogc/collections/{collection}/radius']?.get.parameters;
      expect(parameters?.map(({ name: parameter }) => parameter)).to.include.members([
        'collection',
        'coords',
        'within',
        'within-units',
        'datetime',
        'parameter-name',
        'crs',
        'f',
      ]);
    });
  });
}
