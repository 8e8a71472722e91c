import { expect } from 'chai';
import fc from 'fast-check';
import { todayOf } from '#domain/weather/current/today.js';
import { trendOf } from '#domain/weather/current/trend.js';
import type { Series } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import { STATION } from '../../../support/weather-world.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const station = { ...STATION, number: 1, reportingInterval: 600 };

/** Rows at irregular minutes of pressure, rain, gusts and their directions. */
const anyRows = fc.array(
  fc.record({
    step: fc.integer({ min: 1, max: 70 }),
    pressure: fc.option(fc.integer({ min: 9900, max: 10_200 }).map((tenths) => tenths / 10)),
    rain: fc.option(fc.constantFrom(0, 0, 0.25, 1.5)),
    gust: fc.option(fc.integer({ min: 0, max: 30 })),
    direction: fc.option(fc.integer({ min: 0, max: 360 })),
    isFlagged: fc.boolean(),
  }),
  { maxLength: 60 },
);

interface Row {
  readonly time: number;
  readonly pressure: number | null;
  readonly rain: number | null;
  readonly gust: number | null;
  readonly direction: number | null;
}

function seriesOf(rows: readonly (Row & { readonly isFlagged: boolean })[]): Series {
  const column = (name: 'pressure' | 'rain' | 'gust' | 'direction') =>
    Float64Array.from(rows, (row) => row[name] ?? Number.NaN);
  return {
    times: Float64Array.from(rows, ({ time }) => time),
    values: new Map([
      [V.pressure, column('pressure')],
      [V.gust, column('gust')],
      [V.precipitation, column('rain')],
      [V.gustDirection, column('direction')],
    ]),
    flags: new Map([
      [
        V.pressure,
        Uint8Array.from(rows, ({ isFlagged, pressure }) => (isFlagged && pressure !== null ? 2 : 0)),
      ],
    ]),
  };
}

const timed = anyRows.map((rows) => {
  let time = 0;
  return rows.map((row) => ({ ...row, time: (time += row.step * MINUTE) }));
});
/** How long after the last row it is. */
const anyDelay = fc.integer({ min: 0, max: 400 }).map((minutes) => minutes * MINUTE);

describe('the recent weather of a station', () => {
  it('has the trend of 3 hours: the newest value less the nearest one before, both of values that passed', () => {
    fc.assert(
      fc.property(timed, anyDelay, (rows, delay) => {
        const now = (rows.at(-1)?.time ?? 0) + delay;
        const passed = rows.filter(({ pressure, isFlagged }) => pressure !== null && !isFlagged);
        const newest = passed.findLast(({ time }) => time >= now - 3 * HOUR);
        const wanted = (newest?.time ?? Number.NaN) - 3 * HOUR;
        const away = ({ time }: Row) => Math.abs(time - wanted);
        const [earlier] = passed
          .filter((row) => away(row) <= 30 * MINUTE)
          .toSorted((one, other) => away(one) - away(other) || one.time - other.time);
        const expected =
          newest === undefined || earlier === undefined
            ? null
            : {
                time: newest.time,
                value: newest.pressure,
                earlierTime: earlier.time,
                earlierValue: earlier.pressure,
              };
        expect(trendOf(seriesOf(rows), V.pressure, now)).to.deep.equal(expected);
      }),
      { numRuns: 500 },
    );
    expect(trendOf(seriesOf([]), V.dewPoint, 0)).to.equal(null);
  });

  it('has the extremes, the rain and the highest gust since midnight, and the rain of 60 minutes', () => {
    fc.assert(
      fc.property(timed, anyDelay, fc.double({ min: 0, max: 1, noNaN: true }), (rows, delay, share) => {
        const now = (rows.at(-1)?.time ?? 0) + delay;
        const from = Math.min(now, Math.floor((share * now) / MINUTE) * MINUTE);
        const today = todayOf(seriesOf(rows), station, from, now);
        const passed = rows.filter((row) => row.time >= from && row.pressure !== null && !row.isFlagged);
        const values = passed.map(({ pressure }) => pressure as number);
        const pressure = today.extremes.get(V.pressure);
        expect([pressure?.min, pressure?.max]).to.deep.equal(
          values.length === 0 ? [undefined, undefined] : [Math.min(...values), Math.max(...values)],
        );
        expect(pressure?.minTime).to.equal(passed.find((row) => row.pressure === pressure?.min)?.time);
        expect(today.extremes.size).to.equal(values.length === 0 ? 0 : 1);
        const rainSince = (time: number) => {
          const amounts = rows
            .filter((row) => row.time > time && row.rain !== null)
            .map(({ rain }) => rain as number);
          return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0);
        };
        expect(today.rain).to.equal(rainSince(from));
        expect(today.rainOfHour).to.equal(rainSince(now - HOUR));
        // A gust is the maximum of the time before it, so one at midnight belongs to the day before.
        const gusts = rows.filter(({ time, gust }) => time > from && gust !== null);
        const highest = Math.max(...gusts.map(({ gust }) => gust as number));
        const first = gusts.find(({ gust }) => gust === highest);
        expect(today.gust).to.deep.equal(
          first === undefined ? null : { speed: highest, time: first.time, direction: first.direction },
        );
      }),
      { numRuns: 500 },
    );
  });

  it('has no rain of 60 minutes if the station reports less often', () => {
    const rows = [{ time: 3 * HOUR, rain: 2, pressure: null, gust: null, direction: null, isFlagged: false }];
    const rainAt = (reportingInterval: number | null) =>
      todayOf(seriesOf(rows), { ...station, reportingInterval }, 0, 3 * HOUR).rainOfHour;
    expect([3601, 3600, null].map(rainAt)).to.deep.equal([null, 2, 2]);
  });
});
