import { expect } from 'chai';
import { affectsRange, isNewestRow, readDelay } from '#adapters/site/client/charts/model/changes.js';
import {
  selectedView,
  openedView,
  viewOfDates,
  shownDateOf,
  hasEarlier,
  hasLater,
  isLive,
  PAGE,
  shownRangeOf,
  readView,
  shiftView,
  type ViewContext,
  type View,
  withSpan,
  writeView,
  zoomView,
} from '#adapters/site/client/charts/model/span.js';
import { MILLISECONDS } from '#domain/time.js';

const zone = 'America/New_York';
const at = (text: string) => Date.parse(text);
const around: ViewContext = {
  now: at('2013-07-18T15:30:00Z'),
  first: at('2012-01-01T05:00:00Z'),
  last: at('2013-07-18T15:20:00Z'),
  zone,
};
const query = (text: string) => new URLSearchParams(text);
const hours = (view: View, near = around) => {
  const { from, to } = shownRangeOf(view, near);
  return (to - from) / MILLISECONDS.hour;
};

describe('the changes of observations', () => {
  const shown = { from: Date.UTC(2026, 10, 22), to: Date.UTC(2026, 10, 23) };
  const hourAt = (after: number) => {
    const time = shown.from + after * MILLISECONDS.hour;
    return { from: time, to: time };
  };

  it('concern a range in which they are, or that follows the clock to them', () => {
    expect([-1, 0, 12, 24].map((hour) => affectsRange(hourAt(hour), shown, false))).to.deep.equal([
      false,
      true,
      true,
      true,
    ]);
    expect([-1, 0, 25].map((hour) => affectsRange(hourAt(hour), shown, true))).to.deep.equal([
      false,
      true,
      true,
    ]);
    expect(affectsRange(hourAt(25), shown, false)).to.equal(false);
    expect(affectsRange({ from: shown.from - 5, to: shown.to + 5 }, shown, false)).to.equal(true);
    // Changes were missed.
    expect(affectsRange(undefined, shown, false)).to.equal(true);
  });

  it('are read together after a second, and at most once a minute', () => {
    const delays = [Number.POSITIVE_INFINITY, 0, 45_000, 59_500].map((sinceLast) => readDelay(sinceLast));
    expect(delays).to.deep.equal([1000, MILLISECONDS.minute, 15_000, 1000]);
  });

  it('are drawn from the event if they are a new row at the end', () => {
    const last = shown.to - MILLISECONDS.hour;
    const row = (time: number) => ({ from: time, to: time });
    expect(isNewestRow(row(last + 1), last, true)).to.equal(true);
    // A correction, several rows, a chart of steps, a chart that does not follow the clock, and missed events.
    expect(isNewestRow(row(last), last, true)).to.equal(false);
    expect(isNewestRow({ from: last + 1, to: last + 2 }, last, true)).to.equal(false);
    expect(isNewestRow(row(last + 1), undefined, true)).to.equal(false);
    expect(isNewestRow(row(last + 1), last, false)).to.equal(false);
    expect(isNewestRow(undefined, last, true)).to.equal(false);
  });
});

describe('the time that charts show', () => {
  it('is in the address, and is the same when read again', () => {
    const views: View[] = [
      { span: '24h', at: undefined },
      { span: '7d', at: '2013-07-18' },
      { span: 'year', at: undefined },
      { span: 'all', at: undefined },
      { from: at('2013-07-18T01:00:00Z'), to: at('2013-07-18T07:12:13Z') },
    ];
    for (const view of views) expect(readView(writeView(view, query('lang=de')))).to.deep.equal(view);
    expect(writeView({ span: '7d', at: '2013-07-18' }, query('lang=de&from=x&to=y')).toString()).to.equal(
      'lang=de&span=7d&at=2013-07-18',
    );
  });

  it('is the last 7 days for an address that cannot be read', () => {
    for (const text of [
      '',
      'span=5w',
      'at=2013-02-30',
      'at=tomorrow',
      'from=2013-07-18&to=2013-07-17',
      'from=a&to=b',
    ]) {
      expect(readView(query(text)), text).to.deep.equal({ span: '7d', at: undefined });
    }
    const { from, to } = readView(query('from=1800-01-01&to=2100-01-01')) as { from: number; to: number };
    expect(to - from).to.be.lessThan(101 * 366 * MILLISECONDS.day);
  });

  it('has whole local days, of 23 and 25 hours where the clocks are set', () => {
    const range = shownRangeOf({ span: '24h', at: '2013-07-18' }, around);
    expect(new Date(range.from).toISOString()).to.equal('2013-07-18T04:00:00.000Z');
    expect(hours({ span: '24h', at: '2013-07-18' })).to.equal(24);
    expect(hours({ span: '24h', at: '2013-03-10' })).to.equal(23);
    expect(hours({ span: '24h', at: '2013-11-03' })).to.equal(25);
    expect(hours({ span: '7d', at: '2013-03-12' })).to.equal(7 * 24 - 1);
  });

  it('ends now, or with the last day of a station that is silent for more than a day', () => {
    const view: View = { span: '7d', at: undefined };
    expect(isLive(view, around)).to.equal(true);
    expect(shownRangeOf(view, around).to).to.equal(around.now);
    const silent = { ...around, now: around.now + 40 * MILLISECONDS.day };
    expect(isLive(view, silent)).to.equal(false);
    expect(hours(view)).to.equal(6 * 24 + 11.5);
    expect(hours({ span: '24h', at: undefined })).to.equal(24);
    expect(shownDateOf(view, silent)).to.equal('2013-07-18');
    expect(hours(view, silent)).to.equal(7 * 24);
    expect(shownRangeOf(view, { ...around, last: undefined }).to).to.equal(around.now);
  });

  it('moves by its length, and back to now', () => {
    const week: View = { span: '7d', at: '2013-06-20' };
    expect(shiftView(week, -1, around)).to.deep.equal({ span: '7d', at: '2013-06-13' });
    expect(shiftView(week, 1, around)).to.deep.equal({ span: '7d', at: '2013-06-27' });
    expect(shiftView({ span: '7d', at: '2013-07-14' }, 1, around)).to.deep.equal({
      span: '7d',
      at: undefined,
    });
    const day: View = { span: '24h', at: undefined };
    expect(shiftView(day, -1, around)).to.deep.equal({ span: '24h', at: '2013-07-17' });
    expect(shiftView(shiftView(day, -1, around), 1, around)).to.deep.equal(day);
    const part = { from: 1000, to: 5000 };
    expect(shiftView(part, 1, around)).to.deep.equal({ from: 5000, to: 9000 });
    expect(
      (['24h', '7d', '30d', 'year'] as const).map((span) =>
        shiftView({ span, at: '2013-06-20' }, -1, around, PAGE),
      ),
    ).to.deep.equal([
      { span: '24h', at: '2013-06-19' },
      { span: '7d', at: '2013-06-14' },
      { span: '30d', at: '2013-05-24' },
      { span: 'year', at: '2012-07-26' },
    ]);
    expect(shiftView({ from: 0, to: 100_000 }, 1, around, PAGE)).to.deep.equal({ from: 90_000, to: 190_000 });
  });

  it('is halved and doubled around its middle, within limits, and not into the future', () => {
    const day: View = { span: '24h', at: '2013-07-10' };
    const half = zoomView(day, 0.5, around);
    expect(hours(half)).to.equal(12);
    expect(shownRangeOf(half, around).from - shownRangeOf(day, around).from).to.equal(6 * MILLISECONDS.hour);
    expect(hours(zoomView({ from: 0, to: 3_600_000 }, 0.5, around))).to.equal(1);
    // Not beyond a hundred years.
    expect(hours(zoomView({ span: 'year', at: undefined }, 1000, around))).to.equal(100 * 366 * 24);
    expect(shownRangeOf(zoomView({ span: '24h', at: undefined }, 2, around), around).to).to.equal(around.now);
    expect(hours(selectedView({ from: 5000, to: 6000 }))).to.equal(0.25);
  });

  it('is zoomed so that the time of the cursor stays where it is, if it is shown', () => {
    const part = { from: at('2013-07-10T00:00:00Z'), to: at('2013-07-11T00:00:00Z') };
    const zoom = (factor: number, cursor: string) => {
      const range = shownRangeOf(zoomView(part, factor, around, at(cursor)), around);
      return [range.from, range.to].map((time) => new Date(time).toISOString().slice(8, 16));
    };
    expect(zoom(1 / 2, '2013-07-10T06:00:00Z')).to.deep.equal(['10T03:00', '10T15:00']);
    expect(zoom(1 / 2, '2013-07-11T00:00:00Z')).to.deep.equal(['10T12:00', '11T00:00']);
    expect(zoom(2, '2013-07-10T06:00:00Z')).to.deep.equal(['09T18:00', '11T18:00']);
    expect(zoom(1 / 2, '2013-07-09T06:00:00Z')).to.deep.equal(['10T06:00', '10T18:00']);
  });

  it('keeps its last day when the length is chosen', () => {
    const part: View = { from: at('2013-05-01T12:00:00Z'), to: at('2013-05-02T12:00:00Z') };
    expect(withSpan(part, '30d', around)).to.deep.equal({ span: '30d', at: '2013-05-02' });
    expect(withSpan({ span: '7d', at: '2013-05-02' }, 'year', around)).to.deep.equal({
      span: 'year',
      at: '2013-05-02',
    });
    expect(withSpan({ span: '7d', at: undefined }, '24h', around)).to.deep.equal({
      span: '24h',
      at: undefined,
    });
  });

  it('says whether there are observations before and after', () => {
    const range = shownRangeOf({ span: '24h', at: '2013-07-10' }, around);
    expect([hasEarlier(range, around), hasLater(range, around)]).to.deep.equal([true, true]);
    const now = shownRangeOf({ span: 'year', at: undefined }, around);
    expect(hasLater(now, around)).to.equal(false);
    expect(hasEarlier({ from: around.first ?? 0, to: around.now }, around)).to.equal(false);
    expect(hasEarlier(range, { ...around, first: undefined })).to.equal(false);
  });

  it('can be any dates, and is a span if it has the length of a span', () => {
    const view = (first: string, last: string) => viewOfDates(first, last, around);
    expect(view('2013-07-01', '2013-07-07')).to.deep.equal({ span: '7d', at: '2013-07-07' });
    expect(view('2013-07-12', '2013-07-18')).to.deep.equal({ span: '7d', at: undefined });
    expect(view('2013-07-18', '2013-07-18')).to.deep.equal({ span: '24h', at: '2013-07-18' });
    expect(view('2013-03-10', '2013-03-12')).to.deep.equal({
      from: at('2013-03-10T05:00:00Z'),
      to: at('2013-03-13T04:00:00Z'),
    });
    // Not beyond now.
    expect(view('2013-07-10', '2013-07-18')).to.deep.equal({
      from: at('2013-07-10T04:00:00Z'),
      to: around.now,
    });
  });

  it('is the day or the month of a time that is opened', () => {
    expect(openedView('day', at('2013-07-18T03:30:00Z'), around)).to.deep.equal({
      span: '24h',
      at: '2013-07-17',
    });
    expect(openedView('month', at('2013-02-05T12:00:00Z'), around)).to.deep.equal({
      from: at('2013-02-01T05:00:00Z'),
      to: at('2013-03-01T05:00:00Z'),
    });
    expect(openedView('month', at('2013-06-05T12:00:00Z'), around)).to.deep.equal({
      span: '30d',
      at: '2013-06-30',
    });
  });

  it('is the whole record from its first day, which cannot be moved', () => {
    const all: View = { span: 'all', at: undefined };
    expect(shownRangeOf(all, around)).to.deep.equal({ from: at('2012-01-01T05:00:00Z'), to: around.now });
    expect(hasEarlier(shownRangeOf(all, around), around)).to.equal(false);
    expect(withSpan({ span: '7d', at: '2013-01-01' }, 'all', around)).to.deep.equal(all);
    expect(hours(all, { ...around, first: undefined })).to.be.lessThan(24);
  });
});
