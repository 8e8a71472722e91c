import { expect } from 'chai';
import fc from 'fast-check';
import { FindRecords } from '#application/observations/climate/find-records.js';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { MakeNoaaReport } from '#application/observations/climate/make-noaa-report.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { Calendar } from '#composition/graph/tokens.js';
import { dateNumber } from '#domain/weather/climate/climate-days.js';
import {
  CALENDAR_INTERVALS,
  type CalendarInterval,
  isClockInterval,
} from '#domain/weather/summaries/bucket.js';
import { addStation, record } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

const HOUR = 3_600_000;
const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', '-03:30', '+14:00'];
const DATES = ['2013-01-01', '2013-03-01', '2013-03-11', '2013-05-13', '2013-06-01', '2013-12-31'];

/** The first hour of a station after midnight: most often midnight itself, at the start of a day, a month or a year. */
const firstTime = fc.record({
  zone: fc.constantFrom(...ZONES),
  date: fc.constantFrom(...DATES),
  hour: fc.constantFrom(0, 0, 0, 1, 13),
});
const tenths = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 60 });
/** An amount alone in the first row, or with a temperature. */
const given = fc.tuple(firstTime, tenths, fc.boolean());
/** How many rows at the beginning have no amount; whether there are pages. */
const withoutAmounts = fc.tuple(firstTime, tenths, fc.integer({ min: 1, max: 3 }), fc.boolean());

describe('the first amount of a station, measured at the first instant of a day', () => {
  it('is in the sums of hours and days by default, and makes no week, month, season or year of its own', () =>
    fc.assert(
      fc.asyncProperty(given, async ([{ zone, date, hour }, amounts, isAlone]) => {
        const world = await World.make();
        const calendar = world.get(Calendar);
        await addStation(world, { timeZone: zone });
        const first = calendar.startOfDay(date, zone, 0) + hour * HOUR;
        const temperatures = amounts.map((_, row) => (row === 0 && isAlone ? Number.NaN : 10));
        await record(world, new Date(first).toISOString(), {
          precipitation_amount: amounts.map((amount) => amount / 10),
          air_temperature: temperatures,
        });
        const described = await world.get(DescribeStation).execute('JFK');
        const rowsOf = async (interval: CalendarInterval) => {
          const { rows } = await world.get(Summarize).execute(described, {
            interval,
            timeZone: 'station',
            dayStart: 0,
            from: undefined,
            to: undefined,
            variables: ['precipitation_amount'],
            quality: 'all',
          });
          return [...rows];
        };
        const total = amounts.reduce((sum, amount) => sum + amount, 0) / 10;
        for (const interval of CALENDAR_INTERVALS.filter((one) => isClockInterval(one) || one === 'day')) {
          const sums = (await rowsOf(interval)).map(({ statistics }) => statistics[0]);
          expect(sums.reduce((sum, one) => sum + (one?.count ? one.sum : 0), 0)).to.be.closeTo(total, 1e-9);
          expect(sums.reduce((sum, one) => sum + (one?.count ?? 0), 0)).to.equal(amounts.length);
        }
        for (const interval of CALENDAR_INTERVALS.filter((one) => !isClockInterval(one) && one !== 'day')) {
          const [begin] = await rowsOf(interval);
          expect(begin?.start, interval).to.be.at.most(first);
          expect(begin?.end, interval).to.be.above(first);
        }

        const localDate = calendar.format(first, zone).slice(0, 10);
        const { sections, years } = await world
          .get(ListClimateMonths)
          .execute(described, { dayStart: 0, rule: 'wmo_1203' });
        expect(sections['months']?.[0]?.label).to.equal(localDate.slice(0, 7));
        expect(sections['years']?.[0]?.label).to.equal(localDate.slice(0, 4));
        expect(years?.from).to.equal(Number(localDate.slice(0, 4)));
        const { rows } = await world.get(FindRecords).execute(described, { dayStart: 0 });
        for (const { days, first: searched } of rows.flatMap(({ records }) => records))
          if (days > 0) expect(searched).to.be.at.least(dateNumber(localDate));
        const before = calendar.format(first - hour * HOUR - 1, zone);
        const { report } = await world.get(MakeNoaaReport).execute(described, {
          year: Number(before.slice(0, 4)),
          month: Number(before.slice(5, 7)),
          units: 'metric',
          dayStart: 0,
        });
        const ofDay = report.lines.find(({ number }) => number === Number(before.slice(8, 10)));
        expect(ofDay?.line, 'the day before').to.equal(undefined);
        if (before.slice(0, 7) !== localDate.slice(0, 7)) expect(report.total).to.equal(undefined);
      }),
      { numRuns: 25 },
    ));

  it('is not waited for: if the first row has no amount, the first interval is the one of that row', () =>
    fc.assert(
      fc.asyncProperty(withoutAmounts, async ([{ zone, date, hour }, amounts, without, isPaged]) => {
        const world = await World.make();
        await addStation(world, { timeZone: zone });
        const first = world.get(Calendar).startOfDay(date, zone, 0) + hour * HOUR;
        // The last row is no sum at the start of an interval that has nothing else.
        await record(world, new Date(first).toISOString(), {
          precipitation_amount: [
            ...amounts.map((amount, row) => (row < without ? Number.NaN : amount / 10)),
            0,
          ],
          air_temperature: [...amounts, 0],
        });
        const described = await world.get(DescribeStation).execute('JFK');
        for (const interval of CALENDAR_INTERVALS)
          for (const variables of [undefined, ['precipitation_amount', 'air_temperature']]) {
            const { rows } = await world.get(Summarize).execute(described, {
              interval,
              timeZone: 'station',
              dayStart: 0,
              from: undefined,
              to: undefined,
              variables,
              quality: 'all',
              isPaged,
            });
            const [begin] = [...rows];
            expect(begin?.start, interval).to.be.at.most(first);
            expect(begin?.end, interval).to.be.above(first);
          }
      }),
      { numRuns: 25 },
    ));
});
