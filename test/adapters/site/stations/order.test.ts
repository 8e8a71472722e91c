import { expect } from 'chai';
import fc from 'fast-check';
import type { ListedStation, StationList } from '#adapters/site/client/stations/listed.js';
import { readAgain, withChanges, withoutEndedDays } from '#adapters/site/client/stations/listed.js';
import {
  LIST_COLUMNS,
  filterStations,
  firstOrder,
  nextOrder,
  type Order,
  sortStations,
  splitStations,
} from '#adapters/site/client/stations/order.js';

const TIME = '2026-01-31T12:00:00Z';

function station(
  id: string,
  {
    temperature,
    rain = null,
    seen = null,
  }: { temperature?: number; rain?: number | null; seen?: string | null } = {},
  name = id,
): ListedStation {
  return {
    station: { id, name, latitude: 0, longitude: 0, time_zone: 'Europe/Oslo', reporting_interval: 600 },
    last_seen: seen,
    latest:
      temperature === undefined
        ? {}
        : { air_temperature: { time: TIME, value: temperature, verdict: 'pass' } },
    rain,
    midnight: undefined,
    alarms: [],
  };
}

const BY_NAME: Order = { by: 'station', direction: 'ascending' };
const ids = (stations: readonly ListedStation[]) => stations.map((listed) => listed.station.id);

describe('the order of the list of stations', () => {
  it('puts the largest values first at the first click, and turns at the second', () => {
    const stations = [
      station('a', { temperature: 2 }),
      station('b', { temperature: -3 }),
      station('c', { temperature: 9 }),
    ];
    const down = nextOrder(BY_NAME, 'temperature');
    expect(ids(sortStations(stations, down, 'en'))).to.deep.equal(['c', 'a', 'b']);
    expect(ids(sortStations(stations, nextOrder(down, 'temperature'), 'en'))).to.deep.equal(['b', 'a', 'c']);
  });

  it('begins names with A, and turns at a click', () => {
    const stations = [
      station('x', {}, 'Zürich 10'),
      station('y', {}, 'Ålesund'),
      station('z', {}, 'Zürich 9'),
    ];
    expect(ids(sortStations(stations, BY_NAME, 'en'))).to.deep.equal(['y', 'z', 'x']);
    expect(ids(sortStations(stations, nextOrder(BY_NAME, 'station'), 'en'))).to.deep.equal(['x', 'z', 'y']);
  });

  it('shows live stations, and folds silent ones unless all are silent', () => {
    const now = Date.parse(TIME) + 30 * 60_000;
    const live = station('live', { seen: TIME });
    const late = station('late', { seen: '2026-01-31T11:59:59Z' });
    const never = station('never');
    expect(splitStations([never, live, late], now)).to.deep.equal({ live: [live], silent: [never, late] });
    expect(splitStations([never, late], now)).to.deep.equal({ live: [never, late], silent: [] });
  });

  it('is an order of the same stations, with those without a value last in both directions', () => {
    const some = fc.array(
      fc.record({
        temperature: fc.option(fc.integer({ min: -40, max: 40 }), { nil: undefined }),
        rain: fc.option(fc.nat(20)),
      }),
    );
    fc.assert(
      fc.property(some, fc.constantFrom(...LIST_COLUMNS), fc.boolean(), (values, by, isAscending) => {
        const stations = values.map(({ temperature, rain }, index) =>
          station(`s${index}`, { rain, ...(temperature !== undefined && { temperature }) }),
        );
        const order = { by, direction: isAscending ? ('ascending' as const) : ('descending' as const) };
        const result = sortStations(stations, order, 'en');
        expect(result).to.have.members(stations);
        expect(result).to.have.length(stations.length);
        if (by !== 'rain') return;
        const rains = result.map(({ rain }) => rain);
        const known = rains.filter((rain) => rain !== null);
        expect(rains.slice(0, known.length)).to.deep.equal(
          known.toSorted((a, b) => (isAscending ? a - b : b - a)),
        );
      }),
    );
  });

  it('adds the rows of later pages below the shown rows, until the visitor sorts', () => {
    const now = Date.parse(TIME);
    const listed = fc.record({ name: fc.string(), seen: fc.constantFrom(TIME, '2026-01-30T12:00:00Z') });
    const first = fc.array(listed, { minLength: 1 });
    fc.assert(
      fc.property(first, fc.array(listed), (page, later) => {
        const all = [{ name: 'live', seen: TIME }, ...page, ...later].map(({ name, seen }, index) =>
          station(`s${index}`, { seen }, name),
        );
        const rowsOf = (stations: readonly ListedStation[]) =>
          ids(sortStations(splitStations(stations, now).live, firstOrder('2'), 'en'));
        const before = rowsOf(all.slice(0, page.length + 1));
        expect(rowsOf(all).slice(0, before.length)).to.deep.equal(before);
      }),
    );
    expect(firstOrder(null)).to.deep.equal(BY_NAME);
    expect(nextOrder(firstOrder('2'), 'station')).to.deep.equal(BY_NAME);
  });

  it('filters by words of the name, the id or the place, without regard to case and accents', () => {
    const stations = [station('zrh', {}, 'Zürich Flughafen'), station('osl', {}, 'Oslo')];
    for (const [words, found] of [
      ['zurich', ['zrh']],
      ['FLUG zür', ['zrh']],
      ['osl', ['osl']],
      ['zürich oslo', []],
      ['kloten', ['zrh']],
      [' ', ['zrh', 'osl']],
    ] as const)
      expect(ids(filterStations(stations, words, new Map([['zrh', 'Kloten']]))), words).to.deep.equal(found);
  });
});

describe('the list of stations, with new values', () => {
  const list: StationList = {
    stations: [station('a', { temperature: 1, rain: 3 }), station('b', { temperature: 2 })],
    next: null,
    units: {},
  };
  const change = {
    station: 'a',
    from: TIME,
    to: TIME,
    last_seen: TIME,
    latest: {
      air_temperature: { time: TIME, value: 7, verdict: 'pass' as const },
      soil_temperature: { time: TIME, value: 5, verdict: 'pass' as const },
    },
  };

  it('has them, and keeps the other stations as they are', () => {
    const changed = withChanges(list, new Map([['a', change]]));
    expect(changed.stations[0]).to.deep.equal(station('a', { temperature: 7, rain: 3, seen: TIME }));
    expect(changed.stations[1]).to.equal(list.stations[1]);
    expect(withChanges(list, new Map([['c', { ...change, station: 'c' }]]))).to.equal(list);
  });

  it('has the rain of the local day of each event, until that day ends', () => {
    const today = { from: '2026-01-30T23:00:00Z', rain: 4.2 };
    const rained = withChanges(list, new Map([['a', { ...change, today }]]));
    const rainOf = ({ stations }: StationList) => stations.map(({ rain }) => rain);
    expect(rainOf(rained)).to.deep.equal([4.2, null]);
    // An event without it, because rows of the day cannot be read, changes nothing.
    expect(rainOf(withChanges(rained, new Map([['a', change]])))).to.deep.equal([4.2, null]);
    expect(withoutEndedDays(rained, Date.parse('2026-01-31T22:59:59Z'))).to.equal(rained);
    const ended = withoutEndedDays(rained, Date.parse('2026-01-31T23:00:00Z'));
    expect(rainOf(ended)).to.deep.equal([null, null]);
    expect(ended.stations[1]).to.equal(rained.stations[1]);
    expect(withoutEndedDays(ended, Date.parse('2026-02-01T23:00:00Z'))).to.equal(ended);
    const next = { from: '2026-01-31T23:00:00Z', rain: 0 };
    expect(rainOf(withChanges(ended, new Map([['a', { ...change, today: next }]])))).to.deep.equal([0, null]);
  });

  it('keeps stations that were read while the first ones were read again', async () => {
    const reply = (names: readonly string[], next: string | null) => ({
      stations: names.map((id) => ({ station: station(id).station, last_seen: TIME, latest: {} })),
      next,
      units: {},
    });
    const begin = { cursor: undefined, text: undefined };
    const of = (body: object) => ({ get: () => Promise.resolve(body as never) });
    const longer = { ...list, stations: [...list.stations, station('c')], next: '3' };
    const part = await readAgain(of(reply(['a', 'b'], '2')), begin, 2);
    expect(ids(part(longer).stations)).to.deep.equal(['a', 'b', 'c']);
    expect(part(longer).stations[0]?.last_seen).to.equal(TIME);
    expect(part(longer).next).to.equal('3');
    // The last station was removed.
    const whole = await readAgain(of(reply(['a', 'b'], null)), begin, 3);
    expect(ids(whole(longer).stations)).to.deep.equal(['a', 'b']);
  });
});
