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
  /** Format of the times in CSV. Parquet does not need this format, because Parquet has a type for times. */
  readonly time: TimeStyle;
}

/**
 * Writes a file of rows while the file is sent. The rows are read in consecutive parts, called pages. Each page is read after the
 * previous page has been sent. If a page cannot be read, the stream breaks off.
 *
 * @param first the first page. This page must be read before the reply begins, so that an error of the read still gets its own
 *   HTTP status.
 * @param more the following pages
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
