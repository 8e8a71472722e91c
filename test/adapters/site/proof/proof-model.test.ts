import { expect } from 'chai';
import fc from 'fast-check';
import {
  addressOf,
  apart,
  bandDots,
  biasOf,
  type Case,
  type Chances,
  choiceOf,
  climatology,
  fewDays,
  firstMonth,
  leadParts,
  nearCount,
  errorOf,
  SPANS,
  ticksTo,
  type Verification,
  VARIABLES,
} from '#adapters/site/client/proof/proof-model.js';

const caseOf = (raw: number, observed: number): Case => ({
  time: '2026-11-20T05:00:00Z',
  issued: '2026-11-19T04:00:00Z',
  raw,
  forecast: raw,
  p10: null,
  p90: null,
  observed,
});

describe('the numbers of the page about the quality of forecasts', () => {
  it('come back from the address of a choice, and nonsense is the usual choice', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...VARIABLES),
        fc.constantFrom(...SPANS),
        fc.integer({ min: 0, max: 23 }),
        (variable, months, hour) => {
          const { pathname, searchParams } = new URL(
            addressOf('a b', { variable, months, hour }),
            'http://localhost',
          );
          expect(pathname).to.equal('/stations/a%20b/forecast');
          expect(choiceOf(searchParams)).to.deep.equal({ variable, months, hour });
        },
      ),
    );
    const usual = choiceOf(new URLSearchParams());
    expect(addressOf('garden', usual)).to.equal('/stations/garden/forecast');
    expect(choiceOf(new URLSearchParams('variable=x&months=4&hour=24'))).to.deep.equal(usual);
  });

  it('name the months of a span and the classes of lead times', () => {
    const now = Date.UTC(2026, 10, 30, 23);
    expect(SPANS.map((months) => firstMonth(months, now))).to.deep.equal(['2026-09', '2025-12', undefined]);
    expect(['0-5', '12-23', '24-47', '216-239'].map(leadParts)).to.deep.equal([
      { from: 0, to: 5 },
      { from: 12, to: 23 },
      { from: 24, to: 47, day: 2 },
      { from: 216, to: 239, day: 10 },
    ]);
  });

  it('say how many days there are while they are few', () => {
    const days = (first: string | null, until: string | null, since: string | null) =>
      fewDays({ first_issued: first, scored_until: until, since } as Verification);
    expect(days('2026-11-16T12:00:00Z', '2026-11-28T12:00:00Z', '2026-11')).to.equal(12);
    expect(days('2026-09-16T12:00:00Z', '2026-11-28T12:00:00Z', '2026-11')).to.equal(27);
    expect(days('2026-09-16T12:00:00Z', '2026-11-28T12:00:00Z', '2026-09')).to.equal(undefined);
    expect(days('2026-11-28T12:00:00Z', '2026-11-28T09:00:00Z', '2026-11')).to.equal(0);
    expect(days(null, null, null)).to.equal(undefined);
  });

  it('have a bias only if chance does not explain it', () => {
    const around = (mean: number) =>
      Array.from({ length: 40 }, (_, index) => caseOf(mean + (index % 2 ? 2 : -2), 0));
    expect(biasOf(around(1))).to.be.closeTo(1, 1e-9);
    expect(biasOf(around(-1))).to.be.closeTo(-1, 1e-9);
    expect(biasOf(around(0.5))).to.equal(undefined);
    expect(biasOf(around(1).slice(0, 19))).to.equal(undefined);
  });

  it('count an error of 2 units as a hit, as the API does', () => {
    fc.assert(
      fc.property(fc.integer({ min: -300, max: 300 }), (tenths) => {
        const cases = [caseOf((tenths + 20) / 10, tenths / 10), caseOf((tenths + 21) / 10, tenths / 10)];
        expect(nearCount(cases, errorOf)).to.equal(1);
      }),
    );
  });

  it('compare chances with the share of events', () => {
    const chances = {
      count: 10,
      reliability: [
        { count: 8, events: 0 },
        { count: 2, events: 1 },
        { count: 0, events: null },
      ],
    };
    expect(climatology(chances as unknown as Chances)).to.deep.equal({ share: 0.2, brier: 0.2 * 0.8 });
  });

  it('have round ticks from 0 that include the highest value', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e4, noNaN: true }), (highest) => {
        const ticks = ticksTo(highest);
        expect(ticks[0]).to.equal(0);
        expect(ticks.length).to.be.within(2, 6);
        expect(ticks.at(-1)).to.be.at.least(highest * (1 - 1e-9));
      }),
    );
    expect(ticksTo(0)).to.deep.equal([0, 1]);
    expect(ticksTo(1.4)).to.deep.equal([0, 0.5, 1, 1.5]);
  });

  it('have names of lines that do not cover each other', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { maxLength: 4 }), (places) => {
        const moved = apart(places, 18).toSorted((a, b) => a - b);
        for (const [index, place] of moved.slice(1).entries())
          expect(place - (moved[index] as number)).to.be.at.least(18 - 1e-9);
      }),
    );
    expect(apart([60, 10, 65], 18)).to.deep.equal([60, 10, 78]);
  });

  it('draw as many filled dots as values were inside of the band', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (inside) => {
        const dots = bandDots(inside);
        expect(dots.length).to.equal(100);
        expect(dots.filter(Boolean).length).to.equal(inside);
      }),
    );
  });
});
