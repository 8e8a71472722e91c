import { expect } from 'chai';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import type { ZonePlan } from '#adapters/formats/files/file-plan.js';
import { fileTimes } from '#adapters/formats/tables/file-times.js';
import { localZone, offsetOf } from '#adapters/formats/tables/local-zone.js';
import { DomainError } from '#domain/domain-error.js';

const calendar = new TemporalCalendar();
const zone = (plan: ZonePlan, name = 'Europe/Berlin') => localZone(plan, name, calendar);
const read = (formats: string[], text: string, plan: ZonePlan = 'utc', name?: string) =>
  fileTimes(formats)
    .instants(text, zone(plan, name))
    .map((time) => new Date(time).toISOString().replace('.000Z', 'Z'));

describe('the times of a file', () => {
  it('are read by patterns', () => {
    for (const [format, text, expected] of [
      ['D/M/YY h:mm A', '7/1/24 1:10 PM', '2024-01-07T13:10:00Z'],
      ['M/D/YYYY hh:mm A', '07/01/2024 12:04 am', '2024-07-01T00:04:00Z'],
      ['D/M/YY h:mmA', '7/1/99 12:05p', '1999-01-07T12:05:00Z'],
      ['YYYY/M/D H:mm', '2023/6/1 0:05', '2023-06-01T00:05:00Z'],
      ['DD-MMM-YYYY HH:mm', '11-aug-2003 05:00', '2003-08-11T05:00:00Z'],
      ['MMM D, YYYY', 'September 1, 2020', '2020-09-01T00:00:00Z'],
      ['YYYYMMDDHHmm', '202005161230', '2020-05-16T12:30:00Z'],
      ['YYYYMMDDHH', '2018091500', '2018-09-15T00:00:00Z'],
      ['YYYY-MM-DD HH:mm:ss', '2024-01-01 00:00:00.25', '2024-01-01T00:00:00.250Z'],
      ['YYYY-MM-DDTHH:mm', '2024-01-01T10:00', '2024-01-01T10:00:00Z'],
      ['YYYY-MM-DD HH:mm Z', '2024-01-01 10:00 +0130', '2024-01-01T08:30:00Z'],
      ['DD.MM.YYYY HH[h]mm', '05.01.2024 10h30', '2024-01-05T10:30:00Z'],
      ['YYYY-DDD', '2024-001', '2024-01-01T00:00:00Z'],
      ['YYYY-DDD', '2024-60', '2024-02-29T00:00:00Z'],
      ['YYYY-DDD', '2023-060', '2023-03-01T00:00:00Z'],
      ['YYYYDDDHHmm', '20243662350', '2024-12-31T23:50:00Z'],
      ['YYYY DDD HHmm', '2024 7 0050', '2024-01-07T00:50:00Z'],
      ['YYDDD', '99365', '1999-12-31T00:00:00Z'],
      ['YYYY DDD Hmm', '2024 7 5', '2024-01-07T00:05:00Z'],
      ['YYYY DDD Hmm', '2024 7 35', '2024-01-07T00:35:00Z'],
      ['YYYY DDD Hmm', '2024 7 135', '2024-01-07T01:35:00Z'],
      ['YYYY DDD Hmm', '2024 7 0135', '2024-01-07T01:35:00Z'],
      ['YYYY DDD Hmm', '2024 366 2400', '2025-01-01T00:00:00Z'],
      ['YYYY-MM-DD Hmmss', '2024-01-01 102030', '2024-01-01T10:20:30Z'],
      ['YYYY M D H m', '2024 1 7 0 5', '2024-01-07T00:05:00Z'],
      ['MM/DD/YYYY HH:mm', '12/31/2024 24:00', '2025-01-01T00:00:00Z'],
      ['unix', '1300000000', '2011-03-13T07:06:40Z'],
      ['unix-ms', '1300000000000', '2011-03-13T07:06:40Z'],
      ['iso', '2024-01-01T10:00:00+02:00', '2024-01-01T08:00:00Z'],
      ['iso', '2024-01-01 10:00', '2024-01-01T10:00:00Z'],
      ['iso', '2023-01-11T00:00:00+01', '2023-01-10T23:00:00Z'],
      ['iso', '2023-01-11 00:00:00.25-03', '2023-01-11T03:00:00.250Z'],
      ['iso', '2023-01-11 00:00+05', '2023-01-10T19:00:00Z'],
      ['iso', '2023-01-11T00:00:00+0530', '2023-01-10T18:30:00Z'],
      ['YYYY-MM-DD HH:mm:ssZ', '2023-01-11 00:00:00+01', '2023-01-10T23:00:00Z'],
      ['D.M.YYYY H:mm Z', '11.1.2023 0:00 -10', '2023-01-11T10:00:00Z'],
    ] as const) {
      expect(read([format], text), `${format} ${text}`).to.deep.equal([expected]);
    }
    expect(read(['YYYY/M/D H:mm', 'unix'], '1300000000')).to.deep.equal(['2011-03-13T07:06:40Z']);
  });

  it('are of patterns that have each quantity once; others are refused in a sentence', () => {
    const parts = 'YYYY YY MMM MM M DDD DD D HH H hh h mm m ss A Z'.split(' ');
    const quantities = [/^Y/, /^M/, /^D{1,2}$/, /^DDD$/, /^[Hh]/, /^m/, /^s/, /^A/, /^Z/];
    const quantityOf = (part: string) => quantities.findIndex((quantity) => quantity.test(part));
    for (const part of parts) {
      for (const other of parts) {
        const pattern = `${part.startsWith('Y') || other.startsWith('Y') ? '' : 'YYYY '}${part}-${other}`;
        const isDayOfYear = [part, other].includes('DDD');
        const isRefused =
          quantityOf(part) === quantityOf(other) ||
          (isDayOfYear && /^[MD]/.test(part) && /^[MD]/.test(other));
        const refusal = `The pattern "${pattern}" has `;
        if (isRefused) expect(() => fileTimes([pattern]), pattern).to.throw(DomainError, refusal);
        else expect(fileTimes([pattern]).instants('x', zone('utc')), pattern).to.deep.equal([]);
      }
    }
    expect(fileTimes(['YYYY-DDD']).fault('2023-366', zone('utc'), 'x').values['fault']).to.equal(
      'is not a date; 2023 has no day 366',
    );
  });

  it('are none where the text has another form, or the date or the hour does not exist', () => {
    for (const [format, text] of [
      ['h:mm A D/M/YYYY', '13:10 PM 1/1/2024'],
      ['YYYY-MM-DD HH:mm', '2024-01-01 24:01'],
      ['YYYY DDD Hmm', '2024 7 160'],
      ['YYYY DDD Hmm', '2024 7 00135'],
      ['h:mm A D/M/YYYY', '0:10 PM 1/1/2024'],
      ['DD-MMM-YYYY', '11-abc-2003'],
      ['D/M/YYYY', '30/2/2024'],
      ['YYYYMMDDHH', '20180915'],
      ['YYYY-MM-DD', '2024-01-01 10:00'],
      ['YYYY-DDD', '2023-366'],
      ['YYYY-DDD', '2023-000'],
      ['YYYY-DDD', '2023-367'],
      ['iso', '2024-02-30'],
      ['iso', '2024-01-01T10+01'],
      ['iso', '2024-01-01 10:00+24'],
      ['iso', '2024-01-01 10:00+1'],
      ['unix', 'now'],
    ] as const) {
      expect(read([format], text), `${format} ${text}`).to.deep.equal([]);
    }
    expect(fileTimes(['DD.MM.YYYY']).fault('31.04.2024', zone('utc'), 'x').values['fault']).to.contain(
      'April 2024 has 30 days',
    );
    expect(fileTimes(['DD.MM.YYYY']).fault('2024', zone('utc'), 'x').values['fault']).to.equal(
      'is not a time of the form DD.MM.YYYY',
    );
  });

  it('refuse letters that are no part of a pattern by name, and a pattern without a year', () => {
    for (const [format, letter] of [
      ['%Y-%m-%d', '"Y"'],
      ['yyyy-MM-DD', '"yyyy"'],
      ['YYYY-MM-DD kk:mm', '"kk"'],
      ['YYYY-MM-DD at HH', '"at"'],
    ]) {
      expect(() => fileTimes([format as string]), format)
        .to.throw(DomainError)
        .with.property('message')
        .that.contains(`contains ${letter}, which is not one of YYYY YY MMM`);
    }
    expect(() => fileTimes(['HH:mm'])).to.throw('has no year');
  });

  it('are taken in local time, in standard time all year, at a fixed offset or in UTC', () => {
    const [winter, summer] = ['2024-01-01 12:00', '2024-07-01 12:00'];
    for (const [plan, name, ...hours] of [
      ['utc', 'Europe/Berlin', '12', '12'],
      ['station', 'Europe/Berlin', '11', '10'],
      ['station-standard', 'Europe/Berlin', '11', '11'],
      ['station-standard', 'Europe/Dublin', '12', '12'],
      ['station-standard', 'America/Chicago', '18', '18'],
      ['station-standard', 'Australia/Sydney', '02', '02'],
      ['station', 'Australia/Sydney', '01', '02'],
      [{ name: 'America/Chicago' }, 'Europe/Berlin', '18', '17'],
      [{ offset: -300 }, 'Europe/Berlin', '17', '17'],
    ] as const) {
      const found = [winter, summer].map((text) => read(['iso'], text, plan, name)[0]?.slice(11, 13));
      expect(found, JSON.stringify([plan, name])).to.deep.equal(hours);
    }
    expect(read(['iso'], '2024-03-31 02:30', 'station')).to.deep.equal([]);
    expect(read(['iso'], '2024-10-27 02:30:00.5', 'station')).to.deep.equal([
      '2024-10-27T00:30:00.500Z',
      '2024-10-27T01:30:00.500Z',
    ]);
    expect(['+01:00', '-0330', 'UTC+2', 'GMT-05:00', 'Oslo'].map(offsetOf)).to.deep.equal([
      60,
      -210,
      120,
      -300,
      undefined,
    ]);
  });

  it('agree with the calendar at every quarter of an hour around changes of clocks', () => {
    for (const [name, from] of [
      ['Europe/Berlin', '2024-03-30T00:00Z'],
      ['Europe/Berlin', '2024-10-26T00:00Z'],
      ['Australia/Lord_Howe', '2024-04-06T00:00Z'],
      ['Pacific/Apia', '2011-12-29T00:00Z'],
    ] as const) {
      const local = zone('station', name);
      for (let quarter = 0; quarter < 300; quarter += 1) {
        const time = Date.parse(from) + quarter * 900_000;
        const text = new Date(time).toISOString().slice(0, 19);
        expect(local.instantsOf(time), `${name} ${text}`).to.deep.equal(calendar.instantsOf(text, name));
      }
    }
  });
});
