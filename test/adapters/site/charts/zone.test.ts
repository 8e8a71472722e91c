import { expect } from 'chai';
import {
  addDays,
  hasOffsetChange,
  isDate,
  localTime,
  startOfDay,
  startsOfDays,
} from '#adapters/site/client/charts/model/zone.js';
import { writeTime } from '#adapters/site/client/format/time-format.js';
import { Temporal } from 'temporal-polyfill';

/** Zones that set their clocks at midnight, by half an hour, across the date line; some that never do; and offsets. */
const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'America/Havana',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'UTC',
  '+05:45',
  '-03:30',
];

describe('local days', () => {
  it('begin at their first instant, in every zone, as Temporal says', () => {
    for (const zone of ZONES) {
      for (let date = '2011-01-01'; date < '2013-01-01'; date = addDays(date, 1)) {
        // The 30th of December 2011 did not exist in Apia.
        if (zone === 'Pacific/Apia' && date === '2011-12-30') continue;
        const { epochMilliseconds } = Temporal.PlainDate.from(date).toZonedDateTime(zone);
        expect(new Date(startOfDay(date, zone)).toISOString(), `${zone} ${date}`).to.equal(
          new Date(epochMilliseconds).toISOString(),
        );
      }
    }
  });

  it('are listed in order, without one that did not exist', () => {
    const [from, to] = [Date.parse('2011-12-28T12:00:00Z'), Date.parse('2012-01-02T00:00:00Z')];
    const dates = startsOfDays(from, to, 'Pacific/Apia').map((time) => localTime(time, 'Pacific/Apia').date);
    expect(dates).to.deep.equal(['2011-12-29', '2011-12-31', '2012-01-01', '2012-01-02']);
  });

  it('have the local hour and minute', () => {
    expect(localTime(Date.parse('2013-07-18T18:45:00Z'), 'Asia/Kathmandu')).to.deep.equal({
      date: '2013-07-19',
      hour: 0,
      minute: 30,
    });
  });

  it('are written for an offset as for a zone that always has it', () => {
    const style = { dateStyle: 'full', timeStyle: 'medium' } as const;
    const times = ['2024-02-28T20:15:00Z', '2024-12-31T23:59:59Z', '2025-06-01T00:00:00Z'].map(Date.parse);
    const texts = (language: string, zone: string) =>
      times.map((time) => writeTime(time, language, zone, style));
    for (const language of ['en', 'de'])
      for (const [offset, zone] of [
        ['+04:00', 'Etc/GMT-4'],
        ['-11:00', 'Etc/GMT+11'],
        ['+05:45', 'Asia/Kathmandu'],
      ] as const)
        expect(texts(language, offset), offset).to.deep.equal(texts(language, zone));
  });

  it('know dates from other texts', () => {
    expect(['2013-07-18', '2012-02-29'].every(isDate)).to.equal(true);
    expect(['2013-02-29', '2013-7-18', '18.7.2013', '', '2013-13-01'].some(isDate)).to.equal(false);
  });

  it('know when the clocks are set', () => {
    const [march, april] = [Date.parse('2013-03-10T05:00:00Z'), Date.parse('2013-03-11T05:00:00Z')];
    expect(hasOffsetChange(march, april, 'America/New_York')).to.equal(true);
    expect(hasOffsetChange(march, april, 'UTC')).to.equal(false);
  });
});
