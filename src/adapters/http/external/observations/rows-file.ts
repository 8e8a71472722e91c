import type { Readable } from 'node:stream';
import type { ObservationPage } from '#application/observations/read/read-observations.js';
import { toParquet } from '#adapters/formats/pages/parquet-format.js';
import { csvHeading, csvRows } from '#adapters/formats/text/observation-text.js';
import type { TextColumn, TimeStyle } from '#adapters/formats/text/text-column.js';
import { columnPages, streamOf } from './paced-body.js';
import type { TextThreads } from './text-threads.js';

export const PARQUET_TYPE = 'application/vnd.apache.parquet';

interface FileStyle {
  readonly format: 'csv' | 'parquet';
  readonly columns: readonly TextColumn[];
  /** Times in CSV. Parquet has a type for them. */
  readonly time: TimeStyle;
}

/**
 * Makes a file of rows while it is sent. Each page is read when the one before it has been sent. A page that cannot be read
 * breaks the stream.
 *
 * @param first read before the reply begins, so that its errors have their status
 * @param more the pages behind it
 */
export function rowsFile(
  first: ObservationPage,
  more: AsyncIterable<ObservationPage> | undefined,
  { format, columns, time }: FileStyle,
  threads: TextThreads,
): Readable {
  async function* pages() {
    yield first;
    if (more !== undefined) yield* more;
  }
  async function* csv() {
    yield [csvHeading(columns)];
    for await (const { parts } of pages()) yield csvRows({ parts, columns, format: time });
  }
  async function* exported() {
    for await (const { series } of pages()) yield { columns, series };
  }
  return format === 'csv'
    ? columnPages(csv(), threads)
    : streamOf(toParquet(exported(), first.station, (group) => threads.encode(group)));
}
