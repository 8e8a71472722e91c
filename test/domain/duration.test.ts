import { expect } from 'chai';
import { earlierDate, parseDuration } from '#domain/duration.js';
import { MILLISECONDS, parseLocalTime } from '#domain/time.js';

const { minute, hour, second } = MILLISECONDS;

describe('a duration of the calendar', () => {
  it('is read from its short form and from that of ISO 8601', () => {
    for (const [text, months, days, milliseconds] of [
      ['90min', 0, 0, 90 * minute],
      ['24h', 0, 0, 24 * hour],
      ['7d', 0, 7, 0],
      ['2w', 0, 14, 0],
      ['1y', 12, 0, 0],
      ['P1M', 1, 0, 0],
      ['P1Y2M3W4DT5H6M7S', 14, 25, 5 * hour + 6 * minute + 7 * second],
      ['PT1M', 0, 0, minute],
      ['P1000Y', 12_000, 0, 0],
    ] as const)
      expect(parseDuration(text), text).to.deep.equal({ months, days, milliseconds });
    for (const text of [
      '',
      'P',
      'PT',
      'P1DT',
      '7',
      'd',
      '-7d',
      '1.5h',
      '0h',
      'P0D',
      '1m',
      'p1d',
      'P1S',
      '1001y',
      '999999999d',
      ' 7d',
    ])
      expect(parseDuration(text), text).to.equal(undefined);
  });

  it('ends on the last day of a month that has no such day', () => {
    const earlier = (text: string, duration: string) => {
      const {
        year,
        month,
        day,
        hour: hours,
      } = earlierDate(
        parseLocalTime(text) as NonNullable<ReturnType<typeof parseLocalTime>>,
        parseDuration(duration) as NonNullable<ReturnType<typeof parseDuration>>,
      );
      return [year, month, day, hours].join(' ');
    };
    expect(earlier('2024-03-31T05:00:00', 'P1M')).to.equal('2024 2 29 5');
    expect(earlier('2023-03-31T05:00:00', 'P1M')).to.equal('2023 2 28 5');
    expect(earlier('2024-02-29T05:00:00', 'P1Y')).to.equal('2023 2 28 5');
    expect(earlier('2024-01-01T05:00:00', '1d')).to.equal('2023 12 31 5');
    expect(earlier('2024-01-15T05:00:00', 'P13M')).to.equal('2022 12 15 5');
    expect(earlier('2024-03-31T05:00:00', 'P1M1D')).to.equal('2024 2 28 5');
  });
});
