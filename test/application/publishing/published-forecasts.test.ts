import { expect } from 'chai';
import sinon from 'sinon';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { FORECAST_QUANTITIES, PublishedForecasts } from '#application/publishing/published-forecasts.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { uncorrected } from '#domain/forecast/forecast.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS } from '#domain/time.js';
import * as tokens from '#composition/graph/tokens.js';
import { rejectionOf } from '../../support/rejection.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { second, minute, hour } = MILLISECONDS;

describe('the published forecasts', () => {
  let world: World;
  let forecasts: PublishedForecasts;
  let get: sinon.SinonSpy;
  beforeEach(async () => {
    world = await World.make();
    const getForecast = world.get(GetForecast);
    get = sinon.spy(getForecast, 'execute');
    const { clock } = world;
    const calendar = world.get(tokens.Calendar);
    forecasts = new PublishedForecasts(clock, calendar, world.get(ForecastOrders), getForecast);
  });
  afterEach(() => sinon.restore());

  const pass = (milliseconds: number) => {
    world.clock.time += milliseconds;
    world.clock.up += milliseconds;
  };
  const list = async () => (await world.get(StationDirectory).current()).list;
  /** Renews the forecasts, and returns the one of the first station. */
  const renewed = async () => {
    const stations = await list();
    await forecasts.renew(stations);
    return forecasts.of(stations[0]?.number ?? 0);
  };
  const order = (provider = 'open-meteo') => world.get(AddForecast).execute(['JFK'], provider, CALLER);
  /** Issues a forecast whose temperature is the number of hours since its issue. */
  const issue = async (hours = 72, provider = 'open-meteo', columns = [F.temperature, F.rainChance]) => {
    const issued = world.clock.now();
    const first = Math.ceil(issued / hour);
    const times = Float64Array.from({ length: hours }, (_, at) => (first + at) * hour);
    const values = new Map(columns.map((number) => [number, times.map((_, at) => at)] as const));
    const forecast = { ...uncorrected({ issued, times, values }), isImported: false };
    const [station] = await list();
    await world.get(ForecastRecords).add({ station: station?.number ?? 0, provider }, [forecast]);
  };
  const numbers = (values: readonly { readonly value: number | null }[] = []) =>
    values.map(({ value }) => value);

  for (const [timeZone, start] of [
    ['America/New_York', Date.UTC(2026, 0, 31, 18, 20)],
    // Summer time begins and ends on these days.
    ['Europe/Berlin', Date.UTC(2026, 2, 28, 12)],
    ['Europe/Berlin', Date.UTC(2026, 9, 24, 12)],
    ['Asia/Kolkata', Date.UTC(2026, 6, 1, 18, 29)],
  ] as const)
    it(`have the days of the forecast that are today and tomorrow in ${timeZone}`, async () => {
      world.clock.time = start;
      await addStation(world, { timeZone });
      await order();
      await issue();
      for (let passed = 0; passed < 47 * hour; passed += 47 * minute) {
        const forecast = await renewed();
        const now = world.clock.time;
        const { days } = await world.get(GetForecast).execute('JFK', undefined);
        const today = days.find((day) => day.start <= now && now < day.end);
        const tomorrow = days.find((day) => day.start > now);
        const expected = [today, tomorrow].flatMap((day) =>
          day === undefined ? [null, null, null] : [day.minimum, day.maximum, day.rainChance],
        );
        expect(today ?? tomorrow).to.be.an('object');
        expect(numbers(forecast?.values)).to.deep.equal(expected);
        pass(47 * minute);
      }
      pass(hour);
      expect(await renewed()).to.equal(undefined);
    });

  it('have each value by its name, the provider and the time of issue', async () => {
    world.clock.time = Date.UTC(2026, 0, 31, 12);
    await addStation(world, { timeZone: 'UTC' });
    await order();
    await issue();
    const forecast = await renewed();
    expect(forecast?.values.map(({ name }) => name)).to.deep.equal(FORECAST_QUANTITIES);
    expect(Object.fromEntries(forecast?.values.map(({ name, value }) => [name, value]) ?? [])).to.deep.equal({
      forecast_minimum_today: 0,
      forecast_maximum_today: 11,
      forecast_rain_chance_today: 12,
      forecast_minimum_tomorrow: 12,
      forecast_maximum_tomorrow: 35,
      forecast_rain_chance_tomorrow: 36,
    });
    expect(forecast).to.deep.include({
      issued: Date.UTC(2026, 0, 31, 12),
      provider: 'open-meteo',
      attribution: 'Weather data by Open-Meteo.com, https://open-meteo.com/',
      isSimulated: false,
      maxAge: 172_800,
    });
  });

  it('have null for what the provider does not forecast', async () => {
    world.clock.time = Date.UTC(2026, 0, 31, 12);
    await addStation(world, { timeZone: 'UTC' });
    await order();
    await issue(12, 'open-meteo', [F.temperature]);
    expect(numbers((await renewed())?.values)).to.deep.equal([0, 11, null, null, null, null]);
  });

  it('say that they are simulated', async () => {
    await addStation(world, { demo: 'live' } as never);
    await order('simulated');
    await issue(72, 'simulated');
    expect(await renewed()).to.deep.include({ isSimulated: true, provider: 'simulated' });
  });

  it('are read if a new one is announced, every ten minutes, and at midnight, and otherwise stay the same object', async () => {
    world.clock.time = Date.UTC(2026, 0, 31, 12);
    await addStation(world, { timeZone: 'UTC' });
    expect(await renewed()).to.equal(undefined);
    expect(get.callCount).to.equal(0);
    await order();
    await issue();
    pass(4 * second);
    expect(await renewed()).to.equal(undefined);
    pass(second);
    const first = await renewed();
    expect(first).to.be.an('object');
    pass(9 * minute);
    expect(await renewed()).to.equal(first);
    expect(get.callCount).to.equal(1);
    pass(minute);
    expect(await renewed()).to.equal(first);
    expect(get.callCount).to.equal(2);
    await issue(71);
    forecasts.note(1);
    const next = await renewed();
    expect(next?.issued).to.equal(world.clock.now());
    pass(Date.UTC(2026, 0, 31, 23, 55) - world.clock.time);
    expect((await renewed())?.values[0]).to.deep.equal(next?.values[0]);
    pass(5 * minute);
    const third = await renewed();
    expect(third?.values[0]?.value).to.not.equal(next?.values[0]?.value);
  });

  it('are read again if one is announced while the one before is read, and after a failure', async () => {
    await addStation(world);
    await order();
    await issue();
    await renewed();
    pass(minute);
    const execute = world.get(GetForecast).execute.bind(world.get(GetForecast));
    get.restore();
    const stub = sinon.stub(world.get(GetForecast), 'execute').callsFake(async (...args) => {
      const read = await execute(...args);
      await issue();
      forecasts.note(1);
      return read;
    });
    forecasts.note(1);
    expect((await renewed())?.issued).to.equal(world.clock.now() - minute);
    stub.restore();
    expect((await renewed())?.issued).to.equal(world.clock.now());
    pass(minute);
    await issue();
    forecasts.note(1);
    const failing = sinon.stub(world.get(GetForecast), 'execute').rejects(new Error('away'));
    expect(await rejectionOf(renewed())).to.have.property('message', 'away');
    failing.restore();
    expect((await renewed())?.issued).to.equal(world.clock.now());
  });

  it('end with the order, and begin again with another provider', async () => {
    await addStation(world);
    await order();
    await issue();
    expect(await renewed()).to.be.an('object');
    await world.get(RemoveForecast).execute('JFK', CALLER);
    pass(5 * second);
    expect(await renewed()).to.equal(undefined);
    await order('open-meteo');
    pass(5 * second);
    expect(await renewed()).to.be.an('object');
    await forecasts.renew([]);
    expect(forecasts.of(1)).to.equal(undefined);
  });
});
