import { BeginImport } from '#application/observations/imports/begin-import.js';
import { EndImport } from '#application/observations/imports/end-import.js';
import type { UseCaseOf } from '#application/use-cases.js';
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
    this.#file = file === STANDARD_INPUT ? 'standard input' : file;
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

/** The journals of one command: one for each file, and one for all members of an archive, which are taken back together. */
export class ImportJournals {
  readonly #journals = new Map<string, ImportJournal>();
  readonly #left = new Map<string, number>();

  /** @param files the path of the file of each import of the command; members of an archive have the same */
  constructor(files: readonly string[]) {
    for (const file of files) this.#left.set(file, (this.#left.get(file) ?? 0) + 1);
  }

  /** @param key as in the constructor of a journal; asked for where the journal is not made yet */
  of(file: string, useCase: UseCaseOf, key: () => string | undefined): ImportJournal {
    const known = this.#journals.get(file);
    if (known !== undefined) return known;
    const journal = new ImportJournal(useCase, file, key());
    this.#journals.set(file, journal);
    return journal;
  }

  /** Ends an import of a file; the journal ends with the last one. */
  async end(file: string, terminal: Terminal): Promise<void> {
    const left = (this.#left.get(file) ?? 1) - 1;
    this.#left.set(file, left);
    if (left > 0) return;
    await this.#journals.get(file)?.end(terminal);
    this.#journals.delete(file);
  }
}
