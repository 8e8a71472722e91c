import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile } from './load.js';
import { startServer } from './server-process.js';

/**
 * Measures the latency of health checks during uploads of 16 MiB. For each kind of body it sends health requests one after
 * another, and prints latencies and peak memory. The first kind of body is also sent while hourly summaries of 10,000 hours are
 * read, one reply after another.
 */
const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));
const SIZE = 16 * 1_048_576 - 1024;
const PASSWORD = 'a password for the benchmark';

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const environment = {
  WEATHERD_EXTERNAL_PORT: '0',
  WEATHERD_INTERNAL_PORT: '0',
  WEATHERD_RATE_LIMIT: '100000000',
  WEATHERD_DATA_DIR: join(folder, 'data'),
};
const server = await startServer([MAIN], environment, join(folder, 'log'), '0-1');
const run = (parameters: readonly string[]) =>
  execFileSync(process.execPath, [MAIN, ...parameters], {
    env: { ...process.env, ...environment },
    input: `${PASSWORD}\n`,
  });
run(['user', 'add', 'ada', '--administrator']);
run(['station', 'add', 'A', '--latitude', '1', '--longitude', '1', '--time-zone', 'UTC']);

const post = async (path: string, body: string, headers: Readonly<Record<string, string>>) => {
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body, headers });
  return (await response.json()) as Readonly<Record<string, unknown>>;
};
const json = { 'content-type': 'application/json' };
const signIn = { username: 'ada', email: null, password: PASSWORD };
const { token: basic } = await post('/v1/auth/authenticate/', JSON.stringify(signIn), json);
const elevate = async () => {
  const headers = { ...json, authorization: `Bearer ${String(basic)}` };
  return String((await post('/v1/auth/elevate/', JSON.stringify({ password: PASSWORD }), headers))['token']);
};

const filled = (header: string, line: (row: number) => string, end = '') => {
  const lines = [header];
  for (let [row, length] = [0, header.length]; length < SIZE - end.length - 100; row += 1) {
    const text = line(row);
    lines.push(text);
    length += text.length;
  }
  return lines.join('') + end;
};
const iso = (row: number) => new Date(row * 60_000).toISOString().replace('.000Z', 'Z');
const csv = { 'content-type': 'text/csv' };
const numbers = (count: number) => Array.from({ length: count }, (_, row) => row * 60);

const BODIES: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>> = {
  'CSV, good rows': [filled('time,air_temperature\n', (row) => `${iso(row)},${row % 30}.5\n`), csv],
  'CSV, imperial': [
    filled(
      'time,air_temperature (°F),wind_speed (mph)\n',
      (row) => `${iso(row)},${row % 90}.5,${row % 30}.1\n`,
    ),
    csv,
  ],
  'CSV, bad rows': [filled('time,air_temperature\n', () => 'x,y\n'), csv],
  'CSV, times against the order': [
    filled('time,air_temperature\n', (row) => `${1e9 - (row % 100_000) * 60},${row % 30}\n`),
    csv,
  ],
  'CSV, millions of columns': [filled('time', (row) => `,c${row}`), csv],
  'JSON, good rows': [
    JSON.stringify({ time: numbers(1_000_000), air_temperature: numbers(1_000_000).map((row) => row % 40) }),
    json,
  ],
  'JSON, nested deeply': [`{"time":${'['.repeat(7_000_000)}${']'.repeat(7_000_000)}}`, json],
};

/** A request for the largest number of intervals in a reply. */
const BUCKETS = `/v1/stations/A/summaries?interval=hour&from=${iso(0)}&to=${iso(10_000 * 60)}`;
const [first] = Object.entries(BODIES) as [[string, readonly [string, Readonly<Record<string, string>>]]];
const scenes = [
  ...Object.entries(BODIES).map((entry) => [...entry, undefined] as const),
  [`${first[0]}, 10,000 hours out`, first[1], BUCKETS] as const,
];
for (const [name, [body, headers], meanwhile] of scenes) {
  const authorization = `Bearer ${await elevate()}`;
  const upload = new AbortController();
  let peak = 0;
  const latencies: number[] = [];
  const watch = (async () => {
    while (!upload.signal.aborted) {
      const startedAt = performance.now();
      await (await fetch(`${server.url}/v1/health/info`)).arrayBuffer();
      latencies.push(performance.now() - startedAt);
      peak = Math.max(peak, server.memory());
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  let replies = 0;
  const reading = (async () => {
    if (meanwhile === undefined) return;
    while (!upload.signal.aborted) {
      const response = await fetch(`${server.url}${meanwhile}`);
      if (response.status !== 200) throw new Error(`${meanwhile}: ${await response.text()}`);
      await response.arrayBuffer();
      replies += 1;
    }
  })();
  const startedAt = performance.now();
  const { code, inserted, updated, repeated, rejected, message } = await post(
    '/v1/stations/A/observations',
    body,
    { ...headers, authorization },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  upload.abort();
  await Promise.all([watch, reading]);
  const sorted = Float64Array.from(latencies).sort();
  const outcome =
    code === 200 ? { inserted, updated, repeated, rejected, replies } : String(message).slice(0, 80);
  console.log(
    `${name.padEnd(30)} ${(body.length / 1_048_576).toFixed(1)} MiB  ${seconds.toFixed(2)} s  health p50 ` +
      `${quantile(sorted, 0.5).toFixed(1)} p99 ${quantile(sorted, 0.99).toFixed(1)} max ${sorted.at(-1)?.toFixed(1)} ms  ` +
      `RSS ${(peak / 1_048_576).toFixed(0)} MiB  ${JSON.stringify(outcome)}`,
  );
}
await server.stop();
rmSync(folder, { recursive: true });
