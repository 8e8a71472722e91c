import { expect } from 'chai';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { addStation, record, sentColumns } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

type Json = Record<string, unknown>;
const STATION = '/v1/stations/JFK';
const ROUTES = [
  'climate/months',
  'climate/normals',
  'climate/anomalies',
  'climate/drought',
  'climate/return-levels',
  'climate/records',
  'climate/indices',
  'climate/degree-days',
  'climate/usual',
  'reports/noaa/2013.txt',
] as const;

for (const [name, load] of defaultTransport) {
  describe(`climate over HTTP › ${name}`, () => {
    let running: RunningApi;
    let client: Client;
    let world: World;

    before(async () => {
      world = await World.make();
      await addStation(world);
      await addStation(world, { id: 'empty' });
      // July of New York. The days are 20 °C at first and 30 °C from noon on; each has 24 mm of rain.
      const hours = Array.from({ length: 31 * 24 }, (_, hour) => hour % 24);
      const temperatures: number[] = hours.map((hour) => (hour < 12 ? 20 : 30));
      await record(world, '2013-07-01T04:00:00Z', { air_temperature: temperatures.with(256, 32) });
      await record(world, '2013-07-01T05:00:00Z', {
        precipitation_amount: hours.map(() => 1).with(100, Number.NaN),
      });
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
      client = new Client(running.url);
    });
    after(() => running.server.close(1000));

    const get = (route: string, id = 'JFK') => client.ask('GET', `/v1/stations/${id}/${route}`);
    const text = async (route: string) => await (await fetch(`${running.url}${STATION}/${route}`)).text();

    it('names the source of the values of days, and takes the official ones if they are asked for', async () => {
      for (const route of [
        'months',
        'normals',
        'anomalies',
        'drought',
        'return-levels',
        'records',
        'indices',
        'degree-days',
      ]) {
        const bodies = await Promise.all(
          ['', '?source=daily', '?source=both'].map((query) => get(`climate/${route}${query}`)),
        );
        expect(
          bodies.map(({ body }) => body['source']),
          route,
        ).to.deep.equal(['observations', 'daily', 'both']);
        const observed = bodies[0]?.body ?? {};
        // `sources` names the source of each element, and of each longest run.
        const names = [...Object.keys(observed['units'] as Json), ...Object.keys(observed['streaks'] ?? {})];
        expect(observed['sources'], route).to.deep.equal(
          Object.fromEntries(names.map((one) => [one, 'observations'])),
        );
        expect((await get(`climate/${route}?source=all`)).status).to.equal(400);
      }
    });

    it('names the times at which the daily values of the years were read, also in a report', async () => {
      await addStation(world, { id: 'read', timeZone: 'Europe/Oslo' });
      // The days from July 2012 to 1 January 2014 in standard time.
      const observed = [
        {
          from: Date.parse('2012-06-30T23:00:00Z'),
          until: Date.parse('2013-07-31T23:00:00Z'),
          dailyObservationTime: '07:00',
        },
        {
          from: Date.parse('2013-07-31T23:00:00Z'),
          until: Date.parse('2014-01-01T23:00:00Z'),
          dailyObservationTime: '24:00',
        },
      ];
      await world.get(ChangeStations).execute([{ id: 'read', observed }], CALLER);
      const ends = Array.from(
        { length: 3 * 365 + 1 },
        (_, day) => Date.UTC(2012, 0, 1, 23) + day * 86_400_000,
      );
      const times = Float64Array.from(ends);
      const columns = sentColumns({ daily_maximum_air_temperature: ends.map((_time, day) => day % 20) });
      await world.get(RecordObservations).execute({ stations: 'read', times, columns }, CALLER);
      const timesOf = async (query: string) =>
        (await get(`climate/months?${query}`, 'read')).body['observation_times'];
      expect(await timesOf('years=2012')).to.deep.equal([null, '07:00']);
      expect(await timesOf('years=2013')).to.deep.equal(['07:00', '24:00']);
      expect(await timesOf('years=2014&source=both')).to.deep.equal(['24:00', null]);
      expect(await timesOf('years=2013&source=observations')).to.equal(undefined);
      const lineOf = async (file: string) => {
        const report = await (await fetch(`${running.url}/v1/stations/read/reports/noaa/${file}.txt`)).text();
        return /^DAILY VALUES READ AT .*$/m.exec(report)?.[0];
      };
      expect(await lineOf('2012')).to.equal('DAILY VALUES READ AT unknown, 07:00');
      expect(await lineOf('2012-06')).to.equal(undefined);
      expect(await lineOf('2013-06')).to.equal('DAILY VALUES READ AT 07:00');
      // The period ends at midnight of standard time, an hour after the month.
      expect(await lineOf('2013-07')).to.equal('DAILY VALUES READ AT 07:00');
      expect(await lineOf('2013-08')).to.equal('DAILY VALUES READ AT 24:00');
    });

    it('names the source of each number of an element with values of both sources, in JSON and CSV', async () => {
      await addStation(world, { id: 'both', timeZone: 'UTC' });
      const hours = Array.from({ length: 10 * 24 }, (_, hour) => 20 + (hour % 24) / 4);
      await record(world, '2013-07-01T00:00:00Z', { air_temperature: hours }, 'both');
      // The maxima of the days from 6 to 31 July, and an amount of three days.
      for (let day = 6; day <= 31; day += 1) {
        const end = new Date(Date.UTC(2013, 6, day + 1)).toISOString();
        const amounts =
          day === 10
            ? { multiday_precipitation_amount: [30], multiday_precipitation_days: [3] }
            : { daily_precipitation_amount: [day >= 8 && day < 10 ? Number.NaN : 1] };
        // oxlint-disable-next-line no-await-in-loop -- the days are few
        await record(world, end, { daily_maximum_air_temperature: [20 + (day % 10)], ...amounts }, 'both');
      }
      const months = (await get('climate/months?source=both', 'both')).body;
      expect(months['sources']).to.include({
        mean_daily_maximum: 'both',
        mean_daily_minimum: 'observations',
        precipitation: 'daily',
      });
      const [july = {}] = months['months'] as Json[];
      expect(july['mean_daily_maximum']).to.include({ days: 31, source: 'both', daily_days: 26 });
      expect(july['highest_temperature']).to.include({ date: '2013-07-09', source: 'daily', daily_days: 26 });
      expect(july['mean_daily_minimum']).not.to.have.property('source');
      expect(july['precipitation']).to.include({ days: 26, missing: 5, multiday_days: 3 });
      expect(july['wet_days']).to.include({ days: 23, missing: 8, multiday_days: 3 });
      const linesOf = async (route: string) =>
        (await (await fetch(`${running.url}/v1/stations/both/${route}`)).text()).split('\r\n');
      const csv = await linesOf('climate/months?source=both&format=csv&decimals=full');
      expect(csv[0]).to.match(/,valid,so_far,.*,source,daily_days,multiday_days,split_days$/);
      const lineOf = (lines: readonly string[], start: string) =>
        lines.find((line) => line.startsWith(start));
      expect(lineOf(csv, '2013-07,mean_daily_maximum')).to.match(/,true,,,,,,both,26,,$/);
      expect(lineOf(csv, '2013-07,mean_daily_minimum')).to.match(/,observations,,,$/);
      expect(lineOf(csv, '2013-07,precipitation')).to.match(/,daily,,3,$/);
      const records = (await get('climate/records?source=both', 'both')).body['all_time'] as Json;
      expect(records['highest_temperature']).to.include({
        value: 29,
        time: null,
        source: 'daily',
        daily_days: 26,
      });
      expect(records['lowest_temperature']).to.include({ source: 'observations' });
      const recordLines = await linesOf('climate/records?source=both&format=csv');
      expect(recordLines[0]).to.match(/,source,daily_days$/);
      expect(lineOf(recordLines, 'all,highest_temperature')).to.match(/,daily,26$/);
      const report = (await linesOf('reports/noaa/2013-07.txt?source=daily')).join('\n');
      expect(report).to.contain('SOURCES (DAYS)').and.to.contain('RAIN OF SEVERAL DAYS');
      expect((await get('reports/noaa/2013-07.txt?source=all', 'both')).status).to.equal(400);
      expect((await get('climate/usual?by=hour&from=07-01&to=07-01&source=both', 'both')).status).to.equal(
        400,
      );
    });

    it('gives each number its days, missing days, rule and validity, and the text of the rule', async () => {
      const { body } = await get('climate/months?units=imperial');
      expect(body).to.include({ station: 'JFK', time_zone: 'America/New_York', day_start: '00:00' });
      expect(body['years']).to.deep.equal({ from: 2013, to: 2013 });
      expect(body['units']).to.include({ mean_temperature: '°F', precipitation: 'in', wet_days: 'd' });
      const [july = {}, ...others] = body['months'] as Json[];
      expect([july['month'], others]).to.deep.equal(['2013-07', []]);
      expect(july['mean_daily_minimum']).to.deep.equal({
        value: 68,
        days: 31,
        missing: 0,
        rule: 'wmo_1203',
        valid: true,
      });
      expect(july['highest_temperature']).to.include({ value: 89.6, date: '2013-07-11' });
      expect(july['precipitation']).to.deep.equal({
        value: null,
        days: 30,
        missing: 1,
        rule: 'every_day',
        valid: false,
      });
      const [year = {}] = body['by_year'] as Json[];
      expect(year['mean_temperature']).to.include({
        value: null,
        days: 31,
        missing: 334,
        rule: 'every_month',
      });
      const rules = body['rules'] as Json;
      expect(Object.keys(rules)).to.have.members(['wmo_1203', 'every_day', 'every_month']);
      expect(rules['wmo_1203']).to.contain('at most 10 missing days');
    });

    it('shows the numbers of a running month apart from final ones, up to yesterday, in JSON and CSV', async () => {
      const { time } = world.clock;
      world.clock.time = Date.parse('2013-07-21T03:59:59Z');
      const months = (await get('climate/months?units=imperial')).body;
      const degreeDays = (await get('climate/degree-days')).body;
      const csv = await text('climate/months?format=csv');
      world.clock.time = time;
      const [july = {}] = months['months'] as Json[];
      const soFar = (reply: Json, list: string, element: string) => {
        const [row = {}] = reply[list] as Record<string, Json>[];
        return row[element]?.['so_far'];
      };
      const days = { days: 19, missing: 0, until: '2013-07-19' };
      expect(july['highest_temperature']).to.deep.equal({
        value: null,
        date: null,
        days: 31,
        missing: 0,
        rule: 'wmo_1203',
        valid: false,
        so_far: { value: 89.6, date: '2013-07-11', ...days },
      });
      expect(soFar(months, 'months', 'wet_days')).to.deep.equal({ ...days, value: 18, days: 18, missing: 1 });
      expect(soFar(months, 'by_year', 'mean_daily_minimum')).to.deep.equal({
        value: 68,
        days: 19,
        missing: 181,
        until: '2013-07-19',
      });
      expect(soFar(degreeDays, 'months', 'cooling')).to.deep.include(days);
      const lines = csv.split('\r\n');
      expect(lines).to.include(
        '2013-07,highest_temperature,°C,,,,31,0,wmo_1203,false,32,2013-07-11,19,0,2013-07-19,observations,,,',
      );
      expect((await get('climate/months')).body['months']).not.to.have.nested.property(
        '[0].highest_temperature.so_far',
      );
    });

    it('leaves out what the station never measured, and has no rows for one without observations', async () => {
      const { body } = await get('climate/months');
      expect(Object.keys(body['units'] as Json)).not.to.include('mean_wind_speed');
      const parts = ['months', 'by_year', 'indices'];
      for (const route of ROUTES.slice(0, 6)) {
        const { status, body: empty } = await get(route, 'empty');
        expect([status, empty['years']], route).to.deep.equal([200, null]);
        for (const part of parts) expect(empty[part] ?? [], `${route} ${part}`).to.deep.equal([]);
      }
      const report = await (await fetch(`${running.url}/v1/stations/empty/reports/noaa/2013-07.txt`)).text();
      expect(report).to.contain('NOT OBSERVED: temperature');
    });

    it('averages a period, and says how many years are missing', async () => {
      const { body } = await get('climate/normals?period=2010-2019');
      expect(body).to.deep.include({
        kind: 'period_average',
        period: { from: 2010, to: 2019 },
        years_needed: 8,
      });
      const july = (body['months'] as Json[])[6];
      expect(july?.['month']).to.equal('07');
      expect(july?.['mean_daily_minimum']).to.deep.equal({
        value: null,
        years: 1,
        missing_years: 9,
        days: 31,
        missing: 279,
        rule: 'years_80_percent',
        valid: false,
      });
      expect((body['whole_year'] as Json)['mean_daily_minimum']).to.include({ value: null, years: 0 });
      expect((await get('climate/normals')).body).to.deep.include({
        kind: 'normal',
        period: { from: 1991, to: 2020 },
        years_needed: 24,
      });
    });

    it('finds records with their local date, their time and the days that were searched', async () => {
      const { body } = await get('climate/records');
      const hottest = {
        value: 32,
        date: '2013-07-11',
        time: '2013-07-11T20:00:00Z',
        first: '2013-07-01',
        last: '2013-07-31',
        days: 31,
        source: 'observations',
        ties: [],
        tie_count: 0,
      };
      expect((body['all_time'] as Json)['highest_temperature']).to.deep.equal(hottest);
      const shifted = (await get('climate/records?day_start=20:00')).body['all_time'] as Json;
      expect(shifted['highest_temperature']).to.include({ value: 32, date: '2013-07-10' });
      const months = body['months'] as Json[];
      expect(months[6]?.['highest_temperature']).to.deep.equal(hottest);
      expect(months[0]?.['highest_temperature']).to.deep.equal({
        value: null,
        date: null,
        time: null,
        first: null,
        last: null,
        days: 0,
        source: null,
        ties: [],
        tie_count: 0,
      });
      expect((body['all_time'] as Json)['greatest_daily_precipitation']).to.deep.include({
        value: 24,
        time: null,
        date: '2013-07-01',
        tie_count: 29,
      });
    });

    it('finds the longest runs of days, with the rule by which a run ends', async () => {
      const { body } = await get('climate/records');
      const rule = 'complete_days';
      const streaks = body['streaks'] as Json;
      expect(Object.keys(streaks)).to.deep.equal(['dry_days', 'wet_days', 'frost_days', 'hot_days']);
      // The amount of an hour of 5 July is missing.
      expect(streaks['wet_days']).to.deep.equal({
        value: 26,
        from: '2013-07-06',
        to: '2013-07-31',
        may_be_longer: true,
        days: 30,
        rule,
        source: 'observations',
        ties: [],
        tie_count: 0,
      });
      expect(streaks['frost_days']).to.deep.include({ value: 0, from: null, to: null, days: 31, rule });
      expect(Object.keys(body['rules'] as Json)).to.deep.equal([rule]);
    });

    it('computes indices of years, seasons and months', async () => {
      const { body } = await get('climate/indices?frequency=month&units=imperial');
      const [july = {}] = body['indices'] as Json[];
      expect(july).to.deep.include({ period: '2013-07' });
      expect(july['TXx']).to.include({ value: 89.6, rule: 'climdex_month', valid: true });
      // A range is converted without the 32 degrees: 30 of the ranges are 10 °C, one is 12.
      expect((july['DTR'] as Json)['value']).to.be.closeTo((1.8 * 312) / 31, 1e-6);
      expect((body['titles'] as Json)['TXx']).to.equal('highest maximum');
      const ofYear = (await get('climate/indices?threshold=24')).body;
      expect((ofYear['indices'] as Json[])[0]?.['FD']).to.include({ value: null, rule: 'climdex_year' });
      expect(Object.keys(ofYear['titles'] as Json)).to.have.length(19);
      expect(ofYear).not.to.have.property('base');
    });

    it('computes the indices of percentiles if a base period is given', async () => {
      const { body } = await get('climate/indices?base=1991-2020');
      expect(body['base']).to.deep.equal({ from: 1991, to: 2020 });
      expect(Object.keys(body['titles'] as Json)).to.have.length(29);
      expect(body['units']).to.include({ TX90p: '%', WSDI: 'd', R95p: 'mm', R95pTOT: '%' });
      expect((body['indices'] as Json[])[0]?.['TX90p']).to.deep.include({
        value: null,
        rule: 'climdex_base',
      });
      const seasons = (await get('climate/indices?base=1991-2020&frequency=season')).body;
      expect(Object.keys(seasons['titles'] as Json))
        .to.include('TN10p')
        .and.not.to.include('WSDI');
    });

    it('names the method of an index of drought, and has the sum beside a month that is not standardized', async () => {
      const { body } = await get('climate/drought?index=spei&scale=1&units=imperial');
      expect(body).to.include({ index: 'spei', scale: 1, reference: null });
      expect(body['method']).to.contain('Vicente-Serrano').and.to.contain('Hargreaves');
      expect(body['units']).to.deep.equal({ spei: '1', water_balance: 'in' });
      const [july = {}] = body['months'] as Json[];
      // The amount of an hour of 5 July is missing.
      expect(july['spei']).to.include({ value: null, rule: 'standardized', days: 30, missing: 1 });
      expect(july['water_balance']).to.include({ value: null, rule: 'sum_of_months' });
      expect(Object.keys(body['rules'] as Json)).to.deep.equal(['standardized', 'sum_of_months']);
      const spi = (await get('climate/drought?reference=1991-2020')).body;
      expect(spi).to.deep.include({ index: 'spi', scale: 3, reference: { from: 1991, to: 2020 } });
    });

    it('has no return levels of a station with fewer than twenty years, and names the method', async () => {
      const { body } = await get('climate/return-levels?units=imperial');
      expect(body['method']).to.contain('Generalized extreme value').and.to.contain('Hosking');
      expect(body['interval']).to.contain('bootstrap');
      expect(body['units']).to.deep.equal({ greatest_daily_precipitation: 'in' });
      const levels = body['return_levels'] as Json;
      const rain = levels['greatest_daily_precipitation'] as { levels: Json[] };
      expect(rain).to.include({ years: 0, missing_years: 1, rule: 'extremes', valid: false });
      expect(rain.levels).to.have.length(6);
      expect(rain.levels[0]).to.deep.equal({ return_period: 2, value: null, low: null, high: null });
      expect(Object.keys(body['rules'] as Json)).to.deep.equal(['extremes']);
      expect(await text('climate/return-levels?format=csv')).to.match(
        /^element,unit,return_period,value,low,high,years,/,
      );
    });

    it('sums up degree days above and below bases in the unit of the reply', async () => {
      const { body } = await get('climate/degree-days?cooling_base=20&growing_base=15');
      const [july = {}] = body['months'] as Json[];
      // (30 + 20) / 2 on 30 days, (32 + 20) / 2 on one.
      expect(july['cooling']).to.include({ value: 30 * 5 + 6, rule: 'every_day' });
      expect(july['growing']).to.include({ value: 30 * 10 + 11 });
      expect(july['heating']).to.include({ value: 0 });
      expect(body).to.deep.include({
        mean: 'midrange',
        bases: { heating: 18.33333333, cooling: 20, growing: 15 },
      });
      const imperial = (await get('climate/degree-days?units=imperial&cooling_base=68&mean=mean')).body;
      // The mean is 25 °C, and on one day 12 × 20, 11 × 30 and 32.
      const [{ cooling } = { cooling: {} }] = imperial['months'] as { cooling: Json }[];
      expect(cooling['value']).to.be.closeTo(1.8 * (31 * 5 + 2 / 24), 1e-6);
      expect(imperial['units']).to.deep.include({ cooling: '°F d' });
    });

    it('gives the usual values of dates, in JSON and CSV, and says when too few years have values', async () => {
      await addStation(world, { id: 'years' });
      const days = [1, 2, 3, 4, 5].map((year) =>
        record(
          world,
          `201${year}-01-01T05:00:00Z`,
          {
            air_temperature: Array.from({ length: 24 }, () => year),
            wind_speed: Array.from({ length: 24 }, () => 2),
          },
          'years',
        ),
      );
      await Promise.all(days);
      const { body } = await get('climate/usual?from=12-25&to=01-08&variables=air_temperature', 'years');
      expect(body['years']).to.deep.equal({ from: 2011, to: 2015 });
      expect(body['units']).to.deep.equal({ air_temperature: '°C' });
      const dates = body['dates'] as string[];
      expect([dates.length, dates[0], dates[7], dates.at(-1)]).to.deep.equal([15, '12-25', '01-01', '01-08']);
      const { p10, p50, p90, count } = body['air_temperature'] as Record<string, unknown[]>;
      expect([p10?.[7], p50?.[7], p90?.[7], count?.[7]]).to.deep.equal([1, 3, 5, 5]);
      expect([count?.[0], count?.at(-1), p50?.[0]]).to.deep.equal([5, 5, 3]);
      const july = (await get('climate/usual?from=07-11&to=07-11&units=imperial')).body;
      expect(july['air_temperature']).to.deep.equal({ p10: [null], p50: [null], p90: [null], count: [15] });
      expect(Object.keys(july['units'] as Json)).to.deep.equal(['air_temperature', 'precipitation_amount']);
      const lines = (
        await text('climate/usual?from=02-29&to=03-01&format=csv&variables=air_temperature')
      ).split('\r\n');
      expect(lines.slice(0, 2)).to.deep.equal([
        'date,variable,unit,p10,p50,p90,count,source,daily_count',
        '02-29,air_temperature,°C,,,,0,observations,',
      ]);
      const hours = (await get('climate/usual?by=hour&from=07-11&to=07-12')).body;
      expect(hours['hours']).to.have.length(24);
      const byHour = hours['air_temperature'] as Record<string, unknown[][]>;
      expect([byHour['count']?.length, byHour['p10']?.[0]?.length]).to.deep.equal([2, 24]);
      expect([byHour['count']?.[1]?.[0], byHour['p50']?.[1]?.[0]]).to.deep.equal([15, null]);
      const hourLines = (await text('climate/usual?by=hour&from=07-11&to=07-11&format=csv')).split('\r\n');
      expect([hourLines[0], hourLines[24]]).to.deep.equal([
        'date,hour,variable,unit,p10,p50,p90,count',
        '07-11,23,air_temperature,°C,,,,15',
      ]);
      for (const query of ['from=02-30', 'to=2-1', 'variables=visibility', 'by=hour'])
        expect((await get(`climate/usual?${query}`)).status, query).to.equal(400);
    });

    it('has the same degree days as summaries with the same temperature of a day, and both say which one it is', async () => {
      const month =
        'summaries?interval=month&from=2013-07-01&to=2013-08-01&degree_days=heating,cooling,growing';
      const found = new Map<string, unknown>();
      for (const mean of ['mean', 'midrange', undefined]) {
        const query = `cooling_base=75.5&units=imperial${mean === undefined ? '' : `&mean=${mean}`}`;
        const ofClimate = (await get(`climate/degree-days?${query}`)).body;
        const ofSummaries = (await get(`${month}&${query}`)).body;
        const { mean: used, bases } = ofClimate;
        expect(used).to.equal(mean ?? 'midrange');
        expect(ofSummaries['degree_days']).to.deep.equal({ mean: mean ?? 'mean', bases });
        expect(bases).to.deep.equal({ heating: 65, cooling: 75.5, growing: 50 });
        if (mean === undefined) continue;
        const [july = {}] = ofClimate['months'] as Record<string, Json>[];
        const [{ air_temperature: air } = { air_temperature: {} }] = ofSummaries['summaries'] as {
          air_temperature: Json;
        }[];
        for (const kind of ['heating', 'cooling', 'growing'])
          expect(air[`${kind}_degree_days`], `${mean} ${kind}`).to.be.closeTo(
            july[kind]?.['value'] as number,
            1e-6,
          );
        found.set(mean, air['cooling_degree_days']);
      }
      expect(found.get('mean')).not.to.be.closeTo(found.get('midrange') as number, 0.1);
      expect((await get(month.replace(/&degree_days.*/, ''))).body).not.to.have.property('degree_days');
    });

    it('says what each element is: a mean of daily means is not that of all values', async () => {
      for (const route of ['months', 'normals?period=2010-2019']) {
        const { titles, units } = (await get(`climate/${route}`)).body as { titles: Json; units: Json };
        expect(titles['mean_temperature'], route).to.equal('mean of the daily means of all values');
        expect(Object.keys(titles), route).to.deep.equal(Object.keys(units));
      }
      expect(await text('reports/noaa/2013-07.txt?units=metric')).to.contain(
        '\nMEANS: of all values. DEGREE DAYS: from the mean of each day, base 18.3 C\n',
      );
    });

    it('refuses bases that no air has, and years that no report can have, and names the bounds', async () => {
      for (const [units, least, most, unit] of [
        ['metric', -80, 60, '°C'],
        ['imperial', -112, 140, '°F'],
        ['si', 193.15, 333.15, 'K'],
      ] as const) {
        for (const route of ['climate/degree-days', 'summaries']) {
          for (const field of ['heating_base', 'cooling_base', 'growing_base']) {
            const ask = (base: number) => get(`${route}?units=${units}&${field}=${base}`);
            for (const base of [least, most])
              expect((await ask(base)).status, `${field} ${base}`).to.equal(200);
            for (const base of [least - 0.01, most + 0.01, 500]) {
              const { status, body } = await ask(Number(base.toFixed(2)));
              expect([status, body['error']], `${field} ${base}`).to.deep.equal([400, 'REQUEST_INVALID']);
              expect(body['message']).to.contain(field).and.contain(`from ${least} to ${most} ${unit}`);
            }
          }
        }
      }
      for (const year of ['0000', '1599', '9999']) {
        for (const file of [`${year}.txt`, `${year}-12.txt`]) {
          const { status, body } = await get(`reports/noaa/${file}`);
          expect([status, body['error']], file).to.deep.equal([400, 'REQUEST_INVALID']);
          expect(body['message'], file).to.contain('from 1600 to 9998');
        }
      }
      for (const file of ['1600.txt', '9998-12.txt'])
        expect(await text(`reports/noaa/${file}`), file).to.contain('NOT OBSERVED: temperature');
    });

    it('writes tables as CSV, a line for each number', async () => {
      const months = (await text('climate/months?format=csv')).split('\r\n');
      expect(months[0]).to.equal(
        'period,element,unit,value,date,years,days,missing,rule,valid,so_far,so_far_date,so_far_days,so_far_missing,so_far_until,' +
          'source,daily_days,multiday_days,split_days',
      );
      expect(months).to.include(
        '2013-07,highest_temperature,°C,32,2013-07-11,,31,0,wmo_1203,true,,,,,,observations,,,',
      );
      expect(months).to.include('2013-07,precipitation,mm,,,,30,1,every_day,false,,,,,,observations,,,');
      const records = (await text('climate/records?format=csv')).split('\r\n');
      expect(records).to.include(
        'all,highest_temperature,°C,32,2013-07-11,2013-07-11T20:00:00Z,2013-07-01,2013-07-31,31,,0,,observations,',
      );
      expect(records).to.include('streak,hot_days,d,31,2013-07-01,,,,31,2013-07-31,0,,observations,');
      for (const route of [
        'climate/normals',
        'climate/anomalies',
        'climate/drought',
        'climate/indices',
        'climate/degree-days',
      ])
        expect(await text(`${route}?format=csv`), route).to.match(/^period,element,unit,value,/);
    });

    it('writes reports as text in UTF-8', async () => {
      const reply = await fetch(`${running.url}${STATION}/reports/noaa/2013-07.txt`);
      expect(reply.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      const lines = (await reply.text()).split('\n');
      expect(lines[0]?.trim()).to.equal('MONTHLY CLIMATOLOGICAL SUMMARY for Jul 2013');
      expect(lines.find((line) => line.startsWith(' 11'))).to.equal(
        ' 11   77.2   89.6  16:00   68.0  00:00    0.0   12.2   0.94    N/A    N/A    N/A    N/A',
      );
      expect(lines.find((line) => line.startsWith(' 11'))).to.have.length(87);
      // The mean of all values of the month.
      expect(lines.at(13 + 31 + 1)?.slice(0, 38)).to.equal('      77.0   89.6     11   68.0     01');
      const shifted = await text('reports/noaa/2013-07.txt?day_start=20:00');
      expect(shifted).to.match(/^ 10 .* 89\.6 {2}16:00 /m);
      expect(await text('reports/noaa/2013-07.txt?units=metric')).to.contain('TEMPERATURE (C), RAIN (mm)');
    });

    it('has an ETag that changes with the data and the question', async () => {
      for (const route of ROUTES) {
        const reply = await fetch(`${running.url}${STATION}/${route}`);
        const etag = reply.headers.get('etag') ?? '';
        // `fetch` accepts gzip, and some of these replies are too short for it.
        expect(etag, route).to.match(/^"[\w-]{27}(?:-gzip)?"$/);
        const again = await fetch(`${running.url}${STATION}/${route}`, {
          headers: { 'If-None-Match': etag },
        });
        expect(again.status, route).to.equal(304);
        const other = await fetch(`${running.url}${STATION}/${route}?day_start=06:00`);
        expect(other.headers.get('etag'), route).not.to.equal(etag);
      }
      const etags = await Promise.all(
        ['2013.txt', '2013-07.txt'].map(async (file) => {
          const reply = await fetch(`${running.url}${STATION}/reports/noaa/${file}`);
          return reply.headers.get('etag');
        }),
      );
      expect(etags[0]).not.to.equal(etags[1]);
    });

    it('has the days of the time zone in the question, the same as those of a station in that zone', async () => {
      for (const zone of ['-05:00', '+14:00', 'Asia/Kathmandu']) {
        const id = zone.replace(/\W/g, '_');
        await addStation(world, { id, timeZone: zone });
        const hours = Array.from({ length: 31 * 24 }, (_, hour) => (hour * 7) % 23);
        for (const station of [id, `${id}-utc`]) {
          if (station !== id) await addStation(world, { id: station, timeZone: 'UTC' });
          await record(
            world,
            '2012-12-31T12:00:00Z',
            { air_temperature: hours, precipitation_amount: hours },
            station,
          );
        }
        const sameOf = async (station: string, route: string) => {
          const reply = await fetch(`${running.url}/v1/stations/${station}/${route}`);
          return (await reply.text()).replace(`"station":"${station}"`, '');
        };
        const query = `timezone=${encodeURIComponent(zone)}`;
        for (const route of ROUTES) {
          const own = await sameOf(id, route);
          expect(own, route).to.contain(
            route.endsWith('.txt') ? `TIMES: ${zone}\n` : `"time_zone":"${zone}"`,
          );
          expect(await sameOf(`${id}-utc`, `${route}?${query}`), route).to.equal(own);
          expect(await sameOf(`${id}-utc`, `${route}?timezone=UTC`), route).not.to.equal(own);
        }
      }
      // A blank is what a client sends for a plus that it did not encode.
      expect((await get('climate/records?timezone=+14:00')).body['time_zone']).to.equal('+14:00');
    });

    it('refuses what it cannot understand, and an unknown station', async () => {
      for (const route of ROUTES) {
        const unknown = await get(route, 'none');
        expect(unknown, route).to.deep.include({ status: 404 });
        expect(unknown.body['error'], route).to.equal('STATION_UNKNOWN');
        expect((await get(`${route}?day_start=25:00`)).status, route).to.equal(400);
        for (const id of ['JFK', 'empty']) {
          const { status, body } = await get(`${route}?timezone=-25:00`, id);
          expect([status, body['message']], route).to.deep.equal([
            400,
            'There is no time zone "-25:00": use a name such as Europe/Paris or an offset such as +01:00.',
          ]);
        }
      }
      const wrong = [
        'climate/months?years=13',
        'climate/months?years=2014-2013',
        'climate/months?rule=none',
        'climate/normals?period=2013',
        'climate/normals?years=1991-2020',
        'climate/anomalies?period=2013',
        'climate/drought?index=pdsi',
        'climate/drought?scale=2',
        'climate/drought?reference=2001-2010',
        'climate/indices?frequency=week',
        'climate/indices?threshold=-1',
        'climate/indices?base=1991-1999',
        'climate/indices?base=1961-2020',
        'climate/degree-days?cooling_base=warm',
        'reports/noaa/2013-13.txt',
        'reports/noaa/2013',
        'reports/noaa/2013.txt?units=si',
      ];
      for (const route of wrong) expect((await get(route)).body['error'], route).to.equal('REQUEST_INVALID');
    });
  });
}
