import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/composition/config.js';
import { openStores } from '../src/composition/stores.js';
import { makeBatch, makeStations, START, STEP } from './weather-data.js';

const STATIONS = Number(process.env['BENCH_STATIONS'] ?? 1000);
const ROWS = Number(process.env['BENCH_ROWS'] ?? 5_000_000);
const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const stores = await openStores(
  loadConfig(undefined, {
    WEATHERD_DATA_DIR: folder,
    WEATHERD_DATABASE_URL: process.env['BENCH_URL'] ?? 'sqlite:',
  }),
);
const made = await stores.stations.put(makeStations(STATIONS));
const numbers = made.map(({ station }) => station.number);
const store = stores.observations;
const NO = new Map();
const steps = Math.floor(ROWS / STATIONS);
const per = Math.max(1, Math.floor(10_000 / STATIONS));
let busy = 0;
const t0 = performance.now();
for (let step = 0; step < steps; step += per) {
  const batch = makeBatch(numbers, step, Math.min(step + per, steps), 'time');
  const before = performance.now();
  await store.write(batch, NO);
  busy += performance.now() - before;
}
console.log(
  'time order rows/s',
  Math.round((steps * STATIONS) / (busy / 1000)),
  'wall',
  (performance.now() - t0) / 1000,
);
const time = async (name: string, count: number, work: (i: number) => Promise<unknown>) => {
  const all: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const before = performance.now();
    await work(i);
    all.push(performance.now() - before);
  }
  all.sort((a, b) => a - b);
  console.log(name, 'p50', all[count >> 1]?.toFixed(3), 'ms, max', all.at(-1)?.toFixed(3));
};
const drain = async (query: Parameters<typeof store.read>[0]) => {
  let rows = 0;
  for await (const batch of store.read(query)) rows += batch.times.length;
  return rows;
};
const DAY = 86_400_000;
await time('station-day', 300, (i) =>
  drain({
    stations: [numbers[(i * 37) % STATIONS]!],
    from: START + (i % 30) * DAY,
    to: START + ((i % 30) + 1) * DAY,
  }),
);
await time('newest of all', 20, () => store.newest(numbers));
await time('inventory', 50, (i) => store.inventory(numbers[i]!));
await time('all stations month one variable', 3, () =>
  drain({ from: START, to: START + 30 * DAY, variables: [1] }),
);
const [year] = await stores.stations.put([{ ...makeStations(1)[0]!, id: 'year' }]);
const n = year!.station.number;
{
  const batch = makeBatch([n], 0, 52_560, 'station');
  const before = performance.now();
  await store.write(batch, NO);
  console.log('backfill of a year rows/s', Math.round(52_560 / ((performance.now() - before) / 1000)));
}
await new Promise((r) => setTimeout(r, 1500));
await time('station-year', 15, () => drain({ stations: [n], from: START, to: START + 52_560 * STEP }));
const more = await stores.stations.put(
  makeStations(STATIONS)
    .slice(0, 20)
    .map((s) => ({ ...s, id: `b-${s.id}` })),
);
{
  let total = 0;
  for (const { station } of more) {
    const batch = makeBatch([station.number], 0, 52_560, 'station');
    const before = performance.now();
    await store.write(batch, NO);
    total += performance.now() - before;
  }
  const before = performance.now();
  await store.newest([n]);
  console.log(
    'backfill station order rows/s',
    Math.round((52_560 * 20) / (total / 1000)),
    performance.now() - before,
  );
}
await stores.credentials.close();
const size = statSync(join(folder, 'weatherd.db')).size;
console.log('bytes/row', (size / (steps * STATIONS + 52_560 * 21)).toFixed(1));
console.log('rss', Math.round(process.memoryUsage().rss / 2 ** 20));
rmSync(folder, { recursive: true });
