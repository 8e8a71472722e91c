import type {
  DailyAggregateQuery,
  DailyAggregateStore,
  MonthRange,
  OutdatedAggregates,
} from '#application/ports/daily-aggregate-store.js';
import type { DailyAggregates, StoredDays } from '#domain/weather/summaries/daily-aggregate.js';
import { encodeDailyAggregates } from '#adapters/formats/packed/daily-aggregate-codec.js';
import {
  type DailyAggregatesBlob,
  openDailyAggregates,
  openKept,
  type PackedDays,
} from '#adapters/formats/packed/packed-days.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { StoredTable } from './daily-aggregate-operations.js';

/**
 * Opens daily aggregates as a thread has read them.
 *
 * @returns undefined for damaged daily aggregates, which are computed again from the rows
 * @throws DomainError DATA_DAMAGED if there are no such rows
 */
export function openStored({ data, isRemoved, ...place }: StoredTable): PackedDays | undefined {
  // A buffer from another thread is a plain array of bytes. In a damaged file, the value may be of another type.
  const blob = ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.length) : data;
  return (isRemoved === 1 ? openKept : openDailyAggregates)({ ...place, data: blob });
}

/** Stores daily aggregates in a SQLite data file. */
export class SqliteDailyAggregateStore implements DailyAggregateStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  expiredMonths(station: number): Promise<MonthRange | undefined> {
    return this.#database.read('expiredMonths', station);
  }

  async outdated(rules: number): Promise<readonly OutdatedAggregates[]> {
    // This method is called at every start of the service, before any reading thread has been started. `hasDailyAggregates`
    // therefore runs in the writing thread: if there are no daily aggregates, no reading thread has to be started.
    const hasTables = await this.#database.call('hasDailyAggregates');
    return hasTables ? this.#database.read('outdatedTables', rules) : [];
  }

  async find({ stations, timeZone, from, to }: DailyAggregateQuery): Promise<readonly StoredDays[]> {
    const rows = await this.#database.read('dailyAggregates', stations, timeZone, from, to);
    return rows.flatMap((row) => openStored(row) ?? []);
  }

  async put(
    station: number,
    revision: string,
    timeZone: string,
    tables: readonly DailyAggregates[],
  ): Promise<void> {
    const rows = tables.map((table): DailyAggregatesBlob => {
      const place = { station, start: table.start, end: table.end, zone: timeZone };
      return { ...place, data: encodeDailyAggregates(place, table) };
    });
    await this.#database.call('putDailyAggregates', station, revision, rows);
  }
}
