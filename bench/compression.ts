import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ObservationBatch } from '#domain/weather/series.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { median } from './load.js';
import { startServer } from './server-process.js';
import { makeBatch, makeStations, setDewPoint, START, STEP } from './weather-data.js';

/**
 * Measures the size and the cost of replies without compression, with Brotli and with gzip, in alternating rounds. The cost is
 * the CPU time that all threads of the server use for one reply.
 */
const ROWS = 52_560;
const STATIONS = 1000;
const ROUNDS = 4;
const CODINGS = ['identity', 'br', 'gzip'] as const;
const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));

/**
 * Noise by number of the variable. `slow` is the largest step of a slow drift, and `fast` the largest random deviation of a
 * single row, both in the unit of the variable. `digits` is the number of decimals that a console displays.
 */
const NOISE: ReadonlyMap<number, readonly [slow: number, fast: number, digits: number]> = new Map([
  [1, [0.2, 0.1, 1]],
  [3, [0.6, 0.6, 0]],
  [4, [0.1, 0.05, 1]],
  [6, [0.3, 0.5, 1]],
  [7, [5, 12, 0]],
  [9, [0.02, 0.05, 1]],
  [11, [10, 15, 0]],
  [14, [300, 400, -2]],
  [15, [5, 5, 0]],
]);

/**
 * Functions by number of the variable that convert a synthetic value. Radiation becomes 0 for half of the day, and rain becomes 0
 * for most of the time.
 */
const SHAPES: ReadonlyMap<number, (made: number) => number> = new Map([
  [V.radiation, (made: number) => Math.max(0, 2 * (made - 400))],
  [V.precipitation, (made: number) => Math.max(0, made - 0.7)],
]);

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: folder }));
const stations = (await stores.stations.put(makeStations(STATIONS))).map(({ station }) => station);
const [first] = stations;
if (first === undefined) throw new Error('There is no station.');
await stores.observations.write([{ batch: withNoise(makeBatch([first.number], 0, ROWS, 'station')) }]);
const numbers = stations.slice(1).map(({ number }) => number);
await stores.observations.write([{ batch: makeBatch(numbers, 0, 2, 'time') }]);
await stores.close();

/**
 * Adds a drift over days and the noise of a sensor to synthetic values, and rounds them like a display. Without drift and noise a
 * synthetic year compresses better than a real year. The values still pass quality control.
 */
function withNoise(batch: ObservationBatch): ObservationBatch {
  const random = randomNumbers();
  const values = new Map(batch.values);
  for (const [variable, [slow, fast, digits]] of NOISE) {
    const { min, max } = variableNumbered(variable).limits;
    const power = 10 ** digits;
    let drift = 0;
    const noisy = (values.get(variable) as Float64Array).map((made) => {
      drift = 0.998 * drift + slow * random();
      const value = SHAPES.get(variable)?.(made) ?? made;
      const sum = value === 0 ? 0 : value + drift + fast * random();
      return Math.round(Math.min(max, Math.max(min, sum)) * power) / power;
    });
    values.set(variable, noisy);
  }
  const of = (variable: number) => values.get(variable) as Float64Array;
  values.set(
    V.seaLevelPressure,
    of(V.pressure).map((value) => Math.round((value + 11) * 10) / 10),
  );
  values.set(
    V.gust,
    of(V.windSpeed).map((speed) => Math.round((speed * (1.5 + 0.3 * random()) + 0.3) * 10) / 10),
  );
  for (let row = 0; row < batch.times.length; row += 1) setDewPoint(values, row);
  return { ...batch, values };
}

/** Pseudo-random numbers from -1 to 1, the same in every run. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const iso = (time: number) => new Date(time).toISOString();
const year = `/v1/stations/${first.id}/observations?from=${iso(START)}&to=${iso(START + ROWS * STEP)}&limit=100000`;
const SCENES: readonly (readonly [what: string, path: string, times: number])[] = [
  ['a year of 12 variables, JSON', year, 4],
  ['the same as CSV', `${year}&format=csv`, 4],
  ['daily summaries of it', `/v1/stations/${first.id}/summaries?from=2024-01-01&to=2025-01-01`, 5],
  ['newest of 1,000 stations', `/v1/observations/latest?limit=${STATIONS}`, 10],
  [
    'a day, JSON',
    `/v1/stations/${first.id}/observations?from=2024-06-01T00:00:00Z&to=2024-06-02T00:00:00Z`,
    100,
  ],
  ['newest of one station', `/v1/stations/${first.id}/observations/latest`, 300],
];

const server = await startServer(
  [MAIN],
  {
    WEATHERD_EXTERNAL_PORT: '0',
    WEATHERD_INTERNAL_PORT: '0',
    WEATHERD_DATA_DIR: folder,
    WEATHERD_RATE_LIMIT: '0',
    WEATHERD_LOG_LEVEL: 'warn',
  },
  join(folder, 'log'),
);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends a request. Resolves to the number of bytes of the body. */
function ask(path: string, coding: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': coding };
    get(`${server.url}${path}`, { agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.once('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${response.statusCode}`)),
      );
    }).once('error', reject);
  });
}

console.log('| reply | coding | MB | of plain | ms p50 | CPU ms | of plain |');
console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: |');
for (const [what, path, times] of SCENES) {
  const measured = new Map(
    CODINGS.map((coding) => [coding, { bytes: 0, waits: [] as number[], cpu: [] as number[] }]),
  );
  for (let round = -1; round < ROUNDS; round += 1)
    for (const [coding, figures] of measured) {
      const cpu = server.cpu();
      for (let time = 0; time < times; time += 1) {
        const startedAt = performance.now();
        figures.bytes = await ask(path, coding);
        if (round >= 0) figures.waits.push(performance.now() - startedAt);
      }
      if (round >= 0) figures.cpu.push(((server.cpu() - cpu) * 1000) / times);
    }
  const plain = measured.get('identity');
  for (const [coding, { bytes, waits, cpu }] of measured) {
    const figures = [
      (bytes / 1e6).toFixed(bytes < 100_000 ? 4 : 2),
      `${((100 * bytes) / (plain?.bytes ?? 0)).toFixed(1)} %`,
      median(waits).toFixed(2),
      median(cpu).toFixed(2),
      (median(cpu) / median(plain?.cpu ?? [])).toFixed(2),
    ];
    console.log(`| ${what} | ${coding} | ${figures.join(' | ')} |`);
  }
}
agent.destroy();
await server.stop();
rmSync(folder, { recursive: true });
