import type {
  DailyAggregateQuery,
  DailyAggregateStore,
  MonthRange,
  OutdatedAggregates,
} from '#application/ports/daily-aggregate-store.js';
import type { DailyAggregates, StoredDays } from '#domain/weather/summaries/daily-aggregate.js';
import {
  encodeDailyAggregates,
  RULES_OFFSET,
  rulesMark,
  VERSION_MARK,
  VERSION_OFFSET,
} from '#adapters/formats/packed/daily-aggregate-codec.js';
import {
  type DailyAggregatesBlob,
  openDailyAggregates,
  openKept,
} from '#adapters/formats/packed/packed-days.js';
import { type JoinedState, revisionOf } from '#adapters/packed-store/days/joined-states.js';
import { lastExpired } from '#adapters/store/daily-aggregates/keep-months.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { runOver } from '../database/statements.js';
import { BlockStates } from '../observations/block-states.js';
import { blockOf, lockForWriting, type OpenBlock, openBlocks } from '../observations/blocks.js';
import { RunCache } from '../observations/run-cache.js';
import { tuples } from '../observations/tuples.js';

/** Stores daily aggregates in a PostgreSQL database. */
export class PostgresDailyAggregateStore implements DailyAggregateStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async expiredMonths(station: number): Promise<MonthRange | undefined> {
    const { rows } = await this.#database.read<{ from: number | null; to: number | null }>(
      'SELECT min(month_start) AS "from", max(month_end) AS "to" FROM weatherd.removed_month WHERE station = $1',
      [station],
    );
    const { from = null, to = null } = rows[0] ?? {};
    return from === null || to === null ? undefined : { from, to };
  }

  async outdated(rules: number): Promise<readonly OutdatedAggregates[]> {
    const { rows } = await this.#database.read<OutdatedAggregates>(
      `SELECT station, count(*)::integer AS count, min(start) AS "from", max("end") AS "to" FROM weatherd.day_table
       WHERE substring(data FROM ${VERSION_OFFSET + 1} FOR 4) <> $1 OR substring(data FROM ${RULES_OFFSET + 1} FOR 4) <> $2
       GROUP BY station ORDER BY station`,
      [VERSION_MARK, rulesMark(rules)],
    );
    return rows;
  }

  async find({ stations, timeZone, from, to }: DailyAggregateQuery): Promise<readonly StoredDays[]> {
    // The two tables are read by two statements, because `day_table` may be distributed over several servers, and `removed_month`
    // is never distributed. The statement for `removed_month` is the second one: if a month moves from `day_table` to
    // `removed_month` between the statements, it is still found.
    const { rows: kept } = await this.#database.read<DailyAggregatesBlob>(
      `SELECT station, start, "end", zone, data FROM weatherd.day_table
       WHERE block = ANY($1) AND station = ANY($2) AND start >= $3 AND "end" <= $4 AND zone = $5`,
      [[...new Set(stations.map(blockOf))], [...stations], from, to, timeZone],
    );
    const { rows: removed } = await this.#database.read<DailyAggregatesBlob>(
      `SELECT station, month_start AS start, month_end AS "end", zone, data FROM weatherd.removed_month
       WHERE station = ANY($1) AND month_start >= $2 AND month_end <= $3 AND zone = $4`,
      [[...stations], from, to, timeZone],
    );
    const expired = new Set(removed);
    const found = new Map([...kept, ...removed].map((row) => [`${row.station} ${row.start}`, row]));
    const sorted = [...found.values()].sort((a, b) => a.station - b.station || a.start - b.start);
    return sorted.flatMap((table) =>
      expired.has(table) ? openKept(table) : (openDailyAggregates(table) ?? []),
    );
  }

  async put(
    station: number,
    revision: string,
    timeZone: string,
    tables: readonly DailyAggregates[],
  ): Promise<void> {
    if (tables.length === 0) return;
    const block = blockOf(station);
    await this.#database.transaction(async (query) => {
      // With the lock, no writer can change the rows before the daily aggregates are stored. A writer that changes these rows
      // later drops the daily aggregates again.
      await lockForWriting(query, [block]);
      const open = await openBlocks(query, [block], new RunCache());
      const { damage, last: run } = open.get(block) as OpenBlock;
      const states = await new BlockStates().readBoth(query, [station], open);
      if (run === 0 || damage.length > 0 || String(revisionOf(states[0] as JoinedState)) !== revision) return;
      // An expired month is a month whose rows were removed because of their age. Its daily aggregates are in another table
      // already, so they are not stored here.
      const removed = await runOver(query, lastExpired(station));
      const kept = tables.filter(({ end }) => end > removed);
      const rows = kept.map((table) => [
        block,
        station,
        table.start,
        table.end,
        timeZone,
        encodeDailyAggregates({ station, start: table.start, end: table.end, zone: timeZone }, table),
      ]);
      for (const [values, parameters] of tuples(rows))
        await query(
          `INSERT INTO weatherd.day_table (block, station, start, "end", zone, data) VALUES ${values}
           ON CONFLICT (block, station, start)
           DO UPDATE SET "end" = excluded."end", zone = excluded.zone, data = excluded.data`,
          parameters,
        );
      const last = Math.max(...tables.map(({ end }) => end));
      const { rowCount } = await query(
        'UPDATE weatherd.block SET tables_end = greatest(tables_end, $2) WHERE block = $1 AND last = $3',
        [block, last, run],
      );
      // If no row was updated, the block has a run (packed rows of one commit) that the daily aggregates do not include. This can
      // happen on a distributed database, although this transaction has locked the block (see `consumeRunId`):
      // 1. A writer wants to commit its run, but can no longer reach the server.
      // 2. The writer releases its locks.
      // 3. Shortly afterwards, the server commits the run after all.
      if (rowCount === 0)
        throw new Error(`block ${block} has a run that the daily aggregates do not include`);
    });
  }
}
