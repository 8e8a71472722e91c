import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { noaaText } from '#adapters/formats/noaa/noaa-text.js';
import { MILLISECONDS } from '#domain/time.js';
import {
  ClimateDays,
  dateNumber,
  dateText,
  type DayColumn,
  type DayQuantity,
} from '#domain/weather/climate/climate-days.js';
import { monthsOf } from '#domain/weather/climate/calendar-rows.js';
import {
  inReportUnits,
  NoaaLines,
  type NoaaReport,
  type NoaaUnits,
  REPORTED,
} from '#domain/weather/climate/noaa/noaa-report.js';
import { STATION as DRAFT } from '../../../support/weather-world.js';

const STATION = { ...DRAFT, number: 1 };
type Values = Readonly<Record<(typeof REPORTED)[number], number>>;

const celsius = (fahrenheit: number) => (fahrenheit - 32) / 1.8;
const [MPH, INCH] = [0.44704, 25.4];
const NOTHING = Object.fromEntries(REPORTED.map((quantity) => [quantity, Number.NaN])) as Values;

/** Numbers of a day that can be added up by hand, in the units of the United States. */
function weatherOf(date: string): Values {
  const day = Number(date.slice(8));
  if (day >= 4 && day <= 6) return NOTHING;
  return {
    mean: celsius(30 + day),
    maximum: celsius(40 + day),
    minimum: celsius(20 + day),
    precipitation: day === 17 ? Number.NaN : 0.1 * (day % 3) * INCH,
    wind: (5 + (day % 4)) * MPH,
    highestWind: 12 * MPH,
    gust: day === 10 ? Number.NaN : (10 + day) * MPH,
    windDirection: 10 * day,
  };
}

/** A table whose rows begin at `dates`. Highs are at 15:00, lows at 05:30 and gusts at 18:45 of the day. */
function table(dates: readonly number[], valuesOf: (date: string) => Values): ClimateDays {
  const rows = dates.map((date) => valuesOf(dateText(date)));
  const hours: Partial<Record<DayQuantity, number>> = {
    maximum: 15,
    minimum: 5.5,
    highestWind: 1,
    gust: 18.75,
  };
  const columns = REPORTED.map((quantity): [DayQuantity, DayColumn] => {
    const values = Float64Array.from(rows, (row) => row[quantity]);
    const times = Float64Array.from(dates, (date, row) =>
      Number.isNaN(values[row])
        ? Number.NaN
        : date * MILLISECONDS.day + (hours[quantity] ?? Number.NaN) * MILLISECONDS.hour,
    );
    return [
      quantity,
      { values, times, complete: Uint8Array.from(values, (value) => (Number.isNaN(value) ? 0 : 1)) },
    ];
  });
  return new ClimateDays(Int32Array.from(dates), new Map(columns));
}

const first = dateNumber('2013-01-01');
const days2013 = Array.from({ length: 365 }, (_, day) => first + day);
const total: Values = {
  ...weatherOf('2013-02-08'),
  mean: celsius(45.04),
  wind: 6.46 * MPH,
  windDirection: 359.6,
};
const format = (time: number) => new Date(time).toISOString();
const LOCAL = { timeZone: '-05:00', format };

function report(month: number | undefined, units: NoaaUnits, valuesOf: (date: string) => Values): NoaaReport {
  const days = inReportUnits(table(days2013, valuesOf), units);
  const months = monthsOf(days.dates);
  const lines = new NoaaLines(days, units);
  const totals = inReportUnits(
    table(
      months.map(({ from }) => days2013[from] ?? 0),
      (date) => (Number.isNaN(valuesOf(`${date.slice(0, 8)}02`).mean) ? NOTHING : total),
    ),
    units,
  );
  if (month === undefined) {
    const ofMonths = months.map(({ month: number, from, to }, row) => ({
      number,
      line: lines.total(totals, row, from, to),
    }));
    return {
      units,
      year: 2013,
      month,
      lines: ofMonths,
      total: lines.total(totals, 1, 0, 365),
      gaps: lines.gaps(0, 365),
    };
  }
  const { from, to } = months[month - 1] ?? { from: 0, to: 0 };
  const ofDays = Array.from({ length: to - from }, (_, day) => ({
    number: day + 1,
    line: lines.day(from + day),
  }));
  return {
    units,
    year: 2013,
    month,
    lines: ofDays,
    total: lines.total(totals, month - 1, from, to),
    gaps: lines.gaps(from, to),
  };
}

/** Texts whose sums and means have been computed by hand from `weatherOf`. */
const golden = (name: string) =>
  readFileSync(new URL(`../../../../../test/fixtures/noaa/${name}.txt`, import.meta.url), 'utf8');
const linesOf = (text: string, from: number, to?: number) => text.split('\n').slice(from, to);

describe('noaaText', () => {
  it('writes a month in the columns of WeeWX, with a note of the days that are not complete', () => {
    expect(noaaText(report(2, 'imperial', weatherOf), STATION, LOCAL)).to.equal(golden('2013-02'));
  });

  it('names the year in which the values of the demo were recorded', () => {
    const month = noaaText(report(2, 'metric', weatherOf), { ...STATION, demo: 'live' }, LOCAL);
    expect(linesOf(month, 3, 4)).to.deep.equal([`NAME: ${STATION.name} (recorded in 2013)`]);
  });

  it('writes a year: a table of temperature, one of rain and one of wind', () => {
    const summer = (date: string): Values =>
      date.startsWith('2013-07') || date.startsWith('2013-02') ? weatherOf(date) : NOTHING;
    expect(noaaText(report(undefined, 'imperial', summer), STATION, LOCAL)).to.equal(golden('2013'));
  });

  it('writes the units and the thresholds of the metric system', () => {
    const month = noaaText(report(2, 'metric', weatherOf), STATION, LOCAL);
    expect(linesOf(month, 4, 8)).to.deep.equal([
      'ELEV: 4 m    LAT: 40-38.39 N    LONG: 073-46.74 W',
      '',
      '',
      '                   TEMPERATURE (C), RAIN (mm), WIND SPEED (m/s)',
    ]);
    // 31, 41 and 21 °F; 0.1 inches; 6, 12 and 11 mph.
    expect(linesOf(month, 13, 15)).to.deep.equal([
      ' 01   -0.6    5.0  15:00   -6.1  05:30   18.9    0.0    2.5    2.7    5.4  01:00     10',
      ' 02    0.0    5.6  15:00   -5.6  05:30   18.3    0.0    5.1    3.1    5.4  18:45     20',
    ]);
    const year = noaaText(report(undefined, 'metric', weatherOf), STATION, LOCAL);
    expect(year).to.contain('LOW  DAY     30      0      0    -20\n');
    expect(year).to.contain('DATE   0.30   3.00  30.00\n');
  });

  it('writes N/A where a quantity was not measured, and no line where nothing was', () => {
    const rainAlone = (date: string): Values => ({
      ...NOTHING,
      precipitation: date === '2013-02-02' ? 5.08 : Number.NaN,
    });
    const text = noaaText(
      report(2, 'imperial', rainAlone),
      { ...STATION, elevation: null, latitude: -33.99999, longitude: 18.5 },
      LOCAL,
    );
    expect(linesOf(text, 4, 5)).to.deep.equal(['ELEV: N/A    LAT: 34-00.00 S    LONG: 018-30.00 E']);
    expect(linesOf(text, 13, 16)).to.deep.equal([
      ' 01',
      ' 02    N/A    N/A    N/A    N/A    N/A    N/A    N/A   0.20    N/A    N/A    N/A    N/A',
      ' 03',
    ]);
    expect(text).to.contain('  rain         27 days: 01, 03-28\n');
    expect(text).not.to.contain('temperature  28 days');
    expect(text).to.contain('\n\nNOT OBSERVED: temperature, wind\n');
  });

  it('names a quantity that was never observed alone, without a list of days', () => {
    const calm = (date: string): Values => ({
      ...weatherOf(`${date.slice(0, 8)}01`),
      wind: Number.NaN,
      highestWind: Number.NaN,
      gust: Number.NaN,
      windDirection: Number.NaN,
    });
    for (const month of [7, undefined]) {
      const text = noaaText(report(month, 'metric', calm), STATION, LOCAL);
      expect(text).not.to.contain('INCOMPLETE');
      expect(text.split('\n').slice(-3)).to.deep.equal(['', 'NOT OBSERVED: wind', '']);
    }
  });

  it('counts hot and cold days with their limits', () => {
    // Maxima from 32 to 92 °F and minima from -3 to 57 °F: 90 and 92; 32; up to 31; -3 and -1.
    const values = (date: string): Values => {
      const day = Number(date.slice(8));
      const [maximum, minimum] = [celsius(30 + 2 * day), celsius(-5 + 2 * day)];
      return { ...weatherOf('2013-02-01'), maximum, minimum };
    };
    const year = noaaText(report(undefined, 'imperial', values), STATION, LOCAL);
    expect(year).to.match(/^2013 07 .* 92\.0 {3}31 .* -3\.0 {3}01 {6}2 {6}1 {5}18 {6}2$/m);
  });

  it('writes zero without a sign', () => {
    const cold = (date: string): Values => ({ ...weatherOf(date), mean: -0.04, minimum: -0.06 });
    const [line = ''] = linesOf(noaaText(report(2, 'metric', cold), STATION, LOCAL), 13, 14);
    expect(line.slice(0, 31)).to.equal(' 01    0.0    5.0  15:00   -0.1');
  });

  it('writes no note where every day is complete', () => {
    const complete = (date: string) => weatherOf(`${date.slice(0, 8)}01`);
    const text = noaaText(
      report(2, 'imperial', (date) => ({ ...complete(date), gust: 0 })),
      STATION,
      LOCAL,
    );
    expect(text).not.to.contain('INCOMPLETE');
    expect(text.split('\n')).to.have.length(13 + 28 + 6);
  });

  it('breaks a long note', () => {
    const odd = (date: string): Values =>
      Number(date.slice(8)) % 2 === 0 ? weatherOf('2013-02-01') : NOTHING;
    const text = noaaText(report(7, 'imperial', odd), STATION, LOCAL);
    expect(text).to.contain(
      '  rain         16 days: 01, 03, 05, 07, 09, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31\n',
    );
    for (const line of text.split('\n')) expect(line.length, line).to.be.at.most(87);
  });
});
