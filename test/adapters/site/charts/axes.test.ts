import { expect } from 'chai';
import fc from 'fast-check';
import { nights } from '#adapters/site/client/charts/model/night.js';
import { timeTicks, valueAxis } from '#adapters/site/client/charts/model/ticks.js';
import { localTime } from '#adapters/site/client/charts/model/zone.js';
import { MILLISECONDS } from '#domain/time.js';

describe('the axis of values', () => {
  it('ends at round numbers, with few steps, and has all values in it', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e4, max: 1e4, noNaN: true }),
        fc.double({ min: 0, max: 1e4, noNaN: true }),
        fc.integer({ min: 3, max: 8 }),
        (low, length, steps) => {
          const { min, max, ticks } = valueAxis(low, low + length, { minLength: 0.5 }, steps);
          expect(min).to.be.at.most(low + 2e-6);
          expect(max).to.be.at.least(low + length - 2e-6);
          expect(ticks.length).to.be.within(2, steps + 2);
          expect([ticks[0], ticks.at(-1)]).to.deep.equal([min, max]);
        },
      ),
    );
  });

  it('keeps noise small, and amounts at zero', () => {
    expect(valueAxis(20.1, 20.2, { minLength: 4 }, 5)).to.deep.include({ min: 18, max: 23, decimals: 0 });
    expect(valueAxis(0, 0, { floor: 0, minLength: 1 }, 5).ticks).to.deep.equal([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(valueAxis(3, 7, { floor: 0, minLength: 1 }, 5).min).to.equal(0);
    expect(valueAxis(80, 104, { floor: 0, ceiling: 100, minLength: 100 }, 4).max).to.equal(100);
  });
});

describe('the axis of time', () => {
  const zone = 'America/New_York';
  const day = (date: string, hours = 24) => {
    const from = Date.parse(`${date}T00:00:00-05:00`);
    return { from, to: from + hours * MILLISECONDS.hour };
  };
  const labels = (range: { from: number; to: number }, room: number) =>
    timeTicks(range, zone, room).map(({ time, kind }) => {
      const { date, hour } = localTime(time, zone);
      return kind === 'hour' ? String(hour) : `${kind} ${date.slice(5)}`;
    });

  it('has local hours, also on days of 23 and 25 hours', () => {
    expect(labels(day('2013-01-10'), 8)).to.deep.equal(['day 01-10', '3', '6', '9', '12', '15', '18', '21']);
    expect(labels(day('2013-03-10', 23), 8)).to.deep.equal([
      'day 03-10',
      '3',
      '6',
      '9',
      '12',
      '15',
      '18',
      '21',
    ]);
    const autumn = {
      from: Date.parse('2013-11-03T00:00:00-04:00'),
      to: Date.parse('2013-11-04T00:00:00-05:00'),
    };
    expect(labels(autumn, 25).slice(0, 4)).to.deep.equal(['day 11-03', '1', '2', '3']);
  });

  it('has days, then weekdays, then Mondays, then months, then years, as there is room', () => {
    expect(labels(day('2013-01-10', 96), 5)).to.deep.equal([
      'day 01-10',
      'day 01-11',
      'day 01-12',
      'day 01-13',
    ]);
    expect(labels(day('2013-01-10', 96), 2).slice(0, 2)).to.deep.equal(['weekday 01-10', 'weekday 01-11']);
    expect(labels(day('2013-01-05', 20 * 24), 3)).to.deep.equal(['date 01-07', 'date 01-14', 'date 01-21']);
    expect(labels(day('2012-11-15', 101 * 24), 4)).to.deep.equal([
      'monthOfYear 11-01',
      'month 12-01',
      'monthOfYear 01-01',
      'month 02-01',
    ]);
    expect(labels(day('2013-01-01', 365 * 24), 3)).to.deep.equal([
      'monthOfYear 01-01',
      'month 04-01',
      'month 07-01',
      'month 10-01',
    ]);
    expect(labels(day('2010-06-01', 4 * 365 * 24), 4)).to.deep.equal([
      'year 01-01',
      'year 01-01',
      'year 01-01',
      'year 01-01',
    ]);
  });

  it('names days, months and years over their whole length', () => {
    const ends = (range: { from: number; to: number }, room: number) =>
      timeTicks(range, zone, room).map(({ end }) => end && new Date(end).toISOString().slice(0, 10));
    expect(ends(day('2013-01-10', 24), 2)).to.deep.equal([undefined, undefined]);
    expect(ends(day('2013-01-10', 96), 5)[0]).to.equal('2013-01-11');
    expect(ends(day('2013-01-01', 120 * 24), 8)[0]).to.equal('2013-02-01');
    expect(ends(day('2010-06-01', 4 * 365 * 24), 4).at(-1)).to.equal('2015-01-01');
  });

  it('never has more labels than there is room for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 * 3000 }), fc.integer({ min: 2, max: 16 }), (hours, room) => {
        expect(timeTicks(day('2012-05-05', hours), zone, room).length).to.be.at.most(
          Math.ceil(room / 0.45) + 2,
        );
      }),
      { numRuns: 30 },
    );
  });
});

describe('nights', () => {
  const at = (text: string) => Date.parse(text);
  const hoursOf = (list: ReturnType<typeof nights>) =>
    list.reduce((sum, { from, to }) => sum + (to - from), 0) / MILLISECONDS.hour;

  it('are from sunset to sunrise at the station', () => {
    const range = { from: at('2013-07-18T04:00:00Z'), to: at('2013-07-20T04:00:00Z') };
    const dark = nights(range, 40.64, -73.78);
    expect(dark.map(({ from }) => from)).to.include(range.from);
    // US Naval Observatory, New York, 18 July 2013: sunrise 05:39, sunset 20:23 EDT.
    expect(dark[0]?.to).to.be.closeTo(at('2013-07-18T05:39:00-04:00'), 3 * MILLISECONDS.minute);
    expect(dark[1]?.from).to.be.closeTo(at('2013-07-18T20:23:00-04:00'), 3 * MILLISECONDS.minute);
    expect(dark).to.have.length(3);
  });

  it('are none under the midnight sun, and have no end in the polar night', () => {
    const summer = { from: at('2013-06-15T00:00:00Z'), to: at('2013-06-25T00:00:00Z') };
    const winter = { from: at('2013-12-15T00:00:00Z'), to: at('2013-12-25T00:00:00Z') };
    expect(nights(summer, 78.2, 15.6)).to.deep.equal([]);
    expect(nights(winter, 78.2, 15.6)).to.deep.equal([winter]);
  });

  it('become shorter without a jump up to the midnight sun, in every longitude', () => {
    for (const longitude of [-179, -74, 0, 18.9, 120, 179]) {
      let before = 24;
      for (
        let time = at('2013-04-01T00:00:00Z');
        time < at('2013-05-25T00:00:00Z');
        time += MILLISECONDS.day
      ) {
        const dark = hoursOf(nights({ from: time, to: time + MILLISECONDS.day }, 69.6, longitude));
        expect(dark, `${longitude} ${new Date(time).toISOString()}`).to.be.within(0, before + 0.05);
        before = dark;
      }
      expect(before).to.equal(0);
    }
  });
});
