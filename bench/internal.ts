import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FrameReader } from '#adapters/formats/frames/frame-reader.js';
import { observationFrames, OBSERVATIONS } from '#adapters/formats/frames/observations-frame.js';
import { endFrame } from '#adapters/formats/frames/small-frames.js';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { copyBinary } from './copy-binary.js';
import { compileLoad, startWithStations } from './internal-load.js';
import { PEERS } from './line-protocol-peers.js';
import { median } from './load.js';
import { makeBatch } from './weather-data.js';

/**
 * Measures the internal API with a program in C as the load. For comparison, time-series databases get the same rows from the
 * same program, and upper bounds of the machine are measured. All programs share both cores. A C compiler and libcurl are needed.
 * With the parameter `reads` only reads are measured.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const ROWS = Number(process.env['BENCH_INGEST'] ?? 1_000_000);
const STATIONS = 1000;
const MONTH_STEPS = 30 * 144;
const YEAR = 52_560;
const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));

const root = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const load = compileLoad(root);
const start = (folder: string) => startWithStations(MAIN, folder, STATIONS);
const found = new Map<string, number[][]>();
try {
  if (process.argv[2] !== 'reads') await writes();
  await reads();
} finally {
  rmSync(root, { recursive: true });
}

async function writes(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await ingest(round);
    for (const [name, startPeer] of Object.entries(PEERS)) await ingestPeer(name, startPeer, round);
  }
  console.log(`| ${ROWS} rows × 12, ${ROUNDS} rounds | rows/s | health p50 ms | p99 ms |`);
  console.log('| --- | ---: | ---: | ---: |');
  for (const [name, runs] of found) {
    const [rate, middle, late] = [0, 1, 2].map((column) => median(runs.map((run) => run[column] as number)));
    const health = Number.isNaN(middle) ? ['–', '–'] : [middle?.toFixed(1), late?.toFixed(1)];
    console.log(`| ${name} | ${Math.round(rate as number)} | ${health.join(' | ')} |`);
  }
  await limits();
}

/** Measures writing to weatherd in several ways. Each way has its own server with its own data file. */
async function ingest(round: number): Promise<void> {
  const ways = [
    ['posts of 10,000, one connection', STATIONS, ROWS / STATIONS, 10_000, 1, 'time'],
    ['posts of 10,000, eight connections in turn', STATIONS, ROWS / STATIONS, 10_000, 8, 'time'],
    [
      'posts of 10,000, eight connections, each with its own stations',
      STATIONS,
      ROWS / STATIONS,
      10_000,
      8,
      'own',
    ],
    ['posts of 1,000, eight connections in turn', STATIONS, ROWS / STATIONS, 1000, 8, 'time'],
    [
      'posts of 1,000, eight connections, each with its own stations',
      STATIONS,
      ROWS / STATIONS,
      1000,
      8,
      'own',
    ],
    ['station order (years of a station), posts of 10,512', 20, YEAR, 10_512, 1, 'station'],
  ] as const;
  for (const [index, [name, stations, steps, post, connections, order]] of ways.entries()) {
    const { server, url, health } = await start(join(root, `ingest-${round}-${index}`));
    const target = `${url}/v1/observations`;
    note(
      `weatherd, ${name}`,
      load('frames', target, 1, stations, 0, steps, post, connections, order, health),
    );
    await server.stop();
  }
}

async function ingestPeer(name: string, startPeer: (typeof PEERS)[string], round: number): Promise<void> {
  const formats = name.startsWith('Victoria') ? ['lines', 'import'] : ['lines'];
  for (const format of formats) {
    const folder = join(root, `${name.replace(/\W+/g, '-')}-${format}-${round}`);
    mkdirSync(folder);
    const peer = await startPeer(folder);
    if (peer === undefined) return;
    const url = format === 'lines' ? peer.url : new URL('/api/v1/import', peer.url).href;
    const title = format === 'lines' ? name : name.replace('line protocol', 'bulk import');
    note(title, load(format, url, 1, STATIONS, 0, ROWS / STATIONS, 10_000, 1, 'time', '-'));
    await peer.stop();
  }
}

function note(name: string, figures: number[]): void {
  found.set(name, [...(found.get(name) ?? []), figures]);
}

/** Measures and prints the upper bounds of the machine, in rows of 12 values per second. */
async function limits(): Promise<void> {
  console.log('\n| the machine | rows/s |\n| --- | ---: |');
  const print = (name: string, measure: () => number) =>
    console.log(`| ${name} | ${Math.round(median(Array.from({ length: ROUNDS }, measure)))} |`);
  print('memory copy', () => load('copy')[0] as number);
  print('weatherd.h: CRC-32', () => load('crc')[0] as number);
  print('weatherd.h: frames checked, every value read', () => load('decode')[0] as number);
  const numbers = Array.from({ length: STATIONS }, (_, index) => index + 1);
  const batch = makeBatch(numbers, 0, 10, 'time');
  const frames = [...observationFrames(batch, undefined, false)];
  const body = Buffer.concat([...frames.flatMap(({ pieces }) => pieces), endFrame(10_000, frames.length)]);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = performance.now();
    for (let time = 0; time < 50; time += 1) await drain(body);
    rates.push((50 * 10_000) / ((performance.now() - before) / 1000));
  }
  console.log(`| the service: frames parsed and checked | ${Math.round(median(rates))} |`);
  print('fsync: 10,000 rows written to a file and synchronized', () => {
    const file = openSync(join(root, 'fsync'), 'w');
    const before = performance.now();
    for (let time = 0; time < 50; time += 1) {
      writeSync(file, body);
      fsyncSync(file);
    }
    closeSync(file);
    return (50 * 10_000) / ((performance.now() - before) / 1000);
  });
  print("SQLite's own insert: one row each, time order, commits of 10,000", () => insertRows(numbers));
  const copied = await copyBinary(numbers, root, ROUNDS);
  if (copied !== undefined) {
    console.log(`| psql's binary copy, all at once, not synchronized | ${Math.round(median(copied))} |`);
  }
}

/** Reads a body in pieces of 64 KiB, like from a socket. */
async function drain(body: Buffer): Promise<void> {
  async function* pieces() {
    for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
  }
  for await (const rows of new FrameReader(pieces(), OBSERVATIONS).frames()) void rows;
}

function insertRows(numbers: readonly number[]): number {
  const file = join(root, 'insert.db');
  rmSync(file, { force: true });
  const database = new Sqlite(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const names = Array.from({ length: 12 }, (_, index) => `v${index}`);
  database.exec(
    `CREATE TABLE o (s INTEGER, t INTEGER, ${names.join(' REAL, ')} REAL, PRIMARY KEY (s, t)) WITHOUT ROWID`,
  );
  const insert = database.prepare(`INSERT INTO o VALUES (?, ?, ${names.map(() => '?').join(', ')})`);
  let spent = 0;
  const rows = 300_000;
  for (let step = 0; step < rows / STATIONS; step += 10) {
    const { stations, times, values } = makeBatch(numbers, step, step + 10, 'time');
    const columns = [...values.values()];
    const before = performance.now();
    database.transaction(() => {
      for (let row = 0; row < times.length; row += 1) {
        insert.run(stations[row], times[row], ...columns.map((column) => column[row]));
      }
    })();
    spent += performance.now() - before;
  }
  database.close();
  return rows / (spent / 1000);
}

async function reads(): Promise<void> {
  const { server, url, health } = await start(join(root, 'reads'));
  const target = `${url}/v1/observations`;
  load('frames', target, 1, STATIONS, 0, MONTH_STEPS, 10_000, 1, 'time', '-');
  load('frames', target, 1, 1, MONTH_STEPS, YEAR - MONTH_STEPS, 10, 1, 'station', '-');
  await sleep(3000); // Deferred work is finished after this time.
  const START = Date.UTC(2024, 0, 1);
  const month = `?from=${START}&to=${START + MONTH_STEPS * 600_000}`;
  console.log('\n| read as frames, checked, every value read | ms | rows/s | MB | health p99 ms |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const [name, path, rounds] of [
    ['a day of a station (144 rows)', `?stations=2&from=${START}&to=${START + 86_400_000}`, 200],
    ['a year of a station (52,560 rows)', '?stations=1', 30],
    ["all stations' month (4,320,000 rows)", month, 3],
    ["the month's temperature", `${month}&variables=1`, 3],
    ['newest of 1,000 stations', '/newest', 50],
  ] as const) {
    const [ms = 0, rows = 0, size = 0, , late = 0] = load('read', target, path, rounds, health);
    const rate = Math.round(rows / (ms / 1000));
    console.log(`| ${name} | ${ms.toFixed(1)} | ${rate} | ${size.toFixed(1)} | ${late.toFixed(1)} |`);
  }
  await server.stop();
}
