import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { LeanClient } from './lean-client.js';
import { median, quantile } from './load.js';
import { type ServerProcess, startServer } from './server-process.js';
import { makeBatch, makeStations, START, STEP } from './weather-data.js';

/**
 * Measures reads of weather over HTTP: a day, a year as JSON and as CSV, summaries, and a map. For each request it measures:
 *
 * - the time and the CPU time of a reply;
 * - the number of replies per second to two clients;
 * - during these replies, the latency of health requests and the growth of memory.
 *
 * Prints medians of several runs with new processes.
 */
const YEAR = 52_560;
const DAY = 86_400_000;
const ROUNDS = 10;
const WARM_UP = 5;
const RUNS = Number(process.env['BENCH_RUNS'] ?? 5);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: folder }));
const made = await stores.stations.put(makeStations(1000));
const [first] = made;
for (let step = 0; step < YEAR; step += 10_512) {
  const batch = makeBatch([first?.station.number ?? 0], step, step + 10_512, 'station');
  await stores.observations.write([{ batch }]);
}
const others = made.slice(1).map(({ station }) => station.number);
for (let step = 0; step < 144; step += 10) {
  const batch = makeBatch(others, step, step + 10, 'time');
  await stores.observations.write([{ batch }]);
}
await stores.close();

const iso = (time: number) => new Date(time).toISOString();
const year = `from=${iso(START)}&to=${iso(START + YEAR * STEP)}`;
const station = `/v1/stations/${first?.station.id}`;
const questions: readonly (readonly [string, string])[] = [
  [
    'a day (144 rows), JSON',
    `${station}/observations?from=${iso(START + 30 * DAY)}&to=${iso(START + 31 * DAY)}`,
  ],
  ['a year (52,560 rows × 12), JSON', `${station}/observations?${year}&limit=100000`],
  ['the same, CSV', `${station}/observations?${year}&limit=100000&format=csv`],
  ['daily summaries of the year, 12 variables', `${station}/summaries?interval=day&${year}`],
  [
    'monthly climate table',
    `${station}/summaries?interval=month&${year}&variables=air_temperature,precipitation_amount`,
  ],
  ['newest of 1,000 stations', '/v1/observations/latest?limit=1000'],
  ['nearest 20 stations', '/v1/stations?near=48.1,9.2&limit=20'],
];

/** Paths of `main.js` of the builds, which are measured on the same data in turns. `BENCH_MAINS` has further paths, separated by commas. */
const builds = [MAIN, ...(process.env['BENCH_MAINS']?.split(',') ?? [])];

interface Figures {
  readonly p50: number;
  readonly cpu: number;
  readonly rate: number;
  readonly health: number;
  readonly bytes: number;
  readonly growth: number;
}

async function measure(server: ServerProcess, path: string): Promise<Figures> {
  const { url } = server;
  const clients = [new LeanClient(url), new LeanClient(url)] as const;
  const [client] = clients;
  for (let round = 0; round < WARM_UP; round += 1) await client.get(path);
  const before = server.memory();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, server.memory())), 5);
  const times: number[] = [];
  let bytes = 0;
  const cpuBefore = server.cpu();
  const end = performance.now() + SECONDS * 1000;
  while (performance.now() < end || times.length < ROUNDS) {
    const startedAt = performance.now();
    bytes = await client.get(path);
    times.push(performance.now() - startedAt);
  }
  const used = ((server.cpu() - cpuBefore) * 1000) / times.length;
  let replies = 0;
  const startedAt = performance.now();
  const until = startedAt + SECONDS * 1000;
  const pull = async (one: LeanClient) => {
    for (; performance.now() < until; replies += 1) await one.get(path);
  };
  const pulling = Promise.all(clients.map(pull)).then(() => performance.now() - startedAt);
  const health = new LeanClient(url);
  const waits: number[] = [];
  // The pause between two requests leaves CPU to the server: a client that never sleeps would use a whole core.
  while (performance.now() < until) {
    const askedAt = performance.now();
    await health.get('/v1/health/info');
    waits.push(performance.now() - askedAt);
    await sleep(2);
  }
  const rate = (replies * 1000) / (await pulling);
  clearInterval(watch);
  for (const one of [...clients, health]) await one.close();
  const growth = (Math.max(most, server.memory()) - before) / 2 ** 20;
  return {
    p50: median(times),
    cpu: used,
    rate,
    health: quantile(Float64Array.from(waits).sort(), 0.99),
    bytes,
    growth,
  };
}

const results = new Map<string, Figures[]>();
for (let run = 0; run < RUNS; run += 1) {
  for (const [build, main] of builds.entries()) {
    const settings = {
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      WEATHERD_DATA_DIR: folder,
      WEATHERD_RATE_LIMIT: '0',
      WEATHERD_LOG_LEVEL: 'warn',
    };
    const server = await startServer([main], settings, join(folder, 'log'), '0,1');
    for (const [question, path] of questions) {
      const key = `${build} ${question}`;
      results.set(key, [...(results.get(key) ?? []), await measure(server, path)]);
    }
    await server.stop();
  }
}

const columns: readonly (readonly [name: string, of: (one: Figures) => number, digits: number])[] = [
  ['p50 ms', ({ p50 }) => p50, 2],
  ['CPU ms a reply', ({ cpu }) => cpu, 2],
  ['replies/s to two clients', ({ rate }) => rate, 1],
  ['health p99 ms meanwhile', ({ health }) => health, 1],
  ['MB', ({ bytes }) => bytes / 1e6, 2],
  ['memory grows by MiB', ({ growth }) => growth, 0],
];
for (const [build, main] of builds.entries()) {
  console.log(`| ${build === 0 ? 'this build' : main} | ${columns.map(([name]) => name).join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(columns.length)}`);
  for (const [question] of questions) {
    const figures = results.get(`${build} ${question}`) ?? [];
    const cells = columns.map(([, of, digits]) => median(figures.map(of)).toFixed(digits));
    console.log(`| ${question} | ${cells.join(' | ')} |`);
  }
  console.log('');
}
rmSync(folder, { recursive: true });
