import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';

describe('TemporalCalendar, of local times', () => {
  const calendar = new TemporalCalendar();

  it('returns no instant where clocks were set forward, two where they were set back, and one elsewhere', () => {
    for (const [zone, local, ...instants] of [
      ['Europe/Oslo', '2024-03-31T01:59:59', '2024-03-31T00:59:59'],
      ['Europe/Oslo', '2024-03-31T02:00:00'],
      ['Europe/Oslo', '2024-03-31T02:59:59'],
      ['Europe/Oslo', '2024-03-31T03:00:00', '2024-03-31T01:00:00'],
      ['Europe/Oslo', '2024-07-01T12:00:00', '2024-07-01T10:00:00'],
      ['Europe/Oslo', '2024-10-27T01:59:59', '2024-10-26T23:59:59'],
      ['Europe/Oslo', '2024-10-27T02:00:00', '2024-10-27T00:00:00', '2024-10-27T01:00:00'],
      ['Europe/Oslo', '2024-10-27T02:59:59', '2024-10-27T00:59:59', '2024-10-27T01:59:59'],
      ['Europe/Oslo', '2024-10-27T03:00:00', '2024-10-27T02:00:00'],
      ['America/New_York', '2024-03-10T02:30:00'],
      ['America/New_York', '2024-11-03T00:59:00', '2024-11-03T04:59:00'],
      ['America/New_York', '2024-11-03T01:30:00', '2024-11-03T05:30:00', '2024-11-03T06:30:00'],
      ['Australia/Lord_Howe', '2024-10-06T02:15:00'],
      ['Australia/Lord_Howe', '2024-10-06T02:30:00', '2024-10-05T15:30:00'],
      ['Australia/Lord_Howe', '2024-04-07T01:29:00', '2024-04-06T14:29:00'],
      ['Australia/Lord_Howe', '2024-04-07T01:45:00', '2024-04-06T14:45:00', '2024-04-06T15:15:00'],
      // Clocks are set back for Ramadan and forward after it.
      ['Africa/Casablanca', '2024-03-10T02:30:00', '2024-03-10T01:30:00', '2024-03-10T02:30:00'],
      ['Africa/Casablanca', '2024-04-14T02:30:00'],
      ['Asia/Kathmandu', '2024-03-31T02:30:00', '2024-03-30T20:45:00'],
      // Samoa skipped this day.
      ['Pacific/Apia', '2011-12-30T12:00:00'],
      ['Pacific/Apia', '2011-12-31T00:00:00', '2011-12-30T10:00:00'],
      ['UTC', '2024-10-27T02:30:00', '2024-10-27T02:30:00'],
    ] as const) {
      const found = calendar.instantsOf(local, zone).map((time) => new Date(time).toISOString().slice(0, 19));
      expect(found, `${local} ${zone}`).to.deep.equal(instants);
    }
    for (const text of ['2024-02-30T00:00:00', '2024-01-01T24:00:00', '2024-01-01T00:00:60', 'now', '']) {
      expect(calendar.instantsOf(text, 'Europe/Oslo'), text).to.deep.equal([]);
    }
  });

  it('returns the instants with this local time, in order, and every instant for its own local time', () => {
    const zones = ['Europe/Oslo', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca'];
    const changes = ['2024-10-27T01:00Z', '2024-11-03T06:00Z', '2024-04-06T15:00Z', '2024-03-10T02:00Z'];
    const localTime = (time: number, zone: string) => calendar.format(time, zone).slice(0, 19);
    const day = 86_400;
    fc.assert(
      fc.property(
        fc.constantFrom(...zones, 'Asia/Kathmandu', 'Pacific/Apia', 'Europe/Dublin'),
        fc.oneof(
          fc.integer({ min: -2_200_000_000, max: 2_200_000_000 }),
          fc
            .tuple(fc.constantFrom(...changes), fc.integer({ min: -day, max: day }))
            .map(([change, seconds]) => Date.parse(change) / 1000 + seconds),
        ),
        (zone, seconds) => {
          const local = localTime(seconds * 1000, zone);
          const instants = calendar.instantsOf(local, zone);
          expect(instants, `${local} ${zone}`).to.include(seconds * 1000);
          expect(instants).to.deep.equal(instants.toSorted((a, b) => a - b));
          expect(new Set(instants).size).to.equal(instants.length);
          for (const instant of instants) expect(localTime(instant, zone)).to.equal(local);
        },
      ),
    );
  });
});
