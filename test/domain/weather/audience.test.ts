import { expect } from 'chai';
import fc from 'fast-check';
import { applyEdit, replacementEdit } from '#domain/weather/station-edit.js';
import { acceptStation, MAX_POSITION_DECIMALS, type Station } from '#domain/weather/station.js';
import { stationFor } from '#domain/weather/stations/audience.js';
import { readStation } from '#domain/weather/stations/stored-station.js';
import { STATION } from '../../support/weather-world.js';

const JFK: Station = { ...STATION, number: 1 };
const STORED = {
  ...JFK,
  steps: null,
  persistence: null,
  sensorHeights: null,
  cellMethods: null,
  stampInterval: null,
  dailyObservationTime: null,
  demo: null,
  earlier: null,
};

describe('the view of a station', () => {
  it('of users is the station, and that of everybody is the same object where nothing is restricted', () => {
    for (const station of [JFK, { ...JFK, visibility: 'hidden' as const, positionDecimals: 0 }])
      expect(stationFor('users', station)).to.equal(station);
    for (const station of [JFK, { ...JFK, visibility: 'public' as const, positionDecimals: null }])
      expect(stationFor('everybody', station)).to.equal(station);
    expect(stationFor('everybody', { ...JFK, visibility: 'hidden' })).to.equal(undefined);
  });

  it('has a valid position with so many decimals and nothing else of the exact one', () => {
    const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
    const place = fc.record({ latitude: degrees(90), longitude: degrees(180) });
    const decimals = fc.integer({ min: 0, max: MAX_POSITION_DECIMALS });
    fc.assert(
      fc.property(place, place, decimals, (now, before, positionDecimals) => {
        const earlier = [{ ...before, elevation: null, reportingInterval: null, until: 5 }];
        const seen = stationFor('everybody', { ...JFK, ...now, positionDecimals, earlier }) as Station;
        const [period] = seen.earlier ?? [];
        for (const [rounded, exact] of [
          [seen, now],
          [period, before],
        ] as const)
          for (const axis of ['latitude', 'longitude'] as const) {
            const value = rounded?.[axis] as number;
            expect(Object.is(value, -0)).to.equal(false);
            expect(value).to.equal(Number(value.toFixed(positionDecimals)));
            expect(Math.abs(value - exact[axis])).to.be.at.most(0.5001 * 10 ** -positionDecimals);
          }
        acceptStation({ latitude: seen.latitude, longitude: seen.longitude });
        // Stations at the same rounded position cannot be told apart by their views.
        const { latitude, longitude } = seen;
        const same = {
          ...JFK,
          latitude,
          longitude,
          positionDecimals,
          earlier: [{ ...earlier[0], ...period }],
        };
        expect(stationFor('everybody', same as Station)).to.deep.equal(seen);
      }),
    );
  });

  it('is restricted as much as possible where the stored restriction cannot be read', () => {
    const read = (visibility: unknown, positionDecimals: unknown) => {
      const { visibility: who, positionDecimals: decimals } = readStation({
        ...STORED,
        visibility,
        positionDecimals,
      });
      return [who, decimals];
    };
    expect(read(null, null)).to.deep.equal([undefined, undefined]);
    expect(read('public', 3)).to.deep.equal([undefined, 3]);
    expect(read('hidden', 1)).to.deep.equal(['hidden', 1]);
    for (const wrong of ['Public', '', 0, 4.5, -1, 'x'])
      expect(read(wrong, wrong === 0 ? 7 : wrong)).to.deep.equal(['hidden', 0]);
  });

  it('stays restricted when a station is replaced without these fields, and none is stored for the usual values', () => {
    const restricted: Station = { ...JFK, visibility: 'hidden', positionDecimals: 1 };
    expect(applyEdit(replacementEdit(STATION), restricted, undefined)).to.include({
      visibility: 'hidden',
      positionDecimals: 1,
    });
    const open = { id: 'JFK', change: { visibility: 'public', positionDecimals: null } } as const;
    expect(applyEdit(open, restricted, undefined)).to.deep.equal(STATION);
    for (const positionDecimals of [-1, 4, 0.5, Number.NaN])
      expect(() => acceptStation({ positionDecimals })).to.throw('0 to 3 decimals');
  });
});
