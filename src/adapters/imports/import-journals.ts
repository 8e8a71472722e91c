import { BeginImport } from '#application/observations/imports/begin-import.js';
import { EndImport } from '#application/observations/imports/end-import.js';
import type { UseCaseOf } from '#application/use-cases.js';

/** An import that has ended. */
export interface EndedJournal {
  readonly number: number;
  /** Number of inserted or changed rows. */
  readonly rows: number;
}

/**
 * Starts and ends an import in the database. Each import has a number, under which its rows are written, so that the import can
 * be undone.
 */
export class ImportJournal {
  readonly #useCase: UseCaseOf;
  readonly #file: string;
  readonly #key: string | undefined;
  #number: Promise<number> | undefined;

  /**
   * Creates the journal of a file.
   *
   * @param file the name of the file, as shown to people
   * @param key identifies the import when it is continued; undefined if it cannot be continued
   */
  constructor(useCase: UseCaseOf, file: string, key: string | undefined) {
    this.#useCase = useCase;
    this.#file = file;
    this.#key = key;
  }

  /**
   * Returns the number of the import, under which `RecordObservations` writes the rows. The first call, which comes before the
   * first rows, starts the import.
   */
  number(): Promise<number> {
    this.#number ??= this.#useCase(BeginImport).execute(this.#key, this.#file);
    return this.#number;
  }

  /** The number of the import; undefined if it has not started. */
  async startedNumber(): Promise<number | undefined> {
    return this.#number;
  }

  /** Ends the import. @returns undefined if it has not started */
  async end(): Promise<EndedJournal | undefined> {
    if (this.#number === undefined) return undefined;
    const number = await this.#number;
    return { number, rows: (await this.#useCase(EndImport).execute(number))?.rows ?? 0 };
  }
}

/** The journals of imports that belong together: one for each file, and one for all members of an archive, which are undone together. */
export class ImportJournals {
  readonly #journals = new Map<string, ImportJournal>();
  readonly #remaining = new Map<string, number>();

  /** @param files the path of each file; the members of an archive have the same path */
  constructor(files: readonly string[]) {
    for (const file of files) this.#remaining.set(file, (this.#remaining.get(file) ?? 0) + 1);
  }

  /**
   * Returns the journal of a file. The first call for the file creates the journal.
   *
   * @param name the name of the file, as shown to people
   * @param key returns the key for the constructor of the journal; called only by the first call
   */
  of(file: string, name: string, useCase: UseCaseOf, key: () => string | undefined): ImportJournal {
    const known = this.#journals.get(file);
    if (known !== undefined) return known;
    const journal = new ImportJournal(useCase, name, key());
    this.#journals.set(file, journal);
    return journal;
  }

  /**
   * Must be called at the end of each import of a file. At the last import of the file (the last member of an archive) the
   * journal ends.
   */
  async end(file: string): Promise<EndedJournal | undefined> {
    const remaining = (this.#remaining.get(file) ?? 1) - 1;
    this.#remaining.set(file, remaining);
    if (remaining > 0) return undefined;
    const ended = await this.#journals.get(file)?.end();
    this.#journals.delete(file);
    return ended;
  }
}
