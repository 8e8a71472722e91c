import type { MonthContent, StationMonth } from '#application/observations/files/read-settled-months.js';
import type { ObservationPage } from '#application/observations/read/read-observations.js';
import { toParquet } from '#adapters/formats/pages/parquet-format.js';
import type { Pages } from '#adapters/formats/pages/page-columns.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { CHECKS, FLAG } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { PARQUET_TYPE } from '../observations/rows-file.js';
import type { TextThreads } from '../observations/text-threads.js';
import { etagOf } from '../stations/station-content.js';

/** A format of files of months. */
interface Format {
  readonly mediaType: string;
  /**
   * Version of the bytes of a file. Increase it by one if the same rows give other bytes, for example after an upgrade of the
   * library that writes the format. A test compares the bytes of a small file.
   */
  readonly version: number;
  /**
   * Writes a file. The same rows give the same bytes.
   *
   * @param threads write the rows in other threads
   * @param notes further entries of the metadata of the file
   */
  readonly write: (
    pages: Pages,
    station: Station,
    threads: TextThreads,
    notes: Readonly<Record<string, string>>,
  ) => AsyncIterable<Uint8Array>;
}

/** The formats of files, by the ending of their names. */
export const FILE_FORMATS = {
  parquet: {
    mediaType: PARQUET_TYPE,
    version: 1,
    write: (pages, station, threads, notes) =>
      toParquet(pages, station, (task) => threads.encode(task), notes),
  },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.file',
    version: 1,
    async *write(pages, station, threads, notes) {
      // The writer is loaded here, so that a service that writes no Arrow needs no memory for it.
      const { toArrow } = await import('#adapters/formats/arrow/arrow-format.js');
      yield* toArrow(pages, station, (task) => threads.encode(task), notes);
    },
  },
} as const satisfies Readonly<Record<string, Format>>;
export type FileFormat = keyof typeof FILE_FORMATS;
export const FORMAT_NAMES = Object.keys(FILE_FORMATS) as FileFormat[];

/** What determines the bytes of a file, besides its rows. */
export interface FileSubject {
  readonly station: Station;
  readonly month: StationMonth;
  readonly content: MonthContent;
  readonly format: FileFormat;
}

/** The path of a file. */
export function fileTarget({ id }: Station, { name }: StationMonth, format: FileFormat): string {
  return `/v1/stations/${encodeURIComponent(id)}/files/${name}.${format}`;
}

/** The ETag of a file. It follows from everything that is in the file, so it is known before the file is made. */
export function fileEtag({ station, month, content, format }: FileSubject): string {
  const { id, name, latitude, longitude, elevation, timeZone, identifiers } = station;
  const { rows, checksum, variables } = content;
  return etagOf([
    FILE_FORMATS[format].version,
    format,
    month.name,
    [id, name, latitude, longitude, elevation, timeZone, identifiers],
    [rows, checksum, variables.map((variable) => [variable.name, variable.unit])],
  ]);
}

/**
 * Makes a file in memory.
 *
 * @param pages the rows of the month
 * @param threads write the rows in other threads
 */
export async function makeFile(
  { station, month, content, format }: FileSubject,
  pages: AsyncIterable<ObservationPage>,
  threads: TextThreads,
): Promise<Uint8Array> {
  const columns = content.variables.map(({ number, name }) => ({ number, name }));
  async function* exported() {
    for await (const { series } of pages) yield { columns, series, verdicts: 'flags' } as const;
  }
  const pieces: Uint8Array[] = [];
  const written = FILE_FORMATS[format].write(exported(), station, threads, notesOf(month));
  for await (const piece of written) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The bits of the columns `…_qc` are described by the attributes of the CF conventions, section 3.5. */
function notesOf({ name }: StationMonth): Record<string, string> {
  const checks = Object.keys(FLAG) as (keyof typeof FLAG)[];
  return {
    month: name,
    computation_rules: String(COMPUTATION_RULES),
    flag_masks: JSON.stringify(checks.map((check) => FLAG[check])),
    flag_meanings: checks.map((check) => CHECKS[check]).join(' '),
  };
}
