import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openPostgresStores } from '#adapters/store-postgres/postgres-stores.js';
import { PostgresServer } from '../test/support/postgres.js';
import type { InstanceReply, InstanceTask, Layout } from './instances-case.js';
import { median } from './load.js';
import { makeStations } from './weather-data.js';

/**
 * Measures one, two and four instances on one PostgreSQL, each in its own process. The instances write and read through the
 * interfaces of the stores, with 12 variables and 10,000 rows in a write. All measurements have the same rows, so that the ratios
 * show how much the instances slow each other down.
 *
 * PostgreSQL is the test server, with fsync. It has the last core for itself, and all instances share the other cores.
 *
 * `npm run bench instances FOLDER` compares this build with the built checkout in FOLDER, in turns. `BENCH_ROUNDS` is the number of
 * rounds, `BENCH_ROWS` the number of rows, `BENCH_COUNTS` the numbers of instances, such as `1,2`, and `BENCH_KINDS` may leave out
 * measurements, such as `own,mixed`.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const ROWS = Number(process.env['BENCH_ROWS'] ?? 200_000);
const COUNTS = (process.env['BENCH_COUNTS'] ?? '1,2,4').split(',').map(Number);
const KINDS = (process.env['BENCH_KINDS'] ?? 'own,mixed,same,read,newest').split(',');
const STATIONS = 1000;
const TITLES = { own: 'own stations', mixed: 'own stations in common blocks', same: 'same stations' };
const SERVER_CORE = cpus().length - 1;
const OTHER_CORES = SERVER_CORE === 0 ? '0' : `0-${SERVER_CORE - 1}`;
/** Clock ticks per second in /proc, the same on every Linux. */
const TICKS = 100;

const here = fileURLToPath(new URL('../..', import.meta.url));
const script = fileURLToPath(new URL('instances-case.js', import.meta.url));
const builds = [
  ...process.argv.slice(2, 3).map((folder) => ['before', folder] as const),
  ['now', here] as const,
];
const server = await PostgresServer.start(tmpdir(), { fsync: 'on', autovacuum: 'on' });
try {
  execFileSync('taskset', ['-acp', String(SERVER_CORE), String(server.pid)]);
  const figures = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const count of COUNTS)
      for (const [build, folder] of round % 2 === 0 ? builds : builds.toReversed())
        for (const layout of ['own', 'mixed', 'same'] as const) {
          if (!KINDS.includes(layout)) continue;
          for (const [name, figure] of Object.entries(await measure(folder, count, layout))) {
            const key = `${name} | ${build} ${count}`;
            figures.set(key, [...(figures.get(key) ?? []), figure]);
          }
        }
  console.log(
    `| ${ROWS} rows × 12, ${cpus().length} CPUs | build | ${COUNTS.map((n) => `${n} instance(s)`).join(' | ')} |`,
  );
  console.log(`| --- | --- | ${COUNTS.map(() => '---:').join(' | ')} |`);
  for (const name of new Set([...figures.keys()].map((key) => key.split(' | ')[0] as string)))
    for (const [build] of builds) {
      const cells = COUNTS.map((count) => median(figures.get(`${name} | ${build} ${count}`) ?? []));
      const texts = cells.map(
        (cell) => `${Math.round(cell * 10) / 10} (${(cell / (cells[0] ?? 1)).toFixed(2)})`,
      );
      console.log(`| ${name} | ${build} | ${texts.join(' | ')} |`);
    }
} finally {
  await server.remove();
}

/** The figures of all instances together. */
async function measure(
  folder: string,
  count: number,
  layout: Layout,
): Promise<Readonly<Record<string, number>>> {
  const url = await server.newDatabase();
  const stores = await openPostgresStores(url);
  await stores.stations.put(makeStations(STATIONS));
  await stores.close();
  const instances = Array.from({ length: count }, () =>
    spawn('taskset', ['-c', OTHER_CORES, process.execPath, script, folder, url], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  );
  await Promise.all(instances.map((instance) => once(instance, 'message')));
  const run = async (kind: InstanceTask['kind']) => {
    const before = serverCpu();
    const began = performance.now();
    const replies = await Promise.all(
      instances.map((instance, index) => ask(instance, { kind, index, count, layout, rows: ROWS })),
    );
    const seconds = (performance.now() - began) / 1000;
    const rows = replies.reduce((sum, reply) => sum + reply.rows, 0);
    const cpu = replies.reduce((sum, reply) => sum + reply.cpu, 0);
    return { rows, seconds, cpu, serverCpu: serverCpu() - before };
  };
  await run('warmUp');
  await run('prepare');
  const written = await run('write');
  const merged = await run('merge');
  const name = `written, ${TITLES[layout]}`;
  const found: Record<string, number> = {
    [`${name}, rows/s`]: written.rows / written.seconds,
    [`${name}, rows/s until all is in chunks`]: written.rows / (written.seconds + merged.seconds),
    [`${name}, CPU µs/row of the instances`]: (written.cpu + merged.cpu) / written.rows,
    [`${name}, CPU µs/row of the server`]: ((written.serverCpu + merged.serverCpu) * 1e6) / written.rows,
  };
  for (const kind of ['read', 'newest'] as const) {
    if (layout !== 'own' || !KINDS.includes(kind)) continue;
    const { rows, seconds } = await run(kind);
    found[`${kind}, rows/s`] = rows / seconds;
  }
  for (const instance of instances) instance.disconnect();
  await Promise.all(instances.map((instance) => once(instance, 'exit')));
  await server.release(url);
  return found;
}

async function ask(instance: ChildProcess, task: InstanceTask): Promise<InstanceReply> {
  const ended = once(instance, 'exit').then(() => Promise.reject(new Error('an instance has ended')));
  ended.catch(() => undefined);
  const answer = once(instance, 'message');
  instance.send(task);
  const [reply] = (await Promise.race([answer, ended])) as [InstanceReply];
  return reply;
}

/** CPU time of all processes of the server so far, in seconds. */
function serverCpu(): number {
  const { pid } = server;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  // The processes of closed connections are counted in the times of the ended children of the main process.
  const own = ticksOf(String(pid), [11, 12, 13, 14]);
  return (own + children.reduce((sum, child) => sum + ticksOf(child, [11, 12]), 0)) / TICKS;
}

function ticksOf(pid: string, columns: readonly number[]): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return columns.reduce((sum, column) => sum + Number(fields[column]), 0);
  } catch {
    return 0; // The process ended after the list was read.
  }
}
