import { MessageReader, RecordBatchReader, type RecordBatch, type Table, tableFromIPC } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { toArrow } from '#adapters/formats/arrow/arrow-format.js';
import type { ExportedPage, Pages } from '#adapters/formats/pages/page-columns.js';
import { toParquet } from '#adapters/formats/pages/parquet-format.js';
import type { TextColumn } from '#adapters/formats/text/text-column.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { STATION } from '../../../support/weather-world.js';

const numberOf = (name: string) => VARIABLES.find((variable) => variable.name === name)?.number ?? 0;
const [TEMPERATURE, HUMIDITY, WIND] = ['air_temperature', 'relative_humidity', 'wind_speed'].map(
  numberOf,
) as [number, number, number];
const COLUMNS: readonly TextColumn[] = [
  { number: TEMPERATURE, name: 'air_temperature' },
  { number: HUMIDITY, name: 'relative_humidity' },
  { number: WIND, name: 'wind_speed', heading: 'wind_speed (mph)', conversion: { unit: 'mph' } },
];

async function* pagesOf(pages: readonly ExportedPage[]): Pages {
  yield* pages;
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

const arrowOf = (pages: readonly ExportedPage[], more?: Readonly<Record<string, string>>) =>
  bytesOf(toArrow(pagesOf(pages), STATION, undefined, more));

async function parquetOf(pages: readonly ExportedPage[]): Promise<ArrayBuffer> {
  return new Uint8Array(await bytesOf(toParquet(pagesOf(pages), STATION))).buffer;
}

/** The rows of a table in the form of hyparquet. */
function rowsOf({
  schema,
  numRows,
  batches,
}: { schema: Table['schema'] } & Pick<Table, 'numRows' | 'batches'>) {
  const rows = batches.flatMap((batch: RecordBatch) =>
    Array.from({ length: batch.numRows }, (_row, row) =>
      Object.fromEntries(
        schema.fields.map(({ name }, column) => {
          const value: unknown = batch.getChildAt(column)?.get(row);
          return [name, name === 'time' ? new Date(value as number) : value];
        }),
      ),
    ),
  );
  expect(rows).to.have.lengthOf(numRows);
  return rows;
}

/** Pages of ascending times with gaps, absent values, columns that the page does not have, and flags. */
const PAGES = fc
  .array(
    fc.array(
      fc.record({
        step: fc.integer({ min: 1, max: 1e9 }),
        values: fc.array(
          fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(Number.NaN)),
          {
            minLength: 2,
            maxLength: 2,
          },
        ),
        flag: fc.integer({ min: 0, max: 255 }),
      }),
      { maxLength: 40 },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((pages) => {
    let time = Date.UTC(1969, 11, 31);
    return pages.map((rows): ExportedPage => ({
      columns: COLUMNS,
      series: {
        times: Float64Array.from(rows, ({ step }) => (time += step)),
        values: new Map([
          [TEMPERATURE, Float64Array.from(rows, ({ values }) => values[0] ?? 0)],
          [WIND, Float64Array.from(rows, ({ values }) => values[1] ?? 0)],
        ]),
        flags: new Map([[TEMPERATURE, Uint8Array.from(rows, ({ flag }) => flag)]]),
      },
      verdicts: 'flags',
    }));
  });

const page = (times: readonly number[], value: (row: number) => number): ExportedPage => ({
  columns: COLUMNS,
  series: {
    times: Float64Array.from(times),
    values: new Map([[TEMPERATURE, Float64Array.from(times, (_time, row) => value(row))]]),
    flags: new Map(),
  },
  verdicts: 'flags',
});

describe('Arrow', () => {
  it('has the rows of the Parquet file, one record batch a page, for readers of files and of streams', async () => {
    await fc.assert(
      fc.asyncProperty(PAGES, async (pages) => {
        const bytes = await arrowOf(pages);
        const expected = await parquetReadObjects({ file: await parquetOf(pages) });
        const table = tableFromIPC(bytes);
        const withRows = pages.filter(({ series }) => series.times.length > 0);
        expect(rowsOf(table)).to.deep.equal(expected);
        expect(table.batches.map(({ numRows }) => numRows).filter((rows) => rows > 0)).to.deep.equal(
          withRows.map(({ series }) => series.times.length),
        );
        // Without the first eight bytes, the file is a stream.
        expect(rowsOf(tableFromIPC(bytes.subarray(8)))).to.deep.equal(expected);
      }),
    );
  });

  it('has its messages and buffers at multiples of 8 bytes', async () => {
    await fc.assert(
      fc.asyncProperty(PAGES, async (pages) => {
        const bytes = await arrowOf(pages);
        const length = bytes.readInt32LE(bytes.length - 10);
        // The mark of the end of a stream, the index, the length of the index, and the name of the format follow.
        const end = bytes.length - 8 - length - 10;
        const reader = new MessageReader(bytes.subarray(8, end));
        let messages = 0;
        let at = 8;
        for (const message of reader) {
          messages += 1;
          reader.readMessageBody(message.bodyLength);
          expect([bytes.readInt32LE(at), at % 8]).to.deep.equal([-1, 0]);
          at += 8 + bytes.readInt32LE(at + 4);
          expect(at % 8).to.equal(0);
          at += message.bodyLength;
          if (!message.isRecordBatch()) continue;
          let used = 0;
          for (const buffer of message.header().buffers) {
            expect(buffer.offset).to.equal(Math.ceil(used / 8) * 8);
            used = buffer.offset + buffer.length;
          }
          expect(message.bodyLength).to.equal(Math.ceil(used / 8) * 8);
        }
        expect([messages, at]).to.deep.equal([1 + pages.length, end]);
        expect(bytes.readBigInt64LE(end)).to.equal(0xffffffffn);
        expect(bytes.toString('latin1', bytes.length - 6)).to.equal('ARROW1');
        expect(bytes.toString('latin1', 0, 8)).to.equal('ARROW1\0\0');
      }),
    );
  });

  it('has the types of its columns, their units, and the metadata of the Parquet file', async () => {
    const pages = [page([0], () => 1)];
    const { schema } = tableFromIPC(await arrowOf(pages, { month: '1970-01' }));
    expect(
      schema.fields.map(({ name, type, nullable, metadata }) => [
        name,
        String(type),
        nullable,
        metadata.get('units'),
      ]),
    ).to.deep.equal([
      ['time', 'Timestamp<MILLISECOND, UTC>', false, undefined],
      ['air_temperature', 'Float64', true, '°C'],
      ['relative_humidity', 'Float64', true, '%'],
      ['wind_speed (mph)', 'Float64', true, 'mph'],
      ['air_temperature_qc', 'Uint8', false, undefined],
      ['relative_humidity_qc', 'Uint8', false, undefined],
      ['wind_speed_qc', 'Uint8', false, undefined],
    ]);
    const { key_value_metadata: pairs = [] } = parquetMetadata(await parquetOf(pages));
    expect([...schema.metadata]).to.deep.equal([
      ...pairs.map(({ key, value }) => [key, value]),
      ['month', '1970-01'],
    ]);
  });

  it('has no bits for a column without absent values, and the same bytes for each form of NaN', async () => {
    const full = await arrowOf([page([0, 1, 2], () => 1)]);
    const [batch] = RecordBatchReader.from(full);
    expect([batch?.getChild('air_temperature')?.nullCount, batch?.data.children[1]?.nullBitmap]).to.satisfy(
      ([nulls, bits]: [number, Uint8Array | undefined]) => nulls === 0 && !bits?.length,
    );
    const otherNaN = new Float64Array(new BigUint64Array([0xfff8_0000_0000_0001n]).buffer)[0] ?? 0;
    const [one, other] = await Promise.all(
      [Number.NaN, otherNaN].map((value) => arrowOf([page([0, 1, 2], (row) => (row === 1 ? value : 5))])),
    );
    expect(one?.equals(other ?? Buffer.alloc(0))).to.equal(true);
  });

  it('without rows is a file with its columns', async () => {
    const table = tableFromIPC(await arrowOf([page([], () => 0)]));
    expect([table.numRows, table.schema.fields.length]).to.deep.equal([0, 7]);
  });
});
