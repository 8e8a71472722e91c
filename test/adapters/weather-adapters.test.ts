import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { Temporal } from 'temporal-polyfill';
import { LocalAnnouncer } from '../../src/adapters/announcer-local/local-announcer.js';
import { TemporalCalendar } from '../../src/adapters/calendar-temporal/temporal-calendar.js';
import { TextWriter } from '../../src/adapters/formats/text/text-writer.js';
import { nextPageLink } from '../../src/adapters/http/external/observations/next-page.js';
import { summaryTexts } from '../../src/adapters/http/external/observations/summary-text.js';
import { KdbushStationSearch } from '../../src/adapters/search-kdbush/kdbush-station-search.js';
import { MemoryDatabase } from '../../src/adapters/store-memory/memory-database.js';
import { MemoryStationStore } from '../../src/adapters/store-memory/memory-station-store.js';
import type { SummaryPage, SummaryRow } from '../../src/application/observations/read/summarize.js';
import { StationDirectory } from '../../src/application/stations/station-directory.js';
import type { StationDraft } from '../../src/domain/weather/station.js';
import type { Statistics } from '../../src/domain/weather/summaries.js';
import { variableNumbered } from '../../src/domain/weather/variables.js';

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

  it('returns whole intervals that overlap the range, with the requested start of the day', () => {
    const [only, ...none] = days('Asia/Kathmandu', '2024-05-05T12:00Z', '2024-05-05T12:00:01Z', 9 * 60);
    expect(none).to.deep.equal([]);
    expect(only).to.deep.equal({ start: at('2024-05-05T03:15Z'), end: at('2024-05-06T03:15Z') });
    expect(days('UTC', '2024-05-05T00:00Z', '2024-05-05T00:00Z')).to.deep.equal([]);
  });

  it('has calendar months and years, and hours of local time', () => {
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

  it('finds the first instant of a day, also if midnight does not exist or occurs twice, or the day does not exist', () => {
    for (const [date, zone, dayStart, expected] of [
      ['2024-02-29', 'UTC', 0, '2024-02-29T00:00:00.000Z'],
      ['2024-07-01', 'Europe/Berlin', 0, '2024-06-30T22:00:00.000Z'],
      ['2024-07-01', 'Europe/Berlin', 360, '2024-07-01T04:00:00.000Z'],
      ['2018-11-04', 'America/Sao_Paulo', 0, '2018-11-04T03:00:00.000Z'],
      ['2024-03-31', 'Asia/Beirut', 0, '2024-03-30T22:00:00.000Z'],
      ['1919-03-31', 'America/Toronto', 0, '1919-03-31T04:30:00.000Z'],
      ['2024-11-03', 'America/Havana', 0, '2024-11-03T04:00:00.000Z'],
      ['2011-12-30', 'Pacific/Apia', 0, '2011-12-30T10:00:00.000Z'],
      ['2011-12-31', 'Pacific/Apia', 0, '2011-12-30T10:00:00.000Z'],
    ] as const) {
      const instant = calendar.startOfDay(date, zone, dayStart);
      expect(new Date(instant).toISOString(), `${date} ${zone}`).to.equal(expected);
    }
    for (const date of ['2024-02-30', '2023-02-29', '2024-13-01', 'today', '']) {
      expect(calendar.startOfDay(date, 'UTC', 0), date).to.satisfy(Number.isNaN);
    }
  });

  it('has days of 23, 24 and 25 hours that meet, each from the first instant of its date on', () => {
    for (const [zone, from, to, hours] of [
      ['America/Sao_Paulo', '2018-11-03', '2018-11-06', [24, 23, 24]],
      ['Asia/Beirut', '2024-03-30', '2024-04-02', [24, 23, 24]],
      ['America/New_York', '2013-11-02', '2013-11-05', [24, 25, 24]],
      ['America/Havana', '2024-11-02', '2024-11-05', [24, 25, 24]],
      ['Pacific/Apia', '2011-12-28', '2012-01-02', [24, 24, 24, 24]],
    ] as const) {
      const [begin, end] = [calendar.startOfDay(from, zone, 0), calendar.startOfDay(to, zone, 0)];
      const found = calendar.buckets('day', zone, 0, begin, end);
      expect(
        found.map((day) => (day.end - day.start) / HOUR),
        zone,
      ).to.deep.equal(hours);
      expect([found[0]?.start, found.at(-1)?.end], zone).to.deep.equal([begin, end]);
    }
  });

  it('has the same days, months and years as a query for each date', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/Sao_Paulo',
      'Asia/Beirut',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones, 'Pacific/Apia', 'America/Toronto', 'Africa/Casablanca'),
        fc.constantFrom(0, 30, 360, 1439),
        fc.integer({ min: at('1900-01-01T00:00Z'), max: at('2040-01-01T00:00Z') }),
        fc.integer({ min: 1, max: 500 }),
        (zone, dayStart, from, count) => {
          const buckets = calendar.buckets('day', zone, dayStart, from, from + count * 86_400_000);
          for (const [index, { start, end }] of buckets.entries()) {
            const date = calendar.format(start - dayStart * 60_000 + 7_200_000, zone).slice(0, 10);
            expect(start, `${zone} ${date}`).to.equal(calendar.startOfDay(date, zone, dayStart));
            if (index > 0) expect(start).to.equal(buckets[index - 1]?.end);
            expect(end).to.be.greaterThan(start);
          }
          expect(buckets[0]?.start).to.be.at.most(from);
          expect(buckets[0]?.end).to.be.greaterThan(from);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('formats with the offset of that moment', () => {
    const zones = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Monrovia'];
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: Date.UTC(1973, 0), max: Date.UTC(2060, 0) }), { minLength: 1 }),
        fc.constantFrom(...zones),
        (times, zone) => {
          for (const time of times) {
            const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
            const expected = zoned.toString({ smallestUnit: 'second', timeZoneName: 'never' });
            expect(calendar.format(time, zone)).to.equal(expected);
          }
        },
      ),
    );
    const format = (text: string) => calendar.format(at(text), 'America/New_York');
    expect(format('2013-03-10T06:59:59Z')).to.equal('2013-03-10T01:59:59-05:00');
    expect(format('2013-03-10T07:00:00Z')).to.equal('2013-03-10T03:00:00-04:00');
    expect(format('2013-01-01T05:00:00Z')).to.equal('2013-01-01T00:00:00-05:00');
    expect(calendar.format(at('2013-01-01T00:00:00Z'), 'UTC')).to.equal('2013-01-01T00:00:00+00:00');
  });

  it('recognises valid time zones and local times', () => {
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
    search = new KdbushStationSearch(new StationDirectory(store, new LocalAnnouncer()));
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

  it('finds stations in a box, also across the antimeridian', async () => {
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

  it('finds changed stations', async () => {
    expect(await ids({ text: 'oslo' })).to.deep.equal(['oslo']);
    await store.remove('oslo');
    await store.put([draft('bergen', 60.4, 5.3)]);
    expect(await ids({ near: { latitude: 60, longitude: 10 } }, 0, 1)).to.deep.equal(['bergen']);
  });

  it('has each station on one page, whatever their size, however many are at the same place', async () => {
    const many = new MemoryStationStore(new MemoryDatabase());
    // More results than the tree supports, so that later pages use a scan. Up to 700 stations have the same place.
    const count = 2500;
    await many.put(
      Array.from({ length: count }, (_, index) =>
        draft(`s${String(index).padStart(4, '0')}`, Math.floor(index / 700), (index * index) % 3),
      ),
    );
    const paged = new KdbushStationSearch(new StationDirectory(many, new LocalAnnouncer()));
    for (const limit of [70, 333, 1000]) {
      const seen: string[] = [];
      const distances: number[] = [];
      for (let offset = 0; offset < count; offset += limit) {
        const page = await paged.search({ near: { latitude: 1.2, longitude: 0.7 } }, offset, limit);
        seen.push(...page.map(({ station }) => station.id));
        distances.push(...page.map((found) => found.distance as number));
      }
      expect(new Set(seen).size, `pages of ${limit}`).to.equal(count);
      expect(distances, `pages of ${limit}`).to.deep.equal(distances.toSorted((a, b) => a - b));
    }
    expect(await paged.search({ near: { latitude: 0, longitude: 0 } }, count, 10)).to.deep.equal([]);
    expect(await paged.search({ near: { latitude: 0, longitude: 0 }, radius: 1 }, 1200, 10)).to.have.length(
      0,
    );
  });

  it('builds one list and one tree for all concurrent searches', async () => {
    const list = sinon.spy(store, 'list');
    await Promise.all(Array.from({ length: 20 }, () => ids({ near: { latitude: 60, longitude: 10 } })));
    expect(list.callCount).to.equal(1);
    await store.put([draft('bergen', 60.4, 5.3)]);
    const all = await Promise.all(Array.from({ length: 20 }, () => ids({ text: 'bergen' })));
    expect(all.flat()).to.have.length(20);
    expect(list.callCount).to.equal(2);
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
          const found = await new KdbushStationSearch(
            new StationDirectory(many, new LocalAnnouncer()),
          ).search({ near: { latitude: lat, longitude: lon } }, 0, 5);
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

/** Distance in kilometres on a sphere with a radius of 6,371 km. */
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
    for (const none of [Number.NaN, Infinity, -Infinity]) {
      expect(written((writer) => writer.number(none, 'null'))).to.equal('null');
    }
  });

  it('writes times like toISOString, but without zero milliseconds', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(-62_167_219_200_000) }), (date) => {
        const expected = date.toISOString().replace('.000Z', 'Z');
        expect(written((writer) => writer.time(date.getTime()))).to.equal(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('returns pieces, and accepts text of any length', () => {
    const writer = new TextWriter();
    writer.text('ä'.repeat(100_000));
    expect(writer.isFull).to.equal(true);
    expect(writer.take().toString()).to.equal('ä'.repeat(100_000));
    expect(writer.isFull).to.equal(false);
    expect(writer.take()).to.have.length(0);
  });
});

describe('summaryTexts', () => {
  it('writes what the statistics are, with ten digits', () => {
    const number = fc.oneof(
      fc.integer({ min: -90_000, max: 110_000 }).map((value) => value / 100),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(
        Number.NaN,
        -0,
        0,
        1 / 3,
        999_999.9994,
        1e21,
        1e-7,
        Infinity,
        1.797_693_134_862_315_7e308,
      ),
    );
    const variables = [1, 6, 7, 8, 9].map(variableNumbered);
    const statistics = fc.record<Statistics>({
      count: fc.nat(200),
      min: number,
      minTime: fc.constantFrom(Number.NaN, HOUR),
      max: number,
      maxTime: fc.constantFrom(Number.NaN, 2 * HOUR),
      mean: number,
      sum: number,
    });
    const row = fc.record<SummaryRow>({
      start: fc.nat(1000),
      end: fc.nat(1000),
      complete: fc.constantFrom(true, false, null),
      expected: fc.constantFrom(null, 144),
      statistics: fc.array(statistics, { minLength: variables.length, maxLength: variables.length }),
    });
    const format = (time: number) => `at ${time}`;
    const page = (rows: readonly SummaryRow[]) => ({ rows, variables, format }) as unknown as SummaryPage;
    const shown = (value: number) => {
      const rounded = Number(value.toPrecision(10)) + 0;
      return Number.isFinite(rounded) ? rounded : null;
    };
    const time = (value: number) => (Number.isNaN(value) ? null : format(value));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
        const found = JSON.parse(
          [...summaryTexts({ success: true }, page(rows), 'metric')].join(''),
        ) as unknown;
        const expected = rows.map((one) => ({
          start: format(one.start),
          end: format(one.end),
          complete: one.complete,
          ...Object.fromEntries(
            variables.map(({ name, aggregation }, index) => {
              const { count, min, minTime, max, maxTime, mean, sum } = one.statistics[index] as Statistics;
              const low = { min: shown(min), min_time: time(minTime) };
              const high = { max: shown(max), max_time: time(maxTime) };
              const measures = {
                sum: { sum: shown(sum) },
                direction: { mean: shown(mean) },
                maximum: high,
                mean: { ...low, ...high, mean: shown(mean) },
              }[aggregation];
              return [name, { count, expected: one.expected, ...measures }];
            }),
          ),
        }));
        expect(found).to.deep.equal({ success: true, summaries: expected });
      }),
    );
  });
});

describe('nextPageLink', () => {
  it('keeps the query, replaces the cursor and escapes characters that would end the reference', () => {
    expect(nextPageLink('a=1&cursor=5&b=%20x', 7)).to.deep.equal({
      link: '<?a=1&b=%20x&cursor=7>; rel="next"',
    });
    expect(nextPageLink('', -7)).to.deep.equal({ link: '<?cursor=-7>; rel="next"' });
    expect(nextPageLink('a=>;"<&cur%73or=1&cursor', 7)).to.deep.equal({
      link: '<?a=%3E;%22%3C&cursor=7>; rel="next"',
    });
    expect(nextPageLink('a=1', null)).to.deep.equal({});
  });
});
