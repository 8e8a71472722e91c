import type { ImportLog, ImportRecord } from '../../ports/import-log.js';
import type { StationDirectory } from '../../stations/station-directory.js';

/** An import with the ids of its stations. */
export interface ListedImport extends Omit<ImportRecord, 'stations'> {
  /** Ids of the stations. A removed station appears as `number 7`. */
  readonly stations: readonly string[];
}

/** Lists imports of files, and finds them by their number. */
export class ListImports {
  readonly #log: ImportLog;
  readonly #directory: StationDirectory;

  constructor(log: ImportLog, directory: StationDirectory) {
    this.#log = log;
    this.#directory = directory;
  }

  /** @returns at most `limit` imports, newest first */
  async execute(limit: number): Promise<readonly ListedImport[]> {
    return this.#withIds(await this.#log.list(limit));
  }

  /** @returns undefined for an unknown number */
  async find(number: number): Promise<ListedImport | undefined> {
    const record = await this.#log.find(number);
    return record && (await this.#withIds([record]))[0];
  }

  async #withIds(records: readonly ImportRecord[]): Promise<readonly ListedImport[]> {
    const { byNumber } = await this.#directory.current();
    return records.map((record) => ({
      ...record,
      stations: record.stations.map((number) => byNumber.get(number)?.id ?? `number ${number}`),
    }));
  }
}
