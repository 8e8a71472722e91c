import { expect } from 'chai';
import { nextTime, openSpans } from '#domain/sources/open-spans.js';

const MINUTE = 60_000;

describe('The spans that an archive leaves open', () => {
  const cases: readonly (readonly [
    title: string,
    times: readonly number[],
    options: { readonly isStrict?: boolean; readonly step?: number },
    open: readonly (readonly [from: number, to: number])[],
  ])[] = [
    ['are the whole gap without a report', [], {}, [[0, 60]]],
    ['are none if the reports are as far apart as usual', [10, 20, 30, 40, 50], {}, []],
    ['are none of a lone report of a usual archive', [50], { isStrict: false }, [[0, 50]]],
    ['begin where the newest reports are missing', [5, 10, 15, 20], {}, [[20, 60]]],
    ['begin where a single report is missing', [10, 20, 40, 50], {}, [[20, 40]]],
    ['leave out a single missing report in the end', [10, 20, 40, 50], { isStrict: false }, []],
    ['are those of a known distance', [30], { step: 30 }, []],
    ['are short if the distance is', [57, 58, 59], { step: 1, isStrict: false }, [[0, 57]]],
  ];
  for (const [title, times, { isStrict = true, step }, open] of cases)
    it(title, () => {
      const found = openSpans(
        { from: 0, to: 60 * MINUTE },
        times.map((time) => time * MINUTE),
        { silence: 2 * MINUTE, isStrict, ...(step !== undefined && { step: step * MINUTE }) },
      );
      expect(found.map(({ from, to }) => [from / MINUTE, to / MINUTE])).to.deep.equal(open);
    });
});

describe('The time of the next report of an archive', () => {
  for (const [times, expected] of [
    [[], -Infinity],
    [[0, 5], -Infinity],
    [[0, 5, 10], 15],
    [[0, 5, 10, 30, 35], 40],
  ] as const)
    it(`after ${times.join(', ') || 'nothing'} is ${expected}`, () => {
      expect(nextTime(times)).to.equal(expected);
    });
});
