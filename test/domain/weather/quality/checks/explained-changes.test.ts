import { expect } from 'chai';
import { saturationTemperature, saturationVaporPressure } from '#domain/weather/derived/vapor.js';
import { explainedChanges } from '#domain/weather/quality/checks/explained-changes.js';
import { V } from '#domain/weather/variables.js';

/** What is explained of a change between two rows. */
function explained(
  variable: number,
  temperatures: readonly [number, number],
  humidities: readonly [number, number],
): number {
  const values = new Map([
    [V.temperature, Float64Array.from(temperatures)],
    [V.humidity, Float64Array.from(humidities)],
  ]);
  return explainedChanges(variable, values)(0, 1);
}

describe('changes that another variable explains', () => {
  it('keep the vapour of the air', () => {
    // Air of 10 °C and 80 % that warms to 15 °C; and that dries to 60 %.
    const vapor = 0.8 * saturationVaporPressure(10);
    const drier = (100 * vapor) / saturationVaporPressure(15);
    expect(explained(V.humidity, [10, 15], [80, 50])).to.be.closeTo(drier - 80, 1e-9);
    const warmer = saturationTemperature(vapor / 0.6);
    expect(explained(V.temperature, [10, 30], [80, 60])).to.be.closeTo(warmer - 10, 1e-9);
    // Air that cools below its dew point is saturated.
    expect(explained(V.humidity, [10, 2], [80, 90])).to.equal(20);
  });

  it('are none of other variables, nor where one of both is missing', () => {
    expect(explained(V.dewPoint, [10, 15], [80, 60])).to.equal(0);
    for (const known of [V.temperature, V.humidity]) {
      const values = new Map([[known, Float64Array.of(10, 20)]]);
      expect(explainedChanges(V.temperature, values)(0, 1)).to.equal(0);
      expect(explainedChanges(V.humidity, values)(0, 1)).to.equal(0);
    }
  });

  it('are explained up to the bounds of the formula, and in air that is not too dry', () => {
    const table: readonly (readonly [readonly [number, number], readonly [number, number], boolean])[] = [
      [[-45, -40], [50, 60], true],
      [[-40, -45], [50, 60], true],
      [[-45.1, -40], [50, 60], false],
      [[-40, -45.1], [50, 60], false],
      [[60, 55], [50, 60], true],
      [[55, 60], [50, 60], true],
      [[60.1, 55], [50, 60], false],
      [[55, 60.1], [50, 60], false],
      [[10, 12], [5, 9], true],
      [[10, 12], [9, 5], true],
      [[10, 12], [4.9, 9], false],
      [[10, 12], [9, 4.9], false],
      [[10, 12], [100, 90], true],
      [[10, 12], [90, 100], true],
      [[10, 12], [100.1, 90], false],
      [[10, 12], [90, 100.1], false],
      [[Number.NaN, 12], [90, 80], false],
      [[10, 12], [90, Number.NaN], false],
    ];
    for (const [temperatures, humidities, isExplained] of table)
      for (const variable of [V.temperature, V.humidity]) {
        const found = explained(variable, temperatures, humidities);
        expect(found !== 0, `${variable}: ${temperatures.join()} °C, ${humidities.join()} %`).to.equal(
          isExplained,
        );
      }
  });
});
