import { expect } from 'chai';
import { ComputeIndices } from '#application/observations/climate/compute-indices.js';
import { FindRecords } from '#application/observations/climate/find-records.js';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { SumDegreeDays } from '#application/observations/climate/sum-degree-days.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { ClimateTable } from '#application/observations/climate/climate-table.js';
import type { DaySource } from '#domain/weather/climate/provenance.js';
import { dateText } from '#domain/weather/climate/climate-days.js';
import { DEFAULT_BASES } from '#domain/weather/summaries/of-days.js';
import { V } from '#domain/weather/variables.js';
import { addStation, record, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const DAY = 86_400_000;

/** Records values of days whose periods end at `first`, and a day, two days … later. */
async function recordDays(
  world: World,
  first: string,
  values: Readonly<Record<string, readonly number[]>>,
): Promise<void> {
  const length = Object.values(values)[0]?.length ?? 0;
  const times = Float64Array.from({ length }, (_, day) => Date.parse(first) + day * DAY);
  await world
    .get(RecordObservations)
    .execute({ stations: 'JFK', times, columns: sentColumns(values) }, CALLER);
}

const july = <T>(of: (day: number) => T) => Array.from({ length: 31 }, (_, day) => of(day + 1));
const described = (world: World) => world.get(DescribeStation).execute('JFK');
const table = async (world: World, source?: DaySource) =>
  world.get(ListClimateMonths).execute(await described(world), { dayStart: 0, rule: 'wmo_1203', source });
const valuesOf = ({ elements, sections }: Pick<ClimateTable, 'elements' | 'sections'>, label: string) =>
  Object.fromEntries(
    (sections['months']?.find((row) => row.label === label)?.figures ?? []).map((figure, index) => [
      elements[index]?.name,
      figure.value,
    ]),
  );

describe('values of days in the climate of a station', () => {
  /** A July with hourly values and with values of days in standard time: the true extremes lie between the hours. */
  async function given(): Promise<World> {
    const world = await World.make();
    await addStation(world);
    const hours = Array.from({ length: 31 * 24 }, (_, hour) => hour % 24);
    await record(world, '2013-07-01T04:00:00Z', {
      air_temperature: hours.map((hour) => (hour < 12 ? 20 : 30)),
      relative_humidity: hours.map((hour) => 50 + (hour % 3)),
    });
    await record(world, '2013-07-01T05:00:00Z', { precipitation_amount: hours.map(() => 1) });
    await recordDays(world, '2013-07-02T05:00:00Z', {
      daily_maximum_air_temperature: july((day) => (day === 31 ? 33 : 31)),
      daily_minimum_air_temperature: july((day) => (day === 1 ? 17 : 19)),
      daily_precipitation_amount: july(() => 25),
    });
    return world;
  }

  it('are taken if they are asked for, in place of what is computed, and never mixed with it', async () => {
    const world = await given();
    for (const source of [undefined, 'observations'] as const) {
      const observed = await table(world, source);
      expect(observed.source).to.equal('observations');
      expect(valuesOf(observed, '2013-07')).to.deep.equal({
        mean_temperature: 25,
        mean_of_daily_extremes: 25,
        mean_daily_maximum: 30,
        mean_daily_minimum: 20,
        highest_temperature: 30,
        lowest_temperature: 20,
        precipitation: 744,
        wet_days: 31,
        greatest_daily_precipitation: 24,
        mean_relative_humidity: 51,
        frost_days: 0,
        ice_days: 0,
        summer_days: 31,
        hot_days: 31,
        tropical_nights: 31,
      });
    }
    const daily = await table(world, 'daily');
    expect([daily.source, daily.years]).to.deep.equal(['daily', { from: 2013, to: 2013 }]);
    const {
      mean_daily_maximum: maximum,
      mean_daily_minimum: minimum,
      ...others
    } = valuesOf(daily, '2013-07');
    expect(maximum).to.be.closeTo((30 * 31 + 33) / 31, 1e-9);
    expect(minimum).to.be.closeTo((17 + 30 * 19) / 31, 1e-9);
    expect(others['mean_of_daily_extremes']).to.be.closeTo(((maximum ?? 0) + (minimum ?? 0)) / 2, 1e-9);
    // Nobody has published a mean.
    expect(others).not.to.have.property('mean_temperature');
    expect(others).to.include({
      highest_temperature: 33,
      lowest_temperature: 17,
      precipitation: 775,
      greatest_daily_precipitation: 25,
      mean_relative_humidity: 51,
      tropical_nights: 0,
    });
    expect(daily.sections['months']?.map(({ label }) => label)).to.deep.equal(['2013-07']);
  });

  it('have the new snow that was published, and the depth of the snow that was observed on the day', async () => {
    const world = await World.make();
    await addStation(world, { reportingInterval: 86_400 });
    await recordDays(world, '2013-07-02T04:00:00Z', {
      daily_minimum_air_temperature: july(() => -9),
      daily_thickness_of_snowfall_amount: july((day) => (day === 3 ? 60 : 1)),
      surface_snow_thickness: july((day) => (day < 11 ? 0 : day / 100)),
    });
    const { source, sections, elements } = await table(world);
    expect([source, elements.map(({ name }) => name).slice(-3)]).to.deep.equal([
      'daily',
      ['new_snow', 'greatest_snow_depth', 'snow_cover_days'],
    ]);
    expect(valuesOf({ elements, sections }, '2013-07')).to.include({
      frost_days: 31,
      new_snow: 90,
    });
    const snow = sections['months']?.find(({ label }) => label === '2013-07')?.figures.at(-2);
    // The row at the end of 31 July is at the start of 1 August.
    expect(snow).to.include({ value: 0.3, days: 30, missing: 1, valid: true });
  });

  it('are read alone: of rows with many values, the values of days and of elements that nobody publishes', async () => {
    const world = await given();
    const { observations } = world.stores;
    const read = observations.read.bind(observations);
    const sum = observations.sum.bind(observations);
    const asked: (readonly number[] | undefined)[] = [];
    observations.read = (query) => {
      asked.push(query.variables);
      return read(query);
    };
    observations.sum = (query) => {
      asked.push(query.columns);
      return sum(query);
    };
    const input = { dayStart: 0, source: 'daily' } as const;
    const station = await described(world);
    await world.get(SumDegreeDays).execute(station, { ...input, bases: DEFAULT_BASES, mean: 'midrange' });
    await world.get(ComputeIndices).execute(station, { ...input, frequency: 'year', threshold: 1 });
    const ofDays: number[] = [V.dailyMaximum, V.dailyMinimum, V.dailyPrecipitation];
    expect(asked.length).to.be.above(0);
    for (const variables of asked) expect(ofDays).to.include.members([...(variables ?? [V.temperature])]);
    asked.length = 0;
    await table(world, 'daily');
    for (const variables of asked)
      expect(variables).to.be.an('array').that.does.not.include.members([V.temperature]);
    expect(asked.flat()).to.include(V.dailyMaximum).and.not.to.include(V.precipitation);
  });

  it('give records their day and no time, and are the source of indices and degree days', async () => {
    const world = await given();
    const input = { dayStart: 0, source: 'daily' } as const;
    const records = await world.get(FindRecords).execute(await described(world), input);
    expect(records.source).to.equal('daily');
    const all = records.rows.at(-1)?.records ?? [];
    const at = (name: string) => all[records.elements.findIndex((element) => element.name === name)];
    const shown = ['highest_temperature', 'lowest_temperature'].map((name) => {
      const { value, date, time } = at(name) ?? { value: 0, date: 0, time: 0 };
      return [value, dateText(date), time];
    });
    expect(shown).to.deep.equal([
      [33, '2013-07-31', Number.NaN],
      [17, '2013-07-01', Number.NaN],
    ]);
    const indices = await world
      .get(ComputeIndices)
      .execute(await described(world), { ...input, frequency: 'month', threshold: 1 });
    expect(indices.source).to.equal('daily');
    const month = Object.values(indices.sections).flat()[0];
    expect(month?.figures[indices.elements.findIndex(({ name }) => name === 'TXx')]).to.include({
      value: 33,
    });
    const degreeDays = await world.get(SumDegreeDays).execute(await described(world), {
      ...input,
      bases: { ...DEFAULT_BASES, cooling: 10 },
      mean: 'midrange',
    });
    const [, cooling] = degreeDays.sections['months']?.[0]?.figures ?? [];
    expect(cooling?.value).to.be.closeTo((30 * 31 + 33 + 17 + 30 * 19) / 2 - 310, 1e-9);
  });

  it('belong to the day that has most of their 24 hours', async () => {
    const dates = async (end: string, timeZone: string) => {
      const world = await World.make();
      await addStation(world, { timeZone });
      await recordDays(world, end, { daily_precipitation_amount: [7] });
      const { rows } = await world.get(FindRecords).execute(await described(world), { dayStart: 0 });
      return dateText(rows.at(-1)?.records[0]?.date ?? 0);
    };
    for (const [end, timeZone, date] of [
      // Midnight, and midnight of standard time in summer, when clocks show 01:00.
      ['2013-01-02T05:00:00Z', 'America/New_York', '2013-01-01'],
      ['2013-07-02T05:00:00Z', 'America/New_York', '2013-07-01'],
      // 07:00 and 09:00, in winter and in summer.
      ['2013-07-02T11:00:00Z', 'America/New_York', '2013-07-01'],
      ['2013-01-02T09:00:00Z', 'Europe/London', '2013-01-01'],
      ['2013-07-02T09:00:00Z', 'Europe/London', '2013-07-01'],
      // Noon has two halves; behind it the day itself has more.
      ['2013-01-02T12:00:00Z', 'Europe/London', '2013-01-01'],
      ['2013-01-02T12:00:01Z', 'Europe/London', '2013-01-02'],
      ['2013-01-02T18:00:00Z', 'Europe/London', '2013-01-02'],
      // The last day of a year, of a day of 25 hours and of one of 23, and beyond the date line.
      ['2013-01-01T00:00:00Z', 'UTC', '2012-12-31'],
      ['2013-01-01T12:00:00Z', 'UTC', '2012-12-31'],
      ['2013-11-04T05:00:00Z', 'America/New_York', '2013-11-03'],
      ['2013-03-11T05:00:00Z', 'America/New_York', '2013-03-10'],
      ['2013-01-02T10:00:00Z', 'Pacific/Auckland', '2013-01-02'],
    ] as const)
      expect(await dates(end, timeZone), `${end} ${timeZone}`).to.equal(date);
  });

  it('alone have years by the rule of 12:00: the years of observations are those of their dates', async () => {
    const yearsOf = async (observed: string, hours: number, daily?: string) => {
      const world = await World.make();
      await addStation(world, { timeZone: 'UTC' });
      await record(world, observed, { air_temperature: Array.from({ length: hours }, () => 10) });
      await record(world, observed, { relative_humidity: Array.from({ length: hours }, () => 60) });
      if (daily !== undefined) await recordDays(world, daily, { daily_precipitation_amount: [7] });
      return (await table(world, 'daily')).years;
    };
    // No value of a day.
    expect(await yearsOf('2013-01-01T02:00:00Z', 48)).to.deep.equal({ from: 2013, to: 2013 });
    expect(await yearsOf('2013-12-31T02:00:00Z', 30)).to.deep.equal({ from: 2013, to: 2014 });
    // A later value of a day; one before the observations; one that is the last row.
    expect(await yearsOf('2013-01-01T02:00:00Z', 48, '2013-01-02T00:00:00Z')).to.deep.equal({
      from: 2013,
      to: 2013,
    });
    expect(await yearsOf('2013-01-01T02:00:00Z', 48, '2013-01-01T00:00:00Z')).to.deep.equal({
      from: 2012,
      to: 2013,
    });
    expect(await yearsOf('2013-12-30T02:00:00Z', 40, '2014-01-01T00:00:00Z')).to.deep.equal({
      from: 2013,
      to: 2013,
    });
  });

  it('to 09:00 are on the day of their time in summaries, and on the official day in the climate and in days from 12:00', async () => {
    const world = await World.make();
    await addStation(world, { timeZone: 'UTC' });
    await recordDays(world, '2013-07-02T09:00:00Z', { daily_precipitation_amount: [7] });
    const daysOf = async (dayStart: number) => {
      const { rows, format } = await world.get(Summarize).execute(await described(world), {
        interval: 'day',
        timeZone: 'station',
        dayStart,
        from: '2013-06-30',
        to: '2013-07-05',
        variables: ['daily_precipitation_amount'],
        quality: 'pass',
      });
      return [...rows]
        .filter(({ statistics }) => statistics[0]?.sum === 7)
        .map(({ start }) => format(start).slice(0, 10));
    };
    expect(await daysOf(0)).to.deep.equal(['2013-07-02']);
    expect(await daysOf(12 * 60)).to.deep.equal(['2013-07-01']);
    const { rows } = await world.get(FindRecords).execute(await described(world), { dayStart: 0 });
    expect(dateText(rows.at(-1)?.records[0]?.date ?? 0)).to.equal('2013-07-01');
  });

  it('are taken of a station that has nothing else, unless observations are asked for', async () => {
    const world = await World.make();
    await addStation(world, { reportingInterval: null });
    await recordDays(world, '2013-07-02T05:00:00Z', {
      daily_maximum_air_temperature: july(() => 30),
      daily_mean_air_temperature: july(() => 24),
      daily_minimum_air_temperature: july(() => 20),
      daily_precipitation_amount: july((day) => day % 2),
    });
    const found = await table(world);
    expect([found.source, found.years]).to.deep.equal(['daily', { from: 2013, to: 2013 }]);
    expect(valuesOf(found, '2013-07')).to.include({
      mean_temperature: 24,
      mean_daily_maximum: 30,
      wet_days: 16,
    });
    const observed = await table(world, 'observations');
    expect([observed.source, observed.elements]).to.deep.equal(['observations', []]);
  });
});
