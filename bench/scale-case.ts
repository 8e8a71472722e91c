import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { loadConfig } from '#composition/config.js';
import type { openStores } from '#composition/modules/stores.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { makeRows, makeStations, START, STEP } from './weather-data.js';

/**
 * One measurement of `scale.ts` in its own process: `node scale-case.js FOLDER STATIONS ROWS time|random`. FOLDER
 * is a built checkout, so that this build can be compared with an older build. Prints a line of JSON.
 */
const POST = 10_000;
const TEN_YEARS = 525_600;

const [checkout = '', count = '', total = '', order = ''] = process.argv.slice(2);
const [stations, rows] = [Number(count), Number(total)];
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(checkout, 'dist/src', path)).href);
const config = (await load('composition/config.js')) as { loadConfig: typeof loadConfig };
const modules = (await load('composition/modules/stores.js')) as { openStores: typeof openStores };

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
try {
  const stores = await modules.openStores(
    config.loadConfig(undefined, { WEATHERD_DATA_DIR: folder, WEATHERD_DATABASE_URL: 'sqlite:' }),
  );
  const numbers = (await stores.stations.put(makeStations(stations))).map(({ station }) => station.number);
  const written = bytesWritten();
  let spent = 0;
  let slowest = 0;
  let inserted = 0;
  const write = async (batch: ObservationBatch) => {
    const before = performance.now();
    const { outcomes } = await stores.observations.write([{ batch }]);
    const time = performance.now() - before;
    spent += time;
    slowest = Math.max(slowest, time);
    inserted += outcomes[0]?.inserted ?? 0;
  };
  const began = performance.now();
  const cpu = process.cpuUsage();
  for (const batch of order === 'random' ? randomBatches() : batchesByTime()) await write(batch);
  const all = performance.now() - began;
  const memory = peakMemory();
  const merging = performance.now();
  await (stores.observations as { merge?(): Promise<void> }).merge?.();
  const mergeTime = performance.now() - merging;
  const { user, system } = process.cpuUsage(cpu);
  await stores.close();
  const stored = statSync(join(folder, 'weatherd.db')).size;
  console.log(
    JSON.stringify({
      rate: Math.round(rows / (spent / 1000)),
      mergedRate: Math.round(rows / ((all + mergeTime) / 1000)),
      /** CPU time of all threads in µs per row, including the creation of the rows. */
      cpu: Math.round(((user + system) / rows) * 100) / 100,
      slowest: Math.round(slowest),
      memory: Math.round(memory / 1e6),
      memoryAtRest: Math.round(peakMemory() / 1e6),
      written: Math.round((bytesWritten() - written) / rows),
      stored: Math.round((stored / rows) * 10) / 10,
      inserted,
    }),
  );

  function* batchesByTime(): Generator<ObservationBatch> {
    const group = Math.min(POST, stations);
    const steps = POST / group;
    for (let step = 0; step * stations < rows; step += steps)
      for (let first = 0; first < stations; first += group) {
        yield makeRows(POST, (row) => [
          numbers[first + (row % group)] as number,
          START + (step + Math.floor(row / group)) * STEP,
        ]);
      }
  }

  /** Rows at random times in ten years. Some times occur twice. */
  function* randomBatches(): Generator<ObservationBatch> {
    let seed = 1;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let first = 0; first < rows; first += POST)
      yield makeRows(POST, () => [numbers[random(stations)] as number, START - random(TEN_YEARS) * STEP]);
  }
} finally {
  rmSync(folder, { recursive: true });
}

function field(file: string, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(file, 'latin1'))?.[1]);
}

/** Peak memory of the process, in bytes. */
function peakMemory(): number {
  return field('/proc/self/status', 'VmHWM') * 1024;
}

/** Number of bytes that the process passed to system calls that write. */
function bytesWritten(): number {
  return field('/proc/self/io', 'wchar');
}
