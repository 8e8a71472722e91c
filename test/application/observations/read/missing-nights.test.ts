import { expect } from 'chai';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { DerivePeriods } from '#application/observations/read/derived/derive-periods.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { MILLISECONDS } from '#domain/time.js';
import { addStation, record, STATION } from '../../../support/weather-world.js';
import { World } from '../../../support/world.js';

const START = '2013-06-01T04:00:00Z';
/** Three months of hours, from midnight to midnight of New York. */
const HOURS = 92 * 24;
const RADIATION = 'surface_downwelling_shortwave_flux_in_air';
const SUNSHINE = 'duration_of_sunshine';
/** Around the summer, the sun of New York is down in the hours that end from 21 to 5 o'clock. */
const isNight = (hour: number) => (hour + 24) % 24 < 5 || hour % 24 >= 22;
const wave = (hour: number) => Math.max(0, Math.cos((((hour % 24) - 13) / 12) * Math.PI));

describe('a station without radiation and sunshine at night', () => {
  /** A world with hourly values. Radiation and sunshine at night are `atNight`. */
  async function given(atNight: number): Promise<World> {
    const world = await World.make();
    await addStation(world, { sensorHeights: { wind_speed: 10 } });
    const column = (value: (hour: number) => number) =>
      Array.from({ length: HOURS }, (_, hour) => value(hour));
    await record(world, START, {
      air_temperature: column((hour) => 18 + 5 * wave(hour)),
      relative_humidity: column(() => 60),
      wind_speed: column((hour) => 2 + (hour % 3)),
      [RADIATION]: column((hour) => (isNight(hour) ? atNight : 800 * wave(hour))),
      [SUNSHINE]: column((hour) => (isNight(hour) ? Math.max(0, atNight) : 3000 * wave(hour))),
    });
    return world;
  }

  const common = {
    timeZone: 'station',
    dayStart: 0,
    from: Date.parse(START),
    to: undefined,
    quality: 'pass',
  } as const;

  async function computed(world: World) {
    const described = await world.get(DescribeStation).execute('JFK');
    const summaries: unknown[] = [];
    for (const interval of ['hour', 'day', 'month', 'season'] as const) {
      const variables = [RADIATION, SUNSHINE];
      const page = await world.get(Summarize).execute(described, { ...common, interval, variables });
      for (const { start, statistics, completeness } of page.rows) {
        const [radiation, sunshine] = statistics;
        const sums = [(radiation?.integral ?? Number.NaN) / 1e9, (sunshine?.sum ?? Number.NaN) / 3600];
        const valid = completeness.map((one) => one.valid);
        summaries.push([interval, start, ...sums.map((sum) => sum.toFixed(9)), ...valid]);
      }
    }
    const evapotranspiration: string[][] = [];
    for (const interval of ['hour', 'day'] as const) {
      const variables = ['reference_evapotranspiration'];
      const input = { ...common, interval, variables, limit: HOURS, cursor: undefined };
      const { parts } = await world.get(DerivePeriods).execute(described, input);
      const amounts = Array.from(parts[0]?.values.get(0) ?? [], (amount) => amount.toFixed(9));
      evapotranspiration.push(amounts);
    }
    const climate = await world.get(ListClimateMonths).execute(described, { dayStart: 0, rule: 'wmo_1203' });
    const sunshine = climate.sections['months']?.map(({ label, figures }) => [
      label,
      figures[climate.elements.findIndex(({ name }) => name === 'sunshine')]?.value?.toFixed(6),
    ]);
    return { summaries, evapotranspiration, sunshine };
  }

  for (const [what, atNight] of [
    ['missing', Number.NaN],
    ['below the limit of −4 W/m²', -4.2],
  ] as const) {
    it(`has the energy, the sunshine and the evapotranspiration of a station with zeros: values are ${what}`, async () => {
      const [found, expected] = [await computed(await given(atNight)), await computed(await given(0))];
      expect(found).to.deep.equal(expected);
      const amounts = expected.evapotranspiration.flat().filter((amount) => amount !== 'NaN');
      expect(amounts).to.have.length.above(2200);
      const months = expected.summaries.filter((row) => (row as unknown[])[0] === 'month') as unknown[][];
      expect(months.slice(0, 3).map((row) => row.slice(4))).to.deep.equal(
        months.slice(0, 3).map(() => [true, true]),
      );
    });
  }

  it('is not complete without a value by day', async () => {
    const world = await given(Number.NaN);
    await addStation(world, { id: 'gap' });
    const day = Array.from({ length: 24 }, (_, hour) => (isNight(hour) || hour === 12 ? Number.NaN : 100));
    await record(world, START, { [RADIATION]: day, air_temperature: day.map(() => 20) }, 'gap');
    const described = await world.get(DescribeStation).execute('gap');
    const input = { ...common, interval: 'day' as const, variables: [RADIATION] };
    const [summary] = [...(await world.get(Summarize).execute(described, input)).rows];
    expect(summary?.completeness[0]).to.deep.include({ valid: false, missing: MILLISECONDS.hour });
  });

  it('has the same numbers for every audience where its position is rounded', async () => {
    const world = await World.make();
    await addStation(world, { latitude: STATION.latitude + 0.2, positionDecimals: 0 });
    // Only from 10 to 15 o'clock, so that the missing time depends on sunrise and sunset.
    const column = Array.from({ length: 24 }, (_, hour) => (hour >= 10 && hour <= 15 ? 500 : Number.NaN));
    await record(world, START, { [RADIATION]: column, air_temperature: column.map(() => 20) });
    const missing: (number | null | undefined)[] = [];
    for (const audience of ['everybody', 'users'] as const) {
      const described = await world.get(DescribeStation).execute('JFK', undefined, { audience });
      const input = { ...common, interval: 'day' as const, variables: [RADIATION] };
      const [summary] = [...(await world.get(Summarize).execute(described, input)).rows];
      missing.push(summary?.completeness[0]?.missing);
    }
    expect(missing[0]).to.be.within(8.5 * MILLISECONDS.hour, 9.5 * MILLISECONDS.hour);
    expect(missing[1]).to.equal(missing[0]);
  });
});
