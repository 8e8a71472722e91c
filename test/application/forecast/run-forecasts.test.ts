import { expect } from 'chai';
import sinon from 'sinon';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { ListForecasts } from '#application/forecast/manage/list-forecasts.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { IssueForecast } from '#application/forecast/issue-forecast.js';
import { ForecastProviders } from '#application/forecast/providers.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { GetVerification } from '#application/forecast/read/get-verification.js';
import { RunForecasts } from '#application/forecast/run-forecasts.js';
import { ScoreForecasts } from '#application/forecast/score-forecasts.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { Announcement } from '#application/ports/announcer.js';
import type { ForecastProvider, ProviderForecast } from '#application/ports/forecast-provider.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import * as t from '#composition/graph/tokens.js';
import { useCaseOf } from '#composition/graph/wiring.js';
import { uncorrected } from '#domain/forecast/forecast.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import { OwnLease } from '../fakes/fakes.js';
import { addForecastHistory } from '../../support/forecast-history.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const START = Date.UTC(2026, 5, 1, 12);
const HOUR = MILLISECONDS.hour;

/** A provider whose temperatures are 2 °C too high. */
class Provider implements ForecastProvider {
  readonly name = 'open-meteo';
  readonly title = 'Provider';
  readonly model = 'model';
  readonly attribution = { text: 'Data by Provider', url: 'https://example.org/' };
  readonly reach = 'any';
  readonly shortestInterval = 60;
  failure: SourceFailure | undefined;
  asked = 0;
  now = START;
  shift = 0;

  async ask(): Promise<ProviderForecast> {
    this.asked += 1;
    if (this.failure !== undefined) throw this.failure;
    const first = Math.floor(this.now / HOUR) * HOUR;
    const times = Float64Array.from({ length: 48 }, (_, hour) => first + hour * HOUR);
    return { times, values: new Map([[F.temperature, times.map((time) => truth(time) + 2 + this.shift)]]) };
  }
}

const truth = (time: number) =>
  Number((15 + 5 * Math.sin((2 * Math.PI * time) / MILLISECONDS.day)).toFixed(1));

describe('the forecasts of a running service', () => {
  let world: World;
  let provider: Provider;
  let run: RunForecasts;
  let announced: Announcement[];

  beforeEach(async () => {
    world = await World.make();
    world.clock.time = START;
    provider = new Provider();
    world.container.rebind(t.ForecastProviderList).toConstantValue([provider]);
    await addStation(world, { id: 'garden' });
    announced = [];
    world.container.get(t.Announcer).subscribe(['forecast'], (one) => announced.push(one));
    run = newRun();
  });
  afterEach(() => run.close());

  /** The forecasts of a new process. */
  function newRun(): RunForecasts {
    return new RunForecasts({
      clock: world.clock,
      orders: world.get(ForecastOrders),
      providers: world.get(ForecastProviders),
      records: world.get(ForecastRecords),
      issue: world.get(IssueForecast),
      score: world.get(ScoreForecasts),
      directory: world.get(StationDirectory),
      announcer: world.container.get(t.Announcer),
      lease: new OwnLease(),
      telemetry: new Registry(),
      settings: { every: HOUR, retention: 30 * MILLISECONDS.day },
    });
  }

  async function round(): Promise<void> {
    await run.execute();
    await run.idle();
  }

  function wait(time: number): void {
    world.clock.time += time;
    world.clock.up += time;
  }

  async function pass(time: number): Promise<void> {
    wait(time);
    provider.now = world.clock.now();
    await round();
  }

  const order = () => world.get(AddForecast).execute(['garden'], 'open-meteo', CALLER);

  it('are asked for only after an order', async () => {
    await round();
    await pass(2 * HOUR);
    expect(provider.asked).to.equal(0);
    await order();
    await round();
    expect(provider.asked).to.equal(1);
    const { forecast, published, days } = await world.get(GetForecast).execute('garden', undefined);
    expect(forecast.issued).to.equal(world.clock.now());
    expect(published.get(F.temperature)).to.have.lengthOf(48);
    expect(days.length).to.be.within(1, 3);
    await new Promise(setImmediate);
    expect(announced).to.deep.equal([{ kind: 'forecast', station: 1, issued: forecast.issued }]);
  });

  it('are corrected at once after a training, without another request', async () => {
    await order();
    await round();
    const differs = async () => {
      const { forecast, published } = await world.get(GetForecast).execute('garden', undefined);
      const raw = forecast.values.get(F.temperature) as Float64Array;
      return published.get(F.temperature)?.filter((value, hour) => value !== raw[hour]).length;
    };
    expect(await differs()).to.equal(0);
    wait(MILLISECONDS.minute);
    await addForecastHistory(useCaseOf(world.container), 'garden', { days: 20, now: world.clock.now() });
    expect(await differs()).to.be.greaterThan(0);
    await new Promise(setImmediate);
    expect(announced.at(-1)).to.deep.equal({ kind: 'forecast', station: 1, issued: world.clock.now() });
    await pass(MILLISECONDS.minute);
    expect(await differs()).to.be.greaterThan(0);
    expect(provider.asked).to.equal(1);
  });

  it('have the extremes of today from measured values that passed and from the hours to come', async () => {
    await order();
    // The first value is of yesterday in New York, and one is too high to pass.
    const values = [30, 25, 26, 26, 500, 26];
    await record(world, '2026-06-01T03:00:00Z', { air_temperature: values }, 'garden');
    await round();
    const shown = await world.get(GetForecast).execute('garden', undefined);
    const [today, tomorrow] = shown.days;
    expect(today?.start).to.equal(Date.UTC(2026, 5, 1, 4));
    expect(today?.maximum).to.equal(26);
    expect(today?.minimum).to.equal(
      Math.min(...Array.from({ length: 16 }, (_, hour) => truth(START + hour * HOUR) + 2)),
    );
    expect(tomorrow?.maximum).to.be.closeTo(22, 0.1);
    wait(24 * HOUR);
    const later = await world.get(GetForecast).execute('garden', undefined);
    expect(later.days[0]?.start).to.equal(tomorrow?.start);
    const then = await world.get(GetForecast).execute('garden', START);
    expect(then.days[0]).to.deep.equal(today);
  });

  it('are asked for once in the interval, never earlier', async () => {
    await order();
    await round();
    for (let minutes = 5; minutes < 60; minutes += 5) await pass(5 * MILLISECONDS.minute);
    expect(provider.asked).to.equal(1);
    await pass(12 * MILLISECONDS.minute);
    expect(provider.asked).to.equal(2);
  });

  it('are not asked for again by a new process before the end of the interval, if the provider had answered', async () => {
    await order();
    await round();
    for (const [minutes, asked] of [
      [1, 1],
      [58, 1],
      [2, 2],
    ] as const) {
      await run.close();
      run = newRun();
      await pass(minutes * MILLISECONDS.minute);
      expect(provider.asked, `after ${minutes} minutes more`).to.equal(asked);
    }
    provider.failure = new SourceFailure('It is away.');
    await pass(2 * HOUR);
    await run.close();
    run = newRun();
    await round();
    expect(provider.asked, 'after a failure').to.equal(4);
  });

  it('are asked for at once by a new process after a new order, and in time if the clock was set back', async () => {
    await order();
    await round();
    await world.get(ForecastOrders).remove(1);
    wait(MILLISECONDS.minute);
    await order();
    await run.close();
    run = newRun();
    await round();
    expect(provider.asked).to.equal(2);
    await run.close();
    world.clock.time -= MILLISECONDS.day;
    run = newRun();
    await round();
    expect(provider.asked).to.equal(2);
    await pass(HOUR);
    expect(provider.asked).to.equal(3);
  });

  it('are kept once if the provider says the same again', async () => {
    await order();
    await round();
    const first = (await world.get(GetForecast).execute('garden', undefined)).forecast.issued;
    wait(2 * HOUR);
    await round();
    expect(provider.asked).to.equal(2);
    expect((await world.get(GetForecast).execute('garden', undefined)).forecast.issued).to.equal(first);
    await new Promise(setImmediate);
    expect(announced).to.have.lengthOf(1);
  });

  it('are issued and corrected also if the provider says the same as an imported forecast of the past', async () => {
    const series = { station: 1, provider: provider.name };
    const imported = uncorrected({ ...(await provider.ask()), issued: START - 20 * MILLISECONDS.minute });
    await world.get(ForecastRecords).add(series, [imported]);
    await order();
    await round();
    const { forecast } = await world.get(GetForecast).execute('garden', undefined);
    expect([forecast.issued, forecast.isImported]).to.deep.equal([START, false]);
  });

  it('show the last one while the provider fails, then none', async () => {
    await order();
    await round();
    provider.failure = new SourceFailure('The provider answered with status 503.', { retryAfter: 3 * 3600 });
    await pass(2 * HOUR);
    expect(provider.asked).to.equal(2);
    await pass(HOUR);
    expect(provider.asked, 'Retry-After').to.equal(2);
    const [listed] = await world.get(ListForecasts).execute();
    expect(listed?.reason).to.equal('The provider answered with status 503.');
    expect(run.failing.map(({ id }) => id)).to.deep.equal(['garden']);
    expect((await world.get(GetForecast).execute('garden', undefined)).forecast.issued).to.equal(START);
    wait(46 * HOUR);
    const error = await world
      .get(GetForecast)
      .execute('garden', undefined)
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'FORECAST_UNKNOWN' });
    provider.failure = undefined;
    await pass(3 * HOUR);
    expect(run.failing).to.deep.equal([]);
    expect((await world.get(GetForecast).execute('garden', undefined)).forecast.issued).to.equal(
      world.clock.now(),
    );
  });

  it('are corrected after some days, and prove it', async function () {
    this.timeout(60_000);
    await order();
    for (let hour = 0; hour < 8 * 24; hour += 2) {
      const from = new Date(world.clock.now()).toISOString();
      wait(2 * HOUR);
      const values = [0, 1].map((one) => truth(START + (hour + one) * HOUR));
      // oxlint-disable-next-line no-await-in-loop -- hour after hour
      await record(world, from, { air_temperature: values }, 'garden');
      // oxlint-disable-next-line no-await-in-loop -- hour after hour
      await pass(0);
    }
    const { forecast, published } = await world.get(GetForecast).execute('garden', undefined);
    const errors = Array.from(forecast.times, (time, index) =>
      Math.abs((published.get(F.temperature)?.[index] ?? 99) - truth(time)),
    );
    expect(Math.max(...errors.slice(3))).to.be.below(1);
    expect(forecast.published.get(F.temperature)?.slice(0, 4)).to.deep.equal([true, true, true, true]);
    const { scores, months } = await world.get(GetVerification).execute('garden', {});
    expect(months?.first).to.equal('2026-06');
    const own = scores.get(F.temperature)?.[2];
    expect(own?.raw.absolute).to.be.closeTo(2 * (own?.raw.count ?? 0), 1);
    expect((own?.corrected.absolute ?? 0) / (own?.raw.absolute ?? 1)).to.be.below(0.8);
  });

  it('end with the order, and stay readable for nobody', async () => {
    await order();
    await round();
    await world.get(RemoveForecast).execute('garden', CALLER);
    await pass(2 * HOUR);
    expect(provider.asked).to.equal(1);
    const error = await world
      .get(GetForecast)
      .execute('garden', undefined)
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'FORECAST_UNKNOWN' });
  });

  it('are not there for the public if the station is hidden', async () => {
    await addStation(world, { id: 'garden', visibility: 'hidden' });
    await order();
    await round();
    const error = await world
      .get(GetForecast)
      .execute('garden', undefined)
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'STATION_UNKNOWN' });
    expect((await world.get(GetForecast).execute('garden', undefined, 'users')).station.id).to.equal(
      'garden',
    );
  });

  it('are forgotten with a station that is erased, together with its order', async () => {
    await addStation(world, { id: 'roof' });
    await world.get(AddForecast).execute(['garden', 'roof'], 'open-meteo', CALLER);
    await round();
    const left = async () =>
      (
        await Promise.all(
          ['forecast-orders/', 'forecast-issued/', 'forecasts/'].map((prefix) =>
            world.stores.storedRecords.records(prefix),
          ),
        )
      )
        .flat()
        .map(({ name }) => name.split('/')[1]);
    expect(new Set(await left())).to.deep.equal(new Set(['1', '2']));
    await world.get(RemoveStation).execute('garden', CALLER);
    await world.get(EraseStation).execute('garden', CALLER);
    expect(new Set(await left())).to.deep.equal(new Set(['2']));
  });

  it('are asked for again after a failure of the store', async () => {
    await order();
    const directory = world.get(StationDirectory);
    const stub = sinon.stub(directory, 'current').rejects(new Error('away'));
    await round();
    stub.restore();
    expect(provider.asked).to.equal(0);
    await round();
    expect(provider.asked).to.equal(1);
  });

  it('are not asked of a provider that cannot be used any more', async () => {
    await order();
    Object.assign(provider, { fault: 'Set a contact.' });
    await round();
    expect(provider.asked).to.equal(0);
    expect((await world.get(ListForecasts).execute())[0]?.reason).to.equal('Set a contact.');
  });

  it('are removed when they are older than the retention, of stations without an order too', async () => {
    await addStation(world, { id: 'roof' });
    await world.get(AddForecast).execute(['garden', 'roof'], 'open-meteo', CALLER);
    await round();
    await world.get(RemoveForecast).execute('garden', CALLER);
    const issued = async () => (await world.stores.storedRecords.records('forecast-issued/')).length;
    expect(await issued()).to.equal(2);
    await pass(40 * MILLISECONDS.day);
    expect(await issued()).to.equal(1);
  });

  it('are removed when they are older than the retention, if no station has an order any more', async () => {
    await order();
    await round();
    await world.get(RemoveForecast).execute('garden', CALLER);
    const issued = async () => (await world.stores.storedRecords.records('forecast-issued/')).length;
    await pass(29 * MILLISECONDS.day);
    expect(await issued()).to.equal(1);
    await pass(2 * MILLISECONDS.day);
    expect(await issued()).to.equal(0);
    expect((await world.stores.storedRecords.records('forecasts/')).length).to.be.above(0);
  });

  it('leave their scores when they are removed because of their age', async function () {
    this.timeout(60_000);
    await order();
    await round();
    for (let hour = 0; hour < 48; hour += 6) {
      const from = new Date(world.clock.now()).toISOString();
      const values = Array.from({ length: 6 }, (_, one) => truth(START + (hour + one) * HOUR));
      wait(6 * HOUR);
      // oxlint-disable-next-line no-await-in-loop -- hour after hour
      await record(world, from, { air_temperature: values }, 'garden');
      // oxlint-disable-next-line no-await-in-loop -- hour after hour
      await pass(0);
    }
    const counted = async () =>
      (await world.get(GetVerification).execute('garden', { until: '2026-06' })).scores
        .get(F.temperature)
        ?.map(({ raw }) => raw.count);
    await pass(MILLISECONDS.day);
    const before = await counted();
    expect(before?.[2]).to.be.above(20);
    for (let days = 0; days < 60; days += 20)
      // oxlint-disable-next-line no-await-in-loop -- day after day
      await pass(20 * MILLISECONDS.day);
    expect((await world.stores.storedRecords.records('forecast-issued/')).length).to.be.below(4);
    await record(world, '2026-06-02T12:00:00Z', { air_temperature: [17] }, 'garden');
    await pass(2 * MILLISECONDS.day);
    expect(await counted()).to.deep.equal(before);
  });

  it('refuse a provider that nobody knows, and change nothing', async () => {
    const error = await world
      .get(AddForecast)
      .execute(['garden'], 'oracle', CALLER)
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'REQUEST_INVALID' });
    expect(await world.get(ListForecasts).execute()).to.deep.equal([]);
  });
});
