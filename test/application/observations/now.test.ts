import { expect } from 'chai';
import { FindFacts, reportsOf } from '#application/observations/now/find-facts.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { StationDraft } from '#domain/weather/station.js';
import { addStation, record } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

const HOUR = 3_600_000;
const time = (text: string) => Date.parse(text);
const hours = (count: number, value: (hour: number) => number) =>
  Array.from({ length: count }, (_, hour) => value(hour));

async function given(station: Partial<StationDraft> = {}): Promise<World> {
  const world = await World.make();
  await addStation(world, station);
  return world;
}

const described = (world: World) => world.get(DescribeStation).execute('JFK');
const factsOf = async (world: World) => await world.get(FindFacts).execute(await described(world));

describe('facts of the present weather', () => {
  it('are absent before the first row, and without the sensors', async () => {
    const world = await given();
    expect(reportsOf(await described(world))).to.equal('waiting');
    expect(await factsOf(world)).to.deep.equal({
      temperature: undefined,
      rain: undefined,
      drySince: undefined,
      usual: undefined,
    });
    await record(world, '2020-03-01T00:00:00Z', { relative_humidity: hours(48, () => 0.5) });
    expect(Object.values(await factsOf(world))).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  it('know when a station is silent: after three reporting intervals', async () => {
    const world = await given();
    await record(world, '2020-03-01T00:00:00Z', { air_temperature: [1] });
    for (const [age, state] of [
      [3 * HOUR, 'live'],
      [3 * HOUR + 1, 'silent'],
    ] as const) {
      world.clock.time = time('2020-03-01T00:00:00Z') + age;
      expect(reportsOf(await described(world))).to.equal(state);
    }
  });

  for (const timeZone of ['America/New_York', '+05:30', 'UTC']) {
    it(`find rain and the end of the last rain over gaps of months, days of 23 and 25 hours › ${timeZone}`, async () => {
      // 2013-03-10 has 23 hours in New York and 2013-11-03 has 25.
      for (const dryDays of [0, 1, 2, 5, 30, 34, 250, 390, 420]) {
        const world = await given({ timeZone });
        const wet = (hour: number) => (hour >= 60 && hour < 63 ? 0.5 : 0);
        const count = 64 + dryDays * 24;
        await record(world, '2013-03-08T00:00:00Z', { precipitation_amount: hours(count, wet) });
        const { rain, drySince } = await factsOf(world);
        const end = time('2013-03-10T14:00:00Z');
        expect(rain, `${dryDays}`).to.equal(undefined);
        expect(drySince, `${dryDays}`).to.equal(dryDays > 401 ? undefined : end);
      }
    });
  }

  it('say that it rains, also for days, and until an hour after the last wet interval', async () => {
    const world = await given();
    const wet = hours(100, (hour) => (hour > 10 && hour <= 98 ? 0.25 : 0));
    await record(world, '2020-03-01T00:00:00Z', { precipitation_amount: wet.slice(0, 99) });
    const { rain, drySince } = await factsOf(world);
    expect([rain, drySince]).to.deep.equal([
      { from: time('2020-03-01T10:00:00Z'), to: time('2020-03-05T02:00:00Z'), amount: 22 },
      undefined,
    ]);
    await record(world, '2020-03-05T03:00:00Z', { precipitation_amount: [0] });
    const after = await factsOf(world);
    expect([after.rain, after.drySince]).to.deep.equal([undefined, time('2020-03-05T02:00:00Z')]);
  });

  it('do not say that it was dry where amounts are missing', async () => {
    // A long gap in the rows of yesterday, in earlier days, and a gauge that reports no more.
    const wet = (hour: number) => (hour === 20 || hour === 102 ? 1 : 0);
    for (const [from, to] of [
      [0, 0],
      [300, 305],
      [103, 120],
      [312, 320],
    ] as const) {
      const world = await given();
      const amounts = hours(320, (hour) => (hour >= from && hour < to ? Number.NaN : wet(hour)));
      await record(world, '2020-03-01T00:00:00Z', {
        precipitation_amount: amounts,
        air_temperature: hours(320, () => 5),
      });
      const expected = to === 0 ? time('2020-03-05T06:00:00Z') : undefined;
      expect((await factsOf(world)).drySince, `${from}`).to.equal(expected);
    }
  });

  it('compare the last 24 hours with the date in other years, from the fifth year on', async () => {
    const world = await given();
    const year = async (number: number, temperature: number) =>
      await record(world, `${number}-11-15T05:00:00Z`, { air_temperature: hours(240, () => temperature) });
    for (const [index, temperature] of [6, 7, 8].entries()) await year(2015 + index, temperature);
    const today = hours(219, (hour) => (hour < 192 ? 7 : 1));
    await record(world, '2018-11-15T05:00:00Z', { air_temperature: today });
    expect((await factsOf(world)).usual).to.equal(undefined);
    await year(2014, 0);
    const { usual, temperature } = await factsOf(world);
    expect(temperature).to.deep.include({ value: 1, time: time('2018-11-24T07:00:00Z'), trend: 'steady' });
    expect(usual).to.deep.include({ direction: 'colder', date: '11-24', years: 5, since: 2014, mean: 1 });
    expect(usual).to.deep.include({ rank: { place: 2, of: 5 } });
    // A live demo repeats one recorded year.
    const station = await described(world);
    const live = { ...station, version: 'live', station: { ...station.station, demo: 'live' } } as const;
    expect((await world.get(FindFacts).execute(live)).usual).to.equal(undefined);
  });

  it('compare nothing if a large part of the last 24 hours is missing', async () => {
    const world = await given();
    for (const year of [2014, 2015, 2016, 2017, 2018])
      await record(world, `${year}-11-15T05:00:00Z`, { air_temperature: hours(240, () => 7) });
    const gap = hours(24, (hour) => (hour < 19 && hour > 12 ? Number.NaN : 1));
    await record(world, '2018-11-25T05:00:00Z', { air_temperature: gap });
    expect((await factsOf(world)).usual).to.equal(undefined);
  });
});
