import { expect } from 'chai';
import fc from 'fast-check';
import { advanceSource, type SourceState } from '#domain/uploads/source-state.js';

describe('Counters of a source', () => {
  const sampleOf = (time: number, day: number) => ({
    time,
    runtime: undefined,
    rain: (['day', 'month'] as const).map((period) => ({ gauge: 'tipping' as const, period, amount: day })),
    gauge: null,
    counters: [],
    isNearMidnight: () => false,
  });

  it('give the true sum where uploads are repeated and come out of order, and each time at most one amount', () => {
    const upload = fc.record({
      tips: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 })),
      // Places by which the upload is late, and by which it is repeated.
      late: fc.constantFrom(0, 0, 0, 1, 3),
      repeated: fc.constantFrom(undefined, undefined, 0, 1, 5),
    });
    fc.assert(
      fc.property(fc.array(upload, { minLength: 1, maxLength: 60 }), (uploads) => {
        let shown = 0;
        const arrivals: { readonly place: number; readonly time: number; readonly amount: number }[] = [
          { place: -1, time: 0, amount: 0 },
        ];
        for (const [index, { tips, late, repeated }] of uploads.entries()) {
          shown += tips;
          const sent = { time: (index + 1) * 60_000, amount: shown * 0.2 };
          arrivals.push({ ...sent, place: index + late + 0.5 });
          if (repeated !== undefined) arrivals.push({ ...sent, place: index + late + repeated + 0.6 });
        }
        arrivals.push({ place: Infinity, time: (uploads.length + 1) * 60_000, amount: shown * 0.2 });
        let state: SourceState | undefined;
        let sum = 0;
        const times = new Set<number>();
        for (const { time, amount } of arrivals.toSorted((a, b) => a.place - b.place)) {
          const next = advanceSource(state, sampleOf(time, amount));
          state = JSON.parse(JSON.stringify(next.state)) as SourceState;
          if (next.rain === undefined) continue;
          expect(times.has(time)).to.equal(false);
          times.add(time);
          sum += next.rain;
        }
        expect(sum).to.be.closeTo(shown * 0.2, 1e-6);
      }),
      { numRuns: 300 },
    );
  });
});
