import { expect } from 'chai';
import {
  nowCast,
  purpleAirCorrected,
  usIndex,
  europeanLevel,
  europeanMean,
} from '#domain/weather/indices/air-quality.js';
import { chillPortions, utahWeight } from '#domain/weather/indices/chill.js';
import { type FireCodes, nextFireWeather, STARTING_CODES } from '#domain/weather/indices/fire-equations.js';
import { degreesOf } from '#domain/weather/indices/growing-degree-days.js';
import { thermalStress, wetBulbGlobeLevel } from '#domain/weather/indices/heat-stress.js';
import { isWet } from '#domain/weather/indices/leaf-wetness.js';
import { sprayRating } from '#domain/weather/indices/spray.js';

describe('indices of a station, against published values', () => {
  it('US air quality index: breakpoints of May 2024', () => {
    const expected = [
      [5, 28],
      [9, 50],
      [9.09, 50],
      [12, 56],
      [35.4, 100],
      [35.9, 102],
      [55.4, 150],
      [100, 182],
      [150, 225],
      [225, 300],
      [325.4, 500],
      [900, 500],
    ];
    expect(expected.map(([value = 0]) => [value, usIndex('pm2p5', value)])).to.deep.equal(expected);
    expect([0, 54, 54.9, 55, 154, 155, 604].map((value) => usIndex('pm10', value))).to.deep.equal([
      0, 50, 50, 51, 100, 101, 500,
    ]);
    expect(usIndex('pm2p5', -1)).to.satisfy(Number.isNaN);
  });

  it('US air quality index: never falls while the concentration rises, and has no gap between its parts', () => {
    for (const kind of ['pm2p5', 'pm10'] as const) {
      let before = 0;
      for (let value = 0; value < 700; value += 0.05) {
        const index = usIndex(kind, value);
        expect(index, `${kind} ${value}`).to.be.within(before, before + 12);
        before = index;
      }
    }
  });

  it('NowCast: weights of twelve hours', () => {
    // Worked example of the EPA for PM2.5 (airnow.gov, "NowCast"): a steady concentration stays, and a strong change gives the weight 0.5.
    expect(
      nowCast(
        Array.from({ length: 12 }, () => 20),
        0.1,
      ),
    ).to.equal(20);
    const rising = [Number.NaN, Number.NaN, 10, 100];
    expect(nowCast(rising, 0.1)).to.equal(70);
    expect(nowCast([50, Number.NaN, Number.NaN, 10], 0.1)).to.satisfy(Number.isNaN);
    expect(nowCast([0, 0, 0], 1)).to.equal(0);
  });

  it('European index: a bound belongs to the better level', () => {
    const levels = [5, 5.1, 15, 50, 90, 140, 141].map((value) => europeanLevel('pm2p5', value, '2024'));
    expect(levels).to.deep.equal([0, 1, 1, 2, 3, 4, 5]);
    expect(europeanLevel('pm10', 51, '2020')).to.equal(3);
    const rising = Float64Array.from({ length: 30 }, (_, hour) => hour);
    expect(europeanMean(rising, 29, '2024')).to.equal(29);
    expect(europeanMean(rising, 29, '2020')).to.equal(17.5);
    expect(europeanMean(rising, 16, '2020')).to.satisfy(Number.isNaN);
    expect(europeanLevel('pm10', Number.NaN, '2024')).to.satisfy(Number.isNaN);
  });

  it('correction of PurpleAir: never negative', () => {
    expect(purpleAirCorrected(50, 50)).to.be.closeTo(0.524 * 50 - 4.31 + 5.75, 1e-9);
    expect(purpleAirCorrected(0, 100)).to.equal(0);
  });

  it('growing degree days: single sine, average and clipped', () => {
    const sine = [
      [25, 15],
      [20, 5],
      [14, 2],
      [9, 1],
    ].map(([maximum = 0, minimum = 0]) =>
      degreesOf(maximum, minimum, { method: 'single_sine', base: 10, upper: undefined }),
    );
    for (const [index, expected] of [10, 3.771, 1.017, 0].entries())
      expect(sine[index]).to.be.closeTo(expected, 0.0005);
    const corn = { method: 'clipped', base: 10, upper: 30 } as const;
    expect(degreesOf(35, 5, corn)).to.equal(10);
    expect(degreesOf(20, 5, { method: 'average', base: 10, upper: undefined })).to.equal(2.5);
    expect(degreesOf(Number.NaN, 5, corn)).to.satisfy(Number.isNaN);
  });

  it('chill portions: 1,000 hours of a constant temperature, and 60 days with a daily cycle', () => {
    const after = (temperatures: Iterable<number>) => {
      const portions = chillPortions();
      for (const temperature of temperatures) portions.add(temperature);
      return portions.sum;
    };
    const published = [
      [0, 4.857],
      [2, 26.371],
      [4, 29.849],
      [6, 34.204],
      [8, 34.568],
      [10, 32.436],
      [12, 25.002],
      [14, 0],
    ];
    for (const [temperature = 0, portions = 0] of published)
      expect(after(Array.from({ length: 1000 }, () => temperature)), `${temperature} °C`).to.be.closeTo(
        portions,
        0.0006,
      );
    const cycle = Array.from(
      { length: 60 * 24 },
      (_, hour) => 8 + 6 * Math.sin((2 * Math.PI * (hour - 9)) / 24),
    );
    expect(after(cycle)).to.be.closeTo(42.557, 0.0006);
  });

  it('Utah chill units: a bound belongs to the colder class', () => {
    const weights = [-5, 1.4, 1.5, 2.4, 2.5, 9.1, 9.2, 12.4, 12.5, 15.9, 16, 18, 18.1].map(utahWeight);
    expect(weights).to.deep.equal([0, 0, 0.5, 0.5, 1, 1, 0.5, 0.5, 0, 0, -0.5, -0.5, -1]);
  });

  it('leaf wetness: dry air, calm damp air, and wind that dries', () => {
    expect(isWet(15, 60, 7.3, 1)).to.equal(0);
    expect(isWet(15, 97, 14.5, 0.5)).to.equal(1);
    expect(isWet(15, 90, 13.4, 6)).to.equal(0);
    expect(isWet(-3, 98, -3.3, 0)).to.equal(0);
    expect(isWet(15, Number.NaN, 14, 1)).to.satisfy(Number.isNaN);
  });

  it('spraying: each reason alone', () => {
    const good = { temperature: 20, deltaT: 5, wind: 8, rain: 0, rainAfter: 0, isNight: false };
    const rated = (change: Partial<typeof good>) => {
      const { rating, reason } = sprayRating({ ...good, ...change });
      return `${['good', 'marginal', 'bad'][rating]} ${['none', 'delta_t', 'wind', 'rain', 'temperature', 'inversion'][reason]}`;
    };
    expect(rated({})).to.equal('good none');
    expect(rated({ rainAfter: Number.NaN })).to.equal('good none');
    expect(rated({ deltaT: 1.9 })).to.equal('marginal delta_t');
    expect(rated({ deltaT: 9 })).to.equal('marginal delta_t');
    expect(rated({ deltaT: 10.1 })).to.equal('bad delta_t');
    expect(rated({ wind: 2 })).to.equal('marginal wind');
    expect(rated({ wind: 2, isNight: true })).to.equal('bad inversion');
    expect(rated({ wind: 16 })).to.equal('bad wind');
    expect(rated({ rain: 0.2 })).to.equal('bad rain');
    expect(rated({ rainAfter: 0.2 })).to.equal('bad rain');
    expect(rated({ temperature: 28 })).to.equal('marginal temperature');
    expect(rated({ temperature: 30 })).to.equal('bad temperature');
    expect(sprayRating({ ...good, wind: Number.NaN }).rating).to.satisfy(Number.isNaN);
  });

  it('heat stress: the bounds of the levels and classes', () => {
    const celsius = (fahrenheit: number) => (fahrenheit - 32) / 1.8;
    expect([76, 76.2, 81.1, 84.3, 86.3].map((one) => wetBulbGlobeLevel(celsius(one), 'cool'))).to.deep.equal([
      0, 1, 2, 3, 4,
    ]);
    expect(wetBulbGlobeLevel(celsius(89.9), 'moderate')).to.equal(4);
    expect(wetBulbGlobeLevel(celsius(89.9), 'hot')).to.equal(2);
    expect([-41, -40, -27, -13, 0, 9, 26, 26.1, 32.1, 38.1, 46, 46.1].map(thermalStress)).to.deep.equal([
      0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9,
    ]);
  });

  it('fire weather: the first days of the reference run of Van Wagner and Pickett (1985), with the exact constant', () => {
    // Temperature, humidity, wind, rain; FFMC, DMC, DC, ISI, BUI, FWI from 13 April on, at 40° N.
    const run = [
      [17, 42, 25, 0, 87.65, 8.545, 19.01, 10.78, 8.49, 10.04],
      [20, 21, 25, 2.4, 86.2, 10.4, 23.57, 8.771, 10.36, 9.22],
      [8.5, 40, 17, 0, 86.91, 11.8, 26.05, 6.478, 11.74, 7.517],
      [6.5, 25, 6, 0, 88.76, 13.18, 28.18, 4.851, 13.11, 6.095],
      [13, 34, 24, 0, 89.04, 15.44, 31.47, 12.51, 15.34, 14.73],
      [6, 40, 22, 0.4, 88.59, 16.47, 33.5, 10.6, 16.37, 13.36],
      [5.5, 52, 6, 0, 87.28, 17.24, 35.45, 3.923, 17.14, 5.796],
      [8.5, 46, 16, 0, 87.28, 18.49, 37.93, 6.494, 18.4, 9.502],
      [9.5, 54, 20, 0, 86.73, 19.68, 40.6, 7.347, 19.58, 10.88],
      [7, 93, 14, 9, 29.83, 10.14, 29.52, 0.006623, 10.91, 0.004191],
      [6.5, 71, 17, 1, 49.4, 10.68, 31.65, 0.3577, 11.59, 0.234],
      [6, 59, 17, 0, 67.22, 11.38, 33.68, 1.346, 12.34, 0.9129],
    ] as const;
    let codes: FireCodes = STARTING_CODES;
    for (const [temperature, humidity, wind, rain, ...expected] of run) {
      const day = nextFireWeather(codes, { temperature, humidity, wind, rain }, { month: 3, latitude: 40 });
      const found = [day.fineFuel, day.duff, day.drought, day.spread, day.buildup, day.index];
      for (const [index, value] of expected.entries())
        expect(found[index]).to.be.closeTo(value, Math.abs(value) * 0.0006);
      codes = day;
    }
  });
});
