import { BeginImport } from '../../../application/observations/imports/begin-import.js';
import { EndImport } from '../../../application/observations/imports/end-import.js';
import type { UseCaseOf } from '../../../application/use-cases.js';
import type { Terminal } from '../terminal.js';
import { STANDARD_INPUT } from './files/source-file.js';

/** The number of an import, under which its rows are written, so that they can be taken back. */
export class ImportJournal {
  readonly #useCase: UseCaseOf;
  readonly #file: string;
  readonly #key: string | undefined;
  #number: Promise<number> | undefined;

  /** @param key identifies the import when it is continued; undefined if it cannot be */
  constructor(useCase: UseCaseOf, file: string, key: string | undefined) {
    this.#useCase = useCase;
    this.#file =
      file === STANDARD_INPUT || file.startsWith(`${STANDARD_INPUT} (`)
        ? `standard input${file.slice(1)}`
        : file;
    this.#key = key;
  }

  /** The number for `RecordObservations`. The import begins when this is first called, before its first rows. */
  number(): Promise<number> {
    this.#number ??= this.#useCase(BeginImport).execute(this.#key, this.#file);
    return this.#number;
  }

  /** Prints the number of an import that failed or was interrupted. */
  async printNumber(terminal: Terminal): Promise<void> {
    if (this.#number === undefined) return;
    const number = await this.#number;
    terminal.print(`They belong to import ${number}; "weatherd import --undo ${number}" takes them back.`);
  }

  /** Ends the import and prints its number. */
  async end(terminal: Terminal): Promise<void> {
    if (this.#number === undefined) return;
    const number = await this.#number;
    const rows = (await this.#useCase(EndImport).execute(number))?.rows ?? 0;
    terminal.print(
      rows === 0
        ? `This was import ${number}; it has changed nothing.`
        : `This was import ${number}; "weatherd import --undo ${number}" takes back its changes.`,
    );
  }
}
