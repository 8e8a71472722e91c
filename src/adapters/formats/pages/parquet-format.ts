import { EMPTY_SERIES } from '#domain/weather/series.js';
import type { Pages } from './page-columns.js';
import { fileNotes, type NotedStation } from './file-notes.js';
import { columnsOf, encodeRowGroup, PARQUET_SCHEMA } from './row-group.js';

/**
 * Parquet with a row group for each page, handed over as soon as it is made; the index comes last.
 *
 * @param station of the rows, for the notes of the file
 * @param encode writes a row group, for example in another thread
 */
export async function* toParquet(
  all: Pages,
  station: NotedStation,
  encode = encodeRowGroup,
): AsyncGenerator<Uint8Array> {
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
  for await (const { columns, series } of all) {
    if (parquet === undefined) {
      const columnData = columnsOf({ columns, series: EMPTY_SERIES });
      parquet = new ParquetWriter({
        writer,
        schema: schemaFromColumnData({ columnData, schemaOverrides: PARQUET_SCHEMA }),
        kvMetadata: fileNotes(station, columns),
        createdBy: 'weatherd',
      });
      yield take();
    }
    const rows = series.times.length;
    const { bytes, groups, indexes } = await encode({
      kind: 'row group',
      columns,
      series,
      offset: writer.offset,
    });
    writer.offset += bytes.length;
    parquet.row_groups.push(...groups);
    parquet.pendingIndexes.push(...indexes);
    parquet.num_rows += BigInt(rows);
    yield bytes;
  }
  await parquet?.finish();
  yield take();
}
