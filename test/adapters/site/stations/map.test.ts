import { expect } from 'chai';
import fc from 'fast-check';
import { sectorIndex, windBarb } from '#adapters/site/client/format/wind.js';
import {
  type Box,
  boxAround,
  isCovered,
  nearestLongitude,
  requestBox,
} from '#adapters/site/client/map/fit.js';
import {
  type Area,
  coveredBy,
  groupSpots,
  type Label,
  overlap,
  placeLabels,
  placePopover,
  rangeOf,
  SHARING,
} from '#adapters/site/client/map/layout.js';
import { dotColor, endOfHour, newestValues, valuesOfHour } from '#adapters/site/client/map/paint.js';
import { nearPlaces } from '#adapters/site/client/stations/near-places.js';
import { sparkPath, sparkScale } from '#adapters/site/client/stations/spark-line.js';
import { HOURS, toHourly } from '#adapters/site/client/stations/hourly-values.js';

const VIEW: Area = { left: 0, top: 0, right: 640, bottom: 600 };
const spots = fc.array(
  fc.record({
    x: fc.integer({ min: -100, max: 740 }),
    y: fc.integer({ min: -100, max: 700 }),
    value: fc.option(fc.integer({ min: -40, max: 40 }), { nil: undefined }),
    barb: fc.option(fc.integer({ min: 0, max: 360 }), { nil: undefined }),
  }),
  { maxLength: 120 },
);

describe('the layout of the map', () => {
  it('draws each station in one group, whose stations are near each other', () => {
    fc.assert(
      fc.property(spots, (found) => {
        const all = found.map((spot, index) => ({ ...spot, id: String(index) }));
        const groups = groupSpots(all);
        expect(groups.flatMap(({ items }) => items)).to.have.members(all);
        for (const { items } of groups)
          for (const { x, y } of items)
            expect(Math.hypot((items[0]?.x ?? 0) - x, (items[0]?.y ?? 0) - y)).to.be.below(SHARING);
      }),
      { numRuns: 50 },
    );
  });

  it('leaves 24 px of each mark to press, or a circle of 24 px around its middle', () => {
    fc.assert(
      fc.property(spots, (found) => {
        const groups = groupSpots(found.map((spot, index) => ({ ...spot, id: String(index) })));
        const marks = groups.flatMap((group): readonly { x: number; y: number }[] =>
          group.isPair ? group.items : [group],
        );
        for (const [index, { x, y }] of marks.entries()) {
          const others = marks.filter((_, other) => other !== index);
          const apart = others.map((other) => [Math.abs(other.x - x), Math.abs(other.y - y)] as const);
          // The area of a mark that can be pressed has 32 px. One mark may cover a strip of it.
          const covering = apart.filter(([right, down]) => right < 32 && down < 32);
          const isLarge =
            covering.length === 0 || (covering.length === 1 && Math.max(...(covering[0] ?? [])) >= 24);
          const isAlone = apart.every(
            ([right, down]) => Math.hypot(Math.max(0, right - 16), Math.max(0, down - 16)) >= 12,
          );
          expect(isLarge || isAlone, `${x} ${y}`).to.equal(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('draws two dots with one label for two stations that are a little apart', () => {
    const at = (x: number, y: number) => ({ id: `${x} ${y}`, x, y, value: undefined });
    expect(groupSpots([at(0, 0), at(26, 0)])[0]).to.deep.equal({
      isPair: true,
      items: [at(0, 0), at(26, 0)],
      x: 13,
      y: 0,
    });
    for (const others of [[at(20, 20)], [at(26, 0), at(52, 0)]])
      expect(groupSpots([at(0, 0), ...others])[0]?.isPair, JSON.stringify(others)).to.equal(false);
  });

  it('places texts in the view, where they cover neither dots nor barbs nor other texts', () => {
    fc.assert(
      fc.property(spots, (found) => {
        const all = found.map((spot, index) => ({ ...spot, id: String(index) }));
        const covered = coveredBy(all);
        const before = [...covered];
        const labels = all.map(({ id, x, y, value }): Label => {
          return { key: id, x, y, width: 44, reach: value === undefined ? [0, 0] : [9, 10] };
        });
        const areas = [...placeLabels(labels, covered, VIEW)].map(([key, [dx, dy]]) => {
          const { x, y } = labels[Number(key)] as Label;
          return { left: x + dx - 22, right: x + dx + 22, top: y + dy - 9, bottom: y + dy + 9 };
        });
        expect(covered).to.have.length(before.length + areas.length);
        for (const [index, area] of areas.entries()) {
          expect(
            [...before, ...areas.slice(index + 1)].filter((other) => overlap(area, other)),
          ).to.deep.equal([]);
          expect(area.left >= 0 && area.top >= 0 && area.right <= 640 && area.bottom <= 600).to.equal(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('tries right, below, left and above in this order', () => {
    const at = (blocked: readonly Area[]) =>
      placeLabels([{ key: 'a', x: 300, y: 300, width: 40, reach: [9, 10] }], [...blocked], VIEW).get('a');
    const right = { left: 310, top: 290, right: 360, bottom: 310 };
    const below = { left: 280, top: 312, right: 320, bottom: 330 };
    const left = { left: 240, top: 290, right: 290, bottom: 310 };
    const above = { left: 280, top: 270, right: 320, bottom: 288 };
    expect(at([])).to.deep.equal([33, 0]);
    expect(at([right])).to.deep.equal([0, 19]);
    expect(at([right, below])).to.deep.equal([-33, 0]);
    expect(at([right, below, left])).to.deep.equal([0, -19]);
    expect(at([right, below, left, above])).to.equal(undefined);
  });

  it('writes the range of a group', () => {
    const spot = (value: number | undefined) => ({ id: '', x: 0, y: 0, value });
    expect(rangeOf([spot(3), spot(undefined), spot(-1)])).to.deep.equal([-1, 3]);
    expect(rangeOf([spot(undefined)])).to.equal(undefined);
  });

  it('keeps a popover in the view, beside its station', () => {
    const place = fc.record({ x: fc.integer({ min: 0, max: 640 }), y: fc.integer({ min: 0, max: 600 }) });
    fc.assert(
      fc.property(place, fc.array(place, { maxLength: 10 }), (at, others) => {
        const [left, top] = placePopover(at, [224, 220], others, VIEW);
        expect(left >= 8 && top >= 8 && left + 224 <= 632 && top + 220 <= 592).to.equal(true);
        const isOver = at.x > left && at.x < left + 224 && at.y > top && at.y < top + 220;
        expect(isOver).to.equal(false);
      }),
    );
  });
});

const longitude = fc.integer({ min: -1800, max: 1800 }).map((tenths) => tenths / 10);
const positions = fc.array(fc.record({ longitude, latitude: fc.integer({ min: -80, max: 80 }) }), {
  minLength: 1,
  maxLength: 20,
});

describe('the box of the map', () => {
  it('is the narrowest box around all stations, also across the antimeridian', () => {
    fc.assert(
      fc.property(positions, (stations) => {
        const box = boxAround(stations) as Box;
        const center = (box.west + box.east) / 2;
        for (const station of stations) {
          const near = nearestLongitude(station.longitude, center);
          expect(near).to.be.within(box.west - 1e-9, box.east + 1e-9);
          expect(station.latitude).to.be.within(box.south, box.north);
        }
        // A box that begins at any station and goes around the earth is not narrower.
        for (const { longitude: west } of stations) {
          const widths = stations.map((station) => (station.longitude - west + 360) % 360);
          expect(box.east - box.west).to.be.at.most(Math.max(...widths) + 1e-9);
        }
      }),
    );
    expect(boxAround([])).to.equal(undefined);
    const fiji = [178.4, -179.9, 177.4].map((east) => ({ longitude: east, latitude: -17 }));
    expect(boxAround(fiji)).to.deep.equal({ west: 177.4, south: -17, east: 180.1, north: -17 });
  });

  it('is asked for on a grid that contains the view, so that a short movement asks for nothing', () => {
    const view = fc
      .record({
        west: fc.integer({ min: -4000, max: 4000 }),
        width: fc.integer({ min: 1, max: 5000 }),
        south: fc.integer({ min: -850, max: 800 }),
        height: fc.integer({ min: 1, max: 800 }),
      })
      .map(({ west, width, south, height }) => ({
        west: west / 10,
        east: (west + width) / 10,
        south: south / 10,
        north: Math.min((south + height) / 10, 85),
      }))
      .filter(({ south, north }) => south < north);
    fc.assert(
      fc.property(view, (shown) => {
        const request = requestBox(shown);
        const [west = NaN, south = NaN, east = NaN, north = NaN] = request.bbox.split(',').map(Number);
        expect([west, east].every((value) => value >= -180 && value <= 180)).to.equal(true);
        expect(south >= -90 && north <= 90 && south < north).to.equal(true);
        expect(isCovered(shown, request)).to.equal(true);
        if (!request.isWorld) {
          const moved = (shown.east - shown.west) / 10;
          const after = { ...shown, west: shown.west + moved, east: shown.east + moved };
          expect(isCovered(after, request)).to.equal(true);
          expect(west + request.shift).to.be.closeTo(request.box.west, 1e-9);
        }
      }),
    );
  });
});

describe('the values of the map and of the sparks', () => {
  const now = Date.parse('2026-01-31T12:20:00Z');
  const row = (start: string, temperature: number) => ({
    start,
    air_temperature: { mean: temperature },
    precipitation_amount: { sum: 0.4 },
  });

  it('are those of the hours before now, in zones with and without half hours', () => {
    const hourly = toHourly(
      [
        row('2026-01-31T12:00:00+00:00', 3),
        row('2026-01-31T16:30:00+05:30', 2),
        row('2026-01-30T11:00:00Z', 9),
      ],
      now,
    );
    expect(hourly.temperature.slice(-3)).to.deep.equal([null, 2, 3]);
    expect(hourly.temperature.slice(0, 21).every((value) => value === null)).to.equal(true);
    expect(valuesOfHour(hourly, 1)).to.include({ temperature: 3, rain: 0.4, wind: undefined });
    expect(valuesOfHour(hourly, 24)).to.include({ temperature: undefined });
    expect(valuesOfHour(undefined, 1)).to.include({ temperature: undefined });
  });

  it('are named by the end of their hour, which is never in the future', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1440 }),
        fc.integer({ min: 1, max: HOURS }),
        fc.constantFrom(['UTC', 0], ['Asia/Kolkata', 30], ['Asia/Kathmandu', 45]),
        (minutes, hoursAgo, [zone, offset]) => {
          const time = now + minutes * 60_000;
          const end = endOfHour(time, hoursAgo, zone);
          // The hour of the clock that contains the last moment before its end.
          const shift = offset * 60_000;
          const start = Math.floor((end - 1 + shift) / 3_600_000) * 3_600_000 - shift;
          const hourly = toHourly([row(new Date(start).toISOString(), 7)], time);
          expect(valuesOfHour(hourly, hoursAgo).temperature).to.equal(7);
          expect(end).to.be.at.most(time);
        },
      ),
    );
  });

  it('have no value where quality control rejected it, and an age', () => {
    const time = '2026-01-31T12:10:00Z';
    const listed = {
      station: { id: 'a', name: 'a', latitude: 0, longitude: 0, time_zone: 'UTC', reporting_interval: 600 },
      last_seen: time,
      latest: {
        air_temperature: { time, value: 99, verdict: 'fail' as const },
        wind_speed: { time, value: 4, verdict: 'pass' as const },
      },
      rain: null,
      midnight: undefined,
      alarms: [],
    };
    expect(newestValues(listed, now)).to.deep.equal({
      temperature: undefined,
      rain: undefined,
      wind: 4,
      direction: undefined,
      age: 600_000,
    });
    expect(dotColor('age', 600_000, 600)).to.deep.equal({ step: 'age-0' });
    expect(dotColor('age', 1_801_000, 600)).to.deep.equal({ step: 'age-2' });
    expect(dotColor('rain', 0, 600)).to.deep.equal({ step: 'rain-0' });
    expect(dotColor('wind', 20, 600)).to.deep.equal({ step: 'wind-4' });
  });

  it('share one scale of at least 5 degrees, and lines are open at gaps', () => {
    expect(sparkScale([[1, null, 2], [7]])).to.deep.equal([1, 7]);
    expect(sparkScale([[1], [2]])).to.deep.equal([-1, 4]);
    expect(sparkScale([[null]])).to.equal(undefined);
    const { path, last } = sparkPath([1, 3, null, 2, null], [1, 3]);
    expect(path.match(/[ML]/g)).to.deep.equal(['M', 'L', 'M']);
    expect(path.startsWith(`M3 37`)).to.equal(true);
    expect(last).to.deep.equal([76.5, 20]);
  });

  it('have the name of the nearest town, if one is near', () => {
    const station = (id: string, east: number, latitude = 52) => ({
      station: { id, name: id, latitude, longitude: east, time_zone: 'UTC', reporting_interval: 600 },
      last_seen: null,
      latest: {},
      rain: null,
      midnight: undefined,
      alarms: [],
    });
    const town = (name: string, east: number) => ({ name, latitude: 52, longitude: east, population: 9000 });
    const towns = [town('Far', 5.5), town('Near', 5.04), town('Over', -179.99)];
    const found = nearPlaces([station('a', 5), station('b', 179.99), station('c', 20)], towns);
    expect([...found]).to.deep.equal([
      ['a', 'Near'],
      ['b', 'Over'],
    ]);
  });
});

describe('the picture of the wind', () => {
  it('has barbs as in WMO-No. 485', () => {
    const knots = (speed: number) => windBarb((speed * 1852) / 3600);
    const marks = (path: string | undefined) => ({
      flags: path?.match(/Z/g)?.length ?? 0,
      full: path?.match(/M0 -?\d+L9 -?\d+(?!L)/g)?.filter((part) => !part.endsWith('L')).length ?? 0,
      half: path?.match(/L5 /g)?.length ?? 0,
    });
    expect(knots(2)).to.equal(undefined);
    expect(marks(knots(5)).half).to.equal(1);
    // A half barb alone does not stand at the end of the staff.
    expect(knots(5)).not.to.include('M0 -20L5');
    expect(knots(15)).to.equal('M0 0V-20M0 -20L9 -23M0 -17L5 -19');
    expect(knots(65)).to.equal('M0 0V-20M0 -20L9 -18L0 -16ZM0 -15L9 -18M0 -12L5 -14');
  });

  it('names the sector of a direction', () => {
    expect([0, 11, 12, 180, 348, 349, 360].map(sectorIndex)).to.deep.equal([0, 0, 1, 8, 15, 0, 0]);
  });
});
