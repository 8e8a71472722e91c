import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { asUtf8 } from '#adapters/formats/files/encodings.js';
import { type FileHead, fileHead, HEAD_BYTES } from '#adapters/formats/files/file-head.js';
import type { FilePlan, FileSource } from '#adapters/formats/files/file-plan.js';
import type { Answers } from '#adapters/formats/files/questions.js';
import { withFileUnits } from '#adapters/formats/files/read-as.js';
import type { FileFault, ReadNotes } from '#adapters/formats/tables/read-notes.js';
import { TableReader } from '#adapters/formats/tables/table-reader.js';
import type { Ambiguous } from '#adapters/formats/tables/time-order.js';
import { IMPORT_FORMATS, recognize } from '#adapters/formats/import-formats/import-formats.js';
import { foreignRows, foreignTables } from '#adapters/store-sqlite/database/foreign-file.js';
import { rowTimeRule } from '#application/observations/ingest/rejection.js';
import { variableNamed } from '#domain/weather/variables.js';
import { converter } from '#domain/weather/units.js';

const FIXTURES = new URL('../../../test/fixtures/imports/', import.meta.url);

/** A row in stored units: `{ line: 2, station: 'x', time: '2018-04-14T10:05:00Z', air_temperature: 20.6 }`. */
export type ImportedRow = Readonly<Record<string, string | number>>;

/** The line of a value, its variable, its flags, and the check that it failed. */
export type ImportedFlag = readonly [line: number, variable: string, text: string, failure: string | null];

export interface ImportedFile {
  readonly format: string;
  readonly plan: FilePlan;
  /** Rows in stored units without missing values. */
  readonly rows: readonly ImportedRow[];
  /** What the file says about values, without the values about which it says nothing. */
  readonly flags: readonly ImportedFlag[];
  readonly faults: readonly FileFault[];
  readonly notes: ReadNotes;
}

interface ReadOptions {
  readonly zone?: string;
  readonly ambiguous?: Ambiguous;
  /** Elevation of the station in meters. */
  readonly elevation?: number | null;
  readonly now?: number;
}

interface Options {
  /** Text or bytes that replace the content of the file. */
  readonly content?: string | Uint8Array;
  readonly answers?: Answers;
  /** Time zone of the station. */
  readonly zone?: string;
  readonly ambiguous?: Ambiguous;
  readonly elevation?: number;
  /** Current time in ms since 1970. Without this time, times in the future are allowed too. */
  readonly now?: number;
}

/** Reads a file of test/fixtures/imports. */
export function importFixture(path: string): Buffer {
  return readFileSync(pathOf(path));
}

export function headOf(path: string, content: string | Uint8Array = importFixture(path)): FileHead {
  const bytes = Buffer.from(content);
  const head = fileHead(path, bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES);
  return head.kind === 'sqlite' ? { ...head, tables: foreignTables(pathOf(path)) } : head;
}

/** The absolute path of a file of test/fixtures/imports. An absolute path is returned unchanged. */
function pathOf(path: string): string {
  return isAbsolute(path) ? path : fileURLToPath(new URL(path, FIXTURES));
}

/**
 * Reads a whole file as the import command does. Exactly one import format must recognize the file. Rows without a station get the
 * station `x`.
 *
 * @param path path in test/fixtures/imports, or an absolute path
 */
export async function imported(path: string, options: Options = {}): Promise<ImportedFile> {
  const { answers = new Map(), zone = 'Europe/Berlin', ambiguous = 'order', elevation = null, now } = options;
  const bytes = Buffer.from(options.content ?? importFixture(path));
  const head = headOf(path, bytes);
  const found = IMPORT_FORMATS.flatMap((importFormat) => recognize(head, answers, [importFormat]) ?? []);
  expect(
    found.map(({ importFormat }) => importFormat.name),
    path,
  ).to.have.lengthOf(1);
  const [{ importFormat, plan }] = found as [NonNullable<(typeof found)[0]>];
  const source: FileSource = {
    text: () => asUtf8(Readable.from([bytes]), head.encoding),
    canRepeat: true,
    path: undefined,
    async *sqlite(query) {
      let line = 0;
      for await (const rows of foreignRows(pathOf(path), query)) {
        yield rows.map((fields) => ({ line: (line += 1), fields }));
      }
    },
  };
  const { rows, flags, faults, notes } = await readAll(withFileUnits(plan, plan.routineInterval), source, {
    zone,
    ambiguous,
    elevation,
    ...(now !== undefined && { now }),
  });
  return { format: importFormat.name, plan, rows, flags, faults, notes };
}

/** Expected content of a file: the format, the number of rows, some rows, and columns that are not imported. */
export interface ExpectedImport {
  readonly format: string;
  readonly count: number;
  readonly rows: readonly ImportedRow[];
  /** Reasons why columns are not imported, by heading of the column. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /** Numbers of skipped rows, by the reason for skipping. */
  readonly passedOver?: Readonly<Record<string, number>>;
}

export function expectImport(
  read: ImportedFile,
  { format, count, rows, leftOut = {}, passedOver = {} }: ExpectedImport,
): void {
  expect(read.format).to.equal(format);
  expect(read.rows).to.have.lengthOf(count);
  for (const row of rows) expect(read.rows.find(({ line }) => line === row['line'])).to.deep.equal(row);
  const reasons = read.plan.columns.flatMap((column) =>
    column.kind === 'left out' ? [[column.heading, column.reason] as const] : [],
  );
  for (const entry of Object.entries(leftOut)) expect(reasons).to.deep.include(entry);
  expect(Object.fromEntries(read.notes.passedOver('command'))).to.deep.equal(passedOver);
}

/** Reads all rows of a file. @param plan describes the table, the times and the columns of the file */
export async function readAll(
  plan: FilePlan,
  source: FileSource,
  { zone = 'Europe/Berlin', ambiguous = 'order', elevation = null, now }: ReadOptions = {},
): Promise<Pick<ImportedFile, 'rows' | 'flags' | 'faults' | 'notes'>> {
  const reader = new TableReader(plan, {
    stationOf: (code) => code ?? 'x',
    zoneOf: () => zone,
    calendar: new TemporalCalendar(),
    ambiguous,
    elevationOf: () => elevation,
    ...(now !== undefined && { timeFault: rowTimeRule(now) }),
  });
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
