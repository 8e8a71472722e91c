import type { ObservationQuery } from '#application/ports/observation-store.js';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { median } from './load.js';
import { makeBatch, makeStations, START, STEP } from './weather-data.js';

/**
 * Measures writing to and reading from PostgreSQL servers in turns: `npm run bench servers NAME=URL …`. Each URL names an empty
 * database, in which only the schema `weatherd` is changed. If NAME begins with `citus`, the tables on this server are
 * distributed. `BENCH_STEPS` is the number of rows of a station in a round, and `BENCH_ROUNDS` the number of rounds.
 */
const STATIONS = 1000;
const STEPS = Number(process.env['BENCH_STEPS'] ?? 144);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Number of rows of each station in a write. All stations together have 10,000 rows in a write, like in `scale`. */
const POST = 10;
const READS = 20;

const FIELDS = {
  write: 'write, rows/s',
  merged: 'rows/s until all is in chunks',
  one: 'write a row of one station, ms',
  read: 'read all, rows/s',
  series: 'read all of one station, ms',
  newest: 'newest of all stations, ms',
} as const;
type Result = Record<keyof typeof FIELDS, number>;

const servers = await Promise.all(
  process.argv.slice(2).map(async (argument) => {
    const [name = '', ...url] = argument.split('=');
    const stores = await openStores(
      loadConfig(undefined, {
        WEATHERD_DATABASE_URL: url.join('='),
        WEATHERD_DATABASE_DISTRIBUTED: String(name.startsWith('citus')),
      }),
    );
    const made = await stores.stations.put(makeStations(STATIONS));
    return { name, stores, numbers: made.map(({ station }) => station.number), results: [] as Result[] };
  }),
);
for (let round = 0; round < ROUNDS; round += 1)
  for (const server of servers) server.results.push(await measure(server, round * STEPS));
const titles = Object.values(FIELDS);
console.log(`| ${STATIONS} stations, 12 variables | ${titles.join(' | ')} |`);
console.log(`| --- | ${titles.map(() => '---:').join(' | ')} |`);
for (const { name, stores, results } of servers) {
  const medians = Object.keys(FIELDS).map((key) => median(results.map((one) => one[key as keyof Result])));
  console.log(
    `| ${name} | ${medians
      .map((value) => value.toPrecision(3))
      .map(Number)
      .join(' | ')} |`,
  );
  await stores.close();
}

async function measure({ stores, numbers }: (typeof servers)[number], begin: number): Promise<Result> {
  const { observations } = stores;
  const write = async (stations: readonly number[], from: number, to: number) => {
    const batch = makeBatch(stations, from, to, 'time');
    return await timed(() => observations.write([{ batch }]));
  };
  const rows = STATIONS * STEPS;
  let writing = 0;
  for (let step = 0; step < STEPS; step += POST)
    writing += await write(numbers, begin + step, begin + Math.min(step + POST, STEPS));
  const merging = await timed(async () => (observations as { merge?(): Promise<void> }).merge?.());
  let single = 0;
  // Measures writes of a single row of one station. The times of these rows are after the other rows of this round. The next
  // round begins at the same times, so it writes these rows again.
  for (let step = 0; step < READS; step += 1)
    single += await write([numbers[0] as number], begin + STEPS + step, begin + STEPS + step + 1);
  const all = { from: START, to: START + (begin + STEPS) * STEP };
  let found = 0;
  const countRows = async (query: ObservationQuery) => {
    for await (const { times } of observations.read(query)) found += times.length;
  };
  const reading = await timed(() => countRows(all));
  const count = found;
  const series = await timed(async () => {
    for (let time = 0; time < READS; time += 1)
      await countRows({ ...all, stations: [numbers[time * 40] as number] });
  });
  const newest = await timed(async () => {
    for (let time = 0; time < READS; time += 1) await observations.newest(numbers);
  });
  return {
    write: rows / (writing / 1000),
    merged: rows / ((writing + merging) / 1000),
    one: single / READS,
    read: count / (reading / 1000),
    series: series / READS,
    newest: newest / READS,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
