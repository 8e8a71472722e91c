import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { PostgresServer } from '../test/support/postgres.js';
import { LeanClient } from './lean-client.js';
import { median } from './load.js';
import { type ServerProcess, startServer } from './server-process.js';
import { makeBatch, makeStations } from './weather-data.js';

/**
 * Measures the replies per second of one worker process and of two (`WEATHERD_WORKERS`), on SQLite and on PostgreSQL. The
 * services run on the same data and reply in turns, so that other programs on the machine affect all of them alike.
 *
 * The gain of a second worker is limited, because the threads of a single worker already use other cores for reading and for
 * writing text. To show this limit, two more numbers are measured:
 *
 * - the CPU time of a reply in all processes;
 * - the share of the busiest thread in this CPU time. On two cores the second worker can multiply the replies by at most twice
 *   this share: by 1.4 if the share is 0.7.
 *
 * A third service has one worker on one core. Its comparison with two workers on two cores shows the gain of one more worker
 * together with one more core.
 *
 * `BENCH_ROUNDS` is the number of turns of each service, `BENCH_SECONDS` the duration of a turn, `BENCH_STORES` the stores.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const STORES = (process.env['BENCH_STORES'] ?? 'sqlite,postgres').split(',');
/** The measured services. `cores` has the format of taskset. */
const SERVICES = [
  { workers: 1, cores: '0,1' },
  { workers: 2, cores: '0,1' },
  { workers: 1, cores: '0' },
] as const;
const CONNECTIONS = 4;
const ROWS = 52_560;
const MAIN = fileURLToPath(new URL('../../bin/weatherd.mjs', import.meta.url));

const year = 'from=2024-01-01&to=2025-01-01';
const CASES: readonly (readonly [name: string, path: string])[] = [
  ['rows of a year × 12, JSON', `observations?${year}&limit=100000`],
  [
    'chart of a year × 4, 1,000 points',
    `observations?${year}&points=1000&variables=air_temperature,dew_point_temperature,air_pressure_at_mean_sea_level,wind_speed`,
  ],
  ['days of a year × 12', `summaries?interval=day&${year}`],
  ['months of a year × 12', `summaries?interval=month&${year}`],
];
/** Milliseconds to wait after a first request. By then the daily aggregates that the request needs have been computed. */
const TABLES = 12_000;

let refusals = 0;
for (const name of STORES) await measureStore(name);

async function measureStore(name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
  const postgres =
    name === 'postgres' ? await PostgresServer.start(tmpdir(), { autovacuum: 'on' }) : undefined;
  const services: ServerProcess[] = [];
  try {
    const settings = {
      WEATHERD_DATA_DIR: folder,
      ...(postgres && { WEATHERD_DATABASE_URL: await postgres.newDatabase() }),
    };
    const station = await fill(settings);
    for (const { workers, cores } of SERVICES)
      services.push(await serve({ ...settings, WEATHERD_WORKERS: String(workers) }, folder, cores));
    await measure(name, station, services);
  } finally {
    for (const service of services) await service.stop();
    await postgres?.remove();
    rmSync(folder, { recursive: true });
  }
}

/** Creates a station and writes a year of its rows. @returns the id of the station */
async function fill(settings: Readonly<Record<string, string>>): Promise<string> {
  const stores = await openStores(loadConfig(undefined, settings));
  const [made] = await stores.stations.put(makeStations(1));
  const { id = '', number = 0 } = made?.station ?? {};
  await stores.observations.write([{ batch: makeBatch([number], 0, ROWS, 'station') }]);
  await stores.merge?.(new AbortController().signal);
  await stores.close();
  return id;
}

function serve(
  settings: Readonly<Record<string, string>>,
  folder: string,
  cores: string,
): Promise<ServerProcess> {
  const environment = {
    ...settings,
    WEATHERD_EXTERNAL_PORT: '0',
    WEATHERD_INTERNAL_PORT: '0',
    WEATHERD_RATE_LIMIT: '0',
    WEATHERD_LOG_LEVEL: 'warn',
  };
  return startServer([MAIN, 'serve'], environment, join(folder, 'log'), cores);
}

async function measure(store: string, station: string, services: readonly ServerProcess[]): Promise<void> {
  const head = [
    '1 worker, replies/s',
    '2 workers',
    'ratio',
    '1 worker, 1 core',
    'ratio to 2 workers',
    'CPU ms a reply',
    '2 workers',
    'busiest thread',
    'load',
  ];
  console.log(`| ${store}, ${CONNECTIONS} connections | ${head.join(' | ')} |`);
  console.log(`| --- |${head.map(() => ' ---:').join(' |')} |`);
  const [first] = services;
  for (const [, path] of CASES) await turn(first?.url ?? '', `/v1/stations/${station}/${path}`, 1);
  await sleep(TABLES);
  for (const [name, path] of CASES) {
    const target = `/v1/stations/${station}/${path}`;
    // This turn is a warm-up: it fills caches and compiles code in each process.
    for (const { url } of services) await turn(url, target, SECONDS);
    const rates = services.map((): number[] => []);
    const before = process.cpuUsage();
    const began = performance.now();
    const cpuBefore = services.map(threadTimes);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, { url }] of services.entries()) rates[index]?.push(await turn(url, target, SECONDS));
    const { user, system } = process.cpuUsage(before);
    const [one = Number.NaN, two = Number.NaN, onOneCore = Number.NaN] = rates.map(median);
    const ratioTo = (index: number) =>
      median((rates[1] ?? []).map((rate, round) => rate / (rates[index]?.[round] ?? Number.NaN)));
    const share = (100 * (user + system)) / 1000 / (performance.now() - began);
    const used = services.map((service, index) => {
      const times = [...threadTimes(service)].map(([id, time]) => time - (cpuBefore[index]?.get(id) ?? 0));
      const sum = times.reduce((all, time) => all + time, 0);
      const replies = (rates[index] ?? []).reduce((all, rate) => all + rate * SECONDS, 0);
      return { reply: (1000 * sum) / replies, busiest: (100 * Math.max(...times)) / sum };
    });
    const [single, double] = used;
    const cells = [
      one.toFixed(1),
      two.toFixed(1),
      ratioTo(0).toFixed(2),
      onOneCore.toFixed(1),
      ratioTo(2).toFixed(2),
      single?.reply.toFixed(1),
      double?.reply.toFixed(1),
      `${single?.busiest.toFixed(0)} %`,
      `${share.toFixed(0)} %`,
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  console.log(
    `Load of the machine: ${loadavg()
      .map((value) => value.toFixed(1))
      .join(', ')}; ${cpus().length} cores; ${refusals} replies were refused.\n`,
  );
}

/** CPU time in seconds of each thread of a service and of its worker processes. */
function threadTimes({ child: { pid = 0 } }: ServerProcess): ReadonlyMap<string, number> {
  const children = (process: string): string[] => {
    const found = readFileSync(`/proc/${process}/task/${process}/children`, 'utf8').match(/\d+/g) ?? [];
    return found.flatMap((one) => [one, ...children(one)]);
  };
  const processes = [String(pid), ...children(String(pid))];
  const threads = processes.flatMap((process) =>
    readdirSync(`/proc/${process}/task`).map(
      (thread) => [thread, `/proc/${process}/task/${thread}/stat`] as const,
    ),
  );
  return new Map(
    threads.map(([thread, file]) => {
      const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return [thread, (Number(fields[11]) + Number(fields[12])) / 100];
    }),
  );
}

/** Counts refusals. On a busy machine large reads may wait too long and be refused. */
function countRefusal(error: Error): void {
  if (!/ HTTP\/1\.1 (?:429|503) /.test(error.message)) throw error;
  refusals += 1;
}

/** Sends requests over all connections. @returns replies per second */
async function turn(url: string, target: string, seconds: number): Promise<number> {
  const clients = Array.from({ length: CONNECTIONS }, () => new LeanClient(url));
  const began = performance.now();
  const end = began + seconds * 1000;
  let replies = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        await client.get(target).then(() => (replies += 1), countRefusal);
      }
    }),
  );
  const rate = replies / ((performance.now() - began) / 1000);
  for (const client of clients) await client.close();
  return rate;
}
