import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { compareImport } from './import-rates.js';
import { PEERS, toLines } from './line-protocol-peers.js';
import { median } from './load.js';
import { compareReads } from './store-reads.js';
import { compareSizes, type Opened } from './store-sizes.js';
import { makeBatch, makeStations } from './weather-data.js';

/**
 * Measures the observation store through the interface `ObservationStore`: durable, with quality control, 12 variables, 1,000
 * stations, and a row every ten minutes. The measurements, in order:
 *
 * - writing rows; if other databases are measured too, the databases take turns;
 * - the sizes of stored rows;
 * - importing a CSV file, and a second file with ten times as many rows;
 * - reading rows from a store with a tenth of `BENCH_ROWS` rows, then from a store with `BENCH_ROWS` rows.
 *
 * `npm run bench store reads` measures only reads. `BENCH_POSTGRES_URL` names an empty database to measure reads from PostgreSQL
 * as well.
 */
const STATIONS = 1000;
const POST = 10_000;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const INGEST = Number(process.env['BENCH_INGEST'] ?? 1_000_000);
const ROWS = Number(process.env['BENCH_ROWS'] ?? 5_000_000);
const IMPORT = Number(process.env['BENCH_IMPORT'] ?? 3_000_000);
const IMPORT_ROUNDS = 3;
const YEAR = 52_560;

const root = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const postgresUrl = process.env['BENCH_POSTGRES_URL'];
try {
  if (process.argv[2] !== 'reads') {
    await compareIngest();
    await compareSizes(open);
    await compareImport(root, [IMPORT / 10, IMPORT], IMPORT_ROUNDS);
  }
  for (const rows of [ROWS / 10, ROWS]) await reads('SQLite', 'sqlite:', rows);
  if (postgresUrl !== undefined) await reads('PostgreSQL', postgresUrl, ROWS / 10);
} finally {
  rmSync(root, { recursive: true });
}

async function open(name: string, url: string): Promise<Opened> {
  const folder = join(root, name);
  const stores = await openStores(
    loadConfig(undefined, { WEATHERD_DATA_DIR: folder, WEATHERD_DATABASE_URL: url }),
  );
  const made = await stores.stations.put(makeStations(STATIONS));
  return { stores, folder, numbers: made.map(({ station }) => station.number) };
}

/** Measures the rows per second of writes, and prints them. The time for creating the rows is not included. */
async function compareIngest(): Promise<void> {
  const rates = new Map<string, number[]>();
  const note = (name: string, rows: number, milliseconds: number) =>
    rates.set(name, [...(rates.get(name) ?? []), rows / (milliseconds / 1000)]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { stores, numbers } = await open(`ingest${round}`, 'sqlite:');
    let spent = 0;
    const steps = INGEST / STATIONS;
    for (let step = 0; step < steps; step += POST / STATIONS) {
      const batch = makeBatch(numbers, step, step + POST / STATIONS, 'time');
      const before = performance.now();
      await stores.observations.write([{ batch: batch }]);
      spent += performance.now() - before;
    }
    note('weatherd, time order', INGEST, spent);
    const years = await stores.stations.put(
      makeStations(10).map((station) => ({ ...station, id: `y-${station.id}` })),
    );
    spent = 0;
    for (const { station } of years) {
      const batch = makeBatch([station.number], 0, YEAR, 'station');
      const before = performance.now();
      await stores.observations.write([{ batch: batch }]);
      spent += performance.now() - before;
    }
    note('weatherd, station order', YEAR * years.length, spent);
    await stores.close();
    for (const [name, start] of Object.entries(PEERS)) {
      const folder = join(root, `${name.replace(/\W+/g, '-')}${round}`);
      mkdirSync(folder);
      const peer = await start(folder);
      if (peer === undefined) continue;
      spent = 0;
      for (let step = 0; step < steps; step += POST / STATIONS) {
        const lines = toLines(makeBatch(numbers, step, step + POST / STATIONS, 'time'));
        const before = performance.now();
        await peer.write(lines);
        spent += performance.now() - before;
      }
      note(name, INGEST, spent);
      await peer.stop();
    }
  }
  console.log(`| ${INGEST} rows × 12, posts of ${POST}, ${ROUNDS} rounds | rows/s |\n| --- | ---: |`);
  for (const [name, found] of rates) console.log(`| ${name} | ${Math.round(median(found))} |`);
  console.log('');
}

async function reads(name: string, url: string, rows: number): Promise<void> {
  await compareReads(name, await open(`reads-${name}-${rows}`, url), url, rows, rows === ROWS);
}
