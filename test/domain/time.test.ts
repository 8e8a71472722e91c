import { expect } from 'chai';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  daysInMonth,
  endOfInterval,
  epochOf,
  isDateAlone,
  isOffset,
  parseInstant,
  parseLocalTime,
  parseWholeSeconds,
  periodOf,
  timeFault,
} from '#domain/time.js';

const two = (value: number) => String(value).padStart(2, '0');

/** Fields of times. Most combinations exist in the calendar, some do not. */
const field = {
  year: fc.oneof(
    fc.constantFrom(0, 99, 1600, 1900, 2000, 2023, 2024, 9999),
    fc.integer({ min: 0, max: 9999 }),
  ),
  month: fc.integer({ min: 0, max: 13 }),
  day: fc.oneof(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 0, max: 32 })),
  hour: fc.integer({ min: 0, max: 24 }),
  minute: fc.integer({ min: 0, max: 60 }),
  second: fc.integer({ min: 0, max: 61 }),
};
const anyTime = fc
  .record(field)
  .map(
    ({ year, month, day, hour, minute, second }) =>
      `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`,
  );

/** The instant by ECMAScript's Temporal; NaN for a time that does not exist. */
function byTemporal(local: string): number {
  // Temporal accepts second 60 and reads it as 59, like POSIX.
  if (!/:[0-5]\d$/.test(local) || /T24/.test(local)) return Number.NaN;
  try {
    return Temporal.PlainDateTime.from(local, { overflow: 'reject' }).toZonedDateTime('UTC')
      .epochMilliseconds;
  } catch {
    return Number.NaN;
  }
}

describe('times', () => {
  it('are read exactly if they exist', () => {
    fc.assert(
      fc.property(anyTime, (local) => {
        expect(parseInstant(`${local}Z`), local).to.deep.equal(byTemporal(local));
        expect(parseLocalTime(local) === undefined, local).to.equal(Number.isNaN(byTemporal(local)));
      }),
      { numRuns: 5000 },
    );
  });

  it('read as the same instant with any offset', () => {
    const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
        offset,
        (date, minutes) => {
          const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
          const size = Math.abs(minutes);
          const hours = two(Math.floor(size / 60));
          const sign = minutes < 0 ? '-' : '+';
          for (const colon of [':', '']) {
            expect(parseInstant(`${local}${sign}${hours}${colon}${two(size % 60)}`)).to.equal(date.getTime());
          }
        },
      ),
    );
  });

  const accepted: readonly (readonly [string, number])[] = [
    ['2024-02-29T12:00:00Z', Date.UTC(2024, 1, 29, 12)],
    ['2024-02-29 12:00Z', Date.UTC(2024, 1, 29, 12)],
    ['2024-02-29t12:00:00z', Date.UTC(2024, 1, 29, 12)],
    ['2024-02-29T12:00:00.1239Z', Date.UTC(2024, 1, 29, 12, 0, 0, 123)],
    ['2024-02-29T12:00:00+05:30', Date.UTC(2024, 1, 29, 6, 30)],
    ['2024-02-29T12:00:00-0330', Date.UTC(2024, 1, 29, 15, 30)],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
  ];
  for (const [text, time] of accepted) it(`take ${text}`, () => expect(parseInstant(text)).to.equal(time));

  const refused: readonly (readonly [string, RegExp])[] = [
    ['2024-02-30T12:00:00Z', /^is not a date: February 2024 has 29 days$/],
    ['2023-02-29T12:00:00Z', /^is not a date: February 2023 has 28 days$/],
    ['2024-04-31T00:00:00Z', /^is not a date: April 2024 has 30 days$/],
    ['2024-13-01T00:00:00Z', /^is not a date: months are 01 to 12$/],
    ['2024-01-00T00:00:00Z', /^is not a date: January 2024 has 31 days$/],
    ['2024-01-01T24:00:00Z', /^is not a time: hours are 00 to 23/],
    ['2024-01-01T12:60:00Z', /^is not a time: /],
    ['2024-01-01T23:59:60Z', /^is not a time: /],
    ['2024-01-01T12:00:00+24:00', /^is not a time: /],
    ['2024-01-01T12:00:00', /^has neither Z nor an offset/],
    ['2024-01-01', /^is a date without a time$/],
    ['7', /^is not a time such as /],
    ['yesterday', /^is not a time such as /],
    ['', /^is not a time such as /],
    [' 2024-01-01T12:00:00Z', /^is not a time such as /],
  ];
  for (const [text, fault] of refused) {
    it(`refuse ${JSON.stringify(text)}, and say why`, () => {
      expect(parseInstant(text)).to.deep.equal(Number.NaN);
      expect(timeFault(text)).to.match(fault);
    });
  }

  it('without a zone are dates, or dates with a time', () => {
    expect(parseLocalTime('2024-02-29')).to.include({ year: 2024, month: 2, day: 29, hour: 0 });
    expect(parseLocalTime('2024-02-29T12:30')).to.include({ hour: 12, minute: 30, second: 0 });
    for (const text of ['2024-02-30', '2024-02-29T12:30Z', '2024-2-29', '6']) {
      expect(parseLocalTime(text), text).to.equal(undefined);
    }
    expect(isDateAlone('2024-02-30')).to.equal(true);
    expect(isDateAlone('2024-02-29T00:00')).to.equal(false);
  });

  it('in the usual form are read as in any other', () => {
    // A time with one character replaced, most often by one that makes it wrong.
    const text = fc
      .tuple(anyTime, fc.nat(18), fc.constantFrom('', '0', '9', '-', ':', ' ', 't', '.', '/', 'x', '٣'))
      .map(([time, at, sign]) => (sign === '' ? time : `${time.slice(0, at)}${sign}${time.slice(at + 1)}`));
    fc.assert(
      fc.property(text, (time) => {
        const local = parseLocalTime(time);
        const expected = local === undefined || time.length !== 19 ? Number.NaN : epochOf(local);
        expect(parseInstant(`${time}Z`), time).to.deep.equal(parseInstant(`${time}+00:00`));
        if (!/[.,]/.test(time)) expect(parseWholeSeconds(time), time).to.deep.equal(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('of a period are hours, days or years', () => {
    const hour = 3_600_000;
    const table: readonly (readonly [string, number | undefined])[] = [
      ['1h', hour],
      ['36h', 36 * hour],
      ['1d', 24 * hour],
      ['400d', 400 * 24 * hour],
      ['1y', 365.25 * 24 * hour],
      ['1000y', 365_250 * 24 * hour],
      ['1001y', undefined],
      ['365250d', 365_250 * 24 * hour],
      ['365251d', undefined],
      ['8766000h', 365_250 * 24 * hour],
      ['8766001h', undefined],
      ['0d', undefined],
      ['01d', undefined],
      ['1', undefined],
      ['d', undefined],
      ['1w', undefined],
      ['-1d', undefined],
    ];
    for (const [text, expected] of table) expect(periodOf(text), text).to.equal(expected);
  });

  it('have offsets of at most 14 hours', () => {
    for (const offset of ['+00:00', '-03:30', '+14:00', '-14:00', '+13:59', '-09:00'])
      expect(isOffset(offset), offset).to.equal(true);
    for (const offset of ['+14:01', '-15:00', '+00:60', '03:30', '+3:30', '+0330', 'Z', '+13:599'])
      expect(isOffset(offset), offset).to.equal(false);
  });

  it('have months with as many days as the calendar', () => {
    for (const year of [1600, 1900, 1996, 2000, 2023, 2024, 2100])
      for (let month = 1; month <= 12; month += 1)
        expect(daysInMonth(year, month), `${year}-${month}`).to.equal(
          new Date(Date.UTC(year, month, 0)).getUTCDate(),
        );
    expect([daysInMonth(2024, 0), daysInMonth(2024, 13)]).to.deep.equal([0, 0]);
    expect(endOfInterval(5, 60)).to.equal(60_005);
  });

  it('are read up to 64 characters', () => {
    expect(parseInstant(`2024-02-29T12:00:00.${'1'.repeat(9)}Z`)).to.equal(
      Date.UTC(2024, 1, 29, 12, 0, 0, 111),
    );
    expect(parseInstant('2024-02-29T12:00:00.1239Z')).to.equal(Date.UTC(2024, 1, 29, 12, 0, 0, 123));
    expect(parseInstant('2024-02-29 12:00+0130')).to.equal(Date.UTC(2024, 1, 29, 10, 30));
    expect(parseInstant('2024-02-29 12:00-23:59')).to.equal(Date.UTC(2024, 2, 1, 11, 59));
    expect(parseInstant('2024-02-29 12:00-24:00')).to.deep.equal(NaN);
    expect(parseInstant('2024-02-29 12:00-00:60')).to.deep.equal(NaN);
  });
});
