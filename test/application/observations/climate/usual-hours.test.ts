import { expect } from 'chai';
import fc from 'fast-check';
import { FindUsualValues } from '#application/observations/climate/find-usual-values.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { dateNumber, dateText } from '#domain/weather/climate/climate-days.js';
import { percentile, usualHours, windowsIn } from '#domain/weather/climate/usual.js';
import { domainErrorOf } from '../../../support/rejection.js';
import { addStation, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const HALF_HOUR = 1_800_000;

/** Returns a function that writes the local time of the clock, as `2013-07-18T13`. */
function clockIn(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timeZone === '+05:30' ? 'Asia/Kolkata' : timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (time) => format.format(time).replace(' ', 'T').slice(0, 13);
}

/** The dates at most seven days from a date, by plain counting in a leap year. */
const near = (date: string) =>
  new Set(Array.from({ length: 15 }, (_, day) => dateText(dateNumber(`2016-${date}`) - 7 + day).slice(5)));

describe('climate › usual values of hours', () => {
  it('are the percentiles of the means of the same hour by the clock, as a plain count finds them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2 ** 31 - 2 }),
        fc.constantFrom(['03-10', '03-12'], ['11-03', '11-03'], ['02-28', '03-01'], ['12-29', '01-02']),
        fc.constantFrom('America/New_York', '+05:30', 'UTC'),
        async (seed, [from = '', to = ''], timeZone) => {
          const world = await World.make();
          await addStation(world, { timeZone, reportingInterval: HALF_HOUR / 1000 });
          let state = seed;
          const rows: [number, number][] = [];
          for (const year of [2011, 2012, 2013, 2014, 2015, 2016])
            for (const [first, last] of windowsIn(year, [from, to]))
              for (let time = (first - 1) * 86_400_000; time < (last + 2) * 86_400_000; time += HALF_HOUR) {
                state = (state * 48_271) % (2 ** 31 - 1);
                if (state % 9 !== 0) rows.push([time, (state % 11) / 8]);
              }
          const byTime = new Map(rows.toSorted(([a], [b]) => a - b));
          await world.get(RecordObservations).execute(
            {
              stations: 'JFK',
              times: Float64Array.from(byTime.keys()),
              columns: sentColumns({ air_temperature: [...byTime.values()] }),
            },
            CALLER,
          );
          const described = await world.get(DescribeStation).execute('JFK');
          const input = { dayStart: 0, from, to };
          const { dates, hours } = await world.get(FindUsualValues).hours(described, input);
          expect([dates[0], dates.at(-1), dates.length <= 5]).to.deep.equal([from, to, true]);
          const clock = clockIn(timeZone);
          // Each hour has two reports; an hour with one of them is not complete.
          const known = [...byTime].flatMap(([time, value]) => {
            const second = byTime.get(time + HALF_HOUR);
            const isStart = (time + (timeZone === '+05:30' ? HALF_HOUR : 0)) % (2 * HALF_HOUR) === 0;
            return isStart && second !== undefined ? [[clock(time), (value + second) / 2] as const] : [];
          });
          for (const [index, date] of dates.entries()) {
            const window = near(date);
            for (const [hour, usual] of (hours[index] ?? []).entries()) {
              const own = known.filter(
                ([start]) => window.has(start.slice(5, 10)) && Number(start.slice(11)) === hour,
              );
              const sorted = Float64Array.from(own, ([, mean]) => mean).sort();
              expect(usual, `${date} ${hour}`).to.deep.equal({
                p10: percentile(sorted, 0.1),
                p50: percentile(sorted, 0.5),
                p90: percentile(sorted, 0.9),
                count: own.length,
              });
            }
          }
        },
      ),
      { numRuns: 5 },
    );
  });

  it('are unknown with values of fewer than five years', () => {
    const means = [2011, 2012, 2013, 2014].map((year) => [`${year}-07-18T13`, 20] as const);
    const [hours] = usualHours(means, ['07-18']);
    expect(hours?.[13]).to.deep.equal({ p10: Number.NaN, p50: Number.NaN, p90: Number.NaN, count: 4 });
    expect(usualHours([...means, ['2015-07-25T13', 20]], ['07-18'])[0]?.[13]?.p50).to.equal(20);
    expect(usualHours([...means, ['2015-07-26T13', 20]], ['07-18'])[0]?.[13]?.p50).to.deep.equal(Number.NaN);
  });

  it('are refused where they mean nothing or cost too much', async () => {
    const world = await World.make();
    await addStation(world);
    const described = await world.get(DescribeStation).execute('JFK');
    const day = { from: '12-25', to: '01-07', dayStart: 0 };
    const hours = (changes: object) => world.get(FindUsualValues).hours(described, { ...day, ...changes });
    expect(await hours({})).to.deep.include({ hours: [], years: undefined });
    for (const changes of [
      { to: '01-08' },
      { dayStart: 60 },
      { source: 'daily' },
      { variables: ['wind_speed'] },
    ])
      await domainErrorOf(hours(changes), 'REQUEST_INVALID');
  });
});
