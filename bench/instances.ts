import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openPostgresStores } from '#adapters/store-postgres/postgres-stores.js';
import { PostgresServer } from '../test/support/postgres.js';
import type { InstanceTask } from './instances-case.js';
import { median } from './load.js';
import { makeStations } from './weather-data.js';

/**
 * Measures one, two and four instances on one PostgreSQL, each in its own process. The instances write and read through the
 * interfaces of the stores, with 12 variables and 10,000 rows in a write. All measurements have the same rows, so that the ratios
 * show how much the instances slow each other down.
 *
 * PostgreSQL is the test server, with fsync. `BENCH_ROUNDS` is the number of rounds, `BENCH_ROWS` the number of rows.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const ROWS = Number(process.env['BENCH_ROWS'] ?? 200_000);
const STATIONS = 1000;
const COUNTS = [1, 2, 4];

const script = fileURLToPath(new URL('instances-case.js', import.meta.url));
const server = await PostgresServer.start(tmpdir(), { fsync: 'on', autovacuum: 'on' });
try {
  const rates = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const count of COUNTS)
      for (const shared of [false, true]) {
        const found = await measure(count, shared);
        for (const [name, rate] of Object.entries(found)) {
          const key = `${name} ${count}`;
          rates.set(key, [...(rates.get(key) ?? []), rate]);
        }
      }
  console.log(
    `| ${ROWS} rows × 12, ${cpus().length} CPUs | ${COUNTS.map((n) => `${n} instance(s)`).join(' | ')} |`,
  );
  console.log(`| --- | ${COUNTS.map(() => '---:').join(' | ')} |`);
  for (const name of ['written, own stations', 'written, same stations', 'read', 'newest']) {
    const cells = COUNTS.map((count) => median(rates.get(`${name} ${count}`) ?? []));
    const ratios = cells.map((rate) => `${Math.round(rate)} (${(rate / (cells[0] ?? 1)).toFixed(2)})`);
    console.log(`| ${name}, rows/s | ${ratios.join(' | ')} |`);
  }
} finally {
  await server.remove();
}

/** Rows per second of all instances together. @param shared whether all instances write to all stations */
async function measure(count: number, shared: boolean): Promise<Readonly<Record<string, number>>> {
  const url = await server.newDatabase();
  const stores = await openPostgresStores(url);
  await stores.stations.put(makeStations(STATIONS));
  await stores.close();
  const instances = Array.from({ length: count }, () => fork(script, [url]));
  await Promise.all(instances.map((instance) => once(instance, 'message')));
  const rate = async (kind: InstanceTask['kind']) => {
    const began = performance.now();
    const rows = await Promise.all(
      instances.map((instance, index) => run(instance, { kind, index, count, shared, rows: ROWS })),
    );
    return rows.reduce((sum, one) => sum + one) / ((performance.now() - began) / 1000);
  };
  const written = await rate('write');
  const found = shared
    ? { 'written, same stations': written }
    : { 'written, own stations': written, read: await rate('read'), newest: await rate('newest') };
  for (const instance of instances) instance.disconnect();
  await Promise.all(instances.map((instance) => once(instance, 'exit')));
  return found;
}

async function run(instance: ChildProcess, task: InstanceTask): Promise<number> {
  const answer = once(instance, 'message');
  instance.send(task);
  const [rows] = (await answer) as [number];
  return rows;
}
