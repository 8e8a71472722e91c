import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ObservationBatch } from '#domain/weather/series.js';

/**
 * Stores of columns that run in the process of their user, with one table of rows: station, time in ms and twelve variables. The
 * packages are installed by `npm ci --prefix bench/peers`.
 */
export const PEERS = fileURLToPath(new URL('../../bench/peers/', import.meta.url));

const DAY = 86_400_000;
export const DIRECTION = 7;

/** An answer, row by row: `width` numbers a row. The order of the rows is not defined. */
export interface Answer {
  readonly width: number;
  readonly rows: Float64Array;
}

/** A store that is measured. All times are in ms since 1970-01-01T00:00:00Z. */
export interface MeasuredStore {
  /** Writes rows. When the promise resolves, they are on disk. */
  write(batch: ObservationBatch): Promise<void>;
  /** Ends the work that `write` left for later. */
  settle(): Promise<void>;
  /** The rows `[from, to)` of a station: station, time and all variables. */
  rows(station: number, from: number, to: number): Promise<Answer>;
  /** The newest row of each station: station, time and all variables. */
  newest(): Promise<Answer>;
  /**
   * The means of each station and day of the range `[from, to)`: station, start of the day and each variable. In place of the mean of the
   * wind direction, the number of directions, because SQL has no function for the mean of directions.
   */
  daily(variables: readonly number[], from: number, to: number): Promise<Answer>;
  /** As `daily` for a whole month, from daily aggregates. The first call computes them. */
  aggregates?(variables: readonly number[], from: number, to: number): Promise<Answer>;
  /** @returns bytes on disk */
  close(): Promise<number>;
}

/** The statements that DuckDB and ClickHouse have in common. */
const SQL = {
  rows: (station: number, from: number, to: number) =>
    `SELECT * FROM o WHERE station = ${station} AND time >= ${from} AND time < ${to}`,
  daily: (variables: readonly number[], from: number, to: number, day: string) =>
    `SELECT station, ${day} AS day, ${variables
      .map((variable) => `${variable === DIRECTION ? 'count' : 'avg'}(v${variable})`)
      .join()} FROM o WHERE time >= ${from} AND time < ${to} GROUP BY station, day`,
};

/** The parts of `@duckdb/node-api` that are used here. */
interface DuckDb {
  readonly DuckDBInstance: { create(file: string): Promise<DuckDbInstance> };
  readonly DuckDBDataChunk: { create(types: readonly unknown[], rows: number): DuckDbChunk };
  readonly INTEGER: unknown;
  readonly BIGINT: unknown;
  readonly DOUBLE: unknown;
}
interface DuckDbInstance {
  connect(): Promise<DuckDbConnection>;
  closeSync(): void;
}
interface DuckDbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getColumns(): (readonly (number | bigint)[])[] }>;
  createAppender(table: string): Promise<{ appendDataChunk(chunk: DuckDbChunk): void; flushSync(): void }>;
  closeSync(): void;
}
interface DuckDbChunk {
  setColumnValues(column: number, values: ArrayLike<number | bigint>): void;
}

/** Number of rows in a data chunk of DuckDB. */
const CHUNK = 2048;

/** Opens DuckDB with its defaults: each flush of the appender is a transaction, whose log is on disk when it ends. */
export async function openDuckDb(
  folder: string,
  variables: readonly number[],
  hasKey: boolean,
): Promise<MeasuredStore> {
  const { DuckDBInstance, DuckDBDataChunk, INTEGER, BIGINT, DOUBLE } = createRequire(PEERS)(
    '@duckdb/node-api',
  ) as DuckDb;
  const file = join(folder, 'rows.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  const columns = variables.map((variable) => `v${variable} DOUBLE`);
  const key = hasKey ? ', PRIMARY KEY (station, time)' : '';
  await connection.run(`CREATE TABLE o (station INTEGER, time BIGINT, ${columns.join()}${key})`);
  const types = [INTEGER, BIGINT, ...variables.map(() => DOUBLE)];
  const appender = await connection.createAppender('o');
  const ask = async (sql: string): Promise<Answer> => {
    const found = (await connection.runAndReadAll(sql)).getColumns();
    const [width, count] = [found.length, found[0]?.length ?? 0];
    const rows = new Float64Array(width * count);
    for (const [at, column] of found.entries())
      for (let row = 0; row < count; row += 1) rows[row * width + at] = Number(column[row]);
    return { width, rows };
  };
  return {
    write({ stations, times, values }) {
      for (let from = 0; from < times.length; from += CHUNK) {
        const to = Math.min(times.length, from + CHUNK);
        const chunk = DuckDBDataChunk.create(types, to - from);
        chunk.setColumnValues(0, stations.subarray(from, to));
        chunk.setColumnValues(1, Array.from(times.subarray(from, to), BigInt));
        for (const [at, variable] of variables.entries())
          chunk.setColumnValues(2 + at, (values.get(variable) as Float64Array).subarray(from, to));
        appender.appendDataChunk(chunk);
      }
      appender.flushSync();
      return Promise.resolve();
    },
    async settle() {
      await connection.run('CHECKPOINT');
    },
    rows: (station, from, to) => ask(SQL.rows(station, from, to)),
    // Faster than arg_max, DISTINCT ON and QUALIFY row_number().
    newest: () =>
      ask(
        'SELECT o.* FROM o JOIN (SELECT station, max(time) AS time FROM o GROUP BY station) USING (station, time)',
      ),
    daily: (asked, from, to) => ask(SQL.daily(asked, from, to, `time // ${DAY} * ${DAY}`)),
    close() {
      connection.closeSync();
      instance.closeSync();
      return Promise.resolve(statSync(file).size);
    },
  };
}

/** The parts of `chdb` that are used here. */
interface Chdb {
  readonly Session: new (folder: string) => {
    queryAsync(
      sql: string,
      options?: { readonly format: string },
    ): Promise<{ bytes(): Uint8Array; text(): string }>;
    close(): void;
  };
}

/**
 * Opens ClickHouse in this process, with a MergeTree table whose parts are on disk when an insert ends. Rows are passed in the format
 * Native through a file in memory, because the package accepts only text from memory, which takes more than twice as long.
 */
export async function openChdb(folder: string, variables: readonly number[]): Promise<MeasuredStore> {
  const { Session } = createRequire(PEERS)('chdb') as Chdb;
  const session = new Session(join(folder, 'chdb'));
  const shared = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const memory = join(shared, `weatherd-bench-${process.pid}`);
  mkdirSync(memory);
  process.on('exit', () => rmSync(memory, { recursive: true }));
  const passed = join(memory, 'rows.native');
  const names = variables.map((variable) => `v${variable}`);
  await session.queryAsync(
    `CREATE TABLE o (station UInt32, time Int64, ${names.map((name) => `${name} Float64`).join()})
     ENGINE = MergeTree ORDER BY (station, time)
     SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`,
  );
  const width = 2 + variables.length;
  const count = async (sql: string) => Number((await session.queryAsync(sql)).text());
  const ask = async (sql: string, columns: number): Promise<Answer> => {
    const doubles = `SELECT * APPLY(toFloat64) FROM (${sql})`;
    const bytes = (await session.queryAsync(doubles, { format: 'RowBinary' })).bytes();
    return { width: columns, rows: new Float64Array(Uint8Array.from(bytes).buffer) };
  };
  return {
    async write(batch) {
      writeFileSync(passed, nativeBlock(batch, variables));
      await session.queryAsync(`INSERT INTO o SELECT * FROM file('${passed}', 'Native')`);
    },
    async settle() {
      while ((await count('SELECT count() FROM system.merges')) > 0) await sleep(20);
    },
    rows: (station, from, to) => ask(SQL.rows(station, from, to), width),
    // Faster than argMax and LIMIT 1 BY station.
    newest: () =>
      ask(
        'SELECT * FROM o WHERE (station, time) IN (SELECT station, max(time) FROM o GROUP BY station)',
        width,
      ),
    daily: (asked, from, to) =>
      ask(SQL.daily(asked, from, to, `intDiv(time, ${DAY}) * ${DAY}`), 2 + asked.length),
    async close() {
      // Parts that were merged into others stay on the disk for some minutes. They are not counted.
      const bytes = await count("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'o'");
      session.close();
      return bytes;
    },
  };
}

/** A block in ClickHouse's format Native: the numbers of columns and rows, then each column with its name and type. */
function nativeBlock({ stations, times, values }: ObservationBatch, variables: readonly number[]): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  const column = (name: string, type: string, { buffer, byteOffset, byteLength }: ArrayBufferView) => [
    text(name),
    text(type),
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength),
  ];
  return Buffer.concat([
    variableLength(2 + variables.length),
    variableLength(times.length),
    ...column('station', 'UInt32', stations),
    ...column('time', 'Int64', BigInt64Array.from(times, BigInt)),
    ...variables.flatMap((variable) =>
      column(`v${variable}`, 'Float64', values.get(variable) as Float64Array),
    ),
  ]);
}

/** A number in LEB128, as the format Native has its numbers. */
function variableLength(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}
