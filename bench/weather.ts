import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../src/composition/config.js';
import { openStores } from '../src/composition/modules/stores.js';
import { median } from './load.js';
import { startServer } from './server-process.js';
import { makeBatch, makeStations, START, STEP } from './weather-data.js';

/** Weather over HTTP: a day, a year as JSON and as CSV, summaries, a map; the time of each and what the memory grows by. */
const YEAR = 52_560;
const DAY = 86_400_000;
const ROUNDS = 15;
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

for (const transport of ['fastify', 'express']) {
  const server = await startServer(
    [MAIN],
    {
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      WEATHERD_DATA_DIR: folder,
      WEATHERD_EXTERNAL_TRANSPORT: transport,
    },
    join(folder, 'log'),
  );
  console.log(
    `| weatherd on ${transport} | p50 ms | MB | memory grows by MiB |\n| --- | ---: | ---: | ---: |`,
  );
  for (const [question, path] of questions) {
    const times: number[] = [];
    let bytes = 0;
    await (await fetch(`${server.url}${path}`)).arrayBuffer();
    const before = server.memory();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, server.memory())), 5);
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      const response = await fetch(`${server.url}${path}`);
      const content = await response.arrayBuffer();
      times.push(performance.now() - startedAt);
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      bytes = content.byteLength;
    }
    clearInterval(watch);
    most = Math.max(most, server.memory());
    const figures = [
      median(times).toFixed(1),
      (bytes / 1e6).toFixed(2),
      ((most - before) / 2 ** 20).toFixed(0),
    ];
    console.log(`| ${question} | ${figures.join(' | ')} |`);
  }
  console.log('');
  await server.stop();
}
rmSync(folder, { recursive: true });
