import { expect } from 'chai';
import { converted, numberedColumn } from '#application/observations/ingest/stored-columns.js';
import { pause } from '#application/pause.js';
import { V } from '#domain/weather/variables.js';

describe('sent columns', () => {
  const column = (variable: string | number, unit?: string, rows = 2) =>
    numberedColumn({ variable, unit, values: Float64Array.of(32, 212) }, rows);

  it('are those of a variable by its name or number, and converted where their unit is another one', () => {
    const named = column('air_temperature');
    expect(named).to.include({ variable: V.temperature, isKnown: true, toStored: undefined });
    expect([...named.values]).to.deep.equal([32, 212]);
    expect(column(V.temperature)).to.include({ variable: V.temperature, isKnown: true });
    expect(column('air_temperature', '°C').toStored).to.equal(undefined);
    const { toStored } = column('air_temperature', '°F');
    expect([32, 212].map((value) => Math.round(toStored?.(value) ?? NaN))).to.deep.equal([0, 100]);
    // A number of a newer catalogue, whose unit is unknown.
    expect(column(9999, 'furlong')).to.include({ variable: 9999, isKnown: false, toStored: undefined });
  });

  it('are refused with an unknown name, an unknown unit or a wrong length', () => {
    expect(() => column('warmth')).to.throw('There is no variable "warmth".');
    expect(() => column('air_temperature', 'hPa')).to.throw();
    expect(() => column('air_temperature', undefined, 3)).to.throw(
      'The column air_temperature has 2 values, but the column of times has 3: all columns need the same length.',
    );
    expect(() => column(9999, undefined, 1)).to.throw(
      'The column 9999 has 2 values, but the column of times has 1: all columns need the same length.',
    );
  });

  it('are converted in parts, between which other requests are served, and keep absent values', async () => {
    for (const [rows, turns] of [
      [0, 0],
      [8192, 0],
      [8193, 1],
      [16_384, 1],
      [16_385, 2],
    ] as const) {
      let others = 0;
      let isDone = false;
      const count = async () => {
        await pause();
        if (isDone) return;
        others += 1;
        await count();
      };
      const values = Float64Array.from({ length: rows }, (_, row) => (row === 3 ? NaN : row));
      const counting = count();
      const found = await converted(values, (value) => (Number.isNaN(value) ? 0 : 2 * value));
      isDone = true;
      await counting;
      expect(others, `${rows} rows`).to.equal(turns);
      expect([...found.subarray(0, 5)]).to.deep.equal([0, 2, 4, NaN, 8].slice(0, rows));
      expect(found.at(-1)).to.equal(rows === 0 ? undefined : 2 * (rows - 1));
    }
  });
});
