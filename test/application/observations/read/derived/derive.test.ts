import { expect } from 'chai';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { Derive, type DeriveInput } from '#application/observations/read/derived/derive.js';
import { DerivePeriods } from '#application/observations/read/derived/derive-periods.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { domainErrorOf } from '../../../../support/rejection.js';
import { addStation, record, sentColumns } from '../../../../support/weather-world.js';
import { CALLER, World } from '../../../../support/world.js';

const WHOLE = {
  from: undefined,
  to: undefined,
  quality: 'pass',
  limit: 100,
  cursor: undefined,
} as const;

describe('Derive', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
  });

  const page = async (variables: string[], input: Partial<DeriveInput> = {}) =>
    world
      .get(Derive)
      .execute(await world.get(DescribeStation).execute('JFK'), { ...WHOLE, ...input, variables });
  const columnsOf = async (variables: string[], input: Partial<DeriveInput> = {}) =>
    [...concatenate((await page(variables, input)).parts).values.values()].map((column) => [...column]);

  it('returns the stored dew point where there is one, and counts these rows', async () => {
    await record(world, '2013-07-18T00:00:00Z', {
      air_temperature: [20, 20, Number.NaN],
      relative_humidity: [50, 50, Number.NaN],
      dew_point_temperature: [Number.NaN, 9, 8],
    });
    const { stored } = await page(['dew_point', 'heat_index']);
    expect(stored).to.deep.equal([2, undefined]);
    const [dewPoint] = await columnsOf(['dew_point']);
    expect(dewPoint?.[0]).to.be.closeTo(9.27, 0.02);
    expect(dewPoint?.slice(1)).to.deep.equal([9, 8]);
  });

  it('takes the temperature of twelve hours before, from before the page as well', async () => {
    await addStation(world, { elevation: 500 });
    const hours = Array.from({ length: 26 }, (_, hour) => (hour < 13 ? 0 : 15));
    await record(world, '2013-07-18T00:00:00Z', {
      air_temperature: hours,
      relative_humidity: hours.map(() => 0),
      surface_air_pressure: hours.map(() => 950),
    });
    const [now, mean] = await columnsOf(['sea_level_pressure', 'sea_level_pressure_12h']);
    expect(mean?.slice(0, 12)).to.deep.equal(hours.slice(0, 12).map(() => Number.NaN));
    // From 13 to 24 hours, 15 °C now and 0 °C before.
    const [cold = 0, warm = 0] = [now?.[12], now?.[13]];
    expect(mean?.[12]).to.equal(cold);
    expect(mean?.[13]).to.be.within(warm + 0.5, cold - 0.5);
    expect(mean?.[25]).to.equal(warm);
    const later = { from: Date.parse('2013-07-18T13:00:00Z'), limit: 2 };
    expect((await columnsOf(['sea_level_pressure_12h'], later))[0]).to.deep.equal(mean?.slice(13, 15));
  });

  it('finds an earlier temperature up to half an hour away, the nearest one, and none that failed', async () => {
    await record(world, '2013-07-17T23:40:00Z', { air_temperature: [500] });
    await record(world, '2013-07-18T00:20:00Z', { air_temperature: [10, 500] });
    const now = { air_temperature: [10], relative_humidity: [0], surface_air_pressure: [1000] };
    for (const minute of ['11:49', '11:50', '12:50', '12:51', '13:20']) {
      await record(world, `2013-07-18T${minute}:00Z`, now);
    }
    const [found] = await columnsOf(['sea_level_pressure_12h'], { from: Date.parse('2013-07-18T11:00:00Z') });
    expect(found?.map((value) => !Number.isNaN(value))).to.deep.equal([false, true, true, false, false]);
  });

  it('takes the height of the anemometer that was in force at the time of a row', async () => {
    const low = {
      latitude: 40.64,
      longitude: -73.76,
      elevation: 4,
      reportingInterval: 3600,
      sensorHeights: { wind_speed: 2 },
    };
    const until = Date.parse('2013-01-01T01:00:00Z');
    await addStation(world, { sensorHeights: { wind_speed: 10 }, earlier: [{ ...low, until }] });
    await record(world, '2013-01-01T00:00:00Z', { air_temperature: [-5, -5], wind_speed: [5, 5] });
    const [chills] = await columnsOf(['wind_chill']);
    expect(chills?.[0]).to.be.below((chills?.[1] as number) - 0.3);
    await addStation(world, { sensorHeights: {}, earlier: [] });
    expect((await columnsOf(['wind_chill']))[0]).to.deep.equal([chills?.[1], chills?.[1]]);
  });

  it('returns the stored pressure at sea level where there is one, and counts these rows', async () => {
    await record(world, '2013-07-18T00:00:00Z', {
      air_temperature: [20, 20],
      relative_humidity: [50, 50],
      surface_air_pressure: [1000, 1000],
      air_pressure_at_mean_sea_level: [1004.2, Number.NaN],
    });
    const { stored } = await page(['sea_level_pressure', 'sea_level_pressure_12h']);
    expect(stored).to.deep.equal([1, undefined]);
    const [pressure] = await columnsOf(['sea_level_pressure']);
    expect(pressure?.[0]).to.equal(1004.2);
    expect(pressure?.[1]).to.be.within(1000, 1004);
  });

  it('tells how to ask for a quantity of periods, and suggests a name', async () => {
    const error = await domainErrorOf(page(['reference_evapotranspiration']), 'REQUEST_INVALID');
    expect(error.message).to.contain('interval=hour or interval=day');
    const misspelt = await domainErrorOf(page(['evapotranspiration']), 'REQUEST_INVALID');
    expect(misspelt.message).to.contain('Did you mean "reference_evapotranspiration"?');
  });
});

describe('DerivePeriods', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
  });

  const page = async (
    interval: 'hour' | 'day',
    input: Partial<DeriveInput> = {},
    variables = ['reference_evapotranspiration'],
  ) =>
    world
      .get(DerivePeriods)
      .execute(await world.get(DescribeStation).execute('JFK'), { ...WHOLE, ...input, variables, interval });
  const amounts = async (...given: Parameters<typeof page>) => {
    const { parts } = await page(...given);
    return { times: [...(parts[0]?.times ?? [])], values: [...(parts[0]?.values.get(0) ?? [])] };
  };

  /** Two clear days of July, from midnight to midnight at New York, but for the hours that `leaveOut` names. */
  async function clearDays(leaveOut: readonly number[] = []): Promise<void> {
    const hours = Array.from({ length: 49 }, (_, hour) => hour);
    const sun = (hour: number) => Math.max(0, Math.sin(((hour - 5.5) / 15) * Math.PI));
    await record(world, '2013-07-18T04:00:00Z', {
      // The last row has only what belongs to the hour that ends.
      air_temperature: hours.map((hour) =>
        hour === 48 ? Number.NaN : 25 + 5 * Math.sin(((hour - 9) / 12) * Math.PI),
      ),
      dew_point_temperature: hours.map((hour) => (hour === 48 ? Number.NaN : 18)),
      wind_speed: hours.map(() => 4),
      surface_downwelling_shortwave_flux_in_air: hours.map((hour) =>
        leaveOut.includes(hour) ? Number.NaN : 900 * sun(hour % 24),
      ),
    });
  }

  it('computes the days of the station; those of its hours add up to nearly the same', async () => {
    await clearDays();
    const days = await amounts('day');
    expect(days.times).to.deep.equal(['2013-07-18T04:00Z', '2013-07-19T04:00Z'].map(Date.parse));
    expect(days.values[0]).to.be.within(5, 8);
    const { times, values } = await amounts('hour');
    expect(times).to.have.length(48);
    const second = values.slice(24).reduce((sum, value) => sum + value, 0);
    expect(second).to.be.closeTo(days.values[1] ?? 0, 0.6);
    // The first hours have no daylight before them.
    expect(values.slice(0, 4).every(Number.isNaN)).to.equal(true);
    // From midnight of the second day on, the hours of the day before tell how clear the sky was.
    const later = await amounts('hour', { from: Date.parse('2013-07-19T04:00Z') });
    expect(later.values).to.deep.equal(values.slice(24));
  });

  it('is null where the known values stand for too little of the time', async () => {
    await clearDays([10, 11, 12, 13, 14]);
    const days = await amounts('day');
    expect(days.values.map(Number.isNaN)).to.deep.equal([true, false]);
    // Without a reporting interval, a value stands for the usual distance of the values.
    await addStation(world, { reportingInterval: null });
    expect((await amounts('day')).values.map(Number.isNaN)).to.deep.equal([true, false]);
  });

  it('does not take many values of one hour for a day', async () => {
    const noon = '2013-07-18T16:00:00Z';
    const minutes = Array.from({ length: 59 }, (_, minute) => minute);
    await world.get(RecordObservations).execute(
      {
        stations: 'JFK',
        times: Float64Array.from(minutes, (minute) => Date.parse(noon) + minute * 60_000),
        columns: sentColumns({
          air_temperature: minutes.map(() => 25),
          dew_point_temperature: minutes.map(() => 18),
          wind_speed: minutes.map(() => 4),
          surface_downwelling_shortwave_flux_in_air: minutes.map(() => 900),
        }),
      },
      CALLER,
    );
    for (const reportingInterval of [3600, 60, null]) {
      await addStation(world, { reportingInterval });
      expect((await amounts('day')).values, String(reportingInterval)).to.deep.equal([Number.NaN]);
    }
  });

  it('returns pages that join', async () => {
    await clearDays();
    const all = await amounts('hour');
    const joined: number[] = [];
    let cursor: number | undefined;
    do {
      const one = await page('hour', { limit: 7, cursor });
      const column = [...(one.parts[0]?.values.get(0) ?? [])];
      expect(column.length).to.be.within(1, 7);
      joined.push(...column);
      cursor = one.next ?? undefined;
    } while (cursor !== undefined);
    expect(joined).to.deep.equal(all.values);
    expect((await amounts('hour', { cursor: Date.parse('2014-01-01T00:00Z') })).times).to.deep.equal([]);
  });

  it('refuses a quantity at an instant, and too many intervals', async () => {
    const error = await domainErrorOf(page('day', {}, ['heat_index']), 'REQUEST_INVALID');
    expect(error.message).to.contain('without interval');
    const range = { from: Date.parse('1900-01-01T00:00Z'), to: Date.parse('2020-01-01T00:00Z') };
    await domainErrorOf(page('hour', range), 'REQUEST_INVALID');
  });
});
