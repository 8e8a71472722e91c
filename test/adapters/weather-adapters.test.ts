import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '../../src/adapters/calendar-temporal/temporal-calendar.js';
import { TextWriter } from '../../src/adapters/http/text-writer.js';
import { KdbushStationSearch } from '../../src/adapters/search-kdbush/kdbush-station-search.js';
import { MemoryDatabase } from '../../src/adapters/store-memory/memory-database.js';
import { MemoryStationStore } from '../../src/adapters/store-memory/memory-station-store.js';
import { StationDirectory } from '../../src/application/station-directory.js';
import type { StationDraft } from '../../src/domain/station.js';

const HOUR = 3_600_000;

describe('TemporalCalendar', () => {
  const calendar = new TemporalCalendar();
  const at = (text: string) => Date.parse(text);
  const days = (zone: string, from: string, to: string, dayStart = 0) =>
    calendar.buckets('day', zone, dayStart, at(from), at(to));
  const lengths = (zone: string, from: string, to: string) =>
    days(zone, from, to).map(({ start, end }) => (end - start) / HOUR);

  it('has days of 23 and 25 hours where the clocks change, and of 24.5 on Lord Howe Island', () => {
    expect(lengths('America/New_York', '2013-03-09T05:00Z', '2013-03-12T04:00Z')).to.deep.equal([24, 23, 24]);
    expect(lengths('America/New_York', '2013-11-02T04:00Z', '2013-11-05T05:00Z')).to.deep.equal([24, 25, 24]);
    expect(lengths('Australia/Lord_Howe', '2024-04-06T12:00Z', '2024-04-07T12:00Z')).to.include(24.5);
    expect(lengths('UTC', '2013-03-10T00:00Z', '2013-03-11T00:00Z')).to.deep.equal([24]);
  });

  it('gives whole intervals that overlap the range, from the start of the day that is asked for', () => {
    const [only, ...none] = days('Asia/Kathmandu', '2024-05-05T12:00Z', '2024-05-05T12:00:01Z', 9 * 60);
    expect(none).to.deep.equal([]);
    expect(only).to.deep.equal({ start: at('2024-05-05T03:15Z'), end: at('2024-05-06T03:15Z') });
    expect(days('UTC', '2024-05-05T00:00Z', '2024-05-05T00:00Z')).to.deep.equal([]);
  });

  it('has months and years by the calendar, and hours of the clocks there', () => {
    const months = calendar.buckets(
      'month',
      'Europe/Oslo',
      0,
      at('2024-01-15T00:00Z'),
      at('2024-03-01T00:00Z'),
    );
    expect(months.map(({ start, end }) => [start, end])).to.deep.equal([
      [at('2023-12-31T23:00Z'), at('2024-01-31T23:00Z')],
      [at('2024-01-31T23:00Z'), at('2024-02-29T23:00Z')],
      [at('2024-02-29T23:00Z'), at('2024-03-31T22:00Z')],
    ]);
    const [year] = calendar.buckets('year', 'UTC', 6 * 60, at('2024-01-01T05:00Z'), at('2024-01-01T05:01Z'));
    expect(year).to.deep.equal({ start: at('2023-01-01T06:00Z'), end: at('2024-01-01T06:00Z') });
    const [hour] = calendar.buckets(
      'hour',
      'Asia/Kolkata',
      0,
      at('2024-01-01T00:10Z'),
      at('2024-01-01T00:20Z'),
    );
    expect(hour?.start).to.equal(at('2023-12-31T23:30Z'));
  });

  it('formats with the offset of that moment', () => {
    const format = (text: string) => calendar.format(at(text), 'America/New_York');
    expect(format('2013-03-10T06:59:59Z')).to.equal('2013-03-10T01:59:59-05:00');
    expect(format('2013-03-10T07:00:00Z')).to.equal('2013-03-10T03:00:00-04:00');
    expect(format('2013-01-01T05:00:00Z')).to.equal('2013-01-01T00:00:00-05:00');
    expect(calendar.format(at('2013-01-01T00:00:00Z'), 'UTC')).to.equal('2013-01-01T00:00:00+00:00');
  });

  it('knows time zones from what are none, and local times from what are none', () => {
    for (const zone of ['UTC', 'Europe/Dublin', 'America/Argentina/Buenos_Aires']) {
      expect(calendar.hasZone(zone), zone).to.equal(true);
    }
    for (const zone of ['', 'Mars/Base', '+01:00', 'Europe', '../etc', 'station']) {
      expect(calendar.hasZone(zone), zone).to.equal(false);
    }
    expect(calendar.instant('2013-07-01T12:00:00', 'America/New_York')).to.equal(at('2013-07-01T16:00Z'));
    expect(calendar.instant('2013-11-03T01:30:00', 'America/New_York')).to.equal(at('2013-11-03T05:30Z'));
    expect(calendar.instant('2013-02-30T12:00:00', 'UTC')).to.satisfy(Number.isNaN);
  });
});

describe('KdbushStationSearch', () => {
  const draft = (id: string, latitude: number, longitude: number): StationDraft => ({
    id,
    name: `Name of ${id}`,
    latitude,
    longitude,
    elevation: null,
    timeZone: 'UTC',
    identifiers: id === 'pole' ? { wmo: '89009' } : {},
    reportingInterval: null,
    limits: {},
  });
  let store: MemoryStationStore;
  let search: KdbushStationSearch;

  beforeEach(async () => {
    store = new MemoryStationStore(new MemoryDatabase());
    search = new KdbushStationSearch(new StationDirectory(store));
    await store.put([
      draft('fiji-east', -17, -179.9),
      draft('fiji-west', -17, 179.9),
      draft('pole', -90, 0),
      draft('near-pole', -89.5, 170),
      draft('oslo', 59.9, 10.7),
    ]);
  });
  const ids = async (filter: Parameters<typeof search.search>[0], offset = 0, limit = 10) =>
    (await search.search(filter, offset, limit)).map(({ station }) => station.id);

  it('finds the nearest across the antimeridian and over the pole', async () => {
    const near = { latitude: -17, longitude: 179.95 };
    expect(await ids({ near, radius: 50 })).to.deep.equal(['fiji-west', 'fiji-east']);
    const [first, second] = await search.search({ near: { latitude: -89.9, longitude: -10 } }, 0, 2);
    expect([first?.station.id, second?.station.id]).to.deep.equal(['pole', 'near-pole']);
    expect(first?.distance).to.be.closeTo(11.12, 0.01);
  });

  it('finds what lies in a box, also across the antimeridian', async () => {
    expect(await ids({ bbox: { west: 179, south: -18, east: -179, north: -16 } })).to.deep.equal([
      'fiji-east',
      'fiji-west',
    ]);
    expect(await ids({ bbox: { west: -180, south: -18, east: 0, north: -16 } })).to.deep.equal(['fiji-east']);
  });

  it('finds text in ids, names and identifiers, and pages through', async () => {
    expect(await ids({ text: 'FIJI' })).to.deep.equal(['fiji-east', 'fiji-west']);
    expect(await ids({ text: '89009' })).to.deep.equal(['pole']);
    expect(await ids({}, 1, 2)).to.deep.equal(['fiji-west', 'near-pole']);
    expect(await ids({ near: { latitude: 60, longitude: 10 } }, 1, 1)).to.have.length(1);
  });

  it('sees what has changed', async () => {
    expect(await ids({ text: 'oslo' })).to.deep.equal(['oslo']);
    await store.remove('oslo');
    await store.put([draft('bergen', 60.4, 5.3)]);
    expect(await ids({ near: { latitude: 60, longitude: 10 } }, 0, 1)).to.deep.equal(['bergen']);
  });

  it('agrees with measuring every distance', async () => {
    const degrees = fc.tuple(
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(degrees, { minLength: 1, maxLength: 40 }),
        degrees,
        async (places, [lat, lon]) => {
          const many = new MemoryStationStore(new MemoryDatabase());
          await many.put(
            places.map(([latitude, longitude], index) => draft(`s${index}`, latitude, longitude)),
          );
          const found = await new KdbushStationSearch(new StationDirectory(many)).search(
            { near: { latitude: lat, longitude: lon } },
            0,
            5,
          );
          const all = places
            .map(([latitude, longitude]) => haversine(lat, lon, latitude, longitude))
            .sort((a, b) => a - b);
          for (const [index, { distance }] of found.entries())
            expect(distance).to.be.closeTo(all[index] ?? 0, 0.001);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Kilometres on a sphere of 6,371 km. */
function haversine(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const rad = Math.PI / 180;
  const a =
    Math.sin(((lat2 - lat1) * rad) / 2) ** 2 +
    Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lon2 - lon1) * rad) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(a)));
}

describe('TextWriter', () => {
  const written = (work: (writer: TextWriter) => void): string => {
    const writer = new TextWriter();
    work(writer);
    return writer.take().toString();
  };

  it('writes numbers as JSON does, and keeps the sign of -0', () => {
    const number = fc.oneof(
      fc.double(),
      fc.integer().map((value) => value / 10),
      fc.integer().map((value) => value / 1000),
      fc.constantFrom(0, 0.001, -0.001, 1e-7, 1e21, 5e-324, 999_999_999.999, 1e9, 123.45, 100, 0.1 + 0.2),
    );
    fc.assert(
      fc.property(number, (value) => {
        fc.pre(Number.isFinite(value) && !Object.is(value, -0));
        expect(written((writer) => writer.number(value, ''))).to.equal(JSON.stringify(value));
      }),
      { numRuns: 2000 },
    );
    expect(written((writer) => writer.number(-0, ''))).to.equal('-0');
    expect(written((writer) => writer.number(Number.NaN, 'null'))).to.equal('null');
  });

  it('writes times as toISOString does, without milliseconds that are none', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(-62_167_219_200_000) }), (date) => {
        const expected = date.toISOString().replace('.000Z', 'Z');
        expect(written((writer) => writer.time(date.getTime()))).to.equal(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('hands over pieces, and takes text of any length', () => {
    const writer = new TextWriter();
    writer.text('ä'.repeat(100_000));
    expect(writer.isFull).to.equal(true);
    expect(writer.take().toString()).to.equal('ä'.repeat(100_000));
    expect(writer.isFull).to.equal(false);
    expect(writer.take()).to.have.length(0);
  });
});
