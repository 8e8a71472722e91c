import { expect } from 'chai';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { ExportedPage, Pages } from '#adapters/formats/pages/page-columns.js';
import { toParquet } from '#adapters/formats/pages/parquet-format.js';
import { STATION } from '../../../support/weather-world.js';

/** The file that pages are written as. */
async function fileOf(pages: Pages): Promise<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of toParquet(pages, STATION)) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}

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
    for await (const piece of toParquet(pages(), STATION)) {
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
    const pages = (async function* (): Pages {
      yield page([]);
    })();
    const { schema, num_rows: rows } = parquetMetadata(await fileOf(pages));
    expect(schema.map(({ name }) => name)).to.deep.equal(['root', 'time', 'air_temperature', 'quality']);
    expect(Number(rows)).to.equal(0);
  });

  it('says that times are instants, for readers of logical types and for older ones', async () => {
    const pages = (async function* (): Pages {
      yield page([0]);
    })();
    const file = await fileOf(pages);
    const [, time] = parquetMetadata(file).schema;
    expect(time).to.deep.include({
      name: 'time',
      type: 'INT64',
      repetition_type: 'REQUIRED',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    });
    // The bytes of Thrift's compact protocol: field 8 of the union, its field 1 true, field 2 a union whose field 1 is empty.
    const footer = Buffer.from(file).subarray(-8 - new DataView(file).getUint32(file.byteLength - 8, true));
    expect(footer.includes(Buffer.of(0x8c, 0x11, 0x1c, 0x1c, 0x00, 0x00, 0x00, 0x00))).to.equal(true);
  });

  it('names its station, the units of its columns and its generator', async () => {
    const pages = (async function* (): Pages {
      const { series } = page([0]);
      yield {
        series,
        columns: [
          {
            number: 1,
            name: 'air_temperature',
            heading: 'air_temperature (°F)',
            conversion: { unit: '°F' },
          },
          { number: 9, name: 'precipitation_amount' },
        ],
      };
    })();
    const { key_value_metadata: notes = [], created_by: generator } = parquetMetadata(await fileOf(pages));
    const { id, name, timeZone } = STATION;
    expect(generator).to.equal('weatherd');
    expect(Object.fromEntries(notes.map(({ key, value }) => [key, value]))).to.deep.equal({
      generator: 'weatherd',
      station: id,
      station_name: name,
      latitude: String(STATION.latitude),
      longitude: String(STATION.longitude),
      elevation: String(STATION.elevation),
      time_zone: timeZone,
      identifiers: JSON.stringify(STATION.identifiers),
      units: JSON.stringify({ 'air_temperature (°F)': '°F', precipitation_amount: 'mm' }),
    });
  });
});
