import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { fileHead, HEAD_BYTES } from '#adapters/formats/files/file-head.js';
import { Questions } from '#adapters/formats/files/questions.js';
import { nycflights13 } from '#adapters/formats/import-formats/nycflights13.js';
import type { ReadPart } from '#adapters/formats/tables/row-columns.js';
import { TableReader } from '#adapters/formats/tables/table-reader.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { RecordedRows } from '#application/ports/demo-recording.js';
import { MILLISECONDS } from '#domain/time.js';
import type { SentColumn } from '#domain/weather/sent-rows.js';
import { RECORDED_YEAR } from '#domain/weather/stations/demo.js';

/** Eastern Standard Time is 5 hours behind UTC. */
const STANDARD_TIME = -5 * MILLISECONDS.hour;

/** Reads the rows of the stations from a file in the format `nycflights13`. */
export async function readRecording(
  file: string,
  stations: readonly string[],
  calendar: Calendar,
): Promise<readonly RecordedRows[]> {
  const bytes = await promisify(gunzip)(await readFile(file));
  const plan = nycflights13.recognize(
    fileHead(file, bytes.subarray(0, HEAD_BYTES), false),
    new Questions(new Map()),
  );
  if (plan === undefined) throw new Error(`${file} does not have the headings of the demo`);
  const stationOf = (code: string | undefined) => code;
  const reader = new TableReader(
    { ...plan, title: nycflights13.title },
    { stationOf, zoneOf: () => 'UTC', calendar, ambiguous: 'reject' },
  );
  const parts: ReadPart[] = [];
  const source = {
    async *text() {
      yield bytes;
    },
    canRepeat: true,
    path: undefined,
    // oxlint-disable-next-line eslint/require-yield
    async *sqlite(): AsyncGenerator<never> {
      throw new Error('the recording of the demo is not a database');
    },
  };
  for await (const chunk of reader.chunks(source)) parts.push(...chunk.parts);
  return stations.map((id) => rowsOf(id, parts));
}

/** Collects the rows of a station. The file is sorted by station and time. */
function rowsOf(station: string, parts: readonly ReadPart[]): RecordedRows {
  const times: number[] = [];
  const columns = new Map<
    string,
    { readonly column: Omit<SentColumn, 'values'>; readonly values: number[] }
  >();
  for (const { rows } of parts) {
    const indexes = [...(rows.stations as readonly string[]).keys()].filter(
      (row) => (rows.stations as readonly string[])[row] === station,
    );
    for (const { variable, unit, values } of rows.columns) {
      const key = String(variable);
      const known = columns.get(key) ?? { column: { variable, unit }, values: [] };
      columns.set(key, known);
      while (known.values.length < times.length) known.values.push(Number.NaN);
      for (const row of indexes) known.values.push(values[row] as number);
    }
    for (const row of indexes) times.push(rows.times[row] as number);
  }
  return {
    station,
    year: RECORDED_YEAR,
    offset: STANDARD_TIME,
    first: times[0] as number,
    last: times.at(-1) as number,
    times: Float64Array.from(times),
    columns: [...columns.values()].map(({ column, values }) => {
      const all = new Float64Array(times.length).fill(Number.NaN);
      all.set(values);
      return { ...column, values: all };
    }),
  };
}
