import { expect, util } from 'chai';
import fc from 'fast-check';
import { areEqualData } from './support/deep-equality.js';

/** Has no property that can be seen, as many classes of the project. */
class Hidden {
  readonly #value: number;
  constructor(value: number) {
    this.#value = value;
  }
  [Symbol.iterator]() {
    return [this.#value].values();
  }
}

const DATA = fc.anything({
  withMap: true,
  withSet: true,
  withDate: true,
  withTypedArray: true,
  withSparseArray: true,
  withNullPrototype: true,
  withBigInt: true,
});

describe('the comparison of data in tests', () => {
  it('finds no values equal that chai finds different', () => {
    const copied = DATA.map((value) => [value, structuredClone(value)] as const);
    const changed = fc.tuple(fc.array(DATA), DATA, fc.nat()).map(([items, item, at]) => {
      const other = [...items];
      other[at % (items.length + 1)] = item;
      return [items, other] as const;
    });
    fc.assert(
      fc.property(fc.oneof(fc.tuple(DATA, DATA), copied, changed), ([one, other]) => {
        if (areEqualData(one, other)) expect(util.eql(one, other)).to.equal(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds copies of plain data equal, of which chai needs long to find it', () => {
    const rows = { times: Float64Array.of(1, Number.NaN), list: [{ a: null, b: undefined }, 'text', 5n] };
    expect(areEqualData(rows, structuredClone(rows))).to.equal(true);
  });

  const holed: number[] = [];
  holed[1] = 1;
  for (const [name, one, other] of [
    ['zeros of other signs', 0, -0],
    ['a hole and a value', holed, [5, 1]],
    ['a missing property and one without a value', { a: 1 }, { b: undefined, a: 1 }],
    ['properties of other names', { a: undefined }, { b: undefined }],
    ['properties with symbols', { [Symbol.for('a')]: 1 }, { [Symbol.for('a')]: 2 }],
    ['numbers of other types', Float64Array.of(0), BigInt64Array.of(0n)],
    ['maps', new Map([[1, 2]]), new Map([[1, 3]])],
    ['sets', new Set([1]), new Set([2])],
    ['iterators', new Set([1]).keys(), new Set([2]).keys()],
    ['instances with hidden state', new Hidden(1), new Hidden(2)],
    ['errors', new Error('a'), new Error('b')],
    ['times', new Date(0), new Date(1)],
    ['arrays of other lengths', [1, 2], [1]],
  ] as const)
    it(`tells ${name} apart, or leaves them to chai`, () => {
      expect(areEqualData(one, other)).to.equal(false);
      expect(areEqualData([one], [other])).to.equal(false);
    });

  it('ends for values that contain themselves', () => {
    const [one, other]: unknown[][] = [[], []];
    one?.push(one);
    other?.push(other);
    expect(areEqualData(one, other)).to.equal(false);
  });
});
