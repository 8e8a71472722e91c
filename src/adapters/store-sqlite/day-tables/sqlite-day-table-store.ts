import type {
  DayTableQuery,
  DayTableStore,
  MonthRange,
  OutdatedTables,
} from '#application/ports/day-table-store.js';
import type { DayTable, StoredDays } from '#domain/weather/summaries/day-table.js';
import { encodeDayTable } from '#adapters/formats/packed/day-table-codec.js';
import { type DayTableBlob, openDayTable, openKept } from '#adapters/formats/packed/packed-days.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Keeps tables of days in a SQLite data file. */
export class SqliteDayTableStore implements DayTableStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  removedMonths(station: number): Promise<MonthRange | undefined> {
    return this.#database.read('removedMonths', station);
  }

  async outdated(rules: number): Promise<readonly OutdatedTables[]> {
    // Asked at every start: a new service begins without a thread that reads.
    const hasTables = await this.#database.call('hasDayTables');
    return hasTables ? this.#database.read('outdatedTables', rules) : [];
  }

  async find({ stations, timeZone, from, to }: DayTableQuery): Promise<readonly StoredDays[]> {
    const rows = await this.#database.read('dayTables', stations, timeZone, from, to);
    return rows.flatMap(({ data, isRemoved, ...place }) => {
      const blob = Buffer.from(data.buffer, data.byteOffset, data.length);
      return (isRemoved === 1 ? openKept : openDayTable)({ ...place, data: blob }) ?? [];
    });
  }

  async put(station: number, revision: string, timeZone: string, tables: readonly DayTable[]): Promise<void> {
    const rows = tables.map((table): DayTableBlob => {
      const place = { station, start: table.start, end: table.end, zone: timeZone };
      return { ...place, data: encodeDayTable(place, table) };
    });
    await this.#database.call('putDayTables', station, revision, rows);
  }
}
