import { expect } from 'chai';
import fc from 'fast-check';
import { sineOfAltitude, sunAt } from '#domain/weather/derived/solar.js';
import { RADIATION_LIMITS, sineOfSun, sunFlagOf } from '#domain/weather/quality/checks/radiation-limit.js';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import { FLAG } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import { type Columns, flagged, HOUR, MINUTE, seriesOf } from '../made-series.js';

const NAME = 'surface_downwelling_shortwave_flux_in_air';
/** The made series begin on 1 March 2024, 00:00 UTC. */
const HERE = rulesOf({ limits: {}, reportingInterval: 3600, latitude: 45, longitude: 0 });
const radiation = (values: readonly number[]): Columns => ({ [NAME]: values });
const hours = (count: number, value: (hour: number) => number) =>
  Array.from({ length: count }, (_, hour) => value(hour));
const rowsOf = (columns: Columns, rules = HERE) => flagged(seriesOf(HOUR, columns), [NAME], { rules })[NAME];

/** Sine of the altitude of the sun, minute by minute. */
function highest(from: number, to: number, latitude: number, longitude: number): number {
  let most = -1;
  for (let time = from; time <= to; time += MINUTE)
    most = Math.max(most, sineOfAltitude(sunAt(time, longitude), latitude));
  return most;
}

const when = {
  time: fc.integer({ min: Date.UTC(1950), max: Date.UTC(2080) }),
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  interval: fc.constantFrom(60, 600, 3600, 10_800, 86_400),
};

describe('radiation and the sun', () => {
  it('knows the highest sun of the interval of a value and of up to an hour behind it', () => {
    fc.assert(
      fc.property(fc.record(when), ({ time, latitude, longitude, interval }) => {
        const rules = rulesOf({ limits: {}, reportingInterval: interval, latitude, longitude });
        const span = [time - interval * 1000, time + Math.min(HOUR, interval * 1000)] as const;
        // Declination and equation of time change by the day, and by half a degree at most.
        expect(sineOfSun(time, 0, rules)).to.be.closeTo(highest(...span, latitude, longitude), 0.01);
      }),
      { numRuns: 200 },
    );
  });

  it('fails what is above the possible limit of BSRN, suspects what is above the rare one, and nothing below it', () => {
    fc.assert(
      fc.property(fc.record(when), ({ time, latitude, longitude, interval }) => {
        const rules = rulesOf({ limits: {}, reportingInterval: interval, latitude, longitude });
        const sine = Math.max(0, sineOfSun(time, 0, rules) ?? 0);
        // 1367 W/m² differ by 3.3 % over the year.
        const limit = (
          share: number,
          { factor, exponent, night }: { factor: number; exponent: number; night: number },
        ) => share * 1367 * factor * sine ** exponent + night;
        const { rare, possible } = RADIATION_LIMITS;
        // The edges of clouds reflect the sun for minutes.
        const rarely = interval < 300 && sine > 0 ? 0 : FLAG.consistency;
        const flagAt = (value: number) => sunFlagOf(V.radiation, value, time, 0, rules);
        expect([
          flagAt(limit(0.967, rare) - 1e-3),
          flagAt(limit(1.033, rare) + 1e-3),
          flagAt(limit(0.967, possible) - 1e-3),
          flagAt(limit(1.033, possible) + 1e-3),
        ]).to.deep.equal([0, rarely, rarely, FLAG.grossRange]);
      }),
      { numRuns: 200 },
    );
  });

  it('fails radiation at night, and lets a day of sun, twilight and the offset of a pyranometer pass', () => {
    const day = hours(24, (hour) => Math.max(-3, 700 * Math.sin(((hour - 6) / 12) * Math.PI)));
    expect(rowsOf(radiation(day))).to.deep.equal([]);
    expect(rowsOf(radiation(day.with(2, 101).with(22, 450)))).to.deep.equal([
      '2 gross_range',
      '22 gross_range',
    ]);
    // An offset of 60 W/m² at night, and a value that is wrong but may be possible.
    expect(rowsOf(radiation(day.with(2, 60).with(22, 57)))).to.deep.equal([
      '2 internal_consistency',
      '22 internal_consistency',
    ]);
    expect(rowsOf(radiation(day.with(2, 50)))).to.deep.equal([]);
    // A clock that is twelve hours off.
    expect(rowsOf(radiation([...day.slice(12), ...day.slice(0, 12)]))?.length).to.be.above(5);
  });

  it('does not check by the sun where the position is unknown, or the station has limits for radiation', () => {
    const night = radiation([450]);
    expect(rowsOf(night, rulesOf({ limits: {}, reportingInterval: 3600 }))).to.deep.equal([]);
    const own = { [NAME]: { min: 0, max: 500 } };
    const limited = rulesOf({ limits: own, reportingInterval: 3600, latitude: 45, longitude: 0 });
    expect(rowsOf(night, limited)).to.deep.equal([]);
  });

  it('checks a value of unknown interval by the time since the one before, at most a day', () => {
    const rules = rulesOf({ limits: {}, reportingInterval: null, latitude: 45, longitude: 0 });
    const nan = Number.NaN;
    // At 22 h, after a value at 21 h and after one at 10 h.
    const late = hours(23, (hour) => (hour === 22 ? 450 : hour < 21 ? nan : 0));
    expect(rowsOf(radiation(late), rules)).to.deep.equal(['22 gross_range']);
    const alone = hours(23, (hour) => (hour === 22 ? 450 : hour === 10 ? 300 : nan));
    expect(rowsOf(radiation(alone), rules)).to.deep.equal([]);
  });

  it('finds a sensor that shows 0 by day, but not in the polar night, nor in a night of the middle latitudes', () => {
    const dead = radiation(hours(40, () => 0));
    const found = rowsOf(dead)?.map((row) => Number.parseInt(row, 10));
    // On 1 March at 45° N the sun is above 6° from 7:30 to 17:00; the interval of an hour reaches on both sides.
    expect(found).to.deep.equal([...hours(12, (hour) => hour + 7), ...hours(9, (hour) => hour + 31)]);
    const north = rulesOf({ limits: {}, reportingInterval: 3600, latitude: 78, longitude: 0 });
    expect(rowsOf(dead, north)).to.deep.equal([]);
    const night = hours(40, (hour) => (hour > 8 && hour < 24 + 17 ? 0 : 20 + hour));
    expect(rowsOf(radiation(night.slice(0, 30)))).to.deep.equal([]);
  });
});
