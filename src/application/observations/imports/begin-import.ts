import type { Clock } from '../../ports/clock.js';
import type { ImportLog } from '../../ports/import-log.js';
import { retentionAt } from './import-retention.js';

/** Assigns a number to an import of a file. The import can be undone by this number. */
export class BeginImport {
  readonly #clock: Clock;
  readonly #log: ImportLog;

  constructor(clock: Clock, log: ImportLog) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * @param key as in `ImportLog.begin`
   * @param file name of the file, as shown to people
   * @returns the number of the import, which `RecordObservations` needs. A continued import keeps its number.
   */
  async execute(key: string | undefined, file: string): Promise<number> {
    const now = this.#clock.now();
    while (await this.#log.prune(retentionAt(now)));
    return this.#log.begin(key, file, now);
  }
}
