import { EMPTY_SERIES } from '#domain/weather/series.js';
import type { Pages } from './page-columns.js';
import { fileNotes, type NotedStation } from './file-notes.js';
import { columnsOf, encodeRowGroup, schemaOf } from './row-group.js';

/**
 * Writes Parquet with one row group for each page. A row group is returned as soon as it is written; the index comes last.
 *
 * @param station the station of the rows, for the metadata of the file
 * @param encode writes a row group, for example in another thread
 * @param more further entries of the metadata of the file
 */
export async function* toParquet(
  all: Pages,
  station: NotedStation,
  encode = encodeRowGroup,
  more: Readonly<Record<string, string>> = {},
): AsyncGenerator<Uint8Array> {
  // The library is loaded here, so that a service that writes no Parquet needs no memory for it.
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  /**
   * Returns the bytes that were written since the last call. `offset` keeps counting over all calls, because the index of the
   * file needs offsets from its start.
   */
  const take = () => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let parquet: InstanceType<typeof ParquetWriter> | undefined;
  for await (const page of all) {
    const { columns, series } = page;
    if (parquet === undefined) {
      const columnData = columnsOf({ ...page, series: EMPTY_SERIES });
      parquet = new ParquetWriter({
        writer,
        schema: schemaFromColumnData({ columnData, schemaOverrides: schemaOf(page) }),
        kvMetadata: fileNotes(station, columns, more),
        createdBy: 'weatherd',
      });
      yield take();
    }
    const rows = series.times.length;
    const { bytes, groups, indexes } = await encode({
      ...page,
      kind: 'row group',
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
