import { expect } from 'chai';
import fc from 'fast-check';
import {
  ComputeStationIndex,
  type StationIndexPage,
} from '#application/observations/indices/compute-station-index.js';
import { ReadClimateDays } from '#application/observations/climate/read-climate-days.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { MILLISECONDS } from '#domain/time.js';
import { dateText } from '#domain/weather/climate/climate-days.js';
import { airQualityOfDays, airQualityOfHours } from '#domain/weather/indices/air-quality.js';
import { chill } from '#domain/weather/indices/chill.js';
import { STARTING_CODES } from '#domain/weather/indices/fire-equations.js';
import { fireWeather } from '#domain/weather/indices/fire-weather.js';
import { growingDegreeDays } from '#domain/weather/indices/growing-degree-days.js';
import { heatStressOfDays, heatStressOfHours } from '#domain/weather/indices/heat-stress.js';
import { leafWetnessOfDays, leafWetnessOfHours } from '#domain/weather/indices/leaf-wetness.js';
import { spray } from '#domain/weather/indices/spray.js';
import type { StationIndex } from '#domain/weather/indices/station-index.js';
import { waterBalance } from '#domain/weather/indices/water-balance.js';
import { addStation, record } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

const start = { month: 6, day: 15 };
const particles = { correction: 'epa_purpleair', european: '2024' } as const;

/** An index with options, without their type, so that a table can contain all of them. */
interface Case {
  readonly index: StationIndex<never>;
  readonly options: unknown;
}
const CASES: readonly Case[] = [
  { index: airQualityOfHours, options: particles },
  { index: airQualityOfHours, options: { ...particles, european: '2020' } },
  { index: airQualityOfDays, options: particles },
  { index: growingDegreeDays, options: { method: 'single_sine', base: 10, upper: undefined, start } },
  { index: chill, options: { start } },
  { index: leafWetnessOfHours, options: undefined },
  { index: leafWetnessOfDays, options: undefined },
  { index: spray, options: { dryHours: 3 } },
  { index: waterBalance, options: { cropCoefficient: 0.8, start } },
  { index: fireWeather, options: { start, codes: STARTING_CODES } },
  { index: heatStressOfHours, options: { region: 'cool' } },
  { index: heatStressOfDays, options: { region: 'cool' } },
];
const BEGIN = Date.parse('2024-06-01T04:00:00Z');
const HOURS = 60 * 24;

describe('indices of a station', () => {
  let world: World;

  before(async () => {
    world = await World.make();
    world.clock.time = BEGIN + (HOURS + 5) * MILLISECONDS.hour;
    await addStation(world);
    // 60 days of summer. Some hours are missing, and a whole day of humidity.
    const hours = Array.from({ length: HOURS }, (_, hour) => hour);
    const wave = (hour: number, shift = 9) => Math.sin((2 * Math.PI * (hour - shift)) / 24);
    const gaps = (values: readonly number[]) =>
      values.map((value, hour) => (hour % 397 === 100 ? Number.NaN : value));
    await record(world, '2024-06-01T04:00:00Z', {
      air_temperature: gaps(hours.map((hour) => 18 + 8 * wave(hour) + 3 * Math.sin(hour / 70))),
      relative_humidity: hours.map((hour) =>
        hour > 480 && hour < 510 ? Number.NaN : 75 - 22 * wave(hour) + 2 * Math.cos(hour / 31),
      ),
      surface_air_pressure: hours.map((hour) => 1010 + 5 * Math.sin(hour / 40)),
      wind_speed: gaps(hours.map((hour) => 3 + 2 * wave(hour) + Math.cos(hour / 13))),
      precipitation_amount: hours.map((hour) => (hour % 90 < 4 ? 1.2 : 0)),
      surface_downwelling_shortwave_flux_in_air: hours.map((hour) => Math.max(0, 700 * wave(hour, 10))),
      mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air: gaps(
        hours.map((hour) => 20 + 15 * Math.sin(hour / 17)),
      ),
      mass_concentration_of_pm10_ambient_aerosol_particles_in_air: hours.map(
        (hour) => 30 + 20 * Math.sin(hour / 17),
      ),
    });
  });

  type Time = number | undefined;
  const read = async ({ index, options }: Case, from: Time, to: Time, station = 'JFK') => {
    const described = await world.get(DescribeStation).execute(station, undefined, {});
    const input = {
      index: index as StationIndex<unknown>,
      options,
      from,
      to,
      start,
      quality: 'pass',
    } as const;
    return await world.get(ComputeStationIndex).execute(described, input);
  };
  const rowsOf = ({ times, columns, missing, valid, format }: StationIndexPage) =>
    Array.from(times, (time, row) => [
      format(time),
      ...columns.map((column) => column[row]),
      missing[row],
      valid[row],
    ]);

  for (const one of CASES) {
    const title = `${one.index.name} of ${one.index.gives}`;

    it(`${title}: has rows with values, and rows that a missing hour makes invalid`, async () => {
      const page = await read(one, undefined, undefined);
      const expected = one.index.gives === 'hours' ? HOURS : HOURS / 24;
      expect(page.times.length).to.be.within(expected - 1, expected + 1);
      expect(page.columns).to.have.length(one.index.columns.length);
      for (const [index, column] of page.columns.entries())
        expect(
          column.some((value) => !Number.isNaN(value)),
          one.index.columns[index]?.name,
        ).to.equal(true);
      expect([...page.valid]).to.include.members([0, 1]);
      expect(page.valid.findIndex((valid, row) => valid === 1 && page.missing[row] !== 0)).to.equal(
        one.index === airQualityOfDays ? page.missing.findIndex((count) => count > 0 && count <= 6) : -1,
      );
    });

    it(`${title}: does not depend on the requested range`, async () => {
      const whole = new Map(rowsOf(await read(one, undefined, undefined)).map((row) => [row[0], row]));
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: HOURS - 400 }),
          fc.integer({ min: 25, max: 390 }),
          async (first, length) => {
            const from = BEGIN + first * MILLISECONDS.hour;
            const rows = rowsOf(await read(one, from, from + length * MILLISECONDS.hour));
            expect(rows).to.have.length.greaterThan(0);
            // The newest day may have more hours in the whole range than up to `to`.
            const full = one.index.gives === 'hours' ? rows : rows.slice(0, -1);
            for (const row of full) expect(row).to.deep.equal(whole.get(row[0]));
          },
        ),
        { numRuns: 8 },
      );
    });
  }

  /** Each zone moved from one side of the date line to the other, and skipped the date, or had it twice. */
  const MOVED = [
    ['Pacific/Apia', '2011-12-30', 0],
    ['Pacific/Fakaofo', '2011-12-30', 0],
    ['Pacific/Kwajalein', '1993-08-21', 0],
    ['Pacific/Kiritimati', '1994-12-31', 0],
    ['Asia/Manila', '1844-12-31', 0],
    ['Pacific/Kwajalein', '1969-09-30', 1],
    ['America/Juneau', '1867-10-18', 1],
  ] as const;

  for (const [timeZone, moved, count] of MOVED)
    it(`has ${count === 0 ? 'no row of' : 'one row of'} ${moved} in ${timeZone}, as summaries and climate tables, and rising times`, async () => {
      const id = `${timeZone}-${moved}`.replace(/\W/g, '_');
      await addStation(world, { id, timeZone });
      const begin = Date.parse(moved) - 5 * MILLISECONDS.day;
      const end = begin + 10 * MILLISECONDS.day;
      const length = 10 * 24;
      const values = Array.from({ length }, (_, hour) => 10 + (hour % 24) / 2);
      await record(world, new Date(begin).toISOString(), { air_temperature: values }, id);
      const expectDays = (dates: readonly string[], times: Iterable<number>, what: string) => {
        expect(dates.length, what).to.be.within(8, 12);
        expect(new Set(dates).size, what).to.equal(dates.length);
        expect(dates.filter((date) => date === moved).length, what).to.equal(count);
        expectRising(times, what);
      };
      const expectRising = (times: Iterable<number>, what: string) => {
        const all = [...times];
        expect(all, what).to.deep.equal([...new Set(all)].toSorted((a, b) => a - b));
      };
      for (const one of CASES) {
        const what = `${one.index.name} of ${one.index.gives}`;
        const { times, format } = await read(one, begin, end, id);
        if (one.index.gives === 'days') expectDays(Array.from(times, format), times, what);
        else expectRising(times, what);
      }
      const described = await world.get(DescribeStation).execute(id, undefined, {});
      const { rows, format } = await world.get(Summarize).execute(described, {
        interval: 'day',
        timeZone: 'station',
        dayStart: 0,
        from: begin,
        to: end,
        variables: ['air_temperature'],
        quality: 'all',
      });
      const starts = [...rows].map(({ start: time }) => time);
      expectDays(
        starts.map((time) => format(time).slice(0, moved.length)),
        starts,
        'summaries',
      );
      const found = await world.get(ReadClimateDays).find(described, { dayStart: 0 }, ['maximum']);
      const known = found?.days.dates.filter(
        (_, row) => !Number.isNaN(found.days.column('maximum').values[row]),
      );
      expectDays(Array.from(known ?? [], dateText), known ?? [], 'climate');
    });

  it('refuses more hours than a reply may have', async () => {
    const [hourly = CASES[0] as Case] = CASES;
    const failed = await read(hourly, Date.UTC(2020), Date.UTC(2024)).catch((error: unknown) => error);
    expect(failed).to.have.property('code', 'REQUEST_INVALID');
  });
});
