import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ImportLog } from '#application/ports/import-log.js';
import type { Station } from '#domain/weather/station.js';

/** Which lines progress counts. Another number makes the imports of earlier versions begin anew: doing it again changes nothing. */
const LINES = 2;

/** The progress of an import, stored in the database into which it writes, so that the next attempt continues from there. */
export class ImportProgress {
  /** Identifies the import. */
  readonly key: string;
  readonly #log: ImportLog;

  /**
   * @param options everything that makes another import of the same file
   * @param stations that the rows may go to, by the names that the file has for them. A station that was removed and made
   *   again has another number, and its rows have to be written again; so have those of a name that is now another station's
   */
  constructor(
    log: ImportLog,
    source: string,
    options: unknown,
    stations: readonly (readonly [name: string, number: Station['number']])[],
  ) {
    const path = resolve(source);
    const { size, mtimeMs } = statSync(path);
    const key = JSON.stringify([LINES, path, size, mtimeMs, options, stations]);
    this.#log = log;
    this.key = createHash('sha256').update(key).digest('hex');
  }

  /** The last line that has been dealt with; 0 at the beginning. */
  read(): Promise<number> {
    return this.#log.lastLine(this.key);
  }

  write(line: number): Promise<void> {
    return this.#log.note(this.key, line);
  }

  remove(): Promise<void> {
    return this.#log.forget(this.key);
  }
}
