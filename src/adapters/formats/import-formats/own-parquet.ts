import type { FileRecord, FileSource } from '../files/file-plan.js';
import { ImportFailure } from '../files/import-failure.js';
import type { ImportFormat } from './import-format.js';
import { areOwnNames, OWN_COLUMNS, OWN_TIME, ownFields } from './own-columns.js';

/**
 * The output of `weatherd export --format parquet`. The names of the columns are at the end of the file, so that they can be
 * checked only when the rows are read.
 */
export const ownParquet: ImportFormat = {
  name: 'weatherd-parquet',
  title: 'weatherd, export as Parquet',
  recognize(head) {
    if (head.kind !== 'parquet') return undefined;
    return { layout: { kind: 'own', records: recordsOf }, time: OWN_TIME, columns: OWN_COLUMNS };
  },
};

async function* recordsOf({ path }: FileSource): AsyncGenerator<readonly FileRecord[]> {
  if (path === undefined) throw new ImportFailure('The file is not a Parquet file.');
  // The library is loaded here, because other formats do not need it.
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    throw new ImportFailure(`The Parquet file is damaged: ${(error as Error).message}.`);
  });
  const names = metadata.schema.slice(1).map(({ name }) => name);
  if (!areOwnNames(names)) {
    throw new ImportFailure(
      'The Parquet file was not written by weatherd: its columns are not "time" and the names of variables.',
    );
  }
  let rowStart = 0;
  for (const { num_rows: count } of metadata.row_groups) {
    const rowEnd = rowStart + Number(count);
    const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd }).catch((error: unknown) => {
      throw new ImportFailure(
        `The Parquet file is damaged after row ${rowStart}: ${(error as Error).message}.`,
      );
    });
    yield rows.map((row, index) => ({ line: rowStart + index + 1, fields: ownFields(row) }));
    rowStart = rowEnd;
  }
}
