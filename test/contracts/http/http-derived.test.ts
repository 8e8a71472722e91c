import { expect } from 'chai';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { FEELS_LIKE_NAMES, type FeelsLikeName } from '#domain/weather/derived/comfort/feels-like.js';
import { type RunningApi, runApi, defaultTransport, serviceTransports } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { addStation, record } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

type Json = Record<string, unknown>;
const DERIVED = '/v1/stations/JFK/derived?variables=';

for (const [name, load] of defaultTransport) {
  describe(`derived quantities over HTTP › ${name}`, () => {
    let running: RunningApi;
    let client: Client;

    before(async () => {
      const world = await World.make();
      await addStation(world);
      await record(world, '2013-07-18T00:00:00Z', {
        air_temperature: [30, 20],
        dew_point_temperature: [20, Number.NaN],
        surface_air_pressure: [1000, 1000],
      });
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
      client = new Client(running.url);
    });
    after(() => running.server.close(1000));

    const get = async (query: string) => (await client.ask('GET', `${DERIVED}${query}`)).body;
    const text = async (query: string) => await (await fetch(`${running.url}${DERIVED}${query}`)).text();

    it('names formula, range, standard name and inputs, and counts stored values', async () => {
      const { formulas } = (await get('dew_point,humidex')) as { formulas: Record<string, Json> };
      expect(formulas['dew_point']).to.include({ standard_name: 'dew_point_temperature' });
      expect(formulas['dew_point']?.['stored']).to.deep.equal({
        variable: 'dew_point_temperature',
        rows: 1,
      });
      expect(formulas['humidex']).to.have.all.keys('formula', 'validity', 'standard_name', 'inputs');
      expect(formulas['humidex']?.['standard_name']).to.equal(null);
      expect(formulas['humidex']?.['inputs']).to.contain('dew_point_temperature');
    });

    it('converts before it rounds, with as many decimals as the unit needs', async () => {
      const names = 'dew_point,air_density,absolute_humidity,estimated_cloud_base';
      const values = async (query: string) => {
        const { derived, units } = (await get(`${names}&limit=1${query}`)) as Record<string, Json>;
        const { time: _, ...columns } = derived as Record<string, number[]>;
        return Object.entries(columns).map(([key, [value]]) => [value, units?.[key]]);
      };
      expect(await values('')).to.deep.equal([
        [20, '°C'],
        [1.139, 'kg/m³'],
        [16.672, 'g/m³'],
        [1265, 'm'],
      ]);
      expect(await values('&units=imperial')).to.deep.equal([
        [68, '°F'],
        [1.139, 'kg/m³'],
        [16.672, 'g/m³'],
        [4150, 'ft'],
      ]);
      expect(await values('&units=si')).to.deep.equal([
        [293.15, 'K'],
        [1.139, 'kg/m³'],
        [0.016672, 'kg/m³'],
        [1265, 'm'],
      ]);
      expect((await values('&decimals=0'))[1]).to.deep.equal([1, 'kg/m³']);
      const [, density] = await values('&decimals=12');
      expect(String(density?.[0])).to.match(/^1\.1390\d{6,8}$/);
    });

    it('writes CSV, with units in the headings where they are not the usual ones', async () => {
      expect(await text('dew_point,humidex&format=csv')).to.equal(
        'time,dew_point,humidex,quality\r\n' +
          '2013-07-18T00:00:00Z,20,37.57,\r\n' +
          '2013-07-18T01:00:00Z,,,\r\n',
      );
      const imperial = await text('dew_point&format=csv&units=imperial&time=unix&limit=1');
      expect(imperial).to.equal('time,dew_point (°F),quality\r\n1374105600,68,\r\n');
    });

    it('computes hours and days with `interval`, and refuses what has none', async () => {
      const body = await get('reference_evapotranspiration&interval=day&units=imperial');
      expect(body['derived']).to.deep.equal({
        time: ['2013-07-17T04:00:00Z'],
        reference_evapotranspiration: [null],
      });
      expect(body['units']).to.deep.equal({ reference_evapotranspiration: 'in' });
      for (const [query, reason] of [
        ['reference_evapotranspiration', 'interval=hour or interval=day'],
        ['heat_index&interval=day', 'without interval'],
        ['heat_index&interval=month', 'query.interval'],
        ['heat_index&decimals=13', 'from 0 to 12'],
        ['heat_index&units=nautical', 'query.units'],
      ] as const) {
        const reply = await client.ask('GET', `${DERIVED}${query}`);
        expect([reply.status, reply.error], query).to.deep.equal([400, 'REQUEST_INVALID']);
        expect(JSON.stringify(reply.body), query).to.contain(reason);
      }
    });
  });
}

/** The API on each transport: its rows give every quantity that `feels_like` can be. */
for (const [name, load] of serviceTransports) {
  describe(`what the air feels like over HTTP › ${name}`, () => {
    let world: World;
    const apis = new Map<FeelsLikeName, RunningApi>();

    before(async () => {
      world = await World.make();
      await addStation(world);
      await record(world, '2013-07-18T17:00:00Z', {
        air_temperature: [15, 30],
        relative_humidity: [50, 60],
        wind_speed: [3, 2],
        surface_downwelling_shortwave_flux_in_air: [700, 900],
      });
      const authorize = world.get(Authorize);
      for (const choice of FEELS_LIKE_NAMES)
        apis.set(
          choice,
          await runApi(await load(), {
            endpoints: makeExternalEndpoints(
              world.container,
              'public',
              UPLOAD_REACH,
              undefined,
              undefined,
              choice,
            ),
            authorize: (given, access) => authorize.execute({ token: given, ...access }),
          }),
        );
    });
    after(async () => {
      for (const { server } of apis.values()) await server.close(1000);
    });

    const ask = async (choice: FeelsLikeName, target: string) => {
      const reply = await fetch(`${apis.get(choice)?.url}/v1/stations/JFK/${target}`);
      return { etag: reply.headers.get('etag'), body: (await reply.json()) as Record<string, Json> };
    };

    for (const choice of FEELS_LIKE_NAMES)
      it(`is ${choice} where the service says so, under its own name in rows and newest values`, async () => {
        const query = `variables=feels_like,${choice}&units=imperial`;
        const { derived = {}, formulas = {}, units } = (await ask(choice, `derived?${query}`)).body;
        expect(derived['feels_like']).to.deep.equal(derived[choice]);
        expect(derived['feels_like']).to.have.length(2).and.not.to.include(null);
        expect(formulas['feels_like']).to.deep.equal({
          quantity: choice,
          ...(formulas[choice] as Json),
        });
        expect(units).to.deep.equal({ feels_like: '°F', [choice]: '°F' });
        const { body } = await ask(choice, 'observations/latest?include=derived&units=imperial');
        expect(body['derived']?.['feels_like']).to.deep.equal({
          time: '2013-07-18T18:00:00Z',
          value: (derived[choice] as number[])[1],
          quantity: choice,
        });
      });

    it('has another ETag where another quantity is chosen, although the values are the same', async () => {
      const replies = await Promise.all(
        FEELS_LIKE_NAMES.map((choice) => ask(choice, 'derived?variables=feels_like&limit=1')),
      );
      const values = replies.map(({ body }) => body['derived']?.['feels_like']);
      expect(values.slice(2)).to.deep.equal([[15], [15]]);
      expect(new Set(replies.map(({ etag }) => etag))).to.have.property('size', FEELS_LIKE_NAMES.length);
    });

    it('is a quantity at an instant, and one of the names that are suggested', async () => {
      for (const [query, reason] of [
        ['feels_like&interval=day', 'request it without interval'],
        ['feels_lik', 'Did you mean \\"feels_like\\"'],
      ]) {
        const { body } = await ask('apparent_temperature', `derived?variables=${query}`);
        expect(JSON.stringify(body)).to.contain(reason);
      }
    });
  });
}
