import { expect } from 'chai';
import fc from 'fast-check';
import { noaaText } from '#adapters/formats/noaa/noaa-text.js';
import { FindRecords } from '#application/observations/climate/find-records.js';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { MakeNoaaReport } from '#application/observations/climate/make-noaa-report.js';
import { CountWinds } from '#application/observations/read/charts/count-winds.js';
import { DerivePeriods } from '#application/observations/read/derived/derive-periods.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { ReadRecent } from '#application/observations/read/current/read-recent.js';
import { UNLIMITED } from '#application/observations/read/gate/permit.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { dateText } from '#domain/weather/climate/climate-days.js';
import type { StationDraft } from '#domain/weather/station.js';
import { V, type Variable, variableNumbered, VARIABLES } from '#domain/weather/variables.js';
import { addStation, record } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const START = Date.UTC(2013, 6, 1);
const DAYS = 3;
/** Those of which this test writes values. Rain and sunshine are always of the interval that ends. */
const WRITTEN = [
  V.temperature,
  V.humidity,
  V.windSpeed,
  V.windDirection,
  V.gust,
  V.precipitation,
  V.radiation,
].map(variableNumbered);
/** Variables whose values may be of either kind. */
const FREE = WRITTEN.filter(({ number }) => number !== V.precipitation);

type Methods = NonNullable<StationDraft['cellMethods']>;
type Column = readonly number[];

/** The day, from 0 on, to which the value of an hour belongs: written down here once more, on purpose. */
function dayOf(variable: Variable, hour: number, methods: Methods): number {
  const usual = [V.temperature, V.humidity].some((number) => number === variable.number);
  const isPoint = (methods[variable.name] ?? (usual ? 'point' : 'interval')) === 'point';
  return isPoint ? Math.floor(hour / 24) : Math.ceil(hour / 24) - 1;
}

describe('the day to which a value belongs', () => {
  /** Values that pass every check, in the order of `WRITTEN`. */
  const within = [
    [15, 20],
    [50, 60],
    [1, 8],
    [1, 359],
    [10, 18],
    [1, 9],
    [1, 90],
  ] as const;
  const row = fc.tuple(...within.map(([min, max]) => fc.integer({ min, max })));
  const methods: fc.Arbitrary<Methods> = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...FREE), fc.constantFrom('point' as const, 'interval' as const)), {
      selector: ([variable]) => variable,
      maxLength: 4,
    })
    .map((pairs) => Object.fromEntries(pairs.map(([variable, method]) => [variable.name, method])));

  it('is the same in summaries, wind roses, records, months, reports, and today', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: DAYS * 24 + 1, maxLength: DAYS * 24 + 1 }),
        methods,
        async (rows, cellMethods) => {
          const world = await World.make();
          await addStation(world, { timeZone: 'UTC', reportingInterval: 3600, cellMethods });
          const columns = WRITTEN.map((_, index): Column => rows.map((values) => values[index] as number));
          const named = WRITTEN.map(({ name }, index) => [name, [...(columns[index] as Column)]] as const);
          await record(world, new Date(START).toISOString(), Object.fromEntries(named));
          const described = await world.get(DescribeStation).execute('JFK');
          /** The values of a variable on a day. */
          const valuesOf = (number: number, day: number) => {
            const index = WRITTEN.findIndex((variable) => variable.number === number);
            const variable = WRITTEN[index] as Variable;
            return (columns[index] as Column).filter((_, hour) => dayOf(variable, hour, cellMethods) === day);
          };
          const page = await world.get(Summarize).execute(described, {
            interval: 'day',
            timeZone: 'station',
            dayStart: 0,
            from: START,
            to: START + DAYS * DAY,
            variables: WRITTEN.map(({ name }) => name),
            quality: 'all',
          });
          for (const [day, { statistics }] of [...page.rows].entries())
            for (const [index, { number, name }] of WRITTEN.entries()) {
              const own = valuesOf(number, day);
              const { count, max, sum } = statistics[index] ?? {};
              expect(count, `${name} of day ${day}`).to.equal(own.length);
              if (number === V.windDirection) continue;
              expect([max, sum], name).to.deep.equal([Math.max(...own), own.reduce((a, b) => a + b, 0)]);
            }
          for (let day = 0; day < DAYS; day += 1) {
            const range = { from: START + day * DAY, to: START + (day + 1) * DAY };
            const wind = { ...range, sectors: 16, bounds: [4], quality: 'all' as const };
            const { rose } = await world.get(CountWinds).execute(described, wind);
            const speeds = valuesOf(V.windSpeed, day);
            const counted = [0, 1].map((speedClass) =>
              rose.counts.reduce((sum, counts) => sum + (counts[speedClass] ?? 0), 0),
            );
            expect(counted.map(Math.round)).to.deep.equal([
              speeds.filter((speed) => speed < 4).length,
              speeds.filter((speed) => speed >= 4).length,
            ]);
          }
          // Today is the last day, up to and with the row of the next midnight but one hour.
          const now = START + DAYS * DAY - HOUR;
          const { today } =
            (await world.get(ReadRecent).execute([described.station], now, UNLIMITED)).get(
              described.station.number,
            ) ?? {};
          const soFar = (number: number) => {
            const index = WRITTEN.findIndex((variable) => variable.number === number);
            const variable = WRITTEN[index] as Variable;
            return (columns[index] as Column).filter(
              (_, hour) => hour < DAYS * 24 && dayOf(variable, hour, cellMethods) === DAYS - 1,
            );
          };
          expect(today?.rain).to.equal(soFar(V.precipitation).reduce((a, b) => a + b, 0));
          for (const number of [V.temperature, V.windSpeed, V.radiation])
            expect(today?.extremes.get(number)?.max).to.equal(Math.max(...soFar(number)));
          expect(today?.gust?.speed).to.equal(Math.max(...soFar(V.gust)));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of a gust and rain at midnight is the day before, in the climate, its records and the report too', async () => {
    const world = await World.make();
    await addStation(world, { timeZone: 'UTC', reportingInterval: 3600 });
    const hours = Array.from({ length: 31 * 24 + 1 }, (_, hour) => hour);
    const midnight = 10 * 24;
    await record(world, new Date(START).toISOString(), {
      air_temperature: hours.map(() => 20),
      wind_speed: hours.map((hour) => (hour === midnight ? 12 : 2)),
      wind_speed_of_gust: hours.map((hour) => (hour === midnight ? 25 : 3)),
      precipitation_amount: hours.map((hour) => (hour === midnight ? 7 : 0)),
    });
    const described = await world.get(DescribeStation).execute('JFK');
    const eve = '2013-07-10';
    const { elements, rows } = await world.get(FindRecords).execute(described, { dayStart: 0 });
    for (const name of ['highest_gust', 'greatest_daily_precipitation']) {
      const column = elements.findIndex((element) => element.name === name);
      expect(dateText(rows.at(-1)?.records[column]?.date ?? 0), name).to.equal(eve);
    }
    const months = await world.get(ListClimateMonths).execute(described, { dayStart: 0, rule: 'wmo_1203' });
    for (const name of ['highest_wind', 'greatest_daily_precipitation']) {
      const column = months.elements.findIndex((element) => element.name === name);
      const figure = months.sections['months']?.find(({ label }) => label === '2013-07')?.figures[column];
      expect(dateText(figure?.date ?? 0), name).to.equal(eve);
    }
    const { report, timeZone, format } = await world
      .get(MakeNoaaReport)
      .execute(described, { year: 2013, month: 7, units: 'metric', dayStart: 0 });
    const line = noaaText(report, described.station, { timeZone, format })
      .split('\n')
      .find((text) => text.startsWith(' 10'));
    expect(line).to.match(/ 7\.0 .* 25\.0 {2}00:00/);
  });

  it('says which time each variable describes', () => {
    const points = VARIABLES.filter(({ cellMethod }) => cellMethod === 'point').map(({ name }) => name);
    expect(points).to.include.members(['air_temperature', 'relative_humidity', 'surface_air_pressure']);
    for (const number of [6, 7, 8, 9, 10, 11, 12, 13, 21])
      expect(variableNumbered(number).cellMethod, String(number)).to.equal('interval');
  });
});

describe('example 19 of FAO-56 as rows of a station', () => {
  it('gives 0.63 mm for the hour that is stamped 15:00, and starts at 14:00', async () => {
    const world = await World.make();
    const place = {
      latitude: 16 + 13 / 60,
      longitude: -16.25,
      elevation: 8,
      sensorHeights: { wind_speed: 10 },
    };
    const cellMethods = { air_temperature: 'interval', relative_humidity: 'interval' } as const;
    await addStation(world, { ...place, timeZone: '-01:00', reportingInterval: 3600, cellMethods });
    await record(world, '2015-10-01T16:00:00Z', {
      air_temperature: [38],
      relative_humidity: [52],
      wind_speed: [(3.3 * Math.log(672.58)) / 4.87],
      surface_downwelling_shortwave_flux_in_air: [2.45e6 / 3600],
    });
    const { parts } = await world
      .get(DerivePeriods)
      .execute(await world.get(DescribeStation).execute('JFK'), {
        from: Date.UTC(2015, 9, 1, 15),
        to: Date.UTC(2015, 9, 1, 17),
        variables: ['reference_evapotranspiration'],
        interval: 'hour',
        quality: 'all',
        limit: 10,
        cursor: undefined,
      });
    const [part] = parts;
    expect(part?.times[0]).to.equal(Date.UTC(2015, 9, 1, 15));
    expect(part?.values.get(0)?.[0]).to.be.closeTo(0.63, 0.0035);
    expect(part?.values.get(0)?.[1]).to.satisfy(Number.isNaN);
  });
});
