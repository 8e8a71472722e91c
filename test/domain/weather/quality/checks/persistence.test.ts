import { expect } from 'chai';
import { flagged, HOUR, seriesOf } from '../made-series.js';

const ROWS = 400;
/** A wave of tenths; between rows 100 and 300 the value stays the same. */
const stuckAt = (value: number, from: number, to: number) =>
  Array.from({ length: ROWS }, (_, row) =>
    row >= 100 && row < 300 ? value : Math.round(10 * (from + ((to - from) * (row % 13)) / 12)) / 10,
  );
const alternating = (low: number, high: number) =>
  Array.from({ length: ROWS }, (_, row) => (row % 8 < 4 ? low : high));

describe('values that stay the same', () => {
  const isStuck = (columns: Readonly<Record<string, readonly number[]>>, name: string) =>
    (flagged(seriesOf(HOUR, columns), [name])[name] ?? []).some((text) => text === '200 persistence');

  it('are stuck, but for the humidity of moist air while the temperature hardly varies, and of saturated air', () => {
    const humidity = (value: number, high: number) =>
      isStuck(
        { relative_humidity: stuckAt(value, 90, 96), air_temperature: alternating(10, high) },
        'relative_humidity',
      );
    const table: readonly (readonly [value: number, high: number, isStuck: boolean])[] = [
      [96.9, 10.1, true],
      [97, 10.1, false],
      [97, 12.9, false],
      [97, 13, true],
      [99.4, 13, true],
      [99.4, 12.9, false],
      [99.5, 13, false],
      [100, 14, false],
    ];
    for (const [value, high, expected] of table)
      expect(humidity(value, high), `${value} %, 10 to ${high} °C`).to.equal(expected);
    expect(isStuck({ relative_humidity: stuckAt(98, 90, 96) }, 'relative_humidity')).to.equal(false);
  });

  it('are stuck, but for calms, and for directions in light wind', () => {
    const wind = (value: number) => isStuck({ wind_speed: stuckAt(value, 2, 6) }, 'wind_speed');
    expect([wind(0), wind(0.1), wind(3)]).to.deep.equal([false, true, true]);
    const direction = (speed: number) =>
      isStuck(
        { wind_from_direction: stuckAt(180, 100, 200), wind_speed: alternating(speed, speed + 0.5) },
        'wind_from_direction',
      );
    expect([direction(0.4), direction(1), direction(3)]).to.deep.equal([false, true, true]);
    expect(isStuck({ wind_from_direction: stuckAt(180, 100, 200) }, 'wind_from_direction')).to.equal(false);
  });
});
