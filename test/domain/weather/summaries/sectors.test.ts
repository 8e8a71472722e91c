import { expect } from 'chai';
import {
  degreesOfPoint,
  isDirectionCode,
  SECTOR_NAMES,
  sectorOf,
} from '#domain/weather/summaries/sectors.js';

describe('sectors of the wind', () => {
  it('have the points of the compass, of which north is 360 degrees', () => {
    const degrees = SECTOR_NAMES.map((name) => degreesOfPoint(name));
    expect(degrees).to.deep.equal([360, ...Array.from({ length: 15 }, (_, index) => 22.5 * (index + 1))]);
    expect([degreesOfPoint('nne'), degreesOfPoint('X')]).to.deep.equal([22.5, undefined]);
  });

  it('are around their point, and a direction between two belongs to the next one clockwise', () => {
    const table: readonly (readonly [number, number, number])[] = [
      [0, 16, 0],
      [360, 16, 0],
      [11.24, 16, 0],
      [11.25, 16, 1],
      [348.74, 16, 15],
      [348.75, 16, 0],
      [44.9, 4, 0],
      [45, 4, 1],
      [-90, 4, 3],
      [450, 4, 1],
      [725, 36, 1],
    ];
    for (const [direction, sectors, expected] of table)
      expect(sectorOf(direction, sectors), `${direction} of ${sectors}`).to.equal(expected);
  });

  it('are none of the codes for unknown and variable directions', () => {
    expect([989, 990, 991, 998, 999, 1000, 0].filter(isDirectionCode)).to.deep.equal([990, 999]);
  });
});
