import { expect } from 'chai';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import type { CalendarInterval } from '#domain/weather/summaries/bucket.js';
import { addStation, record } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const NOVEMBER = Date.UTC(2013, 10, 1);
const DAY = 86_400_000;

describe('summaries of a station whose reporting interval changed', () => {
  /** A world with hourly values of October and November. The reporting interval is changed at `since`. */
  async function given(before: number | null, after: number | null, since = NOVEMBER): Promise<World> {
    const world = await World.make();
    await addStation(world, { reportingInterval: before, timeZone: 'UTC' });
    const ones = Array.from({ length: 61 * 24 + 1 }, () => 1);
    await record(world, '2013-10-01T00:00:00Z', { air_temperature: ones, precipitation_amount: ones });
    await world
      .get(ChangeStations)
      .execute([{ id: 'JFK', change: { reportingInterval: after }, since }], CALLER);
    return world;
  }

  async function rowsOf(world: World, interval: CalendarInterval, from: number, to: number) {
    const described = await world.get(DescribeStation).execute('JFK');
    const { rows } = await world.get(Summarize).execute(described, {
      interval,
      timeZone: 'station',
      dayStart: 0,
      variables: ['air_temperature', 'precipitation_amount'],
      quality: 'pass',
      from,
      to,
    });
    return [...rows];
  }

  const cases = [
    { before: 3600, after: 300, expected: [24, 288], complete: [true, false] },
    { before: 300, after: 3600, expected: [288, 24], complete: [false, true] },
    { before: null, after: 300, expected: [null, 288], complete: [true, false] },
    { before: 300, after: null, expected: [288, null], complete: [false, true] },
  ] as const;

  for (const { before, after, expected, complete } of cases) {
    it(`are checked by the interval of their time: ${before} s before, ${after} s after`, async () => {
      const world = await given(before, after);
      const days = await rowsOf(world, 'day', NOVEMBER - DAY, NOVEMBER + DAY);
      expect(days.map((day) => day.expected)).to.deep.equal(expected);
      for (const index of [0, 1])
        expect(days.map(({ completeness }) => completeness[index]?.valid)).to.deep.equal(complete);
      // The amount at the first instant of November belongs to the last hour of October.
      const hours = await rowsOf(world, 'hour', NOVEMBER - DAY / 24, NOVEMBER + DAY / 24);
      for (const index of [0, 1])
        expect(hours.map(({ completeness }) => completeness[index]?.complete)).to.deep.equal(complete);
      const table = await world
        .get(ListClimateMonths)
        .execute(await world.get(DescribeStation).execute('JFK'), { dayStart: 0, rule: 'wmo_1203' });
      for (const name of ['mean_temperature', 'precipitation']) {
        const column = table.elements.findIndex((element) => element.name === name);
        const months = (table.sections['months'] ?? []).filter(({ label }) => /^2013-1[01]$/.test(label));
        expect(months.map(({ figures }) => figures[column]?.valid)).to.deep.equal(complete);
      }
    });
  }

  it('expect each part of an interval by the reporting interval of its time', async () => {
    const world = await given(3600, 300, NOVEMBER + 10.5 * DAY);
    const [month] = await rowsOf(world, 'month', NOVEMBER, NOVEMBER + 30 * DAY);
    expect(month?.expected).to.equal(10.5 * 24 + 19.5 * 288);
    // The day on which it changed is judged by the interval at its start.
    expect(month?.completeness.map(({ days }) => days)).to.deep.equal([11, 11]);
    const day = NOVEMBER + 10 * DAY;
    const [changed] = await rowsOf(world, 'day', day, day + DAY);
    expect([changed?.expected, changed?.complete]).to.deep.equal([12 + 144, true]);
  });
});
