import { expect } from 'chai';
import type { DomainError } from '#domain/domain-error.js';
import fc from 'fast-check';
import { brotliCompressSync } from 'node:zlib';
import { PackedLand } from '#adapters/geography/packed-land.js';
import { PackedTowns } from '#adapters/geography/packed-towns.js';
import type { BoundingBox } from '#application/ports/station-search.js';
import { packageFile } from '#composition/package-info.js';

const towns = new PackedTowns(packageFile('dist/service/towns.json.br'));
const land = new PackedLand(packageFile('dist/service/land.json.br'));

const degrees = (limit: number) =>
  fc.integer({ min: -limit * 10, max: limit * 10 }).map((tenths) => tenths / 10);
/** Boxes of all sizes. A third of them crosses the antimeridian. */
const boxes = fc
  .record({
    west: degrees(180),
    width: fc.integer({ min: 1, max: 3599 }),
    south: degrees(89),
    height: fc.integer({ min: 1, max: 900 }),
  })
  .map(({ west, width, south, height }): BoundingBox => {
    const east = west + width / 10;
    return { west, east: east > 180 ? east - 360 : east, south, north: Math.min(south + height / 10, 90) };
  });

const isIn = (box: BoundingBox, longitude: number, latitude: number) =>
  latitude >= box.south &&
  latitude <= box.north &&
  (box.west <= box.east
    ? longitude >= box.west && longitude <= box.east
    : longitude >= box.west || longitude <= box.east);

/** Whether a point is on land: whether a line from the point to the east crosses an odd number of edges. */
function isOnLand(rings: readonly (readonly number[])[], x: number, y: number): boolean {
  let isInside = false;
  for (const ring of rings)
    for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [ring[at], ring[at + 1], ring[before], ring[before + 1]];
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
    }
  return isInside;
}

describe('geography', () => {
  it('finds the largest towns of any box, and only towns in it', async () => {
    const world = await towns.findLargest({ west: -180, south: -90, east: 180, north: 90 }, Infinity);
    expect(world.length).to.be.within(40_000, 60_000);
    expect(
      world.every(({ population, country }) => population > 5000 && /^[A-Z]{2}$/.test(country)),
    ).to.equal(true);
    await fc.assert(
      fc.asyncProperty(boxes, fc.integer({ min: 1, max: 100 }), async (box, limit) => {
        const expected = world.filter(({ longitude, latitude }) => isIn(box, longitude, latitude));
        expect(await towns.findLargest(box, limit)).to.deep.equal(expected.slice(0, limit));
      }),
      { numRuns: 15 },
    );
    const utrecht = await towns.findLargest({ west: 5, south: 52, east: 5.2, north: 52.2 }, 1);
    expect(utrecht.map(({ name, country }) => [name, country])).to.deep.equal([['Utrecht', 'NL']]);
  });

  it('tells land from sea in any box, with a bounded number of points that are all in the box', async () => {
    await fc.assert(
      fc.asyncProperty(boxes, async (box) => {
        const { rings } = await land.inBox(box, 'a');
        const numbers = rings.flat();
        expect(numbers.length).to.be.at.most(2 * 18_000);
        const east = box.east + (box.west > box.east ? 360 : 0);
        // Half a degree is the largest rounding error of a box as wide as the world.
        const isNear = (value: number, low: number, high: number) =>
          value >= low - 0.5 && value <= high + 0.5;
        for (let at = 0; at < numbers.length; at += 2) {
          expect(isNear(numbers[at] ?? NaN, box.west, east)).to.equal(true);
          expect(isNear(numbers[at + 1] ?? NaN, box.south, box.north)).to.equal(true);
        }
      }),
      { numRuns: 12 },
    );
    const around = async (longitude: number, latitude: number, size: number) => {
      const { rings } = await land.inBox(
        {
          west: longitude - size,
          south: latitude - size,
          east: longitude + size,
          north: latitude + size,
        },
        'a',
      );
      return isOnLand(rings, longitude + size / 97, latitude + size / 89);
    };
    for (const size of [0.1, 1, 20]) {
      expect(await around(5.12, 52.09, size), `Utrecht ${size}`).to.equal(true);
      expect(await around(104, 49.9, size), `Mongolia ${size}`).to.equal(true);
      expect(await around(-40, 35, size), `Atlantic ${size}`).to.equal(false);
      expect(await around(51, 41, size), `Caspian Sea ${size}`).to.equal(false);
      expect(await around(-177, 67, size), `Chukotka ${size}`).to.equal(true);
      expect(await around(-140, 71.5, size), `Arctic Ocean ${size}`).to.equal(false);
      expect(await around(150, -80, size), `Antarctica ${size}`).to.equal(true);
    }
  });

  it('tells land from sea on the whole earth', async () => {
    const { rings } = await land.inBox({ west: -180, south: -90, east: 180, north: 90 }, 'a');
    const places: readonly (readonly [longitude: number, latitude: number, isLand: boolean])[] = [
      [-176, 66.7, true],
      [0, 72, false],
      [-150, 70.9, false],
      [100, 65, true],
      [0, -85, true],
      [-100, -60, false],
      [-60, -10, true],
    ];
    for (const [longitude, latitude, isLand] of places)
      expect(isOnLand(rings, longitude, latitude), `${longitude} ${latitude}`).to.equal(isLand);
  });

  it('shows both sides of the antimeridian in one box, and a landlocked box as one rectangle', async () => {
    const fiji = await land.inBox({ west: 177, south: -19, east: -178, north: -16 }, 'a');
    const longitudes = fiji.rings.flatMap((ring) => ring.filter((_number, index) => index % 2 === 0));
    expect(Math.min(...longitudes)).to.be.within(177, 178);
    expect(Math.max(...longitudes)).to.be.within(180.01, 182);
    const { rings } = await land.inBox({ west: 103, south: 48, east: 104, north: 49 }, 'a');
    expect(rings.map(({ length }) => length)).to.deep.equal([8]);
  });

  it('is clipped for one box of a network at a time, with other work between, and for few boxes in advance', async () => {
    let turns = 0;
    const seen: number[] = [];
    const count = () => {
      turns += 1;
      if (seen.length < 7) setImmediate(count);
    };
    setImmediate(count);
    const ask = async (west: number, network: string) => {
      const code = await land.inBox({ west, south: 52, east: west + 1, north: 53 }, network).then(
        () => 'clipped',
        ({ code: refused }: DomainError) => refused,
      );
      if (code === 'clipped') seen.push(turns);
      return code;
    };
    const asked = [...Array(8).keys()].map((west) => ask(west, 'a'));
    expect(await ask(9, 'b')).to.equal('clipped');
    const codes = [...Array<string>(6).fill('clipped'), 'SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'];
    expect(await Promise.all(asked)).to.deep.equal(codes);
    expect(await ask(10, 'a')).to.equal('clipped');
    // The boxes of network a have ended in different turns of the event loop.
    expect(new Set(seen).size).to.be.at.least(6);
  });

  it('has a reply of less than 100 kB for the world and for a coast of many islands', async () => {
    for (const box of [
      { west: -180, south: -90, east: 180, north: 90 },
      { west: 4, south: 57, east: 31, north: 71 },
      { west: 14, south: 56, east: 20, north: 60 },
    ]) {
      const reply = brotliCompressSync(JSON.stringify(await land.inBox(box, 'a')));
      expect(reply.length).to.be.within(3000, 100_000);
    }
  });
});
