import { expect } from 'chai';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { CALENDAR_INTERVALS } from '#domain/weather/summaries/bucket.js';
import { addStation, record } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

describe('summaries of precipitation with traces', () => {
  const NONE = Number.NaN;
  const summarize = async (world: World, interval: (typeof CALENDAR_INTERVALS)[number], names?: string[]) => {
    const described = await world.get(DescribeStation).execute('JFK');
    const input = {
      interval,
      timeZone: 'station',
      dayStart: 0,
      from: undefined,
      to: undefined,
      variables: names,
      quality: 'pass' as const,
    };
    const page = await world.get(Summarize).execute(described, input);
    return { names: page.variables.map(({ name }) => name), rows: [...page.rows] };
  };

  it('count them in every interval, whether the marks are asked for or not', async () => {
    const world = await World.make();
    await addStation(world, { timeZone: 'UTC' });
    // Two days of hours: a trace in the first hour, at the midnight that ends the first day, and in the last hour.
    const hours = Array.from({ length: 48 }, (_, hour) => hour);
    const traces = new Set([0, 23, 47]);
    await record(world, '2013-07-01T01:00:00Z', {
      precipitation_amount: hours.map((hour) => (hour === 5 ? 2 : 0)),
      precipitation_trace: hours.map((hour) => (traces.has(hour) ? 1 : NONE)),
      air_temperature: hours.map((hour) => 20 + (hour % 3)),
    });
    for (const asked of [
      ['precipitation_amount'],
      ['precipitation_amount', 'precipitation_trace'],
      undefined,
    ]) {
      for (const interval of CALENDAR_INTERVALS) {
        const { names, rows } = await summarize(world, interval, asked);
        if (asked !== undefined) expect(names).to.deep.equal(asked);
        const at = names.indexOf('precipitation_amount');
        const counts = rows.map((row) => row.traces[at] ?? 0);
        const where = `${interval} ${asked?.join()}`;
        expect(
          counts.reduce((sum, count) => sum + count, 0),
          where,
        ).to.equal(3);
        if (interval === 'day')
          expect(
            counts.filter((count) => count > 0),
            where,
          ).to.deep.equal([2, 1]);
        expect(
          rows.map((row) => row.statistics[at]?.sum).filter((sum) => (sum ?? 0) > 0),
          where,
        ).to.deep.equal([2]);
        // Other variables have none.
        const others = rows.flatMap((row) => row.traces.filter((_one, index) => index !== at));
        expect(
          others.every((one) => one === undefined),
          where,
        ).to.equal(true);
      }
    }
    // Marks and values of days make no interval incomplete.
    const { rows } = await summarize(world, 'day');
    expect(rows.map(({ complete }) => complete)).to.include(true);
  });

  it('are 0 of a station without any', async () => {
    const world = await World.make();
    await addStation(world);
    await record(world, '2013-07-01T05:00:00Z', { precipitation_amount: [0, 0.2] });
    const { rows } = await summarize(world, 'day', ['precipitation_amount']);
    expect(rows.map(({ traces }) => traces)).to.deep.equal([[0]]);
  });

  it('leave an hour complete that has no value of the day', async () => {
    const world = await World.make();
    await addStation(world, { timeZone: 'UTC' });
    await record(world, '2013-07-01T00:00:00Z', {
      air_temperature: [20, 21, 22],
      daily_maximum_air_temperature: [NONE, 25, NONE],
    });
    const { rows } = await summarize(world, 'hour');
    expect(rows.slice(-3).map(({ complete }) => complete)).to.deep.equal([true, true, true]);
  });
});
