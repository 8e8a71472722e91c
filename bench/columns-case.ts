import { type Answer, type MeasuredStore, openChdb, openDuckDb } from './column-stores.js';
import { openWeatherd } from './columns-weatherd.js';
import { makeBatch, STEP } from './weather-data.js';

/**
 * One store of `columns.ts` in its own process: `node columns-case.js STORE FOLDER STATIONS ROWS`. It receives tasks as messages, and
 * replies with times and answers. Times of questions are in ms since 1970-01-01T00:00:00Z, `[from, to)`.
 */
export type Task =
  | { readonly kind: 'write' }
  | { readonly kind: 'close' }
  | { readonly kind: 'rows'; readonly station: number; readonly from: number; readonly to: number }
  | { readonly kind: 'newest' }
  | {
      readonly kind: 'daily' | 'aggregates';
      readonly variables: readonly number[];
      readonly from: number;
      readonly to: number;
    };

export interface Reply {
  /** Duration of the task in ms. Of `write`: without making the rows. */
  readonly time: number;
  /** CPU time of all threads in ms. Of `write`: with deferred work, but without making the rows. */
  readonly cpu: number;
  readonly answer?: Answer;
  /** Of `write`: duration until deferred work was finished too, in ms. */
  readonly settled?: number;
  /** Of `close`: bytes on disk. */
  readonly bytes?: number;
}

/** Number of rows in a commit. */
const POST = 10_000;
/** Number of commits whose rows are made together, so that their CPU time can be left out. */
const COMMITS = 100;
/**
 * Rows are five minutes past full ten minutes. Then no row is at midnight, and the day of a row is the same for all variables: the rain of
 * midnight belongs to the day before, but the temperature of midnight does not.
 */
const OFFSET = STEP / 2;

const [name = '', folder = '', count = '', total = ''] = process.argv.slice(2);
const numbers = Array.from({ length: Number(count) }, (_, index) => index + 1);
const variables = [...makeBatch([1], 0, 1, 'time').values.keys()].sort((a, b) => a - b);
const store = await openStore();

process.on('disconnect', () => process.exit());
process.on('message', (task: Task) => {
  // An error ends this process, and the benchmark with it.
  void perform(task).then((reply) =>
    process.send?.(reply, () => {
      if (task.kind === 'close') process.exit();
    }),
  );
});

function openStore(): Promise<MeasuredStore> {
  if (name === 'duckdb') return openDuckDb(folder, variables, false);
  if (name === 'duckdb-key') return openDuckDb(folder, variables, true);
  if (name === 'chdb') return openChdb(folder, variables);
  return openWeatherd(folder, numbers, variables);
}

async function perform(task: Task): Promise<Reply> {
  if (task.kind === 'write') return await write();
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  if (task.kind === 'close') return { time: 0, cpu: 0, bytes: await store.close() };
  const answer = await ask(task);
  return { time: performance.now() - before, cpu: cpuSince(cpu), ...(answer && { answer }) };
}

async function ask(task: Exclude<Task, { kind: 'write' | 'close' }>): Promise<Answer | undefined> {
  if (task.kind === 'rows') return await store.rows(task.station, task.from, task.to);
  if (task.kind === 'newest') return await store.newest();
  if (task.kind === 'daily') return await store.daily(task.variables, task.from, task.to);
  return await store.aggregates?.(task.variables, task.from, task.to);
}

async function write(): Promise<Reply> {
  const group = Math.min(POST, numbers.length);
  const steps = POST / group;
  const groups = Array.from({ length: numbers.length / group }, (_, index) =>
    numbers.slice(index * group, (index + 1) * group),
  );
  let [time, cpu] = [0, 0];
  const commits = Number(total) / POST;
  for (let first = 0; first < commits; first += COMMITS) {
    const batches = Array.from({ length: Math.min(COMMITS, commits - first) }, (_, index) => {
      const step = Math.floor((first + index) / groups.length) * steps;
      const stations = groups[(first + index) % groups.length] as number[];
      const batch = makeBatch(stations, step, step + steps, 'time');
      return { ...batch, times: batch.times.map((at) => at + OFFSET) };
    });
    const [before, used] = [performance.now(), process.cpuUsage()];
    for (const batch of batches) await store.write(batch);
    time += performance.now() - before;
    cpu += cpuSince(used);
  }
  const [before, used] = [performance.now(), process.cpuUsage()];
  await store.settle();
  return { time, settled: time + performance.now() - before, cpu: cpu + cpuSince(used) };
}

/** CPU time of all threads since `start`, in ms. */
function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
