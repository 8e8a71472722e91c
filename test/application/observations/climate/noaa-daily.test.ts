import { expect } from 'chai';
import { noaaText } from '#adapters/formats/noaa/noaa-text.js';
import { MakeNoaaReport } from '#application/observations/climate/make-noaa-report.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { DaySource } from '#domain/weather/climate/provenance.js';
import { addStation, record, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const DAY = 86_400_000;
const { NaN: none } = Number;
const days = <T>(length: number, of: (day: number) => T) => Array.from({ length }, (_, day) => of(day + 1));

/** A station with published values of the days from 1 July 2013 on. */
async function given(values: Readonly<Record<string, readonly number[]>>): Promise<World> {
  const world = await World.make();
  await addStation(world, { timeZone: 'UTC', reportingInterval: 3600 });
  const length = Object.values(values)[0]?.length ?? 0;
  const times = Float64Array.from({ length }, (_, day) => Date.parse('2013-07-02') + day * DAY);
  await world
    .get(RecordObservations)
    .execute({ stations: 'JFK', times, columns: sentColumns(values) }, CALLER);
  return world;
}

async function linesOf(world: World, month?: number, source?: DaySource): Promise<readonly string[]> {
  const described = await world.get(DescribeStation).execute('JFK');
  const input = { year: 2013, month, units: 'metric', dayStart: 0, source } as const;
  const page = await world.get(MakeNoaaReport).execute(described, input);
  return noaaText(page.report, described.station, page).split('\n');
}

const startingWith = (lines: readonly string[], start: string) =>
  lines.find((line) => line.startsWith(start));
/** The lines below the table, from a heading to the next empty line. */
function notes(lines: readonly string[], heading: string): readonly string[] {
  const from = lines.findIndex((line) => line.startsWith(heading));
  return from < 0 ? [] : lines.slice(from, lines.indexOf('', from));
}

const JULY = {
  daily_maximum_air_temperature: days(31, (day) => 20 + (day % 10)),
  daily_minimum_air_temperature: days(31, (day) => (day === 9 ? none : 10)),
  daily_mean_air_temperature: days(31, (day) => (day <= 3 ? 14 : none)),
  daily_precipitation_amount: days(31, (day) => (day === 4 ? 12.5 : 0)),
  daily_mean_wind_speed: days(31, (day) => (day % 2 === 0 ? 2 : 6)),
  daily_mean_wind_from_direction: days(31, (day) => (day % 2 === 0 ? 350 : 30)),
  daily_maximum_wind_speed_of_gust: days(31, (day) => (day === 20 ? 22 : 9)),
};

describe('the report of a station with published values of days', () => {
  it('has them in all columns, without times, and says how many days of each column come from where', async () => {
    const lines = await linesOf(await given(JULY), 7);
    expect(startingWith(lines, ' 01')).to.equal(
      ' 01   14.0   21.0    N/A   10.0    N/A    4.3    0.0    0.0    6.0    9.0    N/A     30',
    );
    // (24 + 10) / 2, because no mean was published.
    expect(startingWith(lines, ' 04')).to.equal(
      ' 04   17.0   24.0    N/A   10.0    N/A    1.3    0.0   12.5    2.0    9.0    N/A    350',
    );
    expect(startingWith(lines, ' 09')).to.equal(
      ' 09    N/A   29.0    N/A    N/A    N/A    N/A    N/A    0.0    6.0    9.0    N/A     30',
    );
    // The means are those of the days: three means of 14, and 27 of (maximum + minimum) / 2. The resultant of 2 m/s from 350 degrees and
    // 6 m/s from 30 degrees has 21 degrees.
    const sum =
      3 * 14 + days(31, (day) => (day > 3 && day !== 9 ? (30 + (day % 10)) / 2 : 0)).reduce((a, b) => a + b);
    const total = lines[lines.lastIndexOf('-'.repeat(87)) + 1] ?? '';
    expect(total.startsWith(`      ${(sum / 30).toFixed(1)}   29.0     09   10.0     01 `), total).to.equal(
      true,
    );
    expect(total.slice(-34)).to.equal('  12.5    4.1   22.0     20     21');
    expect(notes(lines, 'SOURCES')).to.deep.equal([
      'SOURCES (DAYS)               DAILY VALUES     OBSERVATIONS (HIGH + LOW) / 2',
      '  MEAN TEMP                             3                0               27',
      '  HIGH TEMP                            31                0',
      '  LOW TEMP                             30                0',
      '  RAIN                                 31                0',
      '  AVG WIND SPEED                       31                0',
      '  HIGH WIND SPEED                      31                0',
      '  DOM DIR                              31                0',
    ]);
    expect(lines).to.include('MEANS: of the days. DEGREE DAYS: from the mean of each day, base 18.3 C');
    expect(notes(lines, 'INCOMPLETE').slice(2)).to.deep.equal(['  temperature   1 day:  09']);
    expect(lines.join()).not.to.contain('NOT OBSERVED');
  });

  it('has the months of a year, with the greatest values and the numbers of days', async () => {
    const lines = await linesOf(await given(JULY));
    expect(lines.filter((line) => line.startsWith('2013 07'))).to.deep.equal([
      startingWith(lines, '2013 07'),
      '2013 07   12.5   12.5    04      1      1      0',
      '2013 07    4.1   22.0     20     21',
    ]);
    expect(startingWith(lines, '2013 07')).to.match(
      /^2013 07 {3}24\.4 {3}10\.0 .* 29\.0 {3}09 {4}10\.0 {3}01 /,
    );
  });

  it('names as not observed only what has no value at all', async () => {
    const { daily_maximum_air_temperature: maxima, daily_maximum_wind_speed_of_gust: gusts } = JULY;
    const alone = await given({
      daily_maximum_air_temperature: maxima,
      daily_maximum_wind_speed_of_gust: gusts,
    });
    const lines = await linesOf(alone, 7);
    expect(lines).to.include('NOT OBSERVED: rain').and.not.to.include('NOT OBSERVED: temperature');
    expect(notes(lines, 'INCOMPLETE')).to.deep.equal([]);
    const year = await linesOf(alone);
    expect(year.filter((line) => line.startsWith('2013 07'))).to.deep.equal(
      [
        '2013 07   24.4    N/A    N/A    N/A    N/A    29.0   09     N/A  N/A      0      0      0      0',
        '2013 07 ',
        '2013 07    N/A   22.0     20    N/A',
      ].map((line) => line.trimEnd()),
    );
  });

  it('has the observations of other days with the source both, and of all days with the source observations', async () => {
    const world = await given({
      ...JULY,
      daily_maximum_air_temperature: days(31, (day) => (day === 5 ? none : 29)),
    });
    const hours = days(31 * 24, (hour) => 15 + (hour % 24) / 4);
    await record(world, '2013-07-01T00:00:00Z', { air_temperature: hours, wind_speed: hours.map(() => 6) });
    const both = await linesOf(world, 7, 'both');
    // (29 + 10) / 2, because both extremes were published: the mean of the observations is 17.9.
    expect(startingWith(both, ' 06')?.slice(0, 33)).to.equal(' 06   19.5   29.0    N/A   10.0  ');
    expect(startingWith(both, ' 05')?.slice(0, 33)).to.equal(' 05   17.9   20.8  22:00   10.0  ');
    expect(notes(both, 'SOURCES').slice(1, 5)).to.deep.equal([
      '  MEAN TEMP                             3                2               26',
      '  HIGH TEMP                            30                1',
      '  LOW TEMP                             30                1',
      '  RAIN                                 31                0',
    ]);
    // The default is what it was, and a report of observations has no other notes than before.
    for (const source of [undefined, 'observations'] as const) {
      const lines = await linesOf(world, 7, source);
      expect(startingWith(lines, ' 05')?.slice(0, 33)).to.equal(' 05   17.9   20.8  22:00   15.0  ');
      expect(lines).to.include('NOT OBSERVED: rain');
      expect(lines).to.include('MEANS: of all values. DEGREE DAYS: from the mean of each day, base 18.3 C');
      expect(notes(lines, 'SOURCES')).to.deep.equal([]);
    }
  });

  it('adds amounts of several days to the total of the period that has all their days', async () => {
    const isIn = (day: number) => (day >= 10 && day <= 12) || day >= 30;
    const world = await given({
      daily_precipitation_amount: days(33, (day) => (isIn(day) ? none : 1)),
      multiday_precipitation_amount: days(33, (day) => (day === 12 ? 30 : day === 33 ? 5 : none)),
      multiday_precipitation_days: days(33, (day) => (day === 12 ? 3 : day === 33 ? 4 : none)),
    });
    const july = await linesOf(world, 7);
    expect(startingWith(july, ' 12')).to.equal(' 12');
    expect(july[july.lastIndexOf('-'.repeat(87)) + 1]).to.contain('   56.0 ');
    expect(notes(july, 'RAIN OF')).to.deep.equal([
      'RAIN OF SEVERAL DAYS is in the total, in place of any amounts of these days.',
      '  07-10 to 07-12     30.0 mm',
      '  07-30 to 08-02      5.0 mm  not in the total, because a part of its days is outside',
    ]);
    expect(notes(july, 'INCOMPLETE').slice(2)).to.deep.equal(['  rain          2 days: 30-31']);
    const year = await linesOf(world);
    expect(year.filter((line) => /^2013 0[78] {3}\d/.test(line))).to.deep.equal([
      '2013 07   56.0    1.0    01     26      0      0',
    ]);
    expect(year).to.include('          61.0    1.0   Jul     26      0      0');
  });
});
