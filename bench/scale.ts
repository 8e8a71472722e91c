import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './load.js';

/**
 * Measures writing to SQLite with many stations, and with rows at random times. Each measurement is a process of its own.
 * `npm run bench scale FOLDER` compares this build with the built checkout in FOLDER, in turns. `BENCH_ROUNDS` is the number of
 * rounds, and `BENCH_SHARE` the share of the rows that are written.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SHARE = Number(process.env['BENCH_SHARE'] ?? 1);
const CASES: readonly (readonly [stations: number, rows: number, order: 'time' | 'random'])[] = [
  [1000, 5_000_000, 'time'],
  [10_000, 5_000_000, 'time'],
  [50_000, 10_000_000, 'time'],
  [1000, 500_000, 'random'],
];
const FIELDS = {
  rate: 'rows/s',
  mergedRate: 'rows/s until all is in chunks',
  cpu: 'CPU µs/row',
  slowest: 'slowest write, ms',
  memory: 'peak memory, MB',
  written: 'bytes written/row',
  stored: 'bytes stored/row',
} as const;
type Result = Readonly<Record<keyof typeof FIELDS, number>>;

const here = fileURLToPath(new URL('../..', import.meta.url));
const script = fileURLToPath(new URL('scale-case.js', import.meta.url));
const builds = [
  ...process.argv.slice(2, 3).map((folder) => ['before', folder] as const),
  ['now', here] as const,
];
const titles = Object.values(FIELDS);
console.log(`| 12 variables, posts of 10,000 rows | ${titles.join(' | ')} |`);
console.log(`| --- | ${titles.map(() => '---:').join(' | ')} |`);
for (const [stations, all, order] of CASES) {
  const results = new Map<string, Result[]>(builds.map(([name]) => [name, []]));
  const rows = Math.round((all * SHARE) / 50_000) * 50_000;
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, folder] of builds) {
      const output = execFileSync(process.execPath, [script, folder, String(stations), String(rows), order]);
      results.get(name)?.push(JSON.parse(output.toString()) as Result);
    }
  for (const [name, found] of results) {
    const medians = Object.keys(FIELDS).map((key) => median(found.map((one) => one[key as keyof Result])));
    console.log(`| ${stations} stations, ${rows} rows, ${order}, ${name} | ${medians.join(' | ')} |`);
  }
}
