import { expect } from 'chai';
import fc from 'fast-check';
import { MILLISECONDS } from '#domain/time.js';
import { almanacOf, lightOf, phaseOf, sunArc } from '#adapters/site/client/sections/almanac/almanac-model.js';
import { addDays, localTime, startOfDay } from '#adapters/site/client/charts/model/zone.js';

const OSLO = { latitude: 59.91, longitude: 10.75, time_zone: 'Europe/Oslo' };
const NEW_YORK = { latitude: 40.71, longitude: -74.01, time_zone: 'America/New_York' };
const TROMSO = { latitude: 69.65, longitude: 18.96, time_zone: 'Europe/Oslo' };
const APIA = { latitude: -13.83, longitude: -171.76, time_zone: 'Pacific/Apia' };

/** Local hours and minutes as minutes of the day. */
const minutes = (time: Date | null | undefined, zone: string) => {
  const { hour, minute } = localTime(time?.getTime() ?? NaN, zone);
  return hour * 60 + minute;
};
const clock = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

describe('the almanac', () => {
  // Published by timeanddate.com and the US Naval Observatory, to the minute.
  const published = [
    ['Oslo, midsummer', OSLO, '2013-06-21T22:00:00+02:00', '03:54', '22:44'],
    ['New York, in the evening', NEW_YORK, '2013-07-18T23:00:00-04:00', '05:40', '20:24'],
    ['New York, in the morning', NEW_YORK, '2013-12-21T00:30:00-05:00', '07:17', '16:32'],
  ] as const;

  for (const [title, place, time, rise, set] of published) {
    it(`has the sun of the local day: ${title}`, () => {
      const { sun, polar } = almanacOf(Date.parse(time), place);
      expect(minutes(sun.rise, place.time_zone)).to.be.closeTo(clock(rise), 1.5);
      expect(minutes(sun.set, place.time_zone)).to.be.closeTo(clock(set), 1.5);
      expect(polar).to.equal(undefined);
    });
  }

  it('has the noon of the same local date, wherever the zone is', () => {
    const time = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) });
    fc.assert(
      fc.property(time, fc.constantFrom(OSLO, NEW_YORK, TROMSO, APIA), (now, place) => {
        const { date } = localTime(now, place.time_zone);
        const { sun, moon } = almanacOf(now, place);
        expect(localTime(sun.noon.getTime(), place.time_zone).date).to.equal(date);
        for (const event of [...moon.rises, ...moon.sets]) {
          expect(localTime(event.getTime(), place.time_zone).date).to.equal(date);
        }
        // The moon is late by 50 minutes each day: one rising and setting a day, but for one day a month. Within the polar circle it can
        // rise earlier from day to day, and then rises twice on some days.
        expect(moon.rises).to.have.length.at.most(place === TROMSO ? 2 : 1);
        expect(moon.isUp === undefined).to.equal(moon.rises.length + moon.sets.length > 0);
      }),
    );
  });

  it('draws the sun above the horizon exactly from sunrise to sunset, and highest at noon', () => {
    const time = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) });
    fc.assert(
      fc.property(time, fc.constantFrom(OSLO, NEW_YORK, TROMSO, APIA), (now, place) => {
        const { points, current } = sunArc(now, place);
        const { date } = localTime(now, place.time_zone);
        const from = startOfDay(date, place.time_zone);
        const to = startOfDay(addDays(date, 1), place.time_zone);
        const atOf = (share: number) => from + share * (to - from);
        expect(points[0]?.share).to.equal(0);
        expect(points.at(-1)?.share).to.equal(1);
        expect(atOf(current.share)).to.be.closeTo(now, 1);
        const { noon } = almanacOf(now, place).sun;
        for (const { share, altitude } of points) {
          const at = atOf(share);
          // Near the horizon, the computed times and heights may differ by a few minutes.
          if (Math.abs(altitude) < 0.5) continue;
          // Where the solar noon is not at 12:00, the first or the last minutes of a local day belong to the noon of another day.
          const isOther = Math.abs(at - noon.getTime()) > MILLISECONDS.day / 2;
          const { sun, polar } = isOther
            ? almanacOf(at < noon.getTime() ? from - 1 : to, place)
            : almanacOf(now, place);
          const { rise, set } = sun;
          const isUp = rise && set ? at > rise.getTime() && at < set.getTime() : polar === 'day';
          expect(altitude > 0, new Date(at).toISOString()).to.equal(isUp);
        }
        const highest = points.reduce((one, other) => (other.altitude > one.altitude ? other : one));
        expect(Math.abs(atOf(highest.share) - noon.getTime())).to.be.at.most(20 * MILLISECONDS.minute);
      }),
      { numRuns: 60, examples: [[Date.parse('2012-07-24T22:00:00Z'), TROMSO]] },
    );
  });

  it('says polar day and polar night, and twilight without end', () => {
    const summer = almanacOf(Date.parse('2013-06-21T10:00:00Z'), TROMSO);
    expect(summer).to.deep.include({ polar: 'day', dayLength: MILLISECONDS.day });
    const winter = almanacOf(Date.parse('2013-12-21T10:00:00Z'), TROMSO);
    expect(winter).to.include({ polar: 'night', dayLength: 0 });
    expect(winter.civil.rise).to.be.instanceOf(Date);
    const oslo = almanacOf(Date.parse('2013-06-21T10:00:00Z'), OSLO);
    expect(oslo.civil.isEndless).to.equal(false);
    expect(oslo.nautical).to.deep.equal({ rise: null, set: null, isEndless: true });
  });

  it('names the phases of the moon', () => {
    // US Naval Observatory: new moon 8 July 2013 07:14 UT, first quarter 16 July 03:18, full moon 22 July 18:16, last quarter 29 July 17:43.
    const dates = ['07-08', '07-12', '07-16', '07-19', '07-22', '07-26', '07-29', '08-02'];
    const phases = dates.map((date) => almanacOf(Date.parse(`2013-${date}T12:00:00Z`), OSLO).moon.phase);
    expect(phases).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([0.001, 0.999, 1].map(phaseOf)).to.deep.equal([0, 0, 0]);
    expect(almanacOf(Date.parse('2013-07-22T18:16:00Z'), OSLO).moon.fraction).to.be.above(0.99);
  });

  it('knows night from day at sunrise and sunset', () => {
    const { sun } = almanacOf(startOfDay('2013-03-01', OSLO.time_zone), OSLO);
    const [rise, set] = [sun.rise?.getTime() ?? 0, sun.set?.getTime() ?? 0];
    const near = 2 * MILLISECONDS.minute;
    const times = [rise - near, rise + near, set - near, set + near];
    expect(times.map((time) => lightOf(time, OSLO) !== 'day')).to.deep.equal([true, false, false, true]);
  });
});
