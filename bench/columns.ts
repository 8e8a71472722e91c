import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSettled } from '#domain/weather/summaries/daily-aggregate.js';
import { type Answer, PEERS } from './column-stores.js';
import type { Reply, Task } from './columns-case.js';
import { median } from './load.js';
import { START, STEP } from './weather-data.js';

/**
 * Compares weatherd's SQLite store with stores of columns: DuckDB without and with a primary key, and ClickHouse (chdb). All run in a Node.js
 * process and have their data on disk when a write returns. Each store gets the same rows of 12 variables in time order, in commits of
 * 10,000 rows, and the same questions, with 1,000 and with 50,000 stations. The stores take turns: a whole store is written at a
 * time, and each question is asked of one store after the other. The program fails if the answers differ.
 *
 * `BENCH_INGEST` is the number of rows (weatherd has daily aggregates of a month from 4,800,000 rows of 1,000 stations), `BENCH_ROUNDS` the
 * number of times that they are written, and `BENCH_STATIONS` the numbers of stations. `npm run bench columns weatherd duckdb` measures
 * only these stores.
 */
const ROWS = Number(process.env['BENCH_INGEST'] ?? 1_000_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const STATIONS = (process.env['BENCH_STATIONS'] ?? '1000,50000').split(',').map(Number);
const DAY = 86_400_000;
const TITLES: Readonly<Record<string, string>> = {
  weatherd: 'weatherd',
  duckdb: 'DuckDB',
  'duckdb-key': 'DuckDB, primary key',
  chdb: 'chdb',
};
const MONTH = { start: START, end: Date.UTC(2024, 1, 1) };
const VARIABLES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 15];
/** Two answers may differ by this share of the value, because the terms of their sums are added in another order. */
const ROUNDING = 1e-9;

interface Question {
  readonly name: string;
  readonly times: number;
  readonly task: (index: number) => Task;
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(TITLES);
const script = fileURLToPath(new URL('columns-case.js', import.meta.url));
if (!existsSync(join(PEERS, 'node_modules'))) {
  console.error('Run first: npm ci --prefix bench/peers');
  process.exit(1);
}
const root = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
try {
  for (const stations of STATIONS) await compare(stations);
} finally {
  rmSync(root, { recursive: true });
}

async function compare(stations: number): Promise<void> {
  const written = new Map<string, Reply[]>(names.map((name) => [name, []]));
  const open = new Map<string, ChildProcess>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) {
      const folder = join(root, `${name}-${stations}-${round}`);
      mkdirSync(folder);
      const store = fork(script, [name, folder, String(stations), String(ROWS)], {
        serialization: 'advanced',
      });
      written.get(name)?.push(await perform(store, { kind: 'write' }));
      if (round === ROUNDS - 1) open.set(name, store);
      else {
        await perform(store, { kind: 'close' });
        rmSync(folder, { recursive: true });
      }
    }
  console.log(
    `| ${stations} stations, ${ROWS} rows × 12 | ${names.map((name) => TITLES[name]).join(' | ')} |`,
  );
  console.log(`| --- | ${names.map(() => '---:').join(' | ')} |`);
  const print = (title: string, figure: (reply: Reply) => number, digits = 0) =>
    console.log(
      `| ${title} | ${names.map((name) => median((written.get(name) ?? []).map(figure)).toFixed(digits)).join(' | ')} |`,
    );
  print('rows/s written', ({ time }) => ROWS / (time / 1000));
  print('rows/s until deferred work is finished', ({ settled = Number.NaN }) => ROWS / (settled / 1000));
  print('CPU µs/row', ({ cpu }) => (cpu * 1000) / ROWS, 1);
  for (const question of questionsOf(stations)) await compareAnswers(question, open);
  for (const [name, store] of open) written.set(name, [await perform(store, { kind: 'close' })]);
  print('bytes/row', ({ bytes = Number.NaN }) => bytes / ROWS, 1);
  console.log('');
}

function questionsOf(stations: number): Question[] {
  const days = Math.ceil((ROWS / stations) * (STEP / DAY));
  const range = { from: START, to: START + Math.min(31, days) * DAY };
  const some = (index: number) => 1 + ((index * 37) % stations);
  const dayOf = (index: number) => START + (index % days) * DAY;
  const daily = (kind: 'daily' | 'aggregates', variables: readonly number[]) => () => ({
    kind,
    variables,
    ...range,
  });
  const period = `${Math.min(31, days)} days`;
  const questions: Question[] = [
    {
      name: "a station's day",
      times: 100,
      task: (index) => ({ kind: 'rows', station: some(index), from: dayOf(index), to: dayOf(index) + DAY }),
    },
    { name: 'newest of all stations', times: 10, task: () => ({ kind: 'newest' }) },
    { name: `one variable of all stations by days, ${period}`, times: 5, task: daily('daily', [1]) },
    { name: `twelve variables by days, ${period}`, times: 5, task: daily('daily', VARIABLES) },
  ];
  if (!isSettled(MONTH, START + (ROWS / stations - 1) * STEP)) return questions;
  return [
    ...questions,
    { name: 'one variable from daily aggregates', times: 5, task: daily('aggregates', [1]) },
    { name: 'twelve variables from daily aggregates', times: 5, task: daily('aggregates', VARIABLES) },
  ];
}

/** Asks all stores the same question, in turns, prints a line of the table, and compares the answers. */
async function compareAnswers(
  { name, times, task }: Question,
  stores: ReadonlyMap<string, ChildProcess>,
): Promise<void> {
  const replies = new Map<string, Reply[]>(names.map((store) => [store, []]));
  for (let index = -1; index < times; index += 1) {
    const asked = task(Math.max(0, index));
    const answers: Answer[] = [];
    for (const [store, child] of stores) {
      // Only weatherd has daily aggregates. The others answer from rows, so that the answers can be compared.
      const own: Task =
        asked.kind === 'aggregates' && store !== 'weatherd' ? { ...asked, kind: 'daily' } : asked;
      const reply = await perform(child, own);
      if (reply.answer !== undefined) answers.push(sorted(reply.answer));
      // The first turn is a warm-up: it computes the daily aggregates.
      if (index >= 0) replies.get(store)?.push(reply);
    }
    for (const answer of answers) assertEqual(name, answers[0] as Answer, answer);
  }
  const cells = [...replies.values()].map(
    (found) =>
      `${format(median(found.map(({ time }) => time)))} (${format(median(found.map(({ cpu }) => cpu)))})`,
  );
  console.log(`| ${name}, ms (CPU ms) | ${cells.join(' | ')} |`);
}

async function perform(store: ChildProcess, task: Task): Promise<Reply> {
  const ended = new AbortController();
  const { signal } = ended;
  store.send(task);
  try {
    const failed = once(store, 'exit', { signal }).then(() => {
      throw new Error(`The store ended during ${JSON.stringify(task)}.`);
    });
    const [reply] = (await Promise.race([once(store, 'message', { signal }), failed])) as [Reply];
    return reply;
  } finally {
    ended.abort();
  }
}

function format(milliseconds: number): string {
  return milliseconds.toFixed(milliseconds < 10 ? 2 : 0);
}

/** An answer in order of its first two columns, which are the station and a time. */
function sorted({ width, rows }: Answer): Answer {
  const order = Array.from({ length: rows.length / width }, (_, row) => row * width);
  const cell = (at: number) => rows[at] as number;
  order.sort((a, b) => cell(a) - cell(b) || cell(a + 1) - cell(b + 1));
  const result = new Float64Array(rows.length);
  for (const [row, at] of order.entries()) result.set(rows.subarray(at, at + width), row * width);
  return { width, rows: result };
}

function assertEqual(name: string, expected: Answer, found: Answer): void {
  if (expected.rows.length === 0 || expected.rows.length !== found.rows.length)
    throw new Error(`${name}: ${expected.rows.length} numbers, and ${found.rows.length} of another store.`);
  for (const [at, value] of expected.rows.entries()) {
    const other = found.rows[at] as number;
    if (!(Math.abs(value - other) <= ROUNDING * Math.max(1, Math.abs(value))))
      throw new Error(`${name}: number ${at} is ${value}, and ${other} in another store.`);
  }
}
