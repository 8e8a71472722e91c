import { TemporalCalendar } from '../../src/adapters/calendar-temporal/temporal-calendar.js';
import { asUtf8 } from '../../src/adapters/formats/files/encodings.js';
import { type FileHead, fileHead, HEAD_BYTES } from '../../src/adapters/formats/files/file-head.js';
import type { FilePlan, FileSource } from '../../src/adapters/formats/files/file-plan.js';
import type { FileFault, ReadNotes } from '../../src/adapters/formats/tables/read-notes.js';
import { TableReader } from '../../src/adapters/formats/tables/table-reader.js';
import type { Ambiguous } from '../../src/adapters/formats/tables/time-order.js';
import { rowTimeRule } from '../../src/application/observations/ingest/rejection.js';
import { converter } from '../../src/domain/weather/units.js';
import { variableNamed } from '../../src/domain/weather/variables.js';

/** A row in stored units: `{ line: 2, station: 'x', time: '2018-04-14T10:05:00Z', air_temperature: 20.6 }`. */
export type ImportedRow = Readonly<Record<string, string | number>>;

/** The line of a value, its variable, its flags, and the check that it failed. */
export type ImportedFlag = readonly [line: number, variable: string, text: string, failure: string | null];

export interface ReadFile {
  /** Rows in stored units without missing values. */
  readonly rows: readonly ImportedRow[];
  /** What the file says about values, without the values about which it says nothing. */
  readonly flags: readonly ImportedFlag[];
  readonly faults: readonly FileFault[];
  readonly notes: ReadNotes;
}

export interface ReadOptions {
  /** Time zone of the station. */
  readonly zone?: string;
  readonly ambiguous?: Ambiguous;
  /** Elevation of the station in meters. */
  readonly elevation?: number | null;
  /** Current time in ms since 1970. Without this time, times in the future are allowed too. */
  readonly now?: number;
}

/** The head of a file. @param path where the file is, for a database */
export async function headOfFile(name: string, bytes: Uint8Array, path?: string): Promise<FileHead> {
  const head = fileHead(name, bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES);
  if (head.kind !== 'sqlite' || path === undefined) return head;
  const { foreignTables } = await import('../../src/adapters/store-sqlite/database/foreign-file.js');
  return { ...head, tables: foreignTables(path) };
}

/** A file as import formats read it. @param path where the file is, for a database and for Parquet */
export function sourceOf(
  { encoding }: FileHead,
  pieces: () => AsyncIterable<Uint8Array>,
  path?: string,
): FileSource {
  return {
    text: () => asUtf8(pieces(), encoding),
    canRepeat: true,
    path,
    async *sqlite(query) {
      const { foreignRows } = await import('../../src/adapters/store-sqlite/database/foreign-file.js');
      let line = 0;
      for await (const rows of foreignRows(path ?? '', query)) {
        yield rows.map((fields) => ({ line: (line += 1), fields }));
      }
    },
  };
}

/** Reads the rows of a file as the import does. Rows without a station get the station `x`. */
export function tableReader(
  plan: FilePlan,
  { zone = 'Europe/Berlin', ambiguous = 'order', elevation = null, now }: ReadOptions = {},
): TableReader {
  return new TableReader(plan, {
    stationOf: (code) => code ?? 'x',
    zoneOf: () => zone,
    calendar: new TemporalCalendar(),
    ambiguous,
    elevationOf: () => elevation,
    ...(now !== undefined && { timeFault: rowTimeRule(now) }),
  });
}

/** Reads all rows of a file. @param plan describes the table, the times and the columns of the file */
export async function readAll(
  plan: FilePlan,
  source: FileSource,
  options: ReadOptions = {},
): Promise<ReadFile> {
  const reader = tableReader(plan, options);
  const rows: ImportedRow[] = [];
  const flags: ImportedFlag[] = [];
  const faults: FileFault[] = [];
  for await (const chunk of reader.chunks(source)) {
    faults.push(...chunk.faults);
    for (const { lines, rows: sent } of chunk.parts) {
      for (let row = 0; row < lines.length; row += 1) {
        const time = new Date(sent.times[row] as number).toISOString().replace('.000Z', 'Z');
        const station = typeof sent.stations === 'string' ? sent.stations : String(sent.stations[row]);
        const values = sent.columns.flatMap(({ variable, unit, values: column, flags: all }) => {
          const found = variableNamed(String(variable));
          if (found === undefined) throw new Error(`The variable ${variable} does not exist.`);
          const value = column[row] as number;
          const { text = '', failure = null } = all?.[row] ?? {};
          if (text !== '' || failure !== null) flags.push([lines[row] as number, found.name, text, failure]);
          return Number.isNaN(value)
            ? []
            : [[found.name, converter(found, unit ?? found.unit, 'stored')(value)]];
        });
        rows.push({ line: lines[row] as number, station, time, ...Object.fromEntries(values) });
      }
    }
  }
  return { rows, flags, faults, notes: reader.notes };
}
