import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { loadConfig } from '#composition/config.js';
import type { openStores } from '#composition/modules/stores.js';
import type { ObservationQuery } from '#application/ports/observation-store.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { makeBatch, makeStations, START, STEP } from './weather-data.js';

/**
 * One measurement of `pair store`: `node pair-store-case.js CHECKOUT FOLDER`. Prints a line of JSON with the CPU time of all threads in
 * µs for each row or station. Creating the rows is not included.
 */
const POST = 10_000;
const STATIONS = 1000;
const ROWS = 500_000;
const YEAR = 52_560;
const DAY = 86_400_000;
/** Number of reads before a measurement, so that it does not include the compilation of the code in both reading threads. */
const WARM_UP = 16;

const [checkout = '', folder = ''] = process.argv.slice(2);
const loadModule = (path: string): Promise<unknown> =>
  import(pathToFileURL(join(checkout, 'dist/src', path)).href);
const config = (await loadModule('composition/config.js')) as { loadConfig: typeof loadConfig };
const modules = (await loadModule('composition/modules/stores.js')) as { openStores: typeof openStores };
const stores = await modules.openStores(
  config.loadConfig(undefined, { WEATHERD_DATA_DIR: folder, WEATHERD_DATABASE_URL: 'sqlite:' }),
);
const { observations } = stores;
const numbers = (await stores.stations.put(makeStations(STATIONS))).map(({ station }) => station.number);

const figures: Record<string, number> = {};
/** Measures the CPU time of some work. @param work returns the number of its units (rows or stations) */
async function measure(name: string, work: () => Promise<number>): Promise<void> {
  const before = process.cpuUsage();
  const units = await work();
  const { user, system } = process.cpuUsage(before);
  figures[name] = (user + system) / units;
}

const steps = ROWS / STATIONS;
const batches: ObservationBatch[] = [];
for (let step = 0; step < steps; step += POST / STATIONS)
  batches.push(makeBatch(numbers, step, step + POST / STATIONS, 'time'));
const merge = () => (observations as { merge?(): Promise<void> }).merge?.();
await measure('write, time order', async () => {
  for (const batch of batches) await observations.write([{ batch }]);
  await merge();
  return ROWS;
});
const some = numbers.slice(0, 5);
const years = some.map((number) => makeBatch([number], steps, steps + YEAR, 'station'));
await measure('write, years of stations', async () => {
  for (const batch of years) await observations.write([{ batch }]);
  await merge();
  return YEAR * some.length;
});
const late = makeBatch(numbers, 0, 10, 'time');
for (const column of late.values.values())
  for (const [row, value] of column.entries()) column[row] = value + 1;
await measure('write again, with other values', async () => {
  await observations.write([{ batch: late }]);
  await merge();
  return POST;
});

/** Reads all rows of a query `times` times. @returns the number of rows */
async function read(query: ObservationQuery, times: number): Promise<number> {
  let rows = 0;
  for (let time = 0; time < times; time += 1)
    for await (const batch of observations.read(query)) rows += batch.times.length;
  return rows;
}
const first = some[0] as number;
const year = { stations: [first], from: START + steps * STEP, to: START + (steps + YEAR) * STEP };
for (const [name, query, times] of [
  ['read, days of stations', { stations: [numbers[9] as number], from: START, to: START + DAY }, 500],
  ['read, a year of a station', year, 10],
  ['read, a year of one variable', { ...year, variables: [1] }, 20],
  ['read, a day of all stations', { from: START, to: START + DAY }, 3],
] as const) {
  await read(query, WARM_UP);
  await measure(name, () => read(query, times));
}
await measure('newest values, a station', async () => {
  for (let time = 0; time < 50; time += 1) await observations.newest(numbers);
  return 50 * STATIONS;
});
await stores.close();
console.log(JSON.stringify(figures));
