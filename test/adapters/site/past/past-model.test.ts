import { expect } from 'chai';
import {
  areAllPast,
  isPast,
  pastMark,
  shownTime,
  withLastWeek,
} from '#adapters/site/client/past/past-model.js';
import { en } from '#adapters/site/client/text/en.js';
import { MILLISECONDS } from '#domain/time.js';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const ago = (days: number) => new Date(NOW - days * MILLISECONDS.day).toISOString();
const queryOf = (search: string) =>
  withLastWeek({ params: { id: 'A' }, query: new URLSearchParams(search) }).query.toString();

describe('the page of a station without new values', () => {
  it('shows the present up to a year after the last value, and then the time of this value', () => {
    for (const days of [0, 1, 30, 364]) {
      expect(isPast(ago(days), NOW), String(days)).to.equal(false);
      expect(shownTime(ago(days), NOW)).to.deep.equal({ now: NOW, isStill: false });
    }
    for (const days of [365, 366, 5000]) {
      expect(isPast(ago(days), NOW), String(days)).to.equal(true);
      expect(shownTime(ago(days), NOW)).to.deep.equal({ now: Date.parse(ago(days)), isStill: true });
    }
    expect([isPast(null, NOW), shownTime(null, NOW).now]).to.deep.equal([false, NOW]);
  });

  it('is on a map without earlier hours, if no other station has new values', () => {
    const seen = (...days: number[]) => days.map((count) => ({ last_seen: ago(count) }));
    expect(areAllPast(seen(365, 5000), NOW)).to.equal(true);
    expect(areAllPast(seen(365, 364), NOW)).to.equal(false);
    expect(areAllPast([], NOW)).to.equal(false);
    expect(areAllPast([...seen(365), { last_seen: null }], NOW)).to.equal(false);
  });

  it('has charts of the last week, unless the visitor has chosen other ones', () => {
    expect(queryOf('')).to.equal('span=7d');
    expect(queryOf('lang=de')).to.equal('lang=de&span=7d');
    for (const chosen of [
      'span=year',
      'at=2013-07-18',
      'from=2013-07-18T00%3A00%3A00Z&to=2013-07-19T00%3A00%3A00Z',
    ])
      expect(queryOf(chosen)).to.equal(chosen);
  });

  it('has a mark in lists, and so has a station that repeats a recorded year', () => {
    const markOf = (lastSeen: string | null, recorded?: number) =>
      pastMark(recorded === undefined ? {} : { recorded }, lastSeen, NOW, en.past, (time) =>
        time.slice(0, 7),
      );
    for (const seen of [null, ago(0), ago(364)]) {
      expect(markOf(seen)).to.equal(undefined);
      expect(markOf(seen, 2013)).to.equal('recorded in 2013');
    }
    expect(markOf(ago(365))).to.equal('until 2025-11');
  });
});
