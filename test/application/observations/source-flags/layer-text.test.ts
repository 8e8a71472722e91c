import { expect } from 'chai';
import fc from 'fast-check';
import { layerOfText, textOfLayer } from '#application/observations/source-flags/layer-text.js';
import type { FlagLayer, SourceFlag } from '#domain/weather/source-flags.js';

const DAY = 86_400_000;

describe('the text of flags', () => {
  const plain = (layer: FlagLayer) =>
    [...layer]
      .filter(([, byTime]) => byTime.size > 0)
      .map(([variable, byTime]) => [variable, [...byTime].toSorted(([a], [b]) => a - b)])
      .toSorted(([a], [b]) => Number(a) - Number(b));

  const flag = fc
    .record(
      {
        text: fc.constantFrom('', ',,7', 'T,,0', ',S,7', '"', '-1a'),
        failure: fc.option(fc.constantFrom('failed', 'failed a check of NOAA: gap (flag G)')),
        import: fc.integer({ min: 0, max: 60 }),
      },
      { requiredKeys: ['text', 'failure'] },
    )
    .map(({ import: number, ...one }): SourceFlag =>
      one.failure === null || number === undefined ? one : { ...one, import: number },
    );
  // Days with gaps, days of 23 to 25 hours, and times on no grid.
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.constant(DAY) },
    fc.constantFrom(3 * DAY, DAY - 3_600_000, DAY + 3_600_000, 3_600_000, 1, 1234),
  );
  const series = fc
    .tuple(fc.integer({ min: -1e13, max: 1e13 }), fc.array(fc.tuple(step, flag, fc.nat({ max: 3 }))))
    .map(([first, steps]) => {
      let time = first;
      const byTime = new Map<number, SourceFlag>();
      for (const [length, one, repetitions] of steps)
        for (let left = repetitions; left >= 0; left -= 1) byTime.set((time += length), one);
      return byTime;
    });
  const layer = fc
    .dictionary(fc.constantFrom('29', '32', '53'), series)
    .map(
      (all): FlagLayer =>
        new Map(Object.entries(all).map(([variable, byTime]) => [Number(variable), byTime])),
    );

  it('has each flag at its time', () => {
    fc.assert(
      fc.property(layer, (all) => {
        expect(plain(layerOfText(textOfLayer(all)))).to.deep.equal(plain(all));
      }),
      { numRuns: 300 },
    );
  });

  it('has any number of different flags', () => {
    const byTime = new Map(
      Array.from({ length: 20_000 }, (_, day) => [day * DAY, { text: String(day), failure: null }]),
    );
    expect(plain(layerOfText(textOfLayer(new Map([[29, byTime]]))))).to.deep.equal(
      plain(new Map([[29, byTime]])),
    );
  });

  it('is short: ten years of ten variables of which one changes each third day', () => {
    const days = Array.from({ length: 3653 }, (_, day) => day * DAY);
    const [usual, trace] = [
      { text: ',,7', failure: null },
      { text: 'T,,7', failure: null },
    ];
    const all = Array.from({ length: 10 }, (_, index): [number, Map<number, SourceFlag>] => [
      29 + index,
      new Map(days.map((time, day) => [time, index === 0 && day % 3 === 0 ? trace : usual])),
    ]);
    expect(textOfLayer(new Map(all)).length).to.be.lessThan(4500);
  });

  it('is an empty layer if it is damaged', () => {
    const text = textOfLayer(new Map([[29, new Map([[0, { text: 'T', failure: null }]])]]));
    for (const damaged of ['', '{}', text.slice(0, -3), text.replace('"a"', '"b"')])
      expect(layerOfText(damaged).size, damaged).to.equal(0);
  });
});
