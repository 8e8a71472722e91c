import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { startServer } from './server-process.js';
import { makeBatch, makeStations, START, STEP } from './weather-data.js';

/**
 * Measures the effect of large reads on other requests: during the reads, the delay of the event loop, the latency of a health
 * request, and the growth of memory.
 */
const ROWS = 105_120;
const STATIONS = 50_000;
const HOURS = 9500;
const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));
const LOOP_DELAY = new URL('loop-delay.js', import.meta.url).href;

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const delayFile = join(folder, 'loop-delay');
const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: folder }));
const made = await stores.stations.put(makeStations(STATIONS));
const number = made[0]?.station.number ?? 0;
for (let step = 0; step < ROWS; step += 10_512) {
  const batch = makeBatch([number], step, step + 10_512, 'station');
  await stores.observations.write([{ batch }]);
}
await stores.close();

const iso = (time: number) => new Date(time).toISOString();
const station = `/v1/stations/${made[0]?.station.id}`;
const all = `from=${iso(START)}&to=${iso(START + ROWS * STEP)}`;
const hours = `from=${iso(START)}&to=${iso(START + HOURS * 3_600_000)}`;
const scenes: readonly (readonly [what: string, path: string, times: number])[] = [
  ['at rest', '', 0],
  ['fifty pages of 100,000 rows × 12, JSON', `${station}/observations?${all}&limit=100000`, 50],
  ['fifty of the same, CSV', `${station}/observations?${all}&limit=100000&format=csv`, 50],
  [
    'fifty charts of two years × 4, 1,000 columns',
    `${station}/observations?${all}&points=1000&variables=air_temperature,dew_point_temperature,air_pressure_at_mean_sea_level,wind_speed`,
    50,
  ],
  ['twenty hourly summaries of 9,500 intervals × 12', `${station}/summaries?interval=hour&${hours}`, 20],
  ['ten times 9,862 days', `${station}/summaries?interval=day&from=2000-01-01&to=2027-01-01`, 10],
  ['derived, 100,000 rows', `${station}/derived?variables=wet_bulb,heat_index&${all}&limit=100000`, 10],
  ['twenty searches far down the list', '/v1/stations?near=48.1,9.2&limit=100&cursor=49000', 20],
  ['newest of 10,000 stations', '/v1/observations/latest?limit=10000', 10],
];

/** Sends a request and discards the reply. Resolves to the status. */
function ask(url: string, agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, agent === undefined ? {} : { agent }, (response) => {
      response.resume();
      response.once('close', () => resolve(response.statusCode ?? 0));
    }).once('error', reject);
  });
}

const server = await startServer(
  ['--import', LOOP_DELAY, MAIN],
  {
    WEATHERD_EXTERNAL_PORT: '0',
    WEATHERD_INTERNAL_PORT: '0',
    WEATHERD_DATA_DIR: folder,
    WEATHERD_RATE_LIMIT: '0',
    WEATHERD_LOG_LEVEL: 'warn',
    LOOP_DELAY_FILE: delayFile,
  },
  join(folder, 'log'),
  '0,1',
);
const health = new Agent({ keepAlive: true, maxSockets: 1 });
const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;
const readDelay = async (): Promise<{ readonly p99: number; readonly max: number }> => {
  server.child.kill('SIGUSR2');
  await sleep(300);
  return JSON.parse(readFileSync(delayFile, 'utf8')) as { p99: number; max: number };
};

console.log(
  '| while | replies | s | health p50 ms | p99 | max | loop late by ms, p99 | max | MiB above rest |',
);
console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
await ask(`${server.url}${station}/observations?limit=1`);
await ask(`${server.url}/v1/stations?near=48.1,9.2&limit=1`);
for (const [what, path, times] of scenes) {
  await sleep(1000);
  await readDelay();
  const memoryAtRest = server.memory();
  let peakMemory = memoryAtRest;
  let isDone = false;
  const startedAt = performance.now();
  const heavy = Promise.all(Array.from({ length: times }, () => ask(`${server.url}${path}`)));
  const done = (times === 0 ? sleep(2000).then(() => []) : heavy).finally(() => (isDone = true));
  const waits: number[] = [];
  for (;;) {
    const before = performance.now();
    await ask(`${server.url}/v1/health/info`, health);
    waits.push(performance.now() - before);
    peakMemory = Math.max(peakMemory, server.memory());
    if (isDone) break;
    await sleep(2);
  }
  const counts = new Map<number, number>();
  for (const status of await done) counts.set(status, (counts.get(status) ?? 0) + 1);
  const seconds = (performance.now() - startedAt) / 1000;
  const delay = await readDelay();
  const figures = [
    [...counts].map(([status, count]) => `${count} × ${status}`).join(', '),
    seconds.toFixed(1),
    percentile(waits, 0.5).toFixed(1),
    percentile(waits, 0.99).toFixed(1),
    Math.max(...waits).toFixed(1),
    delay.p99.toFixed(1),
    delay.max.toFixed(1),
    ((peakMemory - memoryAtRest) / 2 ** 20).toFixed(0),
  ];
  console.log(`| ${what} | ${figures.join(' | ')} |`);
}
health.destroy();
await server.stop();
rmSync(folder, { recursive: true });
