import type { MonthContent, StationMonth } from '#application/observations/files/read-settled-months.js';
import type { ObservationPage } from '#application/observations/read/read-observations.js';
import { toParquet } from '#adapters/formats/pages/parquet-format.js';
import type { RowGroup, RowGroupTask } from '#adapters/formats/pages/row-group.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { CHECKS, FLAG } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { PARQUET_TYPE } from '../observations/rows-file.js';
import { etagOf } from '../stations/station-content.js';

/** The formats of files, by the ending of their names. */
export const FILE_FORMATS = { parquet: PARQUET_TYPE } as const;
export type FileFormat = keyof typeof FILE_FORMATS;

/**
 * Version of the bytes of files. Increase it by one if the same rows give other bytes, for example after an upgrade of the library
 * that writes Parquet. A test compares the bytes of a small file.
 */
const FILE_VERSION = 1;

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
    FILE_VERSION,
    format,
    month.name,
    [id, name, latitude, longitude, elevation, timeZone, identifiers],
    [rows, checksum, variables.map((variable) => [variable.name, variable.unit])],
  ]);
}

/**
 * Makes a file in memory. The same rows give the same bytes.
 *
 * @param pages the rows of the month
 * @param encode writes a row group in another thread
 */
export async function makeFile(
  { station, month, content }: FileSubject,
  pages: AsyncIterable<ObservationPage>,
  encode: (task: RowGroupTask) => Promise<RowGroup>,
): Promise<Uint8Array> {
  const columns = content.variables.map(({ number, name }) => ({ number, name }));
  async function* exported() {
    for await (const { series } of pages) yield { columns, series, verdicts: 'flags' } as const;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of toParquet(exported(), station, encode, notesOf(month))) pieces.push(piece);
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
