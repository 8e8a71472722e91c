import type { FileHead } from '../files/file-head.js';
import type { FilePlan } from '../files/file-plan.js';
import type { Questions } from '../files/questions.js';

/**
 * The export of one maker of stations, one program or one weather service.
 *
 * To add a make, write a file here that exports one `Make`, and name it in `makes.ts`. A make only looks at the head of a
 * file and describes how to read it; it reads no rows. The contract:
 *
 * - `recognize` is called for every file that people import. It returns undefined unless the file is surely of this make:
 *   it tests a heading, a signature or a file name that no other make has. A test passes each real file to every make and
 *   expects one.
 * - The plan has every column of the file in its order. A column without a variable in the catalogue is left out with a
 *   reason of a few words.
 * - It guesses nothing. What the file does not say is a question (`questions.unit('wind', ['km/h', 'm/s'])`), which a person
 *   or an option answers; `recognize` then runs again with the answer. A plan is whole even while questions are open.
 * - Amounts: an interval's amount is a `value`; whatever counts on is a `counter`, or is left out. Rolling sums, and windows
 *   that overlap, are left out. Of several counters of one gauge the one that resets most rarely is taken.
 * - Stored stamps are the end of an interval. Where those of the file are its beginning, `time.interval` says so.
 * - Cells: what means "no value" is in `missing`; texts with a meaning are in `words`; what may stand behind a number is in
 *   `endings`. Every other text that is no number is told to the user, with its line and column.
 */
export interface ImportFormat {
  /** In options and documents: lower case, words joined by `-`. */
  readonly name: string;
  /** For people; also the line of the help and of docs/import.md. */
  readonly title: string;
  /** @returns undefined where the file is of another make */
  recognize(head: FileHead, questions: Questions): MadePlan | undefined;
}

/** A plan without what the list of makes adds: the title, where a make does not tell its variants apart, and the open questions. */
export type MadePlan = Omit<FilePlan, 'title' | 'questions'> & Partial<Pick<FilePlan, 'title'>>;
