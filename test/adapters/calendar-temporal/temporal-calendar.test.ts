import { expect } from 'chai';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { dateOf } from '#application/date-of.js';
import { dateText } from '#domain/weather/climate/climate-days.js';
import { type Bucket, type CalendarInterval, CLOCK_INTERVALS } from '#domain/weather/summaries/bucket.js';

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

  it('has weeks from Monday on, and seasons of three months from December on', () => {
    const local = (interval: 'week' | 'season', from: string, to: string, dayStart = 0) =>
      calendar
        .buckets(interval, 'Europe/Oslo', dayStart, at(from), at(to))
        .map(({ start, end }) =>
          [start, end].map((time) => calendar.format(time, 'Europe/Oslo').slice(0, 16)),
        );
    expect(local('week', '2024-12-31T12:00Z', '2025-01-06T00:00Z')).to.deep.equal([
      ['2024-12-30T00:00', '2025-01-06T00:00'],
      ['2025-01-06T00:00', '2025-01-13T00:00'],
    ]);
    // Before the day has begun it is still Sunday.
    expect(local('week', '2024-03-25T05:00Z', '2024-03-25T05:01Z', 7 * 60)).to.deep.equal([
      ['2024-03-18T07:00', '2024-03-25T07:00'],
    ]);
    for (const [from, start, end] of [
      ['2024-01-15T00:00Z', '2023-12-01T00:00', '2024-03-01T00:00'],
      ['2024-02-29T22:00Z', '2023-12-01T00:00', '2024-03-01T00:00'],
      ['2024-02-29T23:00Z', '2024-03-01T00:00', '2024-06-01T00:00'],
      ['2024-11-30T22:00Z', '2024-09-01T00:00', '2024-12-01T00:00'],
      ['2024-12-15T00:00Z', '2024-12-01T00:00', '2025-03-01T00:00'],
    ] as const)
      expect(local('season', from, new Date(at(from) + 1).toISOString()), from).to.deep.equal([[start, end]]);
  });

  it('has hours that begin at full hours of local time and where clocks change by half an hour', () => {
    const hours = (zone: string, from: string, to: string) =>
      calendar
        .buckets('hour', zone, 0, at(from), at(to))
        .map(({ start, end }) => `${calendar.format(start, zone).slice(11)} ${(end - start) / 60_000}`);
    expect(hours('Australia/Lord_Howe', '2024-04-06T13:40Z', '2024-04-06T16:00Z')).to.deep.equal([
      '00:00:00+11:00 60',
      '01:00:00+11:00 60',
      '01:30:00+10:30 30',
      '02:00:00+10:30 60',
    ]);
    expect(hours('Australia/Lord_Howe', '2024-10-05T14:40Z', '2024-10-05T17:00Z')).to.deep.equal([
      '01:00:00+10:30 60',
      '02:30:00+11:00 30',
      '03:00:00+11:00 60',
    ]);
    expect(hours('America/New_York', '2024-11-03T05:30Z', '2024-11-03T08:00Z')).to.deep.equal([
      '01:00:00-04:00 60',
      '01:00:00-05:00 60',
      '02:00:00-05:00 60',
    ]);
    expect(hours('-03:30', '2024-01-01T00:10Z', '2024-01-01T01:00Z')).to.deep.equal([
      '20:00:00-03:30 60',
      '21:00:00-03:30 60',
    ]);
  });

  it('divides days of 23 and 25 hours at the same times of day as other days', () => {
    const parts = (interval: CalendarInterval, zone: string, date: string) => {
      const [day] = days(zone, `${date}T12:00Z`, `${date}T12:01Z`);
      const { start, end } = day as Bucket;
      return calendar.buckets(interval, zone, 0, start, end);
    };
    const shown = (interval: CalendarInterval, zone: string, date: string) =>
      parts(interval, zone, date).map(
        ({ start, end }) => `${calendar.format(start, zone).slice(11, 16)} ${(end - start) / HOUR}`,
      );
    const [SPRING, AUTUMN] = ['2024-03-31', '2024-10-27'];
    expect(shown('6h', 'Europe/Oslo', SPRING)).to.deep.equal(['00:00 5', '06:00 6', '12:00 6', '18:00 6']);
    expect(shown('6h', 'Europe/Oslo', AUTUMN)).to.deep.equal(['00:00 7', '06:00 6', '12:00 6', '18:00 6']);
    expect(shown('12h', 'Europe/Oslo', AUTUMN)).to.deep.equal(['00:00 13', '12:00 12']);
    expect(shown('3h', 'Europe/Oslo', SPRING).slice(0, 3)).to.deep.equal(['00:00 2', '03:00 3', '06:00 3']);
    expect(shown('3h', 'Europe/Oslo', AUTUMN).slice(0, 3)).to.deep.equal(['00:00 4', '03:00 3', '06:00 3']);
    // In Cuba clocks are set back from 01:00 to 00:00 and forward from 00:00 to 01:00.
    expect(shown('3h', 'America/Havana', '2024-11-03').slice(0, 2)).to.deep.equal(['00:00 4', '03:00 3']);
    expect(shown('3h', 'America/Havana', '2024-03-10').slice(0, 2)).to.deep.equal(['01:00 2', '03:00 3']);
    for (const [interval, ordinary] of [
      ['10min', 144],
      ['30min', 48],
    ] as const) {
      const counts = [SPRING, '2024-06-01', AUTUMN].map(
        (date) => parts(interval, 'Europe/Oslo', date).length,
      );
      expect(counts).to.deep.equal([(ordinary * 23) / 24, ordinary, (ordinary * 25) / 24]);
    }
    // Samoa had no 30 December 2011.
    expect(shown('12h', 'Pacific/Apia', '2011-12-31')).to.deep.equal(['00:00 12', '12:00 12']);
  });

  it('has the same parts of days from whichever time on they are asked for', () => {
    const zones = [
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Africa/Casablanca',
      'Europe/Dublin',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones, 'Pacific/Apia', 'America/Havana'),
        fc.constantFrom(...(['10min', '30min', 'hour', '3h', '6h', '12h'] as const)),
        fc.integer({ min: at('1985-01-01T00:00Z'), max: at('2030-01-01T00:00Z') }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 400 }),
        (zone, interval, from, skipped, count) => {
          const [middle, to] = [from + skipped * HOUR, from + (skipped + count) * HOUR];
          const all = calendar.buckets(interval, zone, 0, from, to);
          const some = calendar.buckets(interval, zone, 0, middle, to);
          expect(all.slice(-some.length)).to.deep.equal(some);
          expect((all[0] as Bucket).start).to.be.at.most(from);
          expect((all.at(-1) as Bucket).end).to.be.at.least(to);
          const length = (CLOCK_INTERVALS[interval] / 60) * HOUR;
          for (const [index, { start, end }] of all.entries()) {
            // Clocks have not changed by more than an hour, or by a day.
            expect(end - start).to.be.within(1, length <= HOUR ? length : length + HOUR);
            if (index > 0) expect(start).to.equal(all[index - 1]?.end);
          }
        },
      ),
      { numRuns: 120 },
    );
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

  it('formats with the offset of that moment, which also gives the date', () => {
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
            expect(calendar.offset(time, zone)).to.equal(zoned.offsetNanoseconds / 1e6);
            expect(dateText(dateOf(calendar, time, zone))).to.equal(zoned.toPlainDate().toString());
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

  it('recognizes offsets from UTC', () => {
    for (const offset of ['-03:30', '+05:45', '+00:00', '+14:00', '-12:00'])
      expect(calendar.hasZone(offset), offset).to.equal(true);
    for (const offset of ['03:30', '+3:30', '+14:01', '-24:00', '+05:60', '+0530', ''])
      expect(calendar.hasZone(offset), offset).to.equal(false);
    expect(calendar.startOfDay('2024-02-29', '-03:30', 0)).to.equal(at('2024-02-29T03:30Z'));
  });

  it('recognizes valid time zones and local times', () => {
    for (const zone of ['UTC', 'Europe/Dublin', 'America/Argentina/Buenos_Aires']) {
      expect(calendar.hasZone(zone), zone).to.equal(true);
    }
    for (const zone of ['', 'Mars/Base', 'Europe', '../etc', 'station']) {
      expect(calendar.hasZone(zone), zone).to.equal(false);
    }
    expect(calendar.instant('2013-07-01T12:00:00', 'America/New_York')).to.equal(at('2013-07-01T16:00Z'));
    expect(calendar.instant('2013-11-03T01:30:00', 'America/New_York')).to.equal(at('2013-11-03T05:30Z'));
    expect(calendar.instant('2013-02-30T12:00:00', 'UTC')).to.satisfy(Number.isNaN);
  });
});
