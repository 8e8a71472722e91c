import { expect } from 'chai';
import { openweathermap } from '#adapters/target-kinds/openweathermap.js';
import { SENDING_STATION, TargetBench, weatherOf } from '../../support/target-bench.js';
import { type OpenWeatherMap, startOpenWeatherMap } from '../../support/targets/openweathermap.js';

const ROW = {
  air_temperature: 3.4,
  dew_point_temperature: 0.46,
  relative_humidity: 81,
  air_pressure_at_mean_sea_level: 1008.2,
  wind_speed: 2.1,
  wind_speed_of_gust: 4,
  wind_from_direction: 214,
  visibility_in_air: 12_345,
  lightning_strike_count: 3,
};
const RAIN = { hour: 0.2, day: 1, twentyFourHours: 1.4 };
const FULL = weatherOf(ROW, { rain: RAIN });

describe('OpenWeatherMap', () => {
  let service: OpenWeatherMap;
  beforeEach(async () => (service = await startOpenWeatherMap('key-of-owm')));
  afterEach(() => service.stop());
  const settings = () => ({ account: 'garden', secret: 'key-of-owm', url: service.url });
  const posted = () =>
    service.requests.filter(({ method }) => method === 'POST').map(({ path }) => path.split('?')[0]);

  it('creates the station once, and sends the row as measurement', async () => {
    const bench = new TargetBench(openweathermap);
    expect(await bench.send(settings(), FULL)).to.equal('delivered');
    expect(await bench.send(settings(), FULL)).to.equal('delivered');
    const { name, latitude, longitude, elevation } = SENDING_STATION;
    expect(service.stations).to.have.length(1);
    expect(service.stations[0]).to.deep.include({
      external_id: 'garden',
      name,
      latitude,
      longitude,
      altitude: elevation,
    });
    expect(posted()).to.deep.equal([
      '/data/3.0/stations',
      '/data/3.0/measurements',
      '/data/3.0/measurements',
    ]);
    expect(service.measurements[0]).to.deep.equal({
      station_id: service.stations[0]?.id,
      dt: 1_795_413_600,
      temperature: 3.4,
      dew_point: 0.46,
      humidity: 81,
      pressure: 1008.2,
      wind_speed: 2.1,
      wind_gust: 4,
      wind_deg: 214,
      visibility_distance: 12.345,
      rain_1h: 0.2,
      rain_24h: 1.4,
    });
    expect(JSON.stringify(bench.shown)).not.to.contain('key-of-owm');
  });

  it('finds the station after a restart, among others', async () => {
    service.add('roof');
    await new TargetBench(openweathermap).send(settings(), FULL);
    service.add('garden-2');
    expect(await new TargetBench(openweathermap).send(settings(), FULL)).to.equal('delivered');
    expect(service.stations.map(({ external_id: id }) => id)).to.deep.equal(['roof', 'garden', 'garden-2']);
    expect(service.measurements.map(({ station_id: id }) => id)).to.deep.equal([
      service.stations[1]?.id,
      service.stations[1]?.id,
    ]);
  });

  it('creates no second station after an attempt that was cut off behind the creation', async () => {
    service.cut = '/data/3.0/stations';
    const bench = new TargetBench(openweathermap);
    expect(await bench.send(settings(), FULL)).to.have.property('failed');
    expect(service.stations).to.have.length(1);
    service.cut = undefined;
    // After a crash a new process makes two attempts at the same time.
    const restarted = new TargetBench(openweathermap);
    const outcomes = await Promise.all([restarted.send(settings(), FULL), restarted.send(settings(), FULL)]);
    expect(outcomes).to.deep.equal(['delivered', 'delivered']);
    expect(service.stations).to.have.length(1);
  });

  it('creates the station where the list is null', async () => {
    service.replies = { list: 'null' };
    expect(await new TargetBench(openweathermap).send(settings(), FULL)).to.equal('delivered');
    expect(service.stations).to.have.length(1);
  });

  it('creates one station in two attempts at the same time', async () => {
    const bench = new TargetBench(openweathermap);
    await Promise.all([bench.send(settings(), FULL), bench.send(settings(), FULL)]);
    expect(service.stations).to.have.length(1);
    expect(service.measurements).to.have.length(2);
  });

  it('uses the oldest station in two processes that have created one each', async () => {
    await Promise.all([
      new TargetBench(openweathermap).send(settings(), FULL),
      new TargetBench(openweathermap).send(settings(), FULL),
    ]);
    service.measurements.length = 0;
    for (let count = 0; count < 2; count += 1) await new TargetBench(openweathermap).send(settings(), FULL);
    const oldest = service.stations[0]?.id;
    expect(service.measurements.map(({ station_id: id }) => id)).to.deep.equal([oldest, oldest]);
  });

  it('looks for the station again after it was deleted there', async () => {
    const bench = new TargetBench(openweathermap);
    await bench.send(settings(), FULL);
    service.stations.length = 0;
    expect(await bench.send(settings(), FULL)).to.have.property('failed');
    expect(await bench.send(settings(), FULL)).to.equal('delivered');
    expect(service.stations).to.have.length(1);
  });

  it('says that the key is wrong, without the key', async () => {
    const bench = new TargetBench(openweathermap);
    const outcome = await bench.send({ ...settings(), secret: 'another-key' }, FULL);
    expect(outcome)
      .to.have.property('failed')
      .that.contains('status 401. Check the account and the secret. It said:');
    expect(outcome).not.to.have.property('permanent');
    expect(JSON.stringify([outcome, bench.shown])).not.to.contain('another-key');
    expect(service.stations).to.deep.equal([]);
  });

  it('skips a row that has nothing for it, and creates no station', async () => {
    expect(
      await new TargetBench(openweathermap).send(settings(), weatherOf({ soil_temperature: 3 })),
    ).to.deep.equal({
      failed: 'The row has no value that OpenWeatherMap takes.',
      permanent: true,
    });
    expect(service.requests).to.deep.equal([]);
  });

  it('has not stored the row if the sign-in page of a network answers', async () => {
    const bench = new TargetBench(openweathermap);
    service.replies = { measured: '<!DOCTYPE html><html>Sign in</html>' };
    expect(await bench.send(settings(), FULL))
      .to.have.property('failed')
      .that.contains('is a page and not the one of OpenWeatherMap');
    service.replies = {};
    expect(await bench.send(settings(), FULL)).to.equal('delivered');
  });

  it('says that a reply cannot be used', async () => {
    for (const [list, created] of [
      ['{}', '{}'],
      ['[]', '{}'],
      ['[]', '{"ID":7}'],
      ['[null,{"id":7,"external_id":"garden"}]', 'null'],
    ] as const) {
      service.replies = { list, created };
      expect(await new TargetBench(openweathermap).send(settings(), FULL), list)
        .to.have.property('failed')
        .that.contains('OpenWeatherMap gave');
    }
  });
});
