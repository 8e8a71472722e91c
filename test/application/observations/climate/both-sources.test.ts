import { expect } from 'chai';
import fc from 'fast-check';
import { ComputeDrought } from '#application/observations/climate/compute-drought.js';
import { ComputeIndices } from '#application/observations/climate/compute-indices.js';
import { FindRecords } from '#application/observations/climate/find-records.js';
import { FindReturnLevels } from '#application/observations/climate/find-return-levels.js';
import { FindUsualValues } from '#application/observations/climate/find-usual-values.js';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { ReadClimateDays } from '#application/observations/climate/read-climate-days.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { dateNumber, type DayQuantity, QUANTITIES_OF_DAY } from '#domain/weather/climate/climate-days.js';
import { defaultSource, sourceOf } from '#domain/weather/climate/day-sources.js';
import type { DaySource } from '#domain/weather/climate/provenance.js';
import { variableNamed } from '#domain/weather/variables.js';
import { addStation, record, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const DAY = 86_400_000;
const QUANTITIES = Object.keys(QUANTITIES_OF_DAY) as DayQuantity[];
const isPublished = (one: DayQuantity) => sourceOf('daily', one) !== sourceOf('observations', one);

/** Records values of consecutive days at the midnights of UTC that follow them. NaN is no value. */
async function recordDays(
  world: World,
  first: string,
  values: Readonly<Record<string, readonly number[]>>,
): Promise<void> {
  const length = Object.values(values)[0]?.length ?? 0;
  const times = Float64Array.from({ length }, (_, day) => Date.parse(first) + (day + 1) * DAY);
  await world
    .get(RecordObservations)
    .execute({ stations: 'JFK', times, columns: sentColumns(values) }, CALLER);
}

async function given(): Promise<World> {
  const world = await World.make();
  await addStation(world, { timeZone: 'UTC' });
  return world;
}

const described = (world: World) => world.get(DescribeStation).execute('JFK');
const days = <T>(length: number, of: (day: number) => T) => Array.from({ length }, (_, day) => of(day));

async function months(world: World, source?: DaySource) {
  const table = await world
    .get(ListClimateMonths)
    .execute(await described(world), { dayStart: 0, rule: 'wmo_1203', source });
  const figureOf = (label: string, element: string) => {
    const rows = [...(table.sections['months'] ?? []), ...(table.sections['years'] ?? [])];
    const index = table.elements.findIndex(({ name }) => name === element);
    return rows.find((row) => row.label === label)?.figures[index];
  };
  return { ...table, figureOf };
}

describe('the climate from both sources', () => {
  it('has the published value of a day if there is one, otherwise the value of its observations', () => {
    const kind = fc.constantFrom('none', 'part', 'whole');
    const day = fc.record({ observed: kind, isPublished: fc.boolean() });
    return fc.assert(
      fc.asyncProperty(fc.array(day, { minLength: 31, maxLength: 31 }), async (made) => {
        const world = await given();
        const hours = made.flatMap(({ observed }, index) =>
          days(24, (hour) =>
            observed === 'none' || (observed === 'part' && hour > 9) ? Number.NaN : index + hour / 100,
          ),
        );
        await record(world, '2013-07-01T00:00:00Z', { air_temperature: hours });
        const published = made
          .map((one, index) => (one.isPublished ? 100 - index : Number.NaN))
          .map((one) => one / 2);
        await recordDays(world, '2013-07-01', { daily_maximum_air_temperature: published });
        const { figureOf, sources, source } = await months(world, 'both');
        const known = made.flatMap((one, index) => {
          if (one.isPublished) return [(100 - index) / 2];
          return one.observed === 'whole' ? [index + 0.23] : [];
        });
        const daily = made.filter((one) => one.isPublished).length;
        const figure = figureOf('2013-07', 'mean_daily_maximum');
        if (figure === undefined) return;
        expect(source).to.equal('both');
        expect([figure.days, figure.missing]).to.deep.equal([known.length, 31 - known.length]);
        if (figure.valid)
          expect(figure.value).to.be.closeTo(known.reduce((sum, one) => sum + one, 0) / known.length, 1e-9);
        if (sources.get('mean_daily_maximum') === 'both') {
          const expected = daily === 0 ? 'observations' : daily === known.length ? 'daily' : 'both';
          if (known.length > 0) expect(figure).to.include({ source: expected, dailyDays: daily });
        } else if (known.length > 0)
          expect(sources.get('mean_daily_maximum')).to.equal(daily === 0 ? 'observations' : 'daily');
      }),
      { numRuns: 12 },
    );
  });

  it('reaches back to the first daily value and on to the last observation, and names the source of each number', async () => {
    const world = await given();
    const length = 3 * 365;
    await recordDays(world, '2010-01-01', {
      daily_maximum_air_temperature: days(length, (day) => 10 + (day % 5)),
      daily_minimum_air_temperature: days(length, () => 2),
    });
    const hours = days(365 * 24, (hour) => 8 + Math.max(0, 23 - 4 * Math.abs(hour - 5000)));
    await record(world, '2013-01-01T00:00:00Z', { air_temperature: hours });
    const { figureOf, years, sources } = await months(world, 'both');
    expect(years).to.deep.equal({ from: 2010, to: 2013 });
    expect([sources.get('mean_daily_maximum'), sources.get('mean_temperature')]).to.deep.equal([
      'both',
      'observations',
    ]);
    expect(figureOf('2010-07', 'mean_daily_maximum')).to.include({ source: 'daily', dailyDays: 31 });
    expect(figureOf('2013-07', 'mean_daily_maximum')).to.include({ source: 'observations', dailyDays: 0 });
    expect(figureOf('2013', 'highest_temperature')).to.include({
      value: 31,
      source: 'observations',
      date: dateNumber('2013-07-28'),
    });
    // Elements of one source have no sources of their own.
    expect(figureOf('2013-07', 'mean_temperature')).not.to.have.property('source');
    // The last of the daily values is of 30 December 2012, because 2012 has 366 days.
    expect(figureOf('2012-12', 'mean_of_daily_extremes')).to.include({ days: 30, source: 'daily' });

    const records = await world
      .get(FindRecords)
      .execute(await described(world), { dayStart: 0, source: 'both' });
    const all = records.rows.at(-1)?.records ?? [];
    const recordOf = (name: string) => all[records.elements.findIndex((one) => one.name === name)];
    expect(recordOf('highest_temperature')).to.include({
      value: 31,
      source: 'observations',
      dailyDays: length,
    });
    expect(recordOf('highest_temperature')?.time).not.to.deep.equal(Number.NaN);
    const lowest = recordOf('lowest_temperature');
    expect(lowest).to.include({ value: 2, source: 'daily' });
    expect(lowest?.time).to.deep.equal(Number.NaN);
    const hot = records.streaks.find(([{ name }]) => name === 'hot_days')?.[1];
    expect(hot).to.include({ days: 1, source: 'observations', dailyDays: length });

    // The default stays what it was.
    expect((await months(world)).source).to.equal('observations');
    expect((await months(world)).years).to.deep.equal({ from: 2010, to: 2013 });
  });

  it('has records of incomplete days, whose true extremes are not lower', async () => {
    const world = await given();
    await recordDays(world, '2013-07-01', { daily_maximum_air_temperature: [30, 31, Number.NaN] });
    await record(world, '2013-07-03T12:00:00Z', { air_temperature: [33, 20] });
    const { rows } = await world
      .get(FindRecords)
      .execute(await described(world), { dayStart: 0, source: 'both' });
    expect(rows.at(-1)?.records[0]).to.include({
      value: 33,
      date: dateNumber('2013-07-03'),
      source: 'observations',
      dailyDays: 2,
      days: 3,
    });
  });

  it('are named by indices, drought, return levels and usual values', async () => {
    const world = await given();
    const length = 22 * 365;
    await recordDays(world, '1990-01-01', {
      daily_maximum_air_temperature: days(length, (day) => 10 + (day % 7)),
      daily_minimum_air_temperature: days(length, () => 2),
      daily_precipitation_amount: days(length, (day) => (day * 7) % 11),
      daily_maximum_wind_speed_of_gust: days(length, (day) => (day % 365 === 99 ? 25 + ((day * 7) % 11) : 8)),
    });
    const hours = days(400 * 24, (hour) => hour % 24);
    await record(world, '2012-01-01T00:00:00Z', {
      air_temperature: hours,
      wind_speed: hours,
      precipitation_amount: hours.map((hour) => hour / 24),
    });
    const station = await described(world);
    const input = { dayStart: 0, source: 'both' } as const;
    const indices = await world
      .get(ComputeIndices)
      .execute(station, { ...input, frequency: 'year', threshold: 1 });
    expect(new Set(indices.sources.values())).to.deep.equal(new Set(['both']));
    const [of2000, of2012] = ['2000', '2012'].map((year) =>
      Object.values(indices.sections)
        .flat()
        .find(({ label }) => label === year),
    );
    const at = indices.elements.findIndex(({ name }) => name === 'TXx');
    expect(of2000?.figures[at]).to.include({ source: 'daily', dailyDays: 366 });
    expect(of2012?.figures[at]).to.include({ source: 'observations', dailyDays: 0, value: 23 });

    const drought = await world.get(ComputeDrought).execute(station, { ...input, index: 'spei', scale: 3 });
    expect(drought.sources.get('spei')).to.equal('both');
    const sums = Object.fromEntries(
      (drought.sections['months'] ?? []).map(({ label, figures }) => [label, figures[1]]),
    );
    expect(sums['2005-06']).to.include({ source: 'daily', dailyDays: 91 });
    expect(sums['2012-01']).to.include({ source: 'both' });
    expect(sums['2012-06']).to.include({ source: 'observations', dailyDays: 0 });

    const levels = await world.get(FindReturnLevels).execute(station, input);
    expect(levels.sources.get('highest_wind')).to.equal('both');
    expect(levels.rows[levels.elements.findIndex(({ name }) => name === 'highest_wind')]).to.include({
      years: 22,
      dailyYears: 21,
      valid: true,
    });

    const usual = await world
      .get(FindUsualValues)
      .execute(station, { ...input, from: '07-01', to: '07-01', variables: ['precipitation_amount'] });
    expect(usual.usual.get('precipitation_amount')?.[0]?.count).to.equal(23 * 15);
    expect(usual.dailyCounts.get('precipitation_amount')).to.deep.equal([22 * 15]);
  });
});

describe('the published values of a day', () => {
  it('exist for each quantity but the highest and the lowest pressure', () => {
    expect(QUANTITIES.filter((one) => !isPublished(one))).to.deep.equal([
      'highestPressure',
      'lowestPressure',
    ]);
    for (const one of QUANTITIES.filter(isPublished)) {
      const observed = variableNamed(QUANTITIES_OF_DAY[one].variable);
      const published = variableNamed(sourceOf('daily', one).variable);
      expect(published, one).to.include({ unit: observed?.unit, period: 'day' });
    }
  });

  for (const quantity of QUANTITIES.filter(isPublished))
    it(`are read for ${quantity}, alone and beside observations`, async () => {
      const world = await given();
      const { variable } = sourceOf('daily', quantity);
      const base = quantity === 'pressure' ? 1000 : 0;
      await recordDays(world, '2013-07-01', { [variable]: [base + 3, Number.NaN, base + 5] });
      const read = async (source: DaySource, one: DayQuantity = quantity) => {
        const found = await world.get(ReadClimateDays).execute(await described(world), {
          years: { from: 2013, to: 2013 },
          dayStart: 0,
          quantities: [one],
          source,
        });
        const row = found.dates.indexOf(dateNumber('2013-07-01'));
        const values = Array.from(
          found.known(one).subarray(row - 1, row + 4),
          (value) => Math.round((value - base) * 1e9) / 1e9,
        );
        return { values, times: found.column(one).times, source: found.provenance(one).source };
      };
      const { NaN: none } = Number;
      for (const source of ['daily', 'both'] as const) {
        const { values, times } = await read(source);
        expect(values, source).to.deep.equal([none, 3, none, 5, none]);
        expect(times.every(Number.isNaN)).to.equal(true);
      }
      expect((await read('observations')).values).to.deep.equal([none, none, none, none, none]);
      expect(defaultSource((await described(world)).inventory.variables)).to.equal('daily');
      // Hourly values, in the rows of the published values too: a calm at midnight does not change a published direction.
      await record(world, '2013-07-01T00:00:00Z', {
        [QUANTITIES_OF_DAY[quantity].variable]: days(24 * 4, () => base + 4),
        ...(quantity === 'windDirection' && {
          wind_speed: days(24 * 4, (hour) => (hour % 24 === 0 ? 0 : 2)),
        }),
      });
      const both = await read('both');
      expect([both.values.slice(1, 4).map((value) => value === 3 || value === 5), both.source]).to.deep.equal(
        [[true, false, true], 'both'],
      );
      expect(both.values[2]).not.to.deep.equal(none);
      expect((await read('daily')).values).to.deep.equal([none, 3, none, 5, none]);
    });

  it('do not hide other observations with the source daily', async () => {
    const world = await given();
    await recordDays(world, '2013-07-01', { daily_maximum_air_temperature: [30, 31] });
    await record(world, '2013-07-01T00:00:00Z', {
      wind_speed: days(48, () => 3),
      air_temperature: days(48, () => 9),
    });
    const { elements, sources } = await months(world, 'daily');
    expect(elements.map(({ name }) => name))
      .to.include('mean_wind_speed')
      .and.not.to.include('mean_temperature');
    expect([sources.get('mean_wind_speed'), sources.get('mean_daily_maximum')]).to.deep.equal([
      'observations',
      'daily',
    ]);
  });

  it('are the default of a station without observations of the same quantities, and of no other', () => {
    const numbers = (...names: string[]) => names.map((name) => variableNamed(name)?.number ?? 0);
    for (const [names, source] of [
      [['daily_maximum_air_temperature'], 'daily'],
      [['daily_duration_of_sunshine'], 'daily'],
      [['daily_maximum_air_temperature', 'wind_speed'], 'daily'],
      [['daily_maximum_air_temperature', 'precipitation_amount'], 'observations'],
      [['daily_maximum_wind_speed_of_gust', 'wind_speed_of_gust'], 'observations'],
      [['daily_maximum_wind_speed_of_gust', 'wind_speed'], 'observations'],
      [['wind_speed'], 'observations'],
      [[], 'observations'],
    ] as const)
      expect(defaultSource(numbers(...names)), names.join()).to.equal(source);
  });
});

describe('amounts of several days of a station', () => {
  const amounts = (
    length: number,
    of: Readonly<Record<number, readonly [amount: number, days: number]>>,
  ) => ({
    multiday_precipitation_amount: days(length, (day) => of[day + 1]?.[0] ?? Number.NaN),
    multiday_precipitation_days: days(length, (day) => of[day + 1]?.[1] ?? Number.NaN),
  });

  it('are in the sum of the month, on no day, and in no month if their days are in two', async () => {
    const world = await given();
    const unknown = new Set([5, 6, 7, 30, 31, 32]);
    await recordDays(world, '2013-07-01', {
      daily_precipitation_amount: days(62, (day) => (unknown.has(day + 1) ? Number.NaN : 2)),
      ...amounts(62, { 7: [30, 3], 32: [40, 3] }),
    });
    const july = await months(world);
    expect(july.source).to.equal('daily');
    expect(july.figureOf('2013-07', 'precipitation')).to.include({
      days: 29,
      missing: 2,
      multidayDays: 3,
      splitDays: 2,
      valid: false,
    });
    expect(july.figureOf('2013-08', 'precipitation')).to.include({ missing: 1, splitDays: 1, valid: false });
    expect(july.figureOf('2013-07', 'wet_days')).to.include({ days: 26, missing: 5, multidayDays: 5 });
    const records = await world.get(FindRecords).execute(await described(world), { dayStart: 0 });
    expect(records.rows.at(-1)?.records[0]).to.include({ value: 2, days: 56 });
  });

  it('fill a month, with new snow as with rain, and win over observations of their days', async () => {
    const world = await given();
    const isIn = (day: number) => day >= 4 && day <= 6;
    await recordDays(world, '2013-07-01', {
      daily_precipitation_amount: days(31, (day) => (isIn(day) ? Number.NaN : 2)),
      daily_thickness_of_snowfall_amount: days(31, (day) => (isIn(day) ? Number.NaN : 10)),
      ...amounts(31, { 7: [30, 3] }),
      multiday_thickness_of_snowfall_amount: days(31, (day) => (day === 6 ? 50 : Number.NaN)),
      multiday_snowfall_days: days(31, (day) => (day === 6 ? 3 : Number.NaN)),
    });
    const { figureOf } = await months(world);
    expect(figureOf('2013-07', 'precipitation')).to.include({ value: 86, valid: true, multidayDays: 3 });
    expect(figureOf('2013-07', 'new_snow')).to.include({ value: 330, valid: true, multidayDays: 3 });
    expect(figureOf('2013-07', 'wet_days')).to.include({ missing: 3, valid: false });
    await record(world, '2013-07-01T01:00:00Z', { precipitation_amount: days(31 * 24, () => 1) });
    const both = await months(world, 'both');
    expect(both.figureOf('2013-07', 'precipitation')).to.include({ value: 86, valid: true });
    expect(both.figureOf('2013-07', 'wet_days')).to.include({ value: 31, valid: true, source: 'both' });
    expect(both.figureOf('2013-07', 'greatest_daily_precipitation')).to.include({
      value: 24,
      source: 'observations',
      dailyDays: 28,
    });
  });

  it('without a number of days are left out, and those that end in the next year are known', async () => {
    const world = await given();
    await recordDays(world, '2013-12-01', {
      daily_precipitation_amount: days(40, (day) => (day === 9 || (day >= 29 && day <= 32) ? Number.NaN : 2)),
      ...amounts(40, { 10: [30, Number.NaN], 33: [50, 4] }),
    });
    const found = await world
      .get(ListClimateMonths)
      .execute(await described(world), { dayStart: 0, rule: 'wmo_1203', years: { from: 2013, to: 2013 } });
    const at = found.elements.findIndex(({ name }) => name === 'precipitation');
    expect(found.sections['months']?.map(({ label, figures }) => [label, figures[at]])).to.deep.equal([
      ['2013-12', { value: Number.NaN, days: 28, missing: 3, rule: 'every_day', valid: false, splitDays: 2 }],
    ]);
  });

  it('of a day that are a trace count as 0, and not as a wet day', async () => {
    const world = await given();
    await recordDays(world, '2013-07-01', {
      daily_precipitation_amount: days(31, (day) => (day < 3 ? 0 : 2)),
      daily_precipitation_trace: days(31, (day) => (day < 3 ? 1 : Number.NaN)),
    });
    const { figureOf } = await months(world);
    expect(figureOf('2013-07', 'precipitation')).to.include({ value: 56, valid: true });
    expect(figureOf('2013-07', 'wet_days')).to.include({ value: 28, valid: true });
  });
});
