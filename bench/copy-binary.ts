import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresServer } from '../test/support/postgres.js';
import { makeBatch } from './weather-data.js';

const COLUMNS = 12;
const FIELD = 12; // four bytes of length and eight of a number

/**
 * Measures the highest rate at which PostgreSQL stores rows: psql's \copy in binary format, with all rows at once, into one wide
 * table with a primary key. The test server does not synchronize files, so that the rate is an upper bound.
 *
 * @returns rows per second of each round; undefined without psql
 */
export async function copyBinary(
  numbers: readonly number[],
  folder: string,
  rounds: number,
): Promise<number[] | undefined> {
  if (spawnSync('psql', ['--version']).status !== 0) return undefined;
  const steps = 300;
  const rows = numbers.length * steps;
  const file = join(folder, 'copy');
  writeFileSync(file, tuples(numbers, steps));
  const server = await PostgresServer.start();
  const rates: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const url = await server.newDatabase();
      const values = Array.from({ length: COLUMNS }, (_, index) => `v${index} float8`);
      await server.run(url, `CREATE TABLE o (s int8, t int8, ${values.join(', ')}, PRIMARY KEY (s, t))`);
      const before = performance.now();
      const { status, stderr } = spawnSync(
        'psql',
        [url, '-qc', `\\copy o FROM '${file}' WITH (FORMAT binary)`],
        {
          encoding: 'utf8',
        },
      );
      if (status !== 0) throw new Error(stderr);
      rates.push(rows / ((performance.now() - before) / 1000));
    }
  } finally {
    await server.remove();
  }
  return rates;
}

/** The content of a file in PostgreSQL's binary format, with the rows in order of time. */
function tuples(numbers: readonly number[], steps: number): Buffer {
  const { stations, times, values } = makeBatch(numbers, 0, steps, 'time');
  const columns = [...values.values()];
  const size = 2 + (2 + COLUMNS) * FIELD;
  const bytes = Buffer.alloc(19 + times.length * size + 2);
  bytes.write('PGCOPY\n\xff\r\n\0', 0, 'latin1');
  let at = 19;
  const field = (write: (place: number) => void) => {
    bytes.writeInt32BE(8, at);
    write(at + 4);
    at += FIELD;
  };
  for (let row = 0; row < times.length; row += 1) {
    at = bytes.writeInt16BE(2 + COLUMNS, at);
    field((place) => bytes.writeBigInt64BE(BigInt(stations[row] as number), place));
    field((place) => bytes.writeBigInt64BE(BigInt(times[row] as number), place));
    for (const column of columns) field((place) => bytes.writeDoubleBE(column[row] as number, place));
  }
  bytes.writeInt16BE(-1, at);
  return bytes;
}
