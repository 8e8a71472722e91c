import { expect } from 'chai';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { ExportedPage, Pages } from '../../../../src/adapters/formats/pages/page-columns.js';
import { toParquet } from '../../../../src/adapters/formats/pages/parquet-format.js';

const page = (times: readonly number[]): ExportedPage => ({
  columns: [{ number: 1, name: 'air_temperature' }],
  series: {
    times: Float64Array.from(times),
    values: new Map([[1, Float64Array.from(times, (time) => (time % 2000 === 0 ? time / 100 : Number.NaN))]]),
    flags: new Map(),
  },
});

describe('Parquet', () => {
  it('is written page by page, as row groups, and can be read completely', async () => {
    let asked = 0;
    async function* pages(): Pages {
      for (const times of [[0, 1000, 2000], [3000], [4000, 5000]]) {
        asked += 1;
        yield page(times);
      }
    }
    const pieces: Uint8Array[] = [];
    const askedAt: number[] = [];
    for await (const piece of toParquet(pages())) {
      pieces.push(piece);
      askedAt.push(asked);
    }
    expect(askedAt).to.deep.equal([1, 1, 2, 3, 3]);
    const bytes = Buffer.concat(pieces);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    expect(parquetMetadata(file).row_groups.map(({ num_rows: rows }) => Number(rows))).to.deep.equal([
      3, 1, 2,
    ]);
    expect(await parquetReadObjects({ file })).to.deep.equal(
      [0, 1000, 2000, 3000, 4000, 5000].map((time) => ({
        time: new Date(time),
        air_temperature: time % 2000 === 0 ? time / 100 : null,
        quality: null,
      })),
    );
  });

  it('without rows is a file with its columns', async () => {
    const pieces: Uint8Array[] = [];
    const pages = (async function* (): Pages {
      yield page([]);
    })();
    for await (const piece of toParquet(pages)) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    const { schema, num_rows: rows } = parquetMetadata(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    );
    expect(schema.map(({ name }) => name)).to.deep.equal(['root', 'time', 'air_temperature', 'quality']);
    expect(Number(rows)).to.equal(0);
  });
});
