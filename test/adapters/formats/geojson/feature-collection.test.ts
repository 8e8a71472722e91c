import { check } from '@placemarkio/check-geojson';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  boundingBox,
  collectionStart,
  type PointGeometry,
  pointFeature,
} from '#adapters/formats/geojson/feature-collection.js';

const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
const somePoints = fc.array(fc.record({ latitude: degrees(90), longitude: degrees(180) }), {
  minLength: 1,
  maxLength: 12,
});
const at = (longitude: number, latitude = 0): PointGeometry => ({ latitude, longitude });

describe('GeoJSON', () => {
  it('is what another program accepts, with seven decimals', () => {
    fc.assert(
      fc.property(somePoints, (points) => {
        const features = points.map((point, index) => ({
          ...pointFeature(`s${index}`, point),
          properties: { name: 'é' },
        }));
        const text = JSON.stringify({ ...collectionStart(points), features });
        check(text);
        for (const [, decimals = ''] of text.matchAll(/\.(\d+)(?!\d*e)/g))
          expect(decimals.length).to.be.at.most(7);
        for (const { geometry } of features) {
          const [longitude = NaN, latitude = NaN] = geometry.coordinates;
          expect(Math.abs(longitude)).to.be.at.most(180);
          expect(Math.abs(latitude)).to.be.at.most(90);
        }
      }),
    );
    expect(pointFeature('JFK', { latitude: 40.63975111, longitude: -73.77892549 }).geometry).to.deep.equal({
      type: 'Point',
      coordinates: [-73.7789255, 40.6397511],
    });
  });

  it('has the box around all points, the narrowest one', () => {
    const width = ([west = 0, , east = 0]: readonly number[]) => (east - west + 360) % 360;
    fc.assert(
      fc.property(somePoints, (points) => {
        const box = boundingBox(points) ?? [];
        const [west = NaN, south = NaN, , north = NaN] = box;
        for (const { latitude, longitude } of points) {
          expect(latitude).to.be.within(south - 1e-7, north + 1e-7);
          const fromWest = (longitude - west + 360 + 1e-7) % 360;
          expect(fromWest).to.be.at.most(width(box) + 3e-7);
        }
        // A box begins and ends at a point, so that none of these is narrower.
        for (const { longitude: start } of points) {
          const end = Math.max(...points.map(({ longitude }) => (longitude - start + 360) % 360));
          expect(width(box)).to.be.at.most(end + 3e-7);
        }
      }),
    );
    expect(boundingBox([at(170, 1), at(-170, -2), at(179)])).to.deep.equal([170, -2, -170, 1]);
    expect(boundingBox([at(-73.7, 40.6)])).to.deep.equal([-73.7, 40.6, -73.7, 40.6]);
    expect(boundingBox([])).to.equal(undefined);
    expect(collectionStart([])).to.deep.equal({ type: 'FeatureCollection' });
  });
});
