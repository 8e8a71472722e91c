import type { FileHead } from '../files/file-head.js';
import type { FilePlan } from '../files/file-plan.js';
import type { Questions } from '../files/questions.js';

export type { FileHead, FileKind } from '../files/file-head.js';
export type {
  ColumnPlan,
  CounterColumn,
  CounterReset,
  DatabaseTable,
  FilePlan,
  FileRecord,
  FileSource,
  Layout,
  LeftOutColumn,
  PlannedColumn,
  RowCondition,
  StationPlan,
  TimePlan,
  ZonePlan,
} from '../files/file-plan.js';
export { ImportFailure } from '../files/import-failure.js';
export type { Questions } from '../files/questions.js';

/**
 * The export of one maker of stations, one program or one weather service. The package `weatherd` exports this file as
 * `weatherd/import-format` (docs/import.md).
 *
 * To add an import format to the service, write a file in this folder that exports one `ImportFormat`, and add it to
 * `import-formats.ts`; in a package the format is the default export. The suite `transport-suite/src/import-format-contract.ts`
 * tests the rules. An import format only examines the head of a file (its first lines and its name) and returns a plan, which describes how the file
 * is read. An import format reads no rows. The contract:
 *
 * - `recognize` is called for every imported file. It returns undefined unless the file certainly has this format: it tests a
 *   heading, a signature or a file name that no other import format has. A test passes each real file to every import format and
 *   expects exactly one plan.
 * - The plan has every column of the file in its order. A column without a variable of the catalogue is left out, with a reason
 *   of a few words.
 * - An import format guesses nothing. A fact that is not in the file becomes a question to the user
 *   (`questions.unit('wind', ['km/h', 'm/s'])`). After a person or an option of the command has given the answer, `recognize`
 *   runs again with the answer. A plan is complete even if questions have no answer yet.
 * - Amounts, such as rain: the amount of an interval is a `value`. A running total is a `counter`, or is left out.
 *   Rolling sums and overlapping intervals are left out. If one gauge has several running totals, only the total that returns to
 *   0 least often is read.
 * - Stored timestamps are at the end of an interval. If timestamps in the file are at the start of an interval, the plan has the
 *   length of the interval in `time.interval`.
 * - Only a layout that the service does not know (`own`) has code that reads records. It yields them while it reads, and throws
 *   `ImportFailure` for a file that cannot be read to its end.
 * - Cells: texts for an absent value are in `missing`, texts with a meaning in `words`, and texts that may follow a number in
 *   `endings`. Every other text that is not a number is reported to the user, with its line and column.
 */
export interface ImportFormat {
  /** The name in options and documents: lower case, words joined by `-`. */
  readonly name: string;
  /** The title for people, which is also in the help of the command and in docs/import.md. */
  readonly title: string;
  /** @returns undefined if the file has another format */
  recognize(head: FileHead, questions: Questions): RecognizedPlan | undefined;
}

/**
 * A plan (the description of how a file is read) without two parts, which `recognize` of `import-formats.ts` adds: the open
 * questions, and the title if the format has no variants.
 */
export type RecognizedPlan = Omit<FilePlan, 'title' | 'questions'> & Partial<Pick<FilePlan, 'title'>>;
