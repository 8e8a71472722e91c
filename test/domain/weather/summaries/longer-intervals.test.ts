import { expect } from 'chai';
import fc from 'fast-check';
import { LongerIntervals } from '#domain/weather/summaries/longer-intervals.js';
import { V } from '#domain/weather/variables.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Minutes of the reports of some days, every `distance` minutes. */
const every = (distance: number, from: number, to: number): number[] =>
  Array.from({ length: ((to - from) * 1440) / distance }, (_, index) => from * 1440 + index * distance);

/** What is found in a station that reports every `reporting` minutes: `first day..last day: seconds`. */
function found(
  days: number,
  reporting: number,
  minutes: readonly number[],
  { named, variable = V.temperature }: { readonly named?: number; readonly variable?: number } = {},
): string[] {
  const buckets = Array.from({ length: days }, (_, day) => ({ start: day * DAY, end: (day + 1) * DAY }));
  const intervals = new LongerIntervals(buckets, reporting * 60, named);
  const sorted = [...new Set(minutes)].sort((a, b) => a - b);
  // In batches, as a store returns rows.
  for (let at = 0; at < sorted.length; at += 100) {
    const times = Float64Array.from(sorted.slice(at, at + 100), (minute) => minute * MINUTE);
    intervals.add({ times, values: new Map([[variable, new Float64Array(times.length)]]), flags: new Map() });
  }
  return intervals.found().map(({ from, to, seconds }) => `${from / DAY}..${to / DAY}: ${seconds}`);
}

describe('the times of a station with longer intervals', () => {
  const cases: readonly (readonly [
    string,
    { readonly reporting?: number; readonly named?: number; readonly minutes: readonly number[] },
    readonly string[],
  ])[] = [
    ['an hourly archive before the own reports', { minutes: [...every(60, 0, 50), ...every(10, 50, 100)] }, ['0..50: 3600']],
    ['an archive of a whole station', { minutes: every(60, 0, 100) }, ['0..100: 3600']],
    ['an archive that fills an outage', { minutes: [...every(10, 0, 40), ...every(60, 40, 60), ...every(10, 60, 100)] }, ['40..60: 3600']],
    ['archives before and after own reports', { minutes: [...every(60, 0, 30), ...every(10, 30, 60), ...every(60, 60, 100)] }, ['0..30: 3600', '60..100: 3600']],
    ['an archive with an outage of its own', { minutes: [...every(60, 0, 20), ...every(60, 45, 50), ...every(10, 50, 100)] }, ['0..50: 3600']],
    ['an archive beside own reports', { minutes: [...every(60, 0, 100), ...every(10, 50, 100)] }, ['0..50: 3600']],
    ['an archive that changes from three hours to one', { minutes: [...every(180, 0, 45), ...every(60, 45, 100)] }, ['0..60: 10800', '60..100: 3600']],
    ['reports every 5 minutes in a station that says a minute', { reporting: 1, minutes: every(5, 0, 100) }, ['0..100: 300']],
    ['own reports with outages', { minutes: [...every(10, 0, 40), ...every(10, 60, 61), ...every(10, 90, 100)] }, []],
    ['own reports, of which some days have one an hour', { minutes: [...every(10, 0, 40), ...every(60, 40, 46), ...every(10, 46, 100)] }, []],
    ['reports six hours apart', { minutes: every(360, 0, 100) }, []],
    ['more reports than the station says', { reporting: 60, minutes: every(10, 0, 100) }, []],
    ['reports a little farther apart than the station says', { reporting: 10, minutes: every(15, 0, 100) }, []],
    ['hourly reports with special ones, where the file names no interval', { minutes: every(60, 0, 100).flatMap((minute, hour) => (hour % 3 === 0 ? [minute, minute + 20] : [minute])) }, []],
    ['hourly reports with special ones, where the file names it', { named: 3600, minutes: every(60, 0, 100).flatMap((minute, hour) => (hour % 3 === 0 ? [minute, minute + 20] : [minute])) }, ['0..100: 3600']],
    ['a file that names another interval than its reports have', { named: 900, minutes: every(60, 0, 100) }, ['0..100: 3600']],
    ['no reports', { minutes: [] }, []],
  ]; // oxfmt-ignore
  for (const [what, { reporting = 10, minutes, named }, expected] of cases)
    it(`of ${what} are ${expected.join(', ') || 'none'}`, () => {
      expect(found(100, reporting, minutes, named === undefined ? {} : { named })).to.deep.equal(expected);
    });

  it('are none where reports are lost at any rate, at random or for hours', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 5, 10, 15),
        fc.double({ min: 0, max: 0.95, noNaN: true }),
        fc.constantFrom(1, 2, 30),
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (reporting, rate, together, numbers) => {
          let [isLost, left] = [false, 0];
          const kept = every(reporting, 0, 40).filter(() => {
            if (left === 0) [isLost, left] = [(numbers.next().value as number) < rate, together];
            left -= 1;
            return !isLost;
          });
          expect(found(40, reporting, kept)).to.deep.equal([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('do not count values of days as reports', () => {
    expect(found(100, 10, every(60, 0, 100), { variable: V.dailyMaximum })).to.deep.equal([]);
  });
});
