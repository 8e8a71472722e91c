import { expect } from 'chai';
import { SeriesDigest } from '#domain/weather/series-digest.js';
import { type Series, sliceSeries } from '#domain/weather/series.js';

const ROWS: Series = {
  times: Float64Array.of(1, 2, 3, 4),
  values: new Map([
    [3, Float64Array.of(1, Number.NaN, 0, 5)],
    [1, Float64Array.of(Number.NaN, 2, 3, 4)],
  ]),
  flags: new Map([[1, Uint8Array.of(0, 0, 2, 0)]]),
};

function sumOf(...parts: readonly Series[]): unknown {
  const digest = new SeriesDigest();
  for (const part of parts) digest.add(part, 0, part.times.length);
  return digest.sum;
}

describe('the checksum of a series', () => {
  it('does not depend on batches, on the order of the columns and on columns without values', () => {
    const columns = new Map([...ROWS.values].reverse()).set(9, new Float64Array(4).fill(Number.NaN));
    const sum = sumOf(ROWS);
    expect(sumOf(sliceSeries(ROWS, 0, 1), sliceSeries(ROWS, 1, 4))).to.deep.equal(sum);
    expect(sumOf({ ...ROWS, values: columns })).to.deep.equal(sum);
  });

  it('depends on every time, value and flag, and on the sign of zero', () => {
    const change = (variable: number, row: number, value: number) => {
      const values = new Map([...ROWS.values].map(([name, column]) => [name, column.slice()] as const));
      (values.get(variable) as Float64Array)[row] = value;
      return { ...ROWS, values };
    };
    const others = [
      sliceSeries(ROWS, 0, 3),
      { ...ROWS, times: Float64Array.of(1, 2, 3, 4.000000000000001) },
      { ...ROWS, flags: new Map([[1, Uint8Array.of(0, 0, 1, 0)]]) },
      { ...ROWS, flags: new Map() },
      { ...ROWS, flags: new Map([[3, Uint8Array.of(0, 0, 2, 0)]]) },
      change(3, 2, -0),
      change(3, 0, 1 + Number.EPSILON),
      change(3, 1, 0),
      {
        ...ROWS,
        values: new Map([
          [3, ROWS.values.get(3)],
          [2, ROWS.values.get(1)],
        ] as never),
      },
    ];
    const sums = [ROWS, ...others].map((series) => JSON.stringify(sumOf(series as Series)));
    expect(new Set(sums)).to.have.property('size', sums.length);
  });

  it('is that of a fixed algorithm, because two versions of the program compare theirs', () => {
    expect(sumOf(ROWS)).to.deep.equal({ rows: 4, checksum: '03f9d71369c76c6d' });
    expect(sumOf()).to.deep.equal({ rows: 0, checksum: '243f6a8813198a2e' });
  });
});
