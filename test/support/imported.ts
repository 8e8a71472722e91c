import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type FileHead, fileHead, HEAD_BYTES } from '#adapters/formats/files/file-head.js';
import type { FilePlan } from '#adapters/formats/files/file-plan.js';
import type { Answers } from '#adapters/formats/files/questions.js';
import { withFileUnits } from '#adapters/formats/files/read-as.js';
import type { Ambiguous } from '#adapters/formats/tables/time-order.js';
import { IMPORT_FORMATS, recognize } from '#adapters/formats/import-formats/import-formats.js';
import { foreignTables } from '#adapters/store-sqlite/database/foreign-file.js';
import { type ImportedRow, readAll, type ReadFile, sourceOf } from '#transport-suite/read-file.js';

const FIXTURES = new URL('../../../test/fixtures/imports/', import.meta.url);

export { type ImportedRow, readAll };

export interface ImportedFile extends ReadFile {
  readonly format: string;
  readonly plan: FilePlan;
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
  const source = sourceOf(head, () => Readable.from([bytes]), pathOf(path));
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
