import type { Clock } from '../../ports/clock.js';
import type { ImportLog } from '../../ports/import-log.js';
import { retentionAt } from './import-retention.js';

/** Gives an import of a file a number, under which it can be undone. */
export class BeginImport {
  readonly #clock: Clock;
  readonly #log: ImportLog;

  constructor(clock: Clock, log: ImportLog) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * @param key as in `ImportLog.begin`
   * @param file its name, as shown to people
   * @returns the number, for `RecordObservations`. An import that was interrupted and continues has the same number.
   */
  async execute(key: string | undefined, file: string): Promise<number> {
    const now = this.#clock.now();
    while (await this.#log.prune(retentionAt(now)));
    return this.#log.begin(key, file, now);
  }
}
