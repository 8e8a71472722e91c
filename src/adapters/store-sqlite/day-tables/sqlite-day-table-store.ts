import type { DayTableQuery, DayTableStore, MonthRange } from '../../../application/ports/day-table-store.js';
import type { DayTable } from '../../../domain/weather/summaries/day-table.js';
import { encodeDayTable, openDayTable } from '../../formats/packed/day-table-codec.js';
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

  async find({ station, timeZone, from, to, variables }: DayTableQuery): Promise<readonly DayTable[]> {
    const rows = await this.#database.read('dayTables', station, timeZone, from, to);
    const wanted = variables && new Set(variables);
    return rows.flatMap(({ start, end, data }) => openDayTable(Buffer.from(data), start, end, wanted) ?? []);
  }

  async put(station: number, revision: string, timeZone: string, tables: readonly DayTable[]): Promise<void> {
    const rows = tables.map((table) => ({ start: table.start, end: table.end, data: encodeDayTable(table) }));
    await this.#database.call('putDayTables', station, revision, timeZone, rows);
  }
}
