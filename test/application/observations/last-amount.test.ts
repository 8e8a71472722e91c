import { expect } from 'chai';
import fc from 'fast-check';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { Summarize, type SummarizeInput } from '#application/observations/read/summarize.js';
import { Calendar } from '#composition/graph/tokens.js';
import { CALENDAR_INTERVALS } from '#domain/weather/summaries/bucket.js';
import { addStation, record } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

const HOUR = 3_600_000;
const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', '-03:30', '+14:00'];
const DATES = ['2013-01-01', '2013-03-01', '2013-03-11', '2013-05-13', '2013-06-01', '2013-12-31'];

/** The last hour of a station: most often at midnight, at the end of a day, a month or a year. */
const given = fc.record({
  zone: fc.constantFrom(...ZONES),
  date: fc.constantFrom(...DATES),
  hour: fc.constantFrom(0, 0, 0, 1, 13),
  amounts: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 60 }),
  /** Whether the last row has nothing but its amount. */
  isAlone: fc.boolean(),
  isPaged: fc.boolean(),
});

describe('the last amount of a station, measured at the last instant of an interval', () => {
  it('is in the last interval by default, and no interval without any value follows', () =>
    fc.assert(
      fc.asyncProperty(given, async ({ zone, date, hour, amounts, isAlone, isPaged }) => {
        const world = await World.make();
        await addStation(world, { timeZone: zone });
        const last = world.get(Calendar).startOfDay(date, zone, 0) + hour * HOUR;
        const end = amounts.length - 1;
        await record(world, new Date(last - end * HOUR).toISOString(), {
          precipitation_amount: amounts.map((amount) => amount / 10),
          air_temperature: amounts.map((_, row) => (row === end && isAlone ? Number.NaN : 10)),
        });
        const described = await world.get(DescribeStation).execute('JFK');
        const lastRow = async (input: Pick<SummarizeInput, 'interval' | 'variables' | 'to'>) => {
          const page = await world.get(Summarize).execute(described, {
            timeZone: 'station',
            dayStart: 0,
            from: undefined,
            quality: 'all',
            isPaged,
            ...input,
          });
          const row = [...page.rows].at(-1);
          return { ...row, counts: row?.statistics.map(({ count }) => count) ?? [] };
        };
        for (const interval of CALENDAR_INTERVALS) {
          for (const variables of [undefined, ['precipitation_amount']]) {
            const row = await lastRow({ interval, variables, to: undefined });
            const label = `${interval} ${variables?.[0]}`;
            expect(Math.max(...row.counts), label).to.be.above(0);
            expect(row.start, label).to.be.at.most(last);
            expect(row.end, label).to.be.at.least(last);
            // A temperature of the last instant is in the interval that begins with it.
            if (!isAlone && variables === undefined) expect(row.end, label).to.be.above(last);
          }
          // An interval that was asked for is in the reply, with or without values.
          const asked = await lastRow({ interval, variables: ['precipitation_amount'], to: last + HOUR });
          expect(asked.end, interval).to.be.above(last);
        }
      }),
      { numRuns: 25 },
    ));
});
