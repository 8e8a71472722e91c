import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventsOutcome, EventsTask } from './events-case.js';
import type { ReadersOutcome, ReadersTask } from './events-readers.js';
import { median, quantile } from './load.js';

/**
 * Measures streams of events while 1,000 rows/s of 1,000 stations are written in commits of 20 rows. In some cases each stream
 * has one station, in others all stations.
 *
 * Two services on the first core write in turns: one has streams, the other has none. The readers of the streams are a process on
 * the other cores. The program prints:
 *
 * - the time from the commit to the reader;
 * - the ratio of the writing times with and without streams;
 * - the CPU shares of the services and of the readers.
 *
 * `BENCH_SECONDS` is the duration of a turn, and `BENCH_TURNS` the number of turns. Each of the four cases has its own number of
 * streams; numbers as parameters select the cases.
 */
const STATIONS = 1000;
const TURNS = Number(process.env['BENCH_TURNS'] ?? 3);
/** Number of turns that are not measured. */
const WARM_UP = 2;
const MILLISECONDS = Number(process.env['BENCH_SECONDS'] ?? 5) * 1000;
const OTHER_CORES = cpus().length === 1 ? '0' : `1-${cpus().length - 1}`;

interface Service {
  readonly child: ChildProcess;
  readonly url: string;
}

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
let services = 0;

/** Starts a program of this folder. */
function run(cores: string, program: string, environment: Readonly<Record<string, string>> = {}) {
  const file = fileURLToPath(new URL(`${program}.js`, import.meta.url));
  return spawn('taskset', ['-c', cores, process.execPath, file, String(STATIONS)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
}

async function start(): Promise<Service> {
  services += 1;
  const child = run('0', 'events-case', {
    WEATHERD_EXTERNAL_PORT: '0',
    WEATHERD_INTERNAL_PORT: '0',
    WEATHERD_DATA_DIR: join(folder, String(services)),
  });
  const [url] = (await once(child, 'message')) as [string];
  return { child, url };
}

async function ask(child: ChildProcess, task: EventsTask | ReadersTask): Promise<unknown> {
  child.send(task);
  return ((await once(child, 'message')) as [unknown])[0];
}

const write = ({ child }: Service) => ask(child, { milliseconds: MILLISECONDS }) as Promise<EventsOutcome>;

async function stop(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}

async function measure(name: string, paths: readonly string[], readersOfStation: number): Promise<void> {
  // Both services are started at the same time. Otherwise the service that was started later would have less compiled code and
  // smaller files.
  const [quiet, service] = [await start(), await start()];
  const readers = run(OTHER_CORES, 'events-readers');
  await ask(readers, { name: 'open', port: Number(new URL(service.url).port), paths });
  const [alone, streaming, read]: [EventsOutcome[], EventsOutcome[], ReadersOutcome[]] = [[], [], []];
  for (let turn = 0; turn < WARM_UP; turn += 1) for (const one of [quiet, service]) await write(one);
  for (let turn = 0; turn < TURNS; turn += 1) {
    alone.push(await write(quiet));
    await ask(readers, { name: 'begin' });
    const outcome = await write(service);
    streaming.push(outcome);
    read.push((await ask(readers, { name: 'end', commits: outcome.commits })) as ReadersOutcome);
  }
  const delays = Float64Array.from(read.flatMap((one) => [...one.delays])).sort();
  const ratio = (of: (outcome: EventsOutcome) => number) =>
    (median(streaming.map(of)) / median(alone.map(of))).toFixed(2);
  const share = (outcomes: readonly { readonly cpu: number }[]) =>
    `${Math.round((100 * median(outcomes.map(({ cpu }) => cpu))) / MILLISECONDS)} %`;
  const expected = readersOfStation * streaming.reduce((sum, { rows }) => sum + rows, 0);
  const mebibytes = (outcomes: readonly EventsOutcome[]) =>
    Math.round(Math.max(...outcomes.map(({ memory }) => memory)) / 2 ** 20);
  console.log(
    `${name}: ${delays.length} of ${expected} rows, commit to reader p50 ${quantile(delays, 0.5).toFixed(1)} ` +
      `p99 ${quantile(delays, 0.99).toFixed(1)} (turns ${read.map((one) => quantile(one.delays, 0.99).toFixed(1)).join(', ')}) ` +
      `max ${delays.at(-1)?.toFixed(1)} ms; ` +
      `a write takes ${ratio((one) => one.write)} times as long as without streams, ` +
      `${median(streaming.map((one) => one.write)).toFixed(2)} ms, and ${ratio((one) => one.writeCpu)} times as much CPU time; ` +
      `CPU ${share(streaming)} of a core, without streams ${share(alone)}, readers ${share(read)}; ` +
      `RSS ${mebibytes(streaming)} MiB, without streams ${mebibytes(alone)}; ${read.at(-1)?.cut} streams cut`,
  );
  for (const child of [readers, service.child, quiet.child]) await stop(child);
}

const station = (index: number) =>
  `/v1/events?stations=station-${String((index % STATIONS) + 1).padStart(5, '0')}`;
const pathsOf = (count: number, pathOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => pathOf(index));
const wanted = process.argv.slice(2);
const isWanted = (count: number) => wanted.length === 0 || wanted.includes(String(count));
for (const count of [1000, 2000].filter(isWanted))
  await measure(`${count} streams of one station`, pathsOf(count, station), count / STATIONS);
for (const count of [25, 50].filter(isWanted))
  await measure(
    `${count} streams of all stations`,
    pathsOf(count, () => '/v1/events'),
    count,
  );
rmSync(folder, { recursive: true });
