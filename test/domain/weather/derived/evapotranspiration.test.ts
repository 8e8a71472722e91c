import { expect } from 'chai';
import { penmanMonteith } from '#domain/weather/derived/evapotranspiration/penman-monteith.js';
import { referenceEvapotranspiration } from '#domain/weather/derived/evapotranspiration/reference-evapotranspiration.js';
import type { Period } from '#domain/weather/derived/period-quantity.js';
import { extraterrestrialRadiation, sunAt, sunsetAngle } from '#domain/weather/derived/solar.js';
import { V } from '#domain/weather/variables.js';
import { NO_STATISTICS } from '#domain/weather/summaries/statistics.js';

/*
 * The worked examples of FAO Irrigation and Drainage Paper 56 (1998). It prints results to one or two decimals and rounds what is between.
 */
const DAY = 86_400_000;
const HOUR = 3_600_000;
const UCCLE = { latitude: 50.8, longitude: 4.35, elevation: 100 };
const SENEGAL = { latitude: 16 + 13 / 60, longitude: -16.25, elevation: 8 };
type Values = readonly [min: number, mean: number, max: number];
const same = (value: number): Values => [value, value, value];

function period(start: number, length: number, values: Readonly<Record<number, Values>>): Period {
  return {
    start,
    end: start + length,
    statistics: (variable) => {
      const [min, mean, max] = values[variable] ?? [];
      return mean === undefined ? undefined : { ...NO_STATISTICS, min: min ?? 0, mean, max: max ?? 0 };
    },
  };
}

/** An hour of example 19; the wind at 2 m is given at 10 m, the radiation in MJ/m². */
function hour(start: number, temperature: number, humidity: number, wind: number, radiation: number): Period {
  return period(start, HOUR, {
    [V.temperature]: same(temperature),
    [V.humidity]: same(humidity),
    [V.windSpeed]: same((wind * Math.log(672.58)) / 4.87),
    [V.radiation]: same((radiation * 1e6) / 3600),
  });
}

const uccle = {
  [V.temperature]: [12.3, 16.9, 21.5],
  [V.humidity]: [63, 73.5, 84],
  [V.windSpeed]: same(10 / 3.6),
  [V.radiation]: same(22.07e6 / 86_400),
} as const;
const dayOf = (values: Readonly<Record<number, Values>>, place = UCCLE) =>
  referenceEvapotranspiration.begin('day', place)(period(Date.UTC(2015, 6, 6), DAY, values));

describe('reference evapotranspiration, against FAO-56', () => {
  it('example 18: a day at Uccle, 3.9 mm', () => {
    // The example has 3.88 before it rounds.
    expect(dayOf(uccle)).to.be.closeTo(3.88, 0.01);
  });

  it('example 17: the equation for a mean day of April at Bangkok, 5.72 mm', () => {
    const [cold, warm] = [3.28, 5.56];
    // Net radiation is 14.33 MJ/m², of which 0.14 flow into the soil.
    const weather = {
      temperature: 30.2,
      fourthPower: ((25.6 + 273.16) ** 4 + (34.8 + 273.16) ** 4) / 2,
      saturation: (cold + warm) / 2,
      vapor: 2.85,
      wind: 2,
      radiation: 22.65,
      clearness: 22.65 / 28.54,
      elevation: 2,
    };
    expect(penmanMonteith(weather, { numerator: 900, soil: 0.14 / 14.33, days: 1 })).to.be.closeTo(
      5.72,
      0.03,
    );
  });

  it('example 19: hours at N’Diaye, 0.63 mm in the afternoon and 0.00 mm at night', () => {
    const compute = referenceEvapotranspiration.begin('hour', SENEGAL);
    // 14 to 15 and 2 to 3 hours at 15° west.
    const night = Date.UTC(2015, 9, 2, 3);
    expect(compute(hour(night - DAY, 28, 90, 1.9, 0)), 'no daylight yet').to.satisfy(Number.isNaN);
    expect(compute(hour(Date.UTC(2015, 9, 1, 15), 38, 52, 3.3, 2.45))).to.be.closeTo(0.63, 0.005);
    expect(compute(hour(night, 28, 90, 1.9, 0))).to.be.closeTo(0, 0.005);
    expect(compute(hour(night + DAY, 28, 90, 1.9, 0)), 'daylight too long ago').to.satisfy(Number.isNaN);
  });

  it('examples 8 and 9: radiation outside of the atmosphere and hours of daylight', () => {
    // 3 September at 20° south: 32.2 MJ/m² and 11.7 hours.
    const sun = sunAt(Date.UTC(2015, 8, 3, 12), 0);
    expect(extraterrestrialRadiation(sun, -20, -Math.PI, Math.PI)).to.be.closeTo(32.2, 0.05);
    expect((24 / Math.PI) * sunsetAngle(sun, -20)).to.be.closeTo(11.7, 0.05);
    const winter = sunAt(Date.UTC(2015, 11, 21, 12), 0);
    expect(extraterrestrialRadiation(winter, 80, -Math.PI, Math.PI)).to.equal(0);
  });

  it('uses the stored dew point before the humidity', () => {
    const dry = { ...uccle, [V.dewPoint]: same(2) };
    expect(dayOf(dry)).to.be.above(dayOf(uccle) + 0.3);
  });

  it('is null without an input, an elevation or sun, and never negative', () => {
    for (const variable of [V.temperature, V.humidity, V.windSpeed, V.radiation]) {
      const { [variable]: _, ...rest } = uccle;
      expect(dayOf(rest), String(variable)).to.satisfy(Number.isNaN);
    }
    const [place, dark] = [
      { ...UCCLE, elevation: null },
      { ...UCCLE, latitude: -80 },
    ];
    for (const { latitude, longitude, elevation } of [place, dark]) {
      const compute = referenceEvapotranspiration.begin('day', { latitude, longitude, elevation });
      expect(compute(period(Date.UTC(2015, 6, 6), DAY, uccle))).to.satisfy(Number.isNaN);
    }
    const dew = { ...uccle, [V.radiation]: same(0), [V.humidity]: same(100), [V.windSpeed]: same(0) };
    expect(dayOf({ ...dew, [V.temperature]: same(5) })).to.equal(0);
  });
});
