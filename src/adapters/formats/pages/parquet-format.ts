import type { ColumnSource } from 'hyparquet-writer';
import { columnOf, type ExportedPage, type Pages, qualityOf } from './page-columns.js';

/** Parquet with a row group for each page, handed over as soon as it is made; the index comes last. */
export async function* toParquet(all: Pages): AsyncGenerator<Uint8Array> {
  // Loaded for this alone: a service at rest should not pay for it.
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  /** What has been written since the last time. `offset`, from which the index is made, goes on. */
  const take = () => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let parquet: InstanceType<typeof ParquetWriter> | undefined;
  for await (const page of all) {
    const columnData = columnsOf(page);
    parquet ??= new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData }) });
    await parquet.write({ columnData, rowGroupSize: Math.max(1, page.series.times.length) });
    yield take();
  }
  await parquet?.finish();
  yield take();
}

function columnsOf(page: ExportedPage): ColumnSource[] {
  const { times } = page.series;
  return [
    {
      name: 'time',
      data: BigInt64Array.from(times, BigInt),
      type: 'TIMESTAMP',
      nullable: false,
      // A dictionary of times, which all differ, would be as large as they are.
      encoding: 'DELTA_BINARY_PACKED',
    },
    ...page.variables.map((variable): ColumnSource => ({
      name: variable.name,
      data: nullable(columnOf(page, variable)),
      type: 'DOUBLE',
      nullable: true,
    })),
    {
      name: 'quality',
      data: Array.from(times, (_time, row) => qualityOf(page, row) || null),
      type: 'STRING',
      nullable: true,
    },
  ];
}

/** The column with null for NaN; itself if there is none, which is written faster. */
function nullable(column: Float64Array): Float64Array | (number | null)[] {
  return column.some(Number.isNaN)
    ? Array.from(column, (value) => (Number.isNaN(value) ? null : value))
    : column;
}
