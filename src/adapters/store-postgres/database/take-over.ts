import type { Series } from '#domain/weather/series.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { blockOf } from '../observations/blocks.js';
import { mergeRows } from '../chunks/merged-rows.js';
import { FetchedNewest } from '../observations/newest-rows.js';
import { MIGRATION_TIMEOUT } from './migrations.js';
import type { Query } from './query.js';

/**
 * Takes over the observations of earlier versions. Those versions stored a row for each observation in `weatherd.observation`
 * (partitions by year, or a hypertable of TimescaleDB), and the newest values of each station in `weatherd.row_total`.
 *
 * The functions of this file pack the rows of one station into chunks, which contain the rows of 1, 8 or 64 days. They do this in
 * one transaction for each station, so that the conversion can continue after an interruption. The last transaction drops the old
 * tables.
 */

/** Number of the advisory lock: "WXTO" in ASCII. If two instances start at the same time, they convert stations in turn. */
const LOCK = 0x5758544f;
/** Maximum number of rows that one query reads. */
const PAGE = 20_000;

interface Database {
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
}

export async function takeOverRows(database: Database): Promise<void> {
  let isDone = false;
  while (!isDone) isDone = await database.transaction(takeOverStation);
}

/**
 * Converts the rows of one station from the old tables into chunks (packed rows of some days).
 *
 * @returns true if no station is left
 */
async function takeOverStation(query: Query): Promise<boolean> {
  if (!(await hasOldTable(query))) return true;
  await query(`SET LOCAL statement_timeout = ${MIGRATION_TIMEOUT}`);
  await query('SET LOCAL lock_timeout = 0');
  await query('SELECT pg_advisory_xact_lock($1)', [LOCK], MIGRATION_TIMEOUT);
  // Another instance may have dropped the table before this instance got the lock.
  if (!(await hasOldTable(query))) return true;
  const { rows } = await query<OldState>(
    'SELECT station, revision, state, first, count FROM weatherd.row_total ORDER BY station LIMIT 1',
  );
  const [state] = rows;
  if (state === undefined) {
    await query(
      `DROP TABLE weatherd.row_total, weatherd.observation;
       DROP FUNCTION weatherd.make_partition(integer)`,
      [],
      MIGRATION_TIMEOUT,
    );
    return true;
  }
  await convert(query, state);
  await query('DELETE FROM weatherd.row_total WHERE station = $1', [state.station]);
  return false;
}

/** Reads the system catalog as a table, because `to_regclass` may not see that another session has dropped the table. */
async function hasOldTable(query: Query): Promise<boolean> {
  const { rows } = await query(
    "SELECT FROM pg_catalog.pg_class WHERE relnamespace = 'weatherd'::regnamespace AND relname = 'row_total'",
  );
  return rows.length > 0;
}

interface OldState {
  readonly station: number;
  readonly revision: number;
  readonly state: Buffer;
  readonly first: number | null;
  readonly count: number;
}

async function convert(query: Query, { station, revision, state, first, count }: OldState): Promise<void> {
  // The state of a station, which contains its newest values, can be empty if the station has no rows.
  if (state.length === 0) return;
  let after: number | null = null;
  for (;;) {
    const series: Series = await readRows(query, station, after);
    await mergeRows(query, [{ station, series }]);
    if (series.times.length < PAGE) break;
    after = series.times.at(-1) ?? null;
  }
  const newest = new FetchedNewest();
  newest.put(station, {
    revision,
    rows: count,
    first,
    data: state,
    uncheckedFrom: null,
    uncheckedTo: null,
    checksum: null,
  });
  await newest.write(query);
  // Raises the last run id of the block (group of 64 stations) to the old revision of the station, if the id is lower. A
  // revision is a number that rises with each change. In the new tables, the revision of a station is the id of the newest run
  // (packed rows of one commit) with rows of the station. Because the next runs of the block get ids above the old revision,
  // no revision is used twice.
  await query(
    `INSERT INTO weatherd.block AS known (block, merged_through, last) VALUES ($1, $2, $2)
     ON CONFLICT (block) DO UPDATE SET merged_through = greatest(known.merged_through, excluded.merged_through),
       last = greatest(known.last, excluded.last)`,
    [blockOf(station), revision],
  );
}

const NAMES = VARIABLES.filter(({ number }) => number <= 26).map(({ name }) => name);

/** Reads rows of a station in order of time. */
async function readRows(query: Query, station: number, after: number | null): Promise<Series> {
  const { rows } = await query<Record<string, number | Buffer | null>>(
    `SELECT time, ${NAMES.join(', ')}, flags FROM weatherd.observation
     WHERE station = $1 AND ($2::bigint IS NULL OR time > $2) ORDER BY time LIMIT ${PAGE}`,
    [station, after],
    MIGRATION_TIMEOUT,
  );
  const values = new Map<number, Float64Array>();
  for (const { number, name } of VARIABLES) {
    const column = Float64Array.from(rows, (row) => (row[name] as number | null) ?? Number.NaN);
    if (column.some((value) => !Number.isNaN(value))) values.set(number, column);
  }
  const flags = new Map<number, Uint8Array>();
  for (const [index, row] of rows.entries()) {
    // The column contains pairs of bytes: the number of a variable, and its flags.
    const pairs = (row['flags'] as Buffer | null) ?? [];
    for (let at = 0; at < pairs.length; at += 2) {
      const variable = pairs[at] as number;
      if (!values.has(variable)) continue;
      let column = flags.get(variable);
      if (column === undefined) flags.set(variable, (column = new Uint8Array(rows.length)));
      column[index] = pairs[at + 1] as number;
    }
  }
  return { times: Float64Array.from(rows, (row) => row['time'] as number), values, flags };
}
