import type { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { toSpreadsheet } from '#adapters/http/external/observations/spreadsheet.js';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { decimalsIn, unitIn } from '#domain/weather/units.js';
import { roundTo } from '#domain/weather/usual-decimals.js';
import { variableNamed } from '#domain/weather/variables.js';
import type { Variable } from '#domain/weather/variables.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, transports } from '../../support/api-server.js';
import { addStation, record } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

/** Routes with values, each with a query that shows all of its kinds of values. */
const ROUTES = [
  '/v1/stations/JFK/observations?from=2013-01-01',
  '/v1/stations/JFK/observations/latest?include=trend,today,rain',
  '/v1/stations/JFK/summaries?interval=month&degree_days=heating',
  '/v1/stations/JFK/derived?variables=wind_chill,air_density,vapour_pressure_deficit',
  '/v1/stations/JFK/climate/months?years=2013',
  '/v1/stations/JFK/climate/normals?period=2004-2013',
  '/v1/stations/JFK/climate/anomalies?years=2013&period=2004-2013',
  '/v1/stations/JFK/climate/drought?index=spei',
  '/v1/stations/JFK/climate/records?years=2013',
  '/v1/stations/JFK/climate/indices?years=2013',
  '/v1/stations/JFK/climate/degree-days?years=2013',
  '/v1/stations/JFK/climate/usual?to=01-03',
  '/v1/stations/JFK/indices/growing-degree-days?base=-20',
  '/v1/stations/JFK/indices/spray?from=2013-01-01',
  '/v1/observations?from=2013-01-01',
  '/v1/observations/latest?include=trend',
  '/v1/observations/latest?format=geojson',
  '/v1/summaries?interval=day&from=2013-01-01&to=2013-01-02',
];

const [, [, load] = ['', () => Promise.reject(new Error('no transport'))]] = transports;

describe('digits over HTTP', () => {
  let running: RunningApi;

  before(async () => {
    const world = await World.make();
    await addStation(world);
    const long = (base: number, range: number) =>
      Array.from({ length: 744 }, (_, hour) => base + range * Math.sin(hour / 3.7) + hour / 7777);
    await record(world, '2013-01-01T05:00:00Z', {
      air_temperature: long(3, 8.123_456_7),
      relative_humidity: long(60, 23.4),
      wind_speed: long(6, 4.321_987),
      wind_from_direction: long(180, 170),
      wind_speed_of_gust: long(9, 5.432_198_7),
      surface_air_pressure: long(1010, 9.876_54),
      precipitation_amount: long(1, 0.987_654),
      surface_downwelling_shortwave_flux_in_air: long(300, 299.123_45),
      surface_snow_thickness: long(0.2, 0.123_456),
    });
    running = await runApi(await load(), {
      endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
    });
  });
  after(() => running.server.close(1000));

  const text = async (path: string) => {
    const response = await fetch(`${running.url}${path}`);
    const body = await response.text();
    expect(response.status, `${path} ${body}`).to.equal(200);
    return body;
  };
  const json = async (path: string) => JSON.parse(await text(path)) as unknown;

  /** The numbers of a reply by their path, without ages, which depend on the current time. */
  function* numbersOf(value: unknown, path = ''): Generator<readonly [path: string, number: number]> {
    if (typeof value === 'number') yield [path, value];
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value))
      if (name !== 'age') yield* numbersOf(part, `${path}/${name}`);
  }
  const digitsOf = (number: number) => /\.(\d+)$/.exec(String(number))?.[1]?.length ?? 0;

  for (const route of ROUTES) {
    it(`are the usual ones in ${route}, and all by default`, async () => {
      for (const units of ['metric', 'imperial']) {
        const all = new Map(numbersOf(await json(`${route}&units=${units}`)));
        const usual = new Map(numbersOf(await json(`${route}&units=${units}&decimals=usual`)));
        expect([...usual.keys()]).to.deep.equal([...all.keys()]);
        const ofPlaces = /coordinates|itude|bbox|bases/;
        const long = [...all].filter(([path, number]) => !ofPlaces.test(path) && digitsOf(number) > 3);
        // Normals, anomalies, drought, indices and usual values of a single month are null. Their route has the same code. Indices of hours and days have
        // as many decimals as their columns justify.
        if (!/normals|anomalies|drought|indices|usual\?/.test(route))
          expect(long.length, route).to.be.above(0);
        const wrong = [...usual].filter(
          ([path, number]) =>
            !ofPlaces.test(path) &&
            !(digitsOf(number) <= 3 && Math.abs(number - (all.get(path) ?? Number.NaN)) <= 0.5),
        );
        expect(wrong).to.deep.equal([]);
        // All digits, also where the default is as many as a formula justifies.
        const full = new Map(numbersOf(await json(`${route}&units=${units}&decimals=full`)));
        if (!/derived\?|\/indices\//.test(route)) expect(full).to.deep.equal(all);
        else if (long.length > 0) expect(Math.max(...[...full.values()].map(digitsOf))).to.be.above(6);
        // With 12 decimals the numbers are the same but for rounding errors.
        const [path, number] = long[0] ?? ['', undefined];
        if (number === undefined) continue;
        const exact = new Map(numbersOf(await json(`${route}&units=${units}&decimals=12`)));
        expect(exact.get(path), path).to.be.closeTo(number, 1e-2);
      }
    });
  }

  it('are rounded by variable and unit, in JSON and in CSV', async () => {
    const path = '/v1/stations/JFK/observations?from=2013-01-01&units=imperial';
    type Columns = { readonly observations: Readonly<Record<string, readonly number[]>> };
    const { observations: all } = (await json(path)) as Columns;
    const { observations: usual } = (await json(`${path}&decimals=usual`)) as Columns;
    for (const [name, column] of Object.entries(usual)) {
      if (name === 'time') continue;
      const variable = variableNamed(name) as Variable;
      const decimals = decimalsIn(variable, unitIn('imperial', variable), 'usual') ?? Number.NaN;
      expect(column, name).to.deep.equal(all[name]?.map((value) => roundTo(value, decimals)));
    }
    const csv = (await text(`${path}&decimals=usual&format=csv`)).trimEnd().split('\r\n').slice(1);
    const names = Object.keys(usual);
    const cells = csv.map((line) => line.split(',').slice(0, names.length));
    expect(cells).to.deep.equal(
      (usual['time'] ?? []).map((_time, row) => names.map((name) => String(usual[name]?.[row]))),
    );
  });

  it('are the usual ones of a spreadsheet, with local times, units and the signs of a language', async () => {
    const path = '/v1/stations/JFK/observations?format=csv&decimals=usual';
    const plain = (await text(path)).trimEnd().split('\r\n');
    for (const [locale, separator, sign] of [
      ['de', ';', ','],
      ['en', ',', '.'],
    ] as const) {
      // `text()` would remove the byte order mark.
      const response = await fetch(`${running.url}${path}&for=spreadsheet&locale=${locale}`);
      const file = Buffer.from(await response.arrayBuffer()).toString();
      expect(file[0]).to.equal('\ufeff');
      const [headings = '', ...lines] = file.slice(1).trimEnd().split('\r\n');
      expect(headings.split(separator).slice(0, 4)).to.deep.equal([
        'time',
        'time_utc',
        'air_temperature (°C)',
        'relative_humidity (%)',
      ]);
      const shown = (instant: number) => new Date(instant).toISOString().slice(0, 16).replace('T', ' ');
      const expected = plain.slice(1).map((line) => {
        const [time = '', ...cells] = line.split(',');
        // Clocks in New York are five hours behind UTC in winter.
        const times = [shown(Date.parse(time) - 18_000_000), shown(Date.parse(time))];
        return [...times, ...cells.map((cell) => cell.replace('.', sign))].join(separator);
      });
      expect(lines).to.deep.equal(expected);
    }
    expect(await text(path.replace('&decimals=usual', '&for=spreadsheet&limit=all'))).to.contain(
      '\n2013-01-01 00:00,',
    );
    for (const query of ['for=spreadsheet', 'format=csv&locale=de', 'for=spreadsheet&format=csv&time=unix']) {
      expect((await fetch(`${running.url}/v1/stations/JFK/observations?${query}`)).status, query).to.equal(
        400,
      );
    }
    for (const locale of ['xx', 'german_', '-']) {
      const refused = await fetch(`${running.url}${path}&for=spreadsheet&locale=${locale}`);
      expect([refused.status, await refused.text()].join(' ')).to.match(/^400 .*a language such as en/);
    }
  });

  it('of a spreadsheet tell the repeated hour of a change of the clocks apart, in each zone', async () => {
    const zones = ['America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', '-03:30', 'UTC'];
    const around = [Date.UTC(2013, 10, 3, 6), Date.UTC(2013, 2, 10, 7), Date.UTC(2013, 3, 6, 15), 0, -1e12];
    const instant = fc
      .tuple(fc.constantFrom(...around), fc.integer({ min: -7200, max: 7200 }))
      .map(([middle, seconds]) => middle + seconds * 1000);
    const calendar = new TemporalCalendar();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...zones), fc.array(instant), async (zone, instants) => {
        const content = instants.map(
          (time) => `${new Date(time).toISOString().replace('.000Z', 'Z')},1.5,\r\n`,
        );
        const { content: body } = toSpreadsheet({ content: content.join('') }, { locale: 'de', zone });
        const file = Buffer.concat(await (body as Readable).toArray()).toString();
        const shown = (iso: string) => iso.replace('T', ' ').replace(/:00$/, '');
        const lines = instants.map((time) => {
          const local = calendar.format(time, zone).replace(/(?:Z|[+-]\d\d:\d\d)$/, '');
          return `${shown(local)};${shown(new Date(time).toISOString().slice(0, 19))};1,5;\r\n`;
        });
        expect(file).to.equal(`\ufeff${lines.join('')}`);
      }),
    );
  });

  it('are refused in another form', async () => {
    for (const decimals of ['13', '-1', '1.5', 'few']) {
      const response = await fetch(`${running.url}/v1/stations/JFK/observations?decimals=${decimals}`);
      expect(response.status).to.equal(400);
      expect(await response.text()).to.contain('Must be a whole number from 0 to 12, usual, or full');
    }
  });
});
