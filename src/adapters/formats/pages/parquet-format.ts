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
  const numbers = (column: Float64Array) =>
    Array.from(column, (value) => (Number.isNaN(value) ? null : value));
  return [
    { name: 'time', data: Array.from(times, (time) => new Date(time)), type: 'TIMESTAMP', nullable: false },
    ...page.variables.map((variable): ColumnSource => ({
      name: variable.name,
      data: numbers(columnOf(page, variable)),
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
