import { expect } from 'chai';
import fc from 'fast-check';
import { applyEdit } from '#domain/weather/station-edit.js';
import { stationAt } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { STATION } from '../../support/weather-world.js';

describe('the history of a station', () => {
  const edit = (known: Station, change: Partial<Station>, since?: number): Station => ({
    ...applyEdit({ id: known.id, change, since }, known, undefined),
    number: 1,
  });
  const shown = (station: Station, time: number) => {
    const { elevation, sensorHeights, earlier: _earlier } = stationAt(station, time);
    return { elevation, sensorHeights };
  };

  it('changes from a time until the next period begins, and nowhere else', () => {
    const heights = fc.option(fc.record({ wind_speed: fc.integer({ min: 1, max: 3 }) }), { nil: undefined });
    const change = fc.record(
      { elevation: fc.integer({ min: 0, max: 9 }), sensorHeights: heights.map((given) => given ?? {}) },
      { requiredKeys: ['elevation'] },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), change)), (changes) => {
        let station: Station = { ...STATION, number: 1 };
        for (const [since, fields] of changes) {
          const next = (station.earlier ?? []).find(({ until }) => until > since)?.until ?? Infinity;
          const after = edit(station, fields, since);
          for (let time = 0; time < 10; time += 1) {
            const before = shown(station, time);
            const { elevation, sensorHeights = before.sensorHeights } = fields;
            const empty = Object.keys(sensorHeights ?? {}).length === 0;
            const changed = { elevation, sensorHeights: empty ? undefined : sensorHeights };
            const expected = time >= since && time < next ? changed : before;
            expect(shown(after, time)).to.deep.equal(expected);
          }
          const ends = (after.earlier ?? []).map(({ until }) => until);
          expect(ends).to.deep.equal([...new Set(ends)].toSorted((a, b) => a - b));
          station = after;
        }
      }),
    );
  });

  it('takes fields that are not given from the period of the time, and leaves the present as it is', () => {
    const moved = edit({ ...STATION, number: 1 }, { latitude: 50, elevation: 100, name: 'A' }, 1000);
    const { latitude, longitude, elevation, reportingInterval } = STATION;
    const place = { latitude, longitude, reportingInterval };
    expect(edit(moved, { elevation: 7, name: 'B' }, 500)).to.deep.equal({
      ...moved,
      name: 'B',
      earlier: [
        { ...place, elevation, until: 500 },
        { ...place, elevation: 7, until: 1000 },
      ],
    });
  });
});
