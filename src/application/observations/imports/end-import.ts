import type { Clock } from '../../ports/clock.js';
import type { ImportLog, ImportRecord } from '../../ports/import-log.js';

/** Ends an import after all its rows have been written. */
export class EndImport {
  readonly #clock: Clock;
  readonly #log: ImportLog;

  constructor(clock: Clock, log: ImportLog) {
    this.#clock = clock;
    this.#log = log;
  }

  /** @returns the record of the import; undefined if the record was deleted in the meantime */
  async execute(number: number): Promise<ImportRecord | undefined> {
    await this.#log.end(number, this.#clock.now());
    return this.#log.find(number);
  }
}
