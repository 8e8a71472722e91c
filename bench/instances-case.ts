import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import type { RelayedAnnouncer } from '#adapters/announcer-local/relayed-announcer.js';
import type { openPostgresStores } from '#adapters/store-postgres/postgres-stores.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { makeRows, START, STEP } from './weather-data.js';

/**
 * One instance of weatherd for `instances.ts`: `node instances-case.js FOLDER URL`. FOLDER is a built checkout. The instance receives
 * tasks, and replies with an `InstanceReply`.
 */
export interface InstanceTask {
  /**
   * - `warmUp` writes rows, so that the later tasks do not include the compilation of the code
   * - `prepare` makes the rows for `write`
   * - `merge` waits until all rows are in chunks
   */
  readonly kind: 'warmUp' | 'prepare' | 'write' | 'merge' | 'read' | 'newest';
  /** Index of the instance, from 0. */
  readonly index: number;
  /** Number of instances. */
  readonly count: number;
  /** The stations to which the instance writes. */
  readonly layout: Layout;
  /** Number of rows of all instances together. */
  readonly rows: number;
}

/**
 * - `own`: stations with consecutive numbers, so that the instances have almost no block of 64 stations in common
 * - `mixed`: every n-th station, so that the instances have all blocks in common, but no station
 * - `same`: all stations; the instances write them in turns
 */
export type Layout = 'own' | 'mixed' | 'same';

export interface InstanceReply {
  /** Number of rows that the instance wrote or read. */
  readonly rows: number;
  /** CPU time of all threads of the instance for the task, in µs. */
  readonly cpu: number;
}

const POST = 10_000;
/** Number of rows of each station that an instance writes to warm up. */
const WARM_UP = 200;
/** Number of reads of the newest values of all stations. */
const NEWEST = 100;

const [checkout = '', url = ''] = process.argv.slice(2);
const load = (path: string): Promise<unknown> =>
  import(pathToFileURL(join(checkout, 'dist/src/adapters', path)).href);
const local = (await load('announcer-local/local-announcer.js')) as { LocalAnnouncer: typeof LocalAnnouncer };
const relayed = (await load('announcer-local/relayed-announcer.js')) as {
  RelayedAnnouncer: typeof RelayedAnnouncer;
};
const postgres = (await load('store-postgres/postgres-stores.js')) as {
  openPostgresStores: typeof openPostgresStores;
};
const stores = await postgres.openPostgresStores(url);
const announcer = new relayed.RelayedAnnouncer(new local.LocalAnnouncer(), stores.exchange);
announcer.listen();
const numbers = (await stores.stations.list()).map(({ number }) => number);
let batches: ObservationBatch[] = [];

process.on('message', (task: InstanceTask) => void reply(task));
process.on('disconnect', () => void stores.close());
process.send?.('ready');

async function reply(task: InstanceTask): Promise<void> {
  const before = process.cpuUsage();
  const rows = await WORK[task.kind](task);
  const { user, system } = process.cpuUsage(before);
  process.send?.({ rows, cpu: user + system } satisfies InstanceReply);
}

const WORK = { warmUp, prepare, write, merge, read, newest };

function stationsOf({ index, count, layout }: InstanceTask): readonly number[] {
  if (layout === 'same') return numbers;
  if (layout === 'mixed') return numbers.filter((_number, at) => at % count === index);
  const size = Math.ceil(numbers.length / count);
  return numbers.slice(index * size, (index + 1) * size);
}

async function warmUp(task: InstanceTask): Promise<number> {
  // The next rows are newer, so they are not late. Each instance has as many rows as it has later with one instance.
  const steps = WARM_UP * (task.layout === 'same' ? 1 : task.count);
  batches = makeBatches(task, -steps, 0);
  await write();
  return await merge();
}

async function prepare(task: InstanceTask): Promise<number> {
  batches = makeBatches(task, 0, task.rows / numbers.length);
  return 0;
}

/** Makes the rows of this instance in `[from, to)`, in steps of 10 minutes. */
function makeBatches(task: InstanceTask, from: number, to: number): ObservationBatch[] {
  const stations = stationsOf(task);
  const steps = POST / stations.length;
  const made: ObservationBatch[] = [];
  for (let step = from, turn = 0; step < to; step += steps, turn += 1) {
    if (task.layout === 'same' && turn % task.count !== task.index) continue;
    const rows = Math.min(steps, to - step) * stations.length;
    made.push(
      makeRows(rows, (row) => [
        stations[row % stations.length] as number,
        START + (step + Math.floor(row / stations.length)) * STEP,
      ]),
    );
  }
  return made;
}

async function write(): Promise<number> {
  let rows = 0;
  for (const batch of batches) {
    const { changes } = await stores.observations.write([{ batch }]);
    announcer.announce({ kind: 'observations', changes });
    rows += batch.times.length;
  }
  return rows;
}

async function merge(): Promise<number> {
  await (stores.observations as { merge?(): Promise<void> }).merge?.();
  return 0;
}

async function read(task: InstanceTask): Promise<number> {
  let rows = 0;
  for (const station of stationsOf(task))
    for await (const { times } of stores.observations.read({ stations: [station], from: 0, to: 8.64e15 }))
      rows += times.length;
  return rows;
}

async function newest({ count }: InstanceTask): Promise<number> {
  let rows = 0;
  for (let time = 0; time < NEWEST / count; time += 1)
    rows += (await stores.observations.newest(numbers)).length;
  return rows;
}
