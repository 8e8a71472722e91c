import { expect } from 'chai';
import { boxOf, contains, readPoint, readPolygons } from '#adapters/http/external/ogc/wkt.js';

const HOLED = 'POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,6 4,6 6,4 6,4 4))';
const BOTH_SIDES =
  'MultiPolygon (((170 -30, 180 -30, 180 0, 170 0, 170 -30)), ((-180 -30,-170 -30,-170 0,-180 0,-180 -30)))';
/** An arrow with a notch on its left side. */
const CONCAVE = 'POLYGON((0 0,10 5,0 10,4 5,0 0))';

describe('Well-Known Text', () => {
  it('has the longitude first, in any case and with any blanks', () => {
    for (const text of ['POINT(-73.7 40.6)', 'point (-73.7  40.6)', ' Point( -737e-1 +40.60 ) '])
      expect(readPoint(text), text).to.deep.equal({ longitude: -73.7, latitude: 40.6 });
  });

  it('decides by its rings whether a position is inside, with the edges', () => {
    const cases: [text: string, longitude: number, latitude: number, inside: boolean][] = [
      [HOLED, 1, 1, true],
      [HOLED, 5, 5, false],
      [HOLED, 4, 5, true],
      [HOLED, 0, 0, true],
      [HOLED, 10, 3, true],
      [HOLED, 11, 10, false],
      [HOLED, -1, 4, false],
      [HOLED, -1, 0, false],
      [CONCAVE, 2, 5, false],
      [CONCAVE, 5, 5, true],
      [CONCAVE, 10, 5, true],
      [CONCAVE, 11, 5, false],
      [BOTH_SIDES, 179, -17, true],
      [BOTH_SIDES, -179, -17, true],
      [BOTH_SIDES, 0, -17, false],
    ];
    for (const [text, longitude, latitude, inside] of cases)
      expect(
        contains(readPolygons(text), { longitude, latitude }),
        `${text} ${longitude} ${latitude}`,
      ).to.equal(inside);
    expect(boxOf(readPolygons(HOLED))).to.deep.equal({ west: 0, south: 0, east: 10, north: 10 });
  });

  it('counts positions in a star as their angles do', () => {
    const tips = Array.from({ length: 40 }, (_, index) => {
      const [angle, radius] = [(index * Math.PI) / 20, index % 2 === 0 ? 20 : 8];
      return `${radius * Math.cos(angle)} ${radius * Math.sin(angle)}`;
    });
    const star = readPolygons(`POLYGON((${[...tips, tips[0]].join(',')}))`);
    for (let index = 0; index < 40; index += 1) {
      const angle = (index * Math.PI) / 20;
      for (const radius of [1, 7.9, 8.1, 19.9, 20.1]) {
        const position = { longitude: radius * Math.cos(angle), latitude: radius * Math.sin(angle) };
        expect(contains(star, position), `${index} ${radius}`).to.equal(radius < (index % 2 === 0 ? 20 : 8));
      }
    }
  });

  it('refuses what is no geometry, or a geometry that is too large, with its place', () => {
    const circle = Array.from({ length: 501 }, (_, index) => `${index / 10} 0`).join(',');
    const cases: [read: (text: string) => unknown, text: string, message: RegExp][] = [
      [readPoint, '', /Must be a POINT/],
      [readPoint, 'POLYGON((0 0,1 0,1 1,0 0))', /Must be a POINT/],
      [readPoint, 'POINT(1)', /longitude from -180 to 180/],
      [readPoint, 'POINT(', /longitude from -180 to 180/],
      [readPoint, 'POINT(1 2 3)', /Expected "\)" before character/],
      [readPoint, 'POINT(1 91)', /latitude from -90 to 90/],
      [readPoint, 'POINT(181 1)', /longitude from -180 to 180/],
      [readPoint, 'POINT(1 2) x', /end of the geometry/],
      [readPoint, 'POINT(1 2)\u0000', /end of the geometry/],
      [readPolygons, 'POINT(1 2)', /Must be a POLYGON or a MULTIPOLYGON/],
      [readPolygons, 'POLYGON((0 0,1 0,1 1))', /at least four points/],
      [readPolygons, 'POLYGON((0 0,1 0,1 1,0 1))', /of which the last is the first/],
      [readPolygons, 'POLYGON((0 0,1 0,1 1,0 0)', /comma or a closing parenthesis/],
      [readPolygons, `POLYGON((${circle}))`, /at most 500 points/],
      [readPolygons, 'POLYGON()', /Expected/],
      [readPolygons, `POLYGON${'('.repeat(10_000)}`, /Expected/],
    ];
    for (const [read, text, message] of cases)
      try {
        read(text);
        expect.fail(text);
      } catch (error) {
        expect((error as Error).message, text).to.match(message);
        expect(error, text).to.have.property('code', 'REQUEST_INVALID');
      }
  });
});
