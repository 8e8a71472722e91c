import { expect } from 'chai';
import fc from 'fast-check';
import { applyEdit } from '#domain/weather/station-edit.js';
import {
  observationTimesIn,
  type ObservedTimes,
  periodsOf,
  stationAt,
  withObservationTimes,
  withoutObservationTimes,
} from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { STATION } from '../../support/weather-world.js';

describe('the history of a station', () => {
  const edit = (known: Station, change: Partial<Station>, since?: number): Station => ({
    ...applyEdit({ id: known.id, change, since }, known, undefined),
    number: 1,
  });
  const shown = (station: Station, time: number) => {
    const { elevation, sensorHeights, dailyObservationTime } = stationAt(station, time);
    return { elevation, sensorHeights, dailyObservationTime };
  };

  it('changes from a time until the next period begins, and nowhere else', () => {
    const heights = fc.option(fc.record({ wind_speed: fc.integer({ min: 1, max: 3 }) }), { nil: undefined });
    const change = fc.record(
      {
        elevation: fc.integer({ min: 0, max: 9 }),
        sensorHeights: heights.map((given) => given ?? {}),
        dailyObservationTime: fc.constantFrom('07:00', '24:00', null),
      },
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
            const { dailyObservationTime = before.dailyObservationTime ?? null } = fields;
            const empty = Object.keys(sensorHeights ?? {}).length === 0;
            const changed = {
              elevation,
              sensorHeights: empty ? undefined : sensorHeights,
              dailyObservationTime: dailyObservationTime ?? undefined,
            };
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

  it('gets times of observation of an archive where it has none, and nothing else changes', () => {
    const time = fc.constantFrom('07:00', '18:00', '24:00');
    const change = fc.record({
      elevation: fc.integer({ min: 0, max: 2 }),
      dailyObservationTime: fc.option(time, { freq: 1 }),
      sensorHeights: fc.constantFrom({}, { wind_speed: 2 }),
    });
    const observed = fc
      .array(
        fc.record({ from: fc.integer({ min: 0, max: 9 }), length: fc.integer({ min: 1, max: 3 }), time }),
      )
      .map((all) => {
        const found: ObservedTimes[] = [];
        for (const { from, length, time: dailyObservationTime } of all.toSorted((a, b) => a.from - b.from))
          if (from >= (found.at(-1)?.until ?? 0))
            found.push({ from, until: from + length, dailyObservationTime });
        return found;
      });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), change)), observed, (changes, found) => {
        let station: Station = { ...STATION, number: 1 };
        for (const [since, fields] of changes) station = edit(station, fields, since);
        const after = withObservationTimes(station, found);
        for (let at = -1; at < 14; at += 1) {
          const { earlier: _earlier, ...before } = stationAt(station, at);
          const { earlier: _other, ...now } = stationAt(after, at);
          const run = found.find(({ from, until }) => from <= at && at < until);
          const { dailyObservationTime = run?.dailyObservationTime } = before;
          expect(now).to.deep.equal({ ...before, ...(dailyObservationTime && { dailyObservationTime }) });
          expect(observationTimesIn(after, at, at + 1)).to.deep.equal([dailyObservationTime ?? null]);
        }
        expect(withObservationTimes(after, found)).to.equal(after);
        const without = withoutObservationTimes(after);
        expect(without).to.deep.equal(withoutObservationTimes(station));
        for (let at = -1; at < 14; at += 1) {
          const { dailyObservationTime: _time, earlier: _earlier, ...rest } = stationAt(station, at);
          const { earlier: _other, ...now } = stationAt(without, at);
          expect(now).to.deep.equal(rest);
        }
        // No two neighboring periods are equal, so that many imports of the same years do not lengthen the history.
        for (const one of [without, ...(after === station ? [] : [after])]) {
          const texts = periodsOf(one).map(({ since: _since, until: _until, ...period }) =>
            JSON.stringify(period),
          );
          expect(texts.every((text, index) => text !== texts[index + 1])).to.equal(true);
        }
      }),
    );
  });

  it('says all times of observation of a period, and whether one is unknown', () => {
    const station = withObservationTimes({ ...STATION, number: 1 }, [
      { from: 10, until: 20, dailyObservationTime: '07:00' },
      { from: 20, until: 30, dailyObservationTime: '24:00' },
      { from: 30, until: 40, dailyObservationTime: '07:00' },
    ]);
    expect(observationTimesIn(station, 10, 40)).to.deep.equal(['07:00', '24:00']);
    expect(observationTimesIn(station, 20, 30)).to.deep.equal(['24:00']);
    expect(observationTimesIn(station, 9, 21)).to.deep.equal([null, '07:00', '24:00']);
    expect(observationTimesIn(station, 40, 50)).to.deep.equal([null]);
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
