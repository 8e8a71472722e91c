import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileHead } from '#adapters/formats/files/file-head.js';
import type { ImportFormat } from '#adapters/formats/import-formats/import-format.js';
import { IMPORT_FORMATS, recognize } from '#adapters/formats/import-formats/import-formats.js';
import { type ExampleFile, importFormatRules } from '#transport-suite/import-format-contract.js';
import { headOf } from '../../../support/imported.js';

const FOLDER = fileURLToPath(new URL('../../../../../test/fixtures/imports/', import.meta.url));

/**
 * Lines of fixtures with a value outside the gross limits: values that failed a check of NOAA, rows that were changed by hand in
 * the database of WeeWX, and an example of the manual of Meteohub.
 */
const UNLIKELY: Readonly<Record<string, readonly number[]>> = {
  'simulator.sdb': [5, 6],
  'synthetic-raw.txt': [1],
  'synthetic-station.csv': [3],
  'synthetic-year.csv': [6],
  'synthetic.dly': [1],
};

/** The answers of files whose right answer is not the first choice. */
const ANSWERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'sitka_weather_2021_full.csv': { 'unit:temperature': '°F' },
};

/** The first answers to all questions of a format about a file. */
function firstAnswers(format: ImportFormat, head: FileHead): Readonly<Record<string, string>> {
  const questions = recognize(head, new Map(), [format])?.plan.questions ?? [];
  return Object.fromEntries(questions.map(({ key, choices }) => [key, choices[0] ?? '']));
}

/** All fixtures, by the name of the format that recognizes them. */
function filesByFormat(): ReadonlyMap<string, readonly (readonly [path: string, head: FileHead])[]> {
  const entries = readdirSync(FOLDER, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const head = headOf(path);
      return [recognize(head, new Map(), IMPORT_FORMATS)?.importFormat.name, path, head] as const;
    });
  return new Map(
    IMPORT_FORMATS.map(({ name }) => [
      name,
      files.flatMap(([format, path, head]) => (format === name ? [[path, head] as const] : [])),
    ]),
  );
}

describe('the rules of import formats', () => {
  const files = filesByFormat();
  for (const format of IMPORT_FORMATS) {
    const own = files.get(format.name) ?? [];
    describe(format.name, () =>
      importFormatRules(
        () => Promise.resolve(format),
        own.map(([path, head]): ExampleFile => ({
          file: path,
          rows: [],
          answers: { ...firstAnswers(format, head), ...ANSWERS[basename(path)] },
          unlikely: UNLIKELY[basename(path)] ?? [],
        })),
        () =>
          Promise.resolve(
            [...files].flatMap(([name, all]) => (name === format.name ? [] : all.map(([, head]) => head))),
          ),
      ),
    );
  }
});
