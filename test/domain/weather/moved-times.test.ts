import { expect } from 'chai';
import fc from 'fast-check';
import { movedRanges, type Recording } from '#domain/weather/moved-times.js';
import { MILLISECONDS } from '#domain/time.js';

const { hour, day } = MILLISECONDS;
const ZONE = 'America/New_York';
const RECORDING: Recording = {
  first: Date.parse('2013-01-01T07:00:00Z'),
  last: Date.parse('2013-12-31T00:00:00Z'),
  year: 2013,
  offset: -5 * hour,
};

/** Every hour of the recording that is shown in a range, as [time at which it is shown, time at which it was recorded]. */
function shown(after: number, until: number): [number, number][] {
  return movedRanges(RECORDING, after, until).flatMap(({ after: from, until: to, shift }) => {
    const hours: [number, number][] = [];
    for (let at = Math.floor(from / hour) * hour + hour; at <= to; at += hour)
      if (at >= RECORDING.first) hours.push([at + shift, at]);
    return hours;
  });
}

const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: ZONE,
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
});
/** The hour of the year that the clock of the station shows. */
function clockHour(time: number): number {
  const [month, date, hours] = clock.format(time).match(/\d+/g) as string[];
  return Date.UTC(2013, Number(month) - 1, Number(date), Number(hours)) / hour;
}
const standard = (time: number) => new Date(time - 5 * hour - 1).toISOString().slice(5, 10);

describe('the moved times of the demo', () => {
  it('show each hour of every day of leap years and of other years once, except the first hour of a year', () => {
    for (const year of [2024, 2025, 2026, 2027, 2028, 2100]) {
      const [start, end] = [Date.UTC(year, 0, 1, 5), Date.UTC(year + 1, 0, 1, 5)];
      const times = shown(start, end).map(([time]) => time);
      const expected: number[] = [];
      for (let time = start + 2 * hour; time <= end; time += hour) expected.push(time);
      expect(times, String(year)).to.deep.equal(expected);
    }
  });

  it('keep the day and the hour of standard time, except on 29 February and after the end of the recording', () => {
    const isRight = ([time, recorded]: readonly [number, number]) => {
      const [now, then] = [standard(time), standard(recorded)];
      const isSame = now === '02-29' ? then === '02-28' : now === then;
      const isAfterEnd = now >= '12-30' && (then === '12-29' || then === '12-30');
      const isRecorded = recorded >= RECORDING.first && recorded <= RECORDING.last;
      return (time - recorded) % day === 0 && (isSame || isAfterEnd) && isRecorded;
    };
    const hours = shown(Date.UTC(2027, 0, 1, 5), Date.UTC(2029, 0, 1, 5));
    expect(hours.filter((one) => !isRight(one))).to.deep.equal([]);
  });

  it('differ from the clock of the station by at most the hour of summer time, in the days between two changes', () => {
    for (const [time, recorded] of shown(Date.UTC(2026, 0, 1, 5), Date.UTC(2026, 11, 30, 5))) {
      const difference = Math.abs(clockHour(time) - clockHour(recorded));
      if (difference === 0) continue;
      const date = standard(time);
      const isBetween = (date >= '03-07' && date <= '03-10') || (date >= '10-31' && date <= '11-03');
      expect([isBetween, difference], new Date(time).toISOString()).to.deep.equal([true, 1]);
    }
  });

  it('are the same however a range is divided', () => {
    const start = Date.UTC(2023, 11, 1);
    const at = fc.integer({ min: 0, max: 100 * day });
    fc.assert(
      fc.property(at, at, at, (...cuts) => {
        const [a, b, c] = cuts.toSorted((one, other) => one - other).map((cut) => start + cut) as [
          number,
          number,
          number,
        ];
        expect([...shown(a, b), ...shown(b, c)]).to.deep.equal(shown(a, c));
        expect(shown(a, c).every(([time]) => time > a && time <= c)).to.equal(true);
      }),
      { numRuns: 50 },
    );
  });
});
