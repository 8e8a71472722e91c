import { expect } from 'chai';
import { sentWeather } from '#application/hooks/observations/sent-weather.js';
import { FLAG } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import { SENDING_STATION, SENT_AT, weatherOf } from '../../support/target-bench.js';

const NO_SUMS = { rain: { hour: null, day: null, twentyFourHours: null }, sunshine: null };

describe('The weather that services get', () => {
  it('has measured values in any unit of their quantity', () => {
    const weather = weatherOf({ air_temperature: 20, wind_speed: 10, surface_air_pressure: 1000 });
    expect(weather.values).to.deep.equal({ air_temperature: 20, wind_speed: 10, surface_air_pressure: 1000 });
    expect(weather.value('air_temperature')).to.equal(20);
    expect(weather.value('air_temperature', '°F')).to.equal(68);
    expect(weather.value('wind_speed', 'kt')).to.be.closeTo(19.438, 0.001);
    expect(weather.value('surface_air_pressure', 'Pa')).to.equal(100_000);
    expect(weather.value('relative_humidity')).to.equal(undefined);
  });

  it('has derived quantities, and stored values in their place', () => {
    const values = { air_temperature: 20, relative_humidity: 50, surface_air_pressure: 1000 };
    const weather = weatherOf(values);
    expect(weather.value('dew_point')).to.be.closeTo(9.3, 0.1);
    expect(weather.value('sea_level_pressure')).to.be.closeTo(1002.3, 0.2);
    // 1000 hPa at 20 m, less 0.3 hPa, in the standard atmosphere.
    expect(weather.value('altimeter_setting')).to.be.closeTo(1002.1, 0.1);
    expect(weather.value('wind_chill')).to.equal(undefined);
    const stored = weatherOf({
      ...values,
      dew_point_temperature: 8,
      air_pressure_at_mean_sea_level: 1003,
    });
    expect(stored.value('dew_point', '°F')).to.be.closeTo(46.4, 0.01);
    expect(stored.value('sea_level_pressure')).to.equal(1003);
  });

  it('derives nothing from values that have not passed quality control', () => {
    const row = [
      { variable: V.temperature, value: 20, flags: FLAG.spike },
      { variable: V.humidity, value: 50, flags: 0 },
    ];
    const weather = sentWeather(SENDING_STATION, { time: SENT_AT, values: row }, NO_SUMS);
    expect(weather.value('air_temperature')).to.equal(20);
    expect(weather.value('dew_point')).to.equal(undefined);
  });

  it('has the public position of a station whose position is rounded', () => {
    const station = { ...SENDING_STATION, latitude: 59.9139, longitude: 10.7522, positionDecimals: 1 };
    expect(weatherOf({ air_temperature: 1 }, { station }).station).to.deep.equal({
      id: 'garden',
      name: 'Garden',
      latitude: 59.9,
      longitude: 10.8,
      elevation: 20,
      timeZone: 'Europe/Oslo',
    });
  });

  it('refuses names and units that do not exist', () => {
    const weather = weatherOf({ air_temperature: 1 });
    expect(() => weather.value('temperature')).to.throw('no variable or derived quantity temperature');
    expect(() => weather.value('air_temperature', 'hPa')).to.throw('cannot be in hPa');
  });
});
