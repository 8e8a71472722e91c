import { expect } from 'chai';
import { comparesVersions } from '#adapters/http/core/request/conditions.js';
import { header } from '#transport-suite/raw-http.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { addStation, record, STATION } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

type Json = Record<string, unknown>;

const SETTINGS = '/v1/stations/JFK?inventory=false';
const TARGET = '/v1/stations/JFK';
const { latitude, longitude, elevation, identifiers } = STATION;
const DRAFT = { latitude, longitude, elevation, time_zone: STATION.timeZone, identifiers };

for (const [name, load] of serviceTransports) {
  describe(`requests with conditions › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let client: Client;
    let token: string;

    beforeEach(async () => {
      world = await World.make();
      world.clock.time = Date.parse('2013-01-01T12:00:00Z');
      await world.addUser('ada', true);
      await addStation(world);
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
      client = new Client(running.url);
      token = await world.elevate(await world.signIn('ada'));
    });
    afterEach(() => running.server.close(1000));

    const rename = (to: string, ...conditions: string[]) =>
      client.send('PUT', TARGET, token, { ...DRAFT, name: to }, conditions);
    const nameNow = async () => {
      const { body } = await client.send('GET', SETTINGS, token);
      return (body['station'] as Json | undefined)?.['name'];
    };
    const etagNow = async (...headers: string[]) => {
      const { reply, status } = await client.send('GET', SETTINGS, token, undefined, headers);
      return status === 200 ? header(reply, 'etag') : undefined;
    };

    it('replaces a station only in the version that If-Match names', async () => {
      const etag = (await etagNow()) as string;
      expect(etag).to.match(/^"[^"]{20,}"$/);
      const refused: readonly (readonly string[])[] = [
        ['If-Match: "zzz"'],
        ['If-Match: zzz'],
        ['If-Match: '],
        [`If-Match: W/${etag}`],
        ['If-Match: "zzz", W/"yyy"'],
        ['If-None-Match: *'],
        ['If-None-Match: *', 'If-None-Match: *'],
        ['If-None-Match: "zzz", *'],
        ['If-Match: "zzz", *'],
        [`If-None-Match: ${etag}`],
        [`If-None-Match: "zzz", W/${etag}`],
        [`If-Match: ${etag}`, 'If-None-Match: *'],
      ];
      for (const conditions of refused) {
        const answer = await rename('Never', ...conditions);
        expect([answer.status, answer.error], conditions.join()).to.deep.equal([412, 'PRECONDITION_FAILED']);
      }
      expect([await nameNow(), await etagNow()]).to.deep.equal([STATION.name, etag]);
      expect((await rename('First', `If-Match: "zzz", ${etag}`)).status).to.equal(200);
      expect((await rename('Late', `If-Match: ${etag}`)).status).to.equal(412);
      expect((await rename('Any', 'If-Match: *')).status).to.equal(200);
      expect((await rename('Other', 'If-None-Match: "zzz"')).status).to.equal(200);
      expect((await rename('Plain')).status).to.equal(200);
      expect(await nameNow()).to.equal('Plain');
    });

    it('creates a station only once with If-None-Match: *, and never with If-Match', async () => {
      const put = (condition: string) =>
        client.send('PUT', '/v1/stations/new', token, { ...DRAFT, identifiers: {}, name: 'New' }, [
          condition,
        ]);
      for (const condition of ['If-Match: *', 'If-Match: "zzz"'])
        expect((await put(condition)).status, condition).to.equal(412);
      expect((await client.ask('GET', '/v1/stations/new')).status).to.equal(404);
      const answers = await Promise.all(Array.from({ length: 4 }, () => put('If-None-Match: *')));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
        201, 412, 412, 412,
      ]);
    });

    it('lets one of several requests with the same ETag succeed', async () => {
      const etag = (await etagNow()) as string;
      const names = ['a', 'b', 'c', 'd', 'e'];
      const answers = await Promise.all(names.map((to) => rename(to, `If-Match: ${etag}`)));
      const done = names.filter((_to, index) => answers[index]?.status === 200);
      expect(answers.filter(({ status }) => status === 412)).to.have.lengthOf(4);
      expect([await nameNow()]).to.deep.equal(done);
    });

    it('changes the settings of a key and a retention period only in the version that If-Match names', async () => {
      await client.send('POST', '/v1/upload-keys', token, { station: 'JFK' });
      const soil = (field: string) => ({ mappings: [{ field, variable: 'soil_temperature' }] });
      const routes: Readonly<Record<string, (index: number) => object>> = {
        '/v1/upload-keys/1/mappings': (index) => soil(`temp${index}f`),
        '/v1/stations/JFK/retention': (index) => ({ period: 86_400 * (index + 1) }),
      };
      for (const [path, bodyOf] of Object.entries(routes)) {
        const etag = async () => header((await client.send('GET', path, token)).reply, 'etag') ?? '';
        const put = async (index: number, condition: string, query = '') =>
          (await client.send('PUT', path + query, token, bodyOf(index), [condition])).status;
        const first = await etag();
        const statuses = await Promise.all([1, 2, 3].map((index) => put(index, `If-Match: ${first}`)));
        expect(
          statuses.toSorted((x, y) => x - y),
          path,
        ).to.deep.equal([200, 412, 412]);
        const second = await etag();
        expect(second, path).not.to.equal(first);
        expect(
          await put(9, `If-Match: ${first}`, path.endsWith('retention') ? '?dry_run=true' : ''),
        ).to.equal(412);
        expect(await put(9, 'If-None-Match: *'), path).to.equal(412);
        expect(await etag(), path).to.equal(second);
        expect(await put(9, `If-Match: ${second}`), path).to.equal(200);
        const held = await client.send('GET', path, token, undefined, [`If-None-Match: ${await etag()}`]);
        expect(held.status, path).to.equal(304);
      }
    });

    it('orders forecasts only if nobody else has ordered them, and in place of the provider that If-Match names', async () => {
      const path = '/v1/forecasts/JFK';
      const put = async (condition: string) =>
        (await client.send('PUT', path, token, { provider: 'open-meteo' }, [condition])).status;
      expect((await client.send('GET', path, token)).error).to.equal('FORECAST_UNKNOWN');
      expect(await put('If-Match: *')).to.equal(412);
      const both = await Promise.all([put('If-None-Match: *'), put('If-None-Match: *')]);
      expect(both.toSorted((x, y) => x - y)).to.deep.equal([200, 412]);
      const { reply, body } = await client.send('GET', path, token);
      expect(body['forecast']).to.include({ station: 'JFK', provider: 'open-meteo' });
      expect(await put('If-Match: "zzz"')).to.equal(412);
      expect(await put(`If-Match: ${header(reply, 'etag') ?? ''}`)).to.equal(200);
    });

    it('gives settings one ETag for all codings, which rows do not change', async () => {
      const etag = await etagNow();
      const long = Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [`${'k'.repeat(29)}_${at}`, 'x'.repeat(64)]),
      );
      for (const coding of ['gzip', 'br', 'identity', 'gzip;q=1, *;q=0'])
        expect(await etagNow(`Accept-Encoding: ${coding}`), coding).to.equal(etag);
      await record(world, '2013-01-01T05:00:00Z', { air_temperature: [3, 4, 5] });
      expect(await etagNow()).to.equal(etag);
      const body = { ...DRAFT, name: 'Long', identifiers: long };
      const condition = [`If-Match: ${etag as string}`];
      expect((await client.send('PUT', TARGET, token, body, condition)).status).to.equal(200);
      const { reply } = await client.send('GET', SETTINGS, token, undefined, ['Accept-Encoding: gzip']);
      expect([header(reply, 'content-encoding'), reply.body.length > 2048]).to.deep.equal([undefined, true]);
      const current = header(reply, 'etag') as string;
      expect(current).not.to.equal(etag);
      const held = await client.send('GET', SETTINGS, token, undefined, [`If-None-Match: ${current}`]);
      expect([held.status, held.reply.body]).to.deep.equal([304, '']);
      expect(held.body).not.to.have.property('inventory');
    });

    it('refuses conditions on every other route that replaces or removes something', async () => {
      const others = makeExternalEndpoints(world.container, 'public', UPLOAD_REACH).filter(
        ({ method, conditional }) => comparesVersions(method) && conditional !== true,
      );
      expect(others.length).to.be.greaterThan(5);
      for (const { method, path } of others) {
        const target = path.replaceAll(/\{\w+\}/g, 'JFK');
        for (const condition of ['If-Match: "zzz"', 'If-None-Match: *']) {
          const { status, error } = await client.send(method, target, token, {}, [condition]);
          // Where `JFK` cannot be such an id, the path is refused first.
          expect([412, 400], `${method} ${path} ${error ?? ''}`).to.include(status);
          if (status === 400) expect(error).to.equal('REQUEST_INVALID');
        }
      }
      expect(await nameNow()).to.equal(STATION.name);
    });

    it('gives newest values a weak ETag that their ages do not change', async () => {
      await record(world, '2013-01-01T05:00:00Z', { air_temperature: [3, 4, 5], wind_speed: [1, 2, 3] });
      const targets = [
        `${TARGET}/observations/latest`,
        `${TARGET}/observations/latest?units=imperial`,
        `${TARGET}/observations/latest?include=today,trend,rain`,
        '/v1/observations/latest',
        '/v1/observations/latest?include=today',
        '/v1/observations/latest?format=geojson',
        '/v1/observations/latest?near=40,-73',
      ];
      const tagOf = async (target: string) => header((await client.ask('GET', target)).reply, 'etag') ?? '';
      const tags = await Promise.all(targets.map(tagOf));
      expect(new Set(tags).size).to.equal(targets.length);
      world.clock.time += 61_000;
      for (const [index, target] of targets.entries()) {
        const tag = tags[index] as string;
        expect(tag).to.match(/^W\/"[^"]{20,}"$/);
        const held = await client.ask('GET', target, [`If-None-Match: ${tag}`]);
        expect([held.status, held.reply.body, header(held.reply, 'etag')], target).to.deep.equal([
          304,
          '',
          tag,
        ]);
      }
      // Ages of a body that is made now are of now.
      const { body } = await client.ask('GET', `${TARGET}/observations/latest`);
      expect((body['latest'] as Record<string, Json>)['wind_speed']?.['age']).to.equal(5 * 3600 + 61);
      await record(world, '2013-01-01T11:00:00Z', { air_temperature: [6] });
      const changed = await Promise.all(targets.map(tagOf));
      for (const [index, target] of targets.entries())
        expect(changed[index], target).not.to.equal(tags[index]);
    });

    it('gives newest values another ETag when time alone changes what is shown', async () => {
      await record(world, '2013-01-01T11:50:00Z', { air_temperature: [6], precipitation_amount: [1] });
      const targets = [
        `${TARGET}/observations/latest?max_age=900`,
        '/v1/observations/latest?max_age=900',
        `${TARGET}/observations/latest?include=today`,
        '/v1/observations/latest?include=today',
      ];
      const read = async (target: string) => {
        const { reply, body } = await client.ask('GET', target);
        return {
          tag: header(reply, 'etag') as string,
          text: JSON.stringify(body).replaceAll(/"age":[\d.]+/g, ''),
        };
      };
      const before = await Promise.all(targets.map(read));
      // The values are too old then, and at 05:00 UTC the next day of New York begins.
      world.clock.time = Date.parse('2013-01-02T06:00:00Z');
      const after = await Promise.all(targets.map(read));
      for (const [index, target] of targets.entries()) {
        expect(after[index]?.text, target).not.to.equal(before[index]?.text);
        expect(after[index]?.tag, target).not.to.equal(before[index]?.tag);
      }
    });

    it('gives the list of stations an ETag that changes with a station', async () => {
      const first = header((await client.ask('GET', '/v1/stations')).reply, 'etag') as string;
      const held = () => client.ask('GET', '/v1/stations', [`If-None-Match: ${first}`]);
      await record(world, '2013-01-01T05:00:00Z', { air_temperature: [3] });
      expect((await held()).status).to.equal(304);
      await rename('Another');
      expect((await held()).status).to.equal(200);
    });
  });
}
