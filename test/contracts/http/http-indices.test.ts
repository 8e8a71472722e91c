import { expect } from 'chai';
import { STATION_INDICES } from '#domain/weather/indices/station-indices.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { addStation, record } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

type Rows = Readonly<Record<string, readonly (string | number | boolean | null)[]>>;
const HOURS = Array.from({ length: 10 * 24 }, (_, hour) => hour);
const [HOUR, DAY] = [3_600_000, 86_400_000];
const wave = (hour: number) => Math.sin((2 * Math.PI * (hour - 9)) / 24);

for (const [name, load] of defaultTransport) {
  describe(`indices over HTTP › ${name}`, () => {
    let running: RunningApi;
    let client: Client;

    before(async () => {
      const world = await World.make();
      world.clock.time = Date.parse('2024-07-11T12:00:00Z');
      const values = {
        air_temperature: HOURS.map((hour) => 20 + 10 * wave(hour)),
        relative_humidity: HOURS.map((hour) => 70 - 25 * wave(hour)),
        wind_speed: HOURS.map((hour) => 4 + 3 * wave(hour)),
        precipitation_amount: HOURS.map((hour) => (hour % 60 === 5 ? 2.5 : 0)),
        surface_air_pressure: HOURS.map(() => 1013),
        surface_downwelling_shortwave_flux_in_air: HOURS.map((hour) => Math.max(0, 800 * wave(hour))),
        mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air: HOURS.map((hour) => 10 + (hour % 40)),
      };
      for (const [id, latitude] of [
        ['JFK', 40.6],
        ['south', -40.6],
      ] as const) {
        await addStation(world, { id, latitude });
        await record(world, '2024-07-01T04:00:00Z', values, id);
      }
      await addStation(world, { id: 'empty' });
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
      });
      client = new Client(running.url);
    });
    after(() => running.server.close(1000));

    const get = (route: string, id = 'JFK') => client.ask('GET', `/v1/stations/${id}/indices/${route}`);
    const names = [...new Set(STATION_INDICES.map((index) => index.name))];

    for (const index of names) {
      it(`${index}: has the same cells in JSON and in CSV, and says by which rule`, async () => {
        for (const units of ['metric', 'imperial', 'si']) {
          const query = `?from=2024-07-02&to=2024-07-08&units=${units}`;
          const { body } = await get(`${index}${query}`);
          expect(body).to.include.keys('source', 'rule', 'parameters', 'units', 'title');
          const rows = body['rows'] as Rows;
          const reply = await fetch(`${running.url}/v1/stations/JFK/indices/${index}${query}&format=csv`);
          const [heading = '', ...lines] = (await reply.text()).trimEnd().split('\r\n');
          const columns = heading.split(',').map((one) => one.replace(/ \(.*\)$/, ''));
          expect(columns).to.have.members(Object.keys(rows));
          expect(lines.map((line) => line.split(','))).to.deep.equal(
            (rows['time'] ?? []).map((_, row) => columns.map((one) => String(rows[one]?.[row] ?? ''))),
          );
          expect(lines.length).to.be.oneOf([6, 6 * 24]);
        }
      });

      it(`${index}: answers in any year, and never with more rows than are allowed`, async () => {
        for (const from of [
          '0001-01-01',
          '0050-06-01',
          '0099-12-31',
          '0100-06-01',
          '1599-12-31',
          '9990-01-01',
        ]) {
          const to = new Date(Date.parse(from) + 2 * DAY).toISOString().slice(0, 10);
          const { status, body } = await get(`${index}?from=${from}&to=${to}`);
          expect(status, `${from}: ${JSON.stringify(body)}`).to.equal(200);
          expect((body['rows'] as Rows)['valid'], from).not.to.include(true);
        }
        const whole = await get(`${index}?to=2024-07-10`);
        expect(whole.status, JSON.stringify(whole.body)).to.equal(200);
        const { time = [] } = whole.body['rows'] as Rows;
        const isOfHours = String(time[0]).includes('T');
        const back = (11_000 + 1) * (isOfHours ? HOUR : DAY);
        const from = new Date(Date.parse('2024-07-10') - back).toISOString().slice(0, 10);
        const refused = await get(`${index}?from=${from}&to=2024-07-10`);
        expect([refused.status, refused.body['message']]).to.deep.equal([
          400,
          `A reply has at most 11000 ${isOfHours ? 'hours' : 'days'}: use a shorter range.`,
        ]);
        const later = new Date(Date.parse(from) + 2 * DAY).toISOString().slice(0, 10);
        const longest = await get(`${index}?from=${later}&to=2024-07-10`);
        expect(longest.status, JSON.stringify(longest.body)).to.equal(200);
        const long = longest.body['rows'] as Rows;
        for (const [column, cells] of Object.entries(whole.body['rows'] as Rows))
          expect(long[column]?.slice(-cells.length), column).to.deep.equal(cells);
      });

      it(`${index}: has no rows for a station without observations`, async () => {
        const { status, body } = await get(index, 'empty');
        expect([status, (body['rows'] as Rows)['time']]).to.deep.equal([200, []]);
      });
    }

    it('converts degree days and differences without the offset of the unit', async () => {
      const query = 'growing-degree-days?from=2024-07-02&to=2024-07-03&start=07-01&decimals=6';
      const [metric, imperial] = [(await get(query)).body, (await get(`${query}&units=imperial`)).body];
      expect(imperial['units']).to.deep.equal({ degree_days: '°F d', sum: '°F d' });
      const cell = (body: typeof metric, column: string) => (body['rows'] as Rows)[column]?.[0] as number;
      expect(cell(imperial, 'degree_days')).to.be.closeTo(1.8 * cell(metric, 'degree_days'), 1e-5);
      const spray = 'spray?from=2024-07-02T12:00:00Z&to=2024-07-02T13:00:00Z&decimals=6';
      const [celsius, fahrenheit] = [(await get(spray)).body, (await get(`${spray}&units=imperial`)).body];
      expect(cell(fahrenheit, 'delta_t')).to.be.closeTo(1.8 * cell(celsius, 'delta_t'), 1e-5);
      expect(cell(celsius, 'delta_t')).to.be.above(0);
    });

    it('begins sums at the date of the hemisphere, or at the requested one', async () => {
      const starts = await Promise.all(
        ['growing-degree-days', 'chill', 'water-balance', 'fire-weather'].map(async (index) => {
          const bodies = [await get(index), await get(index, 'south'), await get(`${index}?start=05-15`)];
          return bodies.map(({ body }) => (body['parameters'] as Record<string, unknown>)['start']);
        }),
      );
      expect(starts).to.deep.equal([
        ['01-01', '07-01', '05-15'],
        ['09-01', '04-01', '05-15'],
        ['01-01', '07-01', '05-15'],
        ['03-01', '09-01', '05-15'],
      ]);
    });

    it('gives hours or days, and classes as words', async () => {
      const hours = (await get('air-quality?from=2024-07-02&to=2024-07-03')).body['rows'] as Rows;
      expect(hours['time']?.[0]).to.equal('2024-07-02T00:00:00-04:00');
      expect(hours['us_category']).to.include('moderate');
      const days = (await get('air-quality?interval=day&from=2024-07-02&to=2024-07-04')).body['rows'] as Rows;
      expect(days['time']).to.deep.equal(['2024-07-02', '2024-07-03']);
      const zone = await get('leaf-wetness?interval=day&from=2024-07-02&to=2024-07-03&timezone=UTC');
      expect(zone.body).to.include({ time_zone: 'UTC', from: '2024-07-02T00:00:00Z' });
    });

    it('refuses parameters that make no sense', async () => {
      for (const query of [
        'chill?start=02-29',
        'chill?start=13-01',
        'growing-degree-days?base=41',
        'growing-degree-days?method=both',
        'water-balance?crop_coefficient=3',
        'fire-weather?fine_fuel=102',
        'spray?dry_hours=0',
        'spray?from=2020-01-01&to=2024-01-01',
        'air-quality?correction=mine',
        'heat-stress?region=mild',
        'heat-stress?timezone=Mars/Olympus',
      ]) {
        const { status, body } = await get(query);
        expect([status, body['error']], query).to.deep.equal([400, 'REQUEST_INVALID']);
      }
      expect((await get('unknown')).status).to.equal(404);
    });
  });
}
