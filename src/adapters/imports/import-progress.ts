import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ImportLog } from '#application/ports/import-log.js';
import type { Station } from '#domain/weather/station.js';

/**
 * Version of the way in which lines are counted. After a change of the version, interrupted imports start again from the first
 * line. They then write the same rows once more, which changes nothing.
 */
const LINES = 2;

/** The progress of an import. It is stored in the database of the rows, so that the next attempt can continue. */
export class ImportProgress {
  /** Identifies the import. */
  readonly key: string;
  readonly #log: ImportLog;

  /**
   * @param options all options that would make a different import of the same file
   * @param stations the name of each station in the file, and the number of the station in the service. If one of these numbers
   *   has changed, the import starts again from the first line. A number changes if a station is removed and created again, or
   *   if its name now belongs to another station
   */
  constructor(
    log: ImportLog,
    source: string,
    options: unknown,
    stations: readonly (readonly [name: string, number: Station['number']])[],
  ) {
    const path = resolve(source);
    const { size, mtimeMs } = statSync(path);
    const key = canonical([LINES, path, size, mtimeMs, options, stations]);
    this.#log = log;
    this.key = createHash('sha256').update(key).digest('hex');
  }

  /** The last line that was processed; 0 at the start. */
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

/**
 * JSON with the fields of objects in the order of their names, and without fields that are empty lists. So the order in which options were
 * given, and an option of a later version that is not used, do not make another import.
 */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part !== 'object' || part === null || Array.isArray(part)
      ? part
      : Object.fromEntries(
          Object.entries(part)
            .filter(([, field]) => !(Array.isArray(field) && field.length === 0))
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ),
  );
}
