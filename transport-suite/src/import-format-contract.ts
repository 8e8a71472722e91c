import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve as resolvePath } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { FileHead } from '../../src/adapters/formats/files/file-head.js';
import type { FilePlan } from '../../src/adapters/formats/files/file-plan.js';
import { withFileUnits } from '../../src/adapters/formats/files/read-as.js';
import { textOf } from '../../src/adapters/formats/files/sentences.js';
import type { ImportFormat } from '../../src/adapters/formats/import-formats/import-format.js';
import { IMPORT_FORMATS, recognize } from '../../src/adapters/formats/import-formats/import-formats.js';
import { DomainError } from '../../src/domain/domain-error.js';
import { unitsOf } from '../../src/domain/weather/units.js';
import { variableNamed } from '../../src/domain/weather/variables.js';
import { headOfFile, type ImportedRow, readAll, sourceOf, tableReader } from './read-file.js';

/** A real file of the format. */
export interface ExampleFile {
  /** The file: a path relative to the working directory, or a file URL. It has at most 64 KiB. */
  readonly file: string | URL;
  /**
   * Some rows as the import stores them, each with its line (from 1), its time in UTC, and all its values in stored units:
   * `{ line: 2, time: '2024-06-01T10:05:00Z', air_temperature: 20.6 }`. A row of a file that names stations has `station` too.
   */
  readonly rows: readonly ImportedRow[];
  /** Answers to the questions of the format, by their keys: `{ 'unit:wind': 'km/h' }`. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Lines with a value outside the gross limits of its variable. The import stores such a value with a flag. */
  readonly unlikely?: readonly number[];
  /** Time zone of the station; UTC by default. */
  readonly timeZone?: string;
}

/** The start of files that belong to no format of a package, by name. */
const OTHER_FILES: Readonly<Record<string, string>> = {
  'empty.csv': '',
  'blank.txt': '\n\n',
  'zeros.bin': '\0\0\0\0',
  'letter.txt': 'Dear all,\nthe weather is fine.\n',
  'page.html': '<!doctype html>\n<html><body>Not found</body></html>\n',
  'object.json': '{}',
  'list.json': '[{"time":"2024-06-01T10:00:00Z","value":1}]\n',
  'table.csv': 'time,air_temperature\n2024-06-01T10:00:00Z,12.5\n2024-06-01T10:10:00Z,12.6\n',
  'numbers.csv': 'a;b;c\n1;2;3\n4;5;6\n',
};

/**
 * Declares the mocha suite that tests the rules for an import format (docs/import.md). The title of each test is a rule.
 *
 * @param module the module whose default export is the format: a path relative to the working directory, or a file URL
 * @param files real files of the format, with some of their rows
 */
export function importFormatContract(module: string | URL, files: readonly ExampleFile[]): void {
  const url = module instanceof URL ? module.href : pathToFileURL(resolvePath(module)).href;
  describe(`import format › ${url.split('/').at(-1)}`, () =>
    importFormatRules(async () => ((await import(url)) as { default: ImportFormat }).default, files));
}

interface Example extends ExampleFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly head: FileHead;
  readonly plan: FilePlan;
  readonly read: Awaited<ReturnType<typeof readAll>>;
}

/**
 * Declares the tests of the rules inside a mocha suite of the caller.
 *
 * @param load returns the format
 * @param others heads of further files that the format must not recognize
 */
export function importFormatRules(
  load: () => Promise<ImportFormat>,
  files: readonly ExampleFile[],
  others: () => Promise<readonly FileHead[]> = () => Promise.resolve([]),
): void {
  let format: ImportFormat;
  let folder: string;
  const examples: Example[] = [];

  before('the format recognizes its files and reads them', async () => {
    folder = mkdtempSync(join(tmpdir(), 'weatherd-import-format-'));
    format = await load();
    for (const file of files) {
      const path = file.file instanceof URL ? fileURLToPath(file.file) : resolvePath(file.file);
      const bytes = readFileSync(path);
      const head = await headOfFile(basename(path), bytes, path);
      const found = recognize(head, answersOf(file), [format]);
      if (found === undefined) throw new Error(`The format does not recognize ${path}.`);
      const { plan } = found;
      expect(plan.questions, `questions about ${path}: give their answers`).to.deep.equal([]);
      const example = { ...file, path, bytes, head, plan: withFileUnits(plan, plan.routineInterval) };
      examples.push({ ...example, read: await readPieces(example, [bytes]) });
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  const readPieces = async (
    { plan, head, path, timeZone = 'UTC' }: Pick<Example, 'plan' | 'head' | 'path' | 'timeZone'>,
    pieces: Iterable<Uint8Array>,
  ) =>
    readAll(
      plan,
      sourceOf(head, () => inTurn(pieces), path),
      { zone: timeZone },
    );

  /** Reads other content under the plan of the file. @returns undefined if the format refuses the content with a sentence */
  const readOther = async (example: Example, content: Buffer) => {
    const path = join(folder, basename(example.path));
    writeFileSync(path, content);
    try {
      return await readPieces({ ...example, path }, [content]);
    } catch (error) {
      assertSentence(error);
      return undefined;
    }
  };

  it('has a name and a title of its own', () => {
    expect(format.name).to.match(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);
    expect(format.title).to.be.a('string').and.not.equal('');
    const same = IMPORT_FORMATS.filter(({ name }) => name === format.name);
    expect(same.filter((one) => one !== format)).to.deep.equal([]);
  });

  it('is the only format that recognizes its files', () => {
    for (const { head, path } of examples) {
      const found = IMPORT_FORMATS.filter(
        (other) => other.name !== format.name && recognize(head, new Map(), [other]) !== undefined,
      );
      expect(
        found.map(({ name }) => name),
        path,
      ).to.deep.equal([]);
    }
  });

  it('recognizes no other file, and fails with none', async () => {
    const heads = Object.entries(OTHER_FILES).map(([name, text]) => headOfFile(name, Buffer.from(text)));
    for (const head of [...(await Promise.all(heads)), ...(await others())])
      expect(recognize(head, new Map(), [format]), head.name).to.equal(undefined);
    // Only the beginning of a file tells its format, so a short one gives no plan or a plan, but never a defect.
    for (const { bytes, path, head } of examples)
      for (const end of cutsOf(bytes)) {
        const cut = await headOfFile(basename(path), bytes.subarray(0, end));
        recognize({ ...cut, tables: head.tables }, new Map(), [format]);
      }
  });

  it('describes its columns with known variables, accepted units and reasons', () => {
    for (const { plan } of examples) {
      expect(plan.columns).not.to.deep.equal([]);
      for (const column of plan.columns) {
        expect(Number.isInteger(column.at) && column.at >= 0, `position of ${column.heading}`).to.equal(true);
        if (column.kind === 'left out') {
          expect(textOf(column.reason, 'command'), `reason of ${column.heading}`).not.to.equal('');
          continue;
        }
        const variable = variableNamed(column.variable);
        if (variable === undefined) throw new Error(`There is no variable ${column.variable}.`);
        const unit = column.readAs?.unit ?? column.unit;
        expect(unitsOf(variable), `unit of ${column.heading}`).to.include(unit);
        if (column.kind === 'counter')
          expect(variable.aggregation, `${column.heading} is a counter`).to.equal('sum');
      }
    }
  });

  it('reads the rows that its files have, with all their values and no other', () => {
    for (const { rows, read, plan, path } of examples) {
      const isRead = plan.columns.some(({ kind }) => kind !== 'left out');
      if (isRead) expect(read.rows, path).not.to.deep.equal([]);
      for (const row of rows) {
        const { line, time, station = 'x' } = row;
        const found = read.rows.filter((one) => one['line'] === line && one['time'] === time);
        expect(found, `line ${line} at ${time}`).to.deep.equal([{ station, ...row }]);
      }
    }
  });

  it('has times in whole seconds, and values that can occur', () => {
    for (const { read, unlikely = [] } of examples)
      for (const { line, station: _, time, ...values } of read.rows) {
        expect(Number.isInteger(Date.parse(String(time)) / 1000), `line ${line}: ${time}`).to.equal(true);
        if (unlikely.includes(line as number)) continue;
        for (const [name, value] of Object.entries(values)) {
          const { min = 0, max = 0, perMinute } = variableNamed(name)?.limits ?? {};
          expect(value, `line ${line}: ${name}`).to.be.within(min, perMinute === true ? Infinity : max);
        }
      }
  });

  it('reads the same rows whatever pieces a file arrives in', async () => {
    for (const example of examples.filter(({ head }) => head.kind === 'text'))
      for (const size of [1, 7, 1000])
        expect(
          (await readPieces(example, piecesOf(example.bytes, size))).rows,
          `${size} bytes`,
        ).to.deep.equal(example.read.rows);
  });

  it('reads only values of the file if the digits of a line are damaged', async () => {
    for (const example of examples.filter(({ head }) => head.kind === 'text')) {
      for (const line of spread(linesOf(example))) {
        const content = withLine(example.bytes, line, (text) => text.replaceAll(/\d/g, '?'));
        const read = await readOther(example, content);
        assertFrom(example, read?.rows ?? [], `line ${line} was damaged`);
      }
    }
  });

  it('reads a file that was cut as far as it goes, or refuses it with a sentence', async () => {
    for (const example of examples) {
      for (const end of cutsOf(example.bytes)) {
        const read = await readOther(example, example.bytes.subarray(0, end));
        const last = read?.rows.at(-1)?.['line'];
        // The end of the last line may be missing, and with it the end of a number.
        const rows = (read?.rows ?? []).filter((row) => row['line'] !== last);
        assertFrom(example, rows, `the file was cut at byte ${end}`);
      }
    }
  });

  it('keeps no rows in memory while it reads a long file', async function () {
    this.timeout(60_000);
    // The service itself reads the rows of all other layouts.
    const example = examples.find(
      (one) => one.plan.layout.kind === 'own' && one.head.kind === 'text' && linesOf(one).length > 1,
    );
    if (example === undefined) return this.skip();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used: number[] = [];
    const reader = tableReader(example.plan, { zone: example.timeZone ?? 'UTC' });
    const chunks = reader.chunks(
      sourceOf(example.head, () => inTurn(longFile(example, collect, used)), example.path),
    );
    try {
      while ((await chunks.next()).done !== true);
    } catch (error) {
      // A format that needs the whole file refuses a long one, or one whose rows stand twice.
      assertSentence(error);
      return;
    }
    // The rows that are read together add some MB now and then, so the smallest memory of each half of the file counts.
    const half = Math.floor(used.length / 2);
    const growth = Math.min(...used.slice(half)) - Math.min(...used.slice(0, half));
    expect(growth, 'bytes').to.be.lessThan(LONG / 4);
  });
}

/** Bytes of the long file. */
const LONG = 3 * 2 ** 20;
/** How often the used memory is measured while the long file is read. */
const MEASURED = 5;

/** Repeats the rows of a file, and writes down the used memory. @param collect frees what is not used */
function* longFile(example: Example, collect: () => void, used: number[]): Generator<Uint8Array> {
  const { bytes } = example;
  const lines = linesOf(example);
  const [from, to] = [startOf(bytes, lines[0] as number), startOf(bytes, (lines.at(-1) as number) + 1)];
  yield bytes.subarray(0, from);
  const rows = bytes.subarray(from, to);
  const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / rows.length) }, () => rows));
  for (let sent = 0; sent < LONG; sent += block.length) {
    if (sent >= ((used.length + 1) * LONG) / MEASURED) {
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      used.push(heapUsed + arrayBuffers);
    }
    yield block;
  }
}

const answersOf = ({ answers = {} }: ExampleFile) => new Map(Object.entries(answers));

/** The lines of the rows of a file, each once. */
function linesOf({ read }: Pick<Example, 'read'>): number[] {
  return [...new Set(read.rows.map(({ line }) => line as number))];
}

/** Up to 12 of many, at equal distances. */
function spread<T>(all: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(all.length / 12));
  return all.filter((_, index) => index % step === 0);
}

function cutsOf(bytes: Uint8Array): number[] {
  return [
    ...Array.from({ length: 24 }, (_, index) => Math.floor((bytes.length * index) / 24)),
    bytes.length - 1,
  ];
}

/** The byte at which a line starts. @param line from 1 */
function startOf(bytes: Uint8Array, line: number): number {
  let at = 0;
  for (let number = 1; number < line && at !== -1; number += 1) at = bytes.indexOf(0x0a, at) + 1 || -1;
  return at === -1 ? bytes.length : at;
}

function withLine(bytes: Buffer, line: number, change: (text: string) => string): Buffer {
  const [from, to] = [startOf(bytes, line), startOf(bytes, line + 1)];
  const changed = Buffer.from(change(bytes.toString('latin1', from, to)), 'latin1');
  return Buffer.concat([bytes.subarray(0, from), changed, bytes.subarray(to)]);
}

/** Asserts that the whole file has all values of the rows, at the same time and station. */
function assertFrom({ plan, read: whole }: Example, rows: readonly ImportedRow[], what: string): void {
  // The amount of a running total depends on the rows beside its own.
  const counters = new Set(plan.columns.flatMap((one) => (one.kind === 'counter' ? [one.variable] : [])));
  const known = new Map<string, ImportedRow[]>();
  for (const row of whole.rows) known.set(keyOf(row), [...(known.get(keyOf(row)) ?? []), row]);
  for (const row of rows) {
    const values = Object.entries(row).filter(([name]) => name !== 'line' && !counters.has(name));
    const isKnown = (known.get(keyOf(row)) ?? []).some((one) =>
      values.every(([name, value]) => one[name] === value),
    );
    expect(isKnown, `${what}, and this row is new: ${JSON.stringify(row)}`).to.equal(true);
  }
}

const keyOf = ({ station, time }: ImportedRow) => `${station} ${time}`;

function piecesOf(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

async function* inTurn(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** @throws the error if it is a defect, and no sentence for people */
function assertSentence(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
  expect(error.message).to.match(/^\S[^\n]*\.$/);
}
