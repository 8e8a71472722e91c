import type { ImportLog, ImportRecord } from '../../ports/import-log.js';
import type { StationDirectory } from '../../stations/station-directory.js';

/** An import with the ids of its stations. */
export interface ListedImport extends Omit<ImportRecord, 'stations'> {
  /** Ids of the stations. A removed station appears as `number 7`. */
  readonly stations: readonly string[];
}

/** Lists imports of files. */
export class ListImports {
  readonly #log: ImportLog;
  readonly #directory: StationDirectory;

  constructor(log: ImportLog, directory: StationDirectory) {
    this.#log = log;
    this.#directory = directory;
  }

  /** @returns at most `limit` imports, newest first */
  async execute(limit: number): Promise<readonly ListedImport[]> {
    const records = await this.#log.list(limit);
    const { byNumber } = await this.#directory.current();
    return records.map((record) => ({
      ...record,
      stations: record.stations.map((number) => byNumber.get(number)?.id ?? `number ${number}`),
    }));
  }
}
