import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { RelayedAnnouncer } from '#adapters/announcer-local/relayed-announcer.js';
import { openPostgresStores } from '#adapters/store-postgres/postgres-stores.js';
import { makeBatch } from './weather-data.js';

/**
 * One instance of weatherd for `instances.ts`: `node instances-case.js URL`. It receives tasks, and replies with the number of
 * rows that it wrote or read.
 */
export interface InstanceTask {
  readonly kind: 'write' | 'read' | 'newest';
  /** Index of the instance, from 0. */
  readonly index: number;
  /** Number of instances. */
  readonly count: number;
  /** Whether all instances write to all stations, in turns. If not, each instance writes to its own stations. */
  readonly shared: boolean;
  /** Number of rows of all instances together. */
  readonly rows: number;
}

const POST = 10_000;
/** Number of reads of the newest values of all stations. */
const NEWEST = 100;

const stores = await openPostgresStores(process.argv[2] ?? '');
const announcer = new RelayedAnnouncer(new LocalAnnouncer(), stores.exchange);
announcer.listen();
const numbers = (await stores.stations.list()).map(({ number }) => number);

process.on(
  'message',
  (task: InstanceTask) => void WORK[task.kind](task).then((rows) => process.send?.(rows)),
);
process.on('disconnect', () => void stores.close());
process.send?.('ready');

const WORK = { write, read, newest };

/** The stations of this instance, or all stations if all instances write to all stations. */
function ownOf({ index, count, shared }: InstanceTask): readonly number[] {
  const size = Math.ceil(numbers.length / count);
  return shared ? numbers : numbers.slice(index * size, (index + 1) * size);
}

async function write(task: InstanceTask): Promise<number> {
  const stations = ownOf(task);
  const steps = POST / stations.length;
  const all = task.rows / numbers.length;
  let rows = 0;
  for (let step = 0, turn = 0; step < all; step += steps, turn += 1) {
    if (task.shared && turn % task.count !== task.index) continue;
    const batch = makeBatch(stations, step, Math.min(step + steps, all), 'time');
    rows += batch.times.length;
    const { changes } = await stores.observations.write([{ batch }]);
    announcer.announce({ kind: 'observations', changes });
  }
  return rows;
}

async function read(task: InstanceTask): Promise<number> {
  let rows = 0;
  for (const station of ownOf(task))
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
