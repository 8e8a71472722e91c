import type { Clock } from '../../ports/clock.js';
import type { ImportLog, ImportRecord } from '../../ports/import-log.js';

/** Ends an import that has written all of its rows. */
export class EndImport {
  readonly #clock: Clock;
  readonly #log: ImportLog;

  constructor(clock: Clock, log: ImportLog) {
    this.#clock = clock;
    this.#log = log;
  }

  /** @returns undefined if the record has been deleted meanwhile */
  async execute(number: number): Promise<ImportRecord | undefined> {
    await this.#log.end(number, this.#clock.now());
    return this.#log.find(number);
  }
}
