import type { DayTableQuery, DayTableStore } from '../../../application/ports/day-table-store.js';
import type { DayTable, StoredDays } from '../../../domain/weather/summaries/day-table.js';
import { type DayTableBlob, encodeDayTable, openDayTable } from '../../formats/packed/day-table-codec.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { BlockStates } from '../observations/block-states.js';
import { blockOf, lockForWriting, type OpenBlock, openBlocks } from '../observations/blocks.js';
import { RunCache } from '../observations/run-cache.js';
import { tuples } from '../observations/tuples.js';

/** Keeps tables of days in a PostgreSQL database. */
export class PostgresDayTableStore implements DayTableStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async find({ stations, timeZone, from, to }: DayTableQuery): Promise<readonly StoredDays[]> {
    const { rows } = await this.#database.read<DayTableBlob & { readonly station: number }>(
      `SELECT station, start, "end", data FROM weatherd.day_table
       WHERE block = ANY($1) AND station = ANY($2) AND start >= $3 AND "end" <= $4 AND zone = $5
       ORDER BY station, start`,
      [[...new Set(stations.map(blockOf))], [...stations], from, to, timeZone],
    );
    return rows.flatMap(({ station, ...blob }) => openDayTable(station, blob) ?? []);
  }

  async put(station: number, revision: string, timeZone: string, tables: readonly DayTable[]): Promise<void> {
    if (tables.length === 0) return;
    const block = blockOf(station);
    await this.#database.transaction(async (query) => {
      // No writer can change the rows until the tables are there for it to drop.
      await lockForWriting(query, [block]);
      const open = await openBlocks(query, [block], new RunCache());
      const [state] = await new BlockStates().read(query, [station], open);
      const { damage } = open.get(block) as OpenBlock;
      if (damage.length > 0 || String(state?.revision) !== revision) return;
      const rows = tables.map((table) => [
        block,
        station,
        table.start,
        table.end,
        timeZone,
        encodeDayTable(table),
      ]);
      for (const [values, parameters] of tuples(rows))
        await query(
          `INSERT INTO weatherd.day_table (block, station, start, "end", zone, data) VALUES ${values}
           ON CONFLICT (block, station, start)
           DO UPDATE SET "end" = excluded."end", zone = excluded.zone, data = excluded.data`,
          parameters,
        );
      const last = Math.max(...tables.map(({ end }) => end));
      await query('UPDATE weatherd.block SET tables_end = greatest(tables_end, $2) WHERE block = $1', [
        block,
        last,
      ]);
    });
  }
}
