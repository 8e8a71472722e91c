import type { ImportLog, ImportRecord } from '../../ports/import-log.js';
import { type RecheckProgress, shareWithout } from '../recheck/recheck-progress.js';
import type { StationDirectory } from '../../stations/station-directory.js';

/** An import with the ids of its stations. */
export interface ListedImport extends Omit<ImportRecord, 'stations'> {
  /** Ids of the stations. A removed station appears as `number 7`. */
  readonly stations: readonly string[];
  /**
   * Estimated share of the rows whose values have their final quality flags, as in `shareWithout`. The check of a range can change flags of
   * rows near it, so it includes other rows of the stations that wait. Null if no row was changed, before the end of the import, and after an undo.
   */
  readonly checked: number | null;
}

/** Lists imports of files, and finds them by their number. */
export class ListImports {
  readonly #log: ImportLog;
  readonly #directory: StationDirectory;
  readonly #progress: RecheckProgress;

  constructor(log: ImportLog, directory: StationDirectory, progress: RecheckProgress) {
    this.#log = log;
    this.#directory = directory;
    this.#progress = progress;
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
    const numbers = new Set(records.filter(isChecked).flatMap(({ stations }) => stations));
    const waiting = await this.#progress.rowsOf(await this.#progress.pendingOf([...numbers]));
    return records.map((record) => ({
      ...record,
      checked: checkedShare(record, waiting),
      stations: record.stations.map((number) => byNumber.get(number)?.id ?? `number ${number}`),
    }));
  }
}

/** @param waiting number of rows that wait for a check, by the number of the station */
function checkedShare(record: ImportRecord, waiting: ReadonlyMap<number, number>): number | null {
  if (!isChecked(record)) return null;
  const { rows, stations } = record;
  const left = stations.reduce((sum, station) => sum + (waiting.get(station) ?? 0), 0);
  return shareWithout(left, rows);
}

/** Whether the import has rows whose quality can be final. A running import still changes its rows. */
function isChecked({ rows, endedAt, undo }: ImportRecord): boolean {
  return rows > 0 && endedAt !== null && undo === null;
}
