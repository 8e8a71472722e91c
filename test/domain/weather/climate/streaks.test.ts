import { expect } from 'chai';
import fc from 'fast-check';
import { dateText } from '#domain/weather/climate/climate-days.js';
import { STREAKS, streaksOf } from '#domain/weather/climate/streaks.js';
import { daysOfYears } from '../../../support/climate-days.js';

/** The longest runs of 2013, whose first days have the values of a text: a digit in mm or °C, `-` for a missing day. */
function runs(text: string, name: string) {
  const valueOf = (date: string) => {
    const day = (Date.parse(date) - Date.parse('2013-01-01')) / 86_400_000;
    return text[day] === undefined || text[day] === '-' ? Number.NaN : Number(text[day]);
  };
  const days = daysOfYears(2013, 2013, { precipitation: valueOf, minimum: valueOf, maximum: valueOf });
  const [found] = streaksOf(
    days,
    STREAKS.filter((one) => one.name === name),
  );
  if (found === undefined) throw new Error(`no ${name}`);
  const shown = (date: number) => (Number.isNaN(date) ? null : dateText(date));
  return { ...found, from: shown(found.from), to: shown(found.to), ties: found.ties.map(dateText) };
}

describe('climate › longest runs of days', () => {
  it('have their first and last day, and the first days of later runs of the same length', () => {
    expect(runs('5003100', 'dry_days')).to.deep.equal({
      days: 2,
      from: '2013-01-02',
      to: '2013-01-03',
      mayBeLonger: false,
      ties: ['2013-01-06'],
      tieCount: 1,
      searched: 7,
    });
    expect(runs('5003100', 'wet_days')).to.include({ days: 2, from: '2013-01-04', to: '2013-01-05' });
  });

  it('may be longer beside an unknown day, and at the begin and the end of the values', () => {
    expect(runs('500-03', 'dry_days')).to.include({ days: 2, to: '2013-01-03', mayBeLonger: true });
    expect(runs('5-003', 'dry_days')).to.include({ days: 2, from: '2013-01-03', mayBeLonger: true });
    expect(runs('0053', 'dry_days')).to.include({ days: 2, from: '2013-01-01', mayBeLonger: true });
    expect(runs('3500', 'dry_days')).to.include({ days: 2, to: '2013-01-04', mayBeLonger: true });
  });

  it('are of no day where no day is of the kind', () => {
    const none = { days: 0, from: null, to: null, mayBeLonger: false, tieCount: 0 };
    expect(runs('5555', 'dry_days')).to.deep.include({ ...none, searched: 4 });
    expect(runs('5555', 'frost_days')).to.deep.include({ ...none, searched: 4 });
    expect(runs('', 'hot_days')).to.deep.include({ ...none, searched: 0 });
  });

  it('are those that a search of texts finds', () => {
    const texts = fc.array(fc.constantFrom('0', '1', '-'), { maxLength: 60 }).map((one) => one.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const dry = text.match(/0+/g) ?? [];
        const days = Math.max(0, ...dry.map(({ length }) => length));
        const equal = dry.filter(({ length }) => length === days);
        const found = runs(text, 'dry_days');
        expect(found).to.include({ days, tieCount: Math.max(0, equal.length - 1) });
        expect(found.ties.length).to.equal(Math.min(10, found.tieCount));
      }),
    );
  });
});
