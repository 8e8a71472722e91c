import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './line-protocol-peers.js';
import { median } from './load.js';
import { startServer } from './server-process.js';
import { prepareSoak } from './soak-data.js';

/**
 * Shows whether the memory of a service grows over a long time. For an hour the service gets mixed load with a limited heap:
 * uploads, writes, reads of every kind (some of them canceled), streams, pages, sign-ins and faulty requests. The load has few
 * users, which pause between their requests, so that the service has idle time.
 *
 * The program prints memory, handles and threads six times. `BENCH_MINUTES` is the duration, `BENCH_HEAP` the limit of the heap
 * in MiB.
 */
const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 60);
const HEAP = Number(process.env['BENCH_HEAP'] ?? 256);
const REPORTS = 6;
const LOOK = 5000;
const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const uploads = await freePort();
const internal = await freePort();
const environment = {
  WEATHERD_EXTERNAL_PORT: '0',
  WEATHERD_INTERNAL_PORT: String(internal),
  WEATHERD_UPLOADS_ENABLED: 'true',
  WEATHERD_UPLOADS_PORT: String(uploads),
  WEATHERD_DATA_DIR: join(folder, 'data'),
};
const { keys, password } = await prepareSoak(MAIN, environment);
const server = await startServer([`--max-old-space-size=${HEAP}`, MAIN], environment, join(folder, 'log'));
const ends = new AbortController();
const { signal } = ends;
const counts = new Map<string, number>();
const note = (outcome: string) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
let round = 0;

const some = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;
const day = () =>
  `2013-${String(1 + Math.floor(Math.random() * 12)).padStart(2, '0')}-${String(1 + Math.floor(Math.random() * 27)).padStart(2, '0')}`;
const station = () => some(['JFK', 'LGA', 'EWR', 'station-00001', 'station-00007']);
const READS: readonly (() => string)[] = [
  () => `/v1/stations/${station()}/observations?from=${day()}&to=2014-01-01`,
  () => `/v1/stations/${station()}/observations?last=30d`,
  () => `/v1/stations/${station()}/observations?format=csv`,
  () => `/v1/stations/${station()}/observations?format=parquet`,
  () => `/v1/stations/${station()}/observations?points=${some([100, 500])}`,
  () => `/v1/stations/${station()}/observations/latest?include=today,trend,rain`,
  () => `/v1/stations/${station()}/summaries?interval=${some(['hour', 'day', 'month', 'year'])}`,
  () => `/v1/stations/${station()}/derived?variables=heat_index,wet_bulb&from=${day()}`,
  () => `/v1/stations/${station()}/wind-rose?from=${day()}`,
  () =>
    `/v1/stations/${station()}/climate/${some(['months', 'records', 'indices', 'normals', 'degree-days'])}`,
  () => `/v1/stations/${station()}/reports/noaa/2013-0${1 + Math.floor(Math.random() * 9)}.txt`,
  () => `/v1/observations/latest?format=${some(['json', 'geojson', 'openmetrics'])}`,
  () => '/v1/observations/latest?include=today',
  () => `/v1/stations?q=${Math.random().toString(36).slice(2)}`,
  () => `/v1/stations?near=${Math.random() * 80},${Math.random() * 170}`,
  () => `/v1/summaries?stations=JFK,LGA&interval=day&from=${day()}&to=2014-01-01`,
  () => some(['/', '/stations/JFK', '/docs', '/kiosk/JFK', '/embed/JFK', '/nowhere', '/openapi.json']),
  () => `/v1/stations/${Math.random().toString(36)}/observations`,
];

/** Repeats an action until the end. Refused and canceled requests are part of the load. */
async function user(name: string, pause: number, action: () => Promise<string>): Promise<void> {
  while (!signal.aborted) {
    note(`${name} ${await action().catch((error: Error) => error.name)}`);
    await sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
}

async function read(): Promise<string> {
  const headers = { 'accept-encoding': some(['identity', 'gzip', 'br']), accept: some(['*/*', 'text/html']) };
  const response = await fetch(`${server.url}${some(READS)()}`, { headers, signal });
  await response.arrayBuffer();
  return String(response.status);
}

/** Starts a read, and cancels it after a time in milliseconds. */
async function leaveAfter(milliseconds: number, path: string): Promise<string> {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  // `AbortSignal.any` is not used, because Node.js 20 may remove its signal from memory before the signal fires.
  signal.addEventListener('abort', leave);
  const timer = setTimeout(leave, milliseconds);
  try {
    const response = await fetch(`${server.url}${path}`, { signal: leaving.signal });
    await response.arrayBuffer();
    return String(response.status);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}

const breakOff = () => leaveAfter(Math.random() * 40, some(READS)());

function follow(): Promise<string> {
  const query = some(['', '?include=today', '?stations=station-00001', '?near=50,8&radius=100']);
  return leaveAfter(1000 + Math.random() * 20_000, `/v1/events${query}`);
}

async function upload(): Promise<string> {
  round += 1;
  const form = `PASSKEY=A0&stationtype=GW2000A_V3.1.5&dateutc=now&tempf=${50 + (round % 80) / 10}&humidity=${50 + (round % 30)}&windspeedmph=${(round % 50) / 10}&drain_piezo=${(round / 1000).toFixed(3)}`;
  const key = Math.random() < 0.1 ? 'wrong-key' : some(keys);
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const target = `http://127.0.0.1:${uploads}/u/${key}/data/report/`;
  const response = await fetch(target, { method: 'POST', body: form, headers: type, signal });
  await response.arrayBuffer();
  return String(response.status);
}

const post = async (path: string, body: unknown, token?: string) => {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers,
    signal,
  });
  return { status: response.status, body: (await response.json()) as { readonly token: string } };
};

/** Signs in, writes rows in the past, some of which are refused, and ends the session. */
async function write(): Promise<string> {
  const session = await post('/v1/auth/authenticate/', { username: 'ada', email: null, password });
  const elevated = await post('/v1/auth/elevate/', { password }, session.body.token);
  const from = Date.UTC(2014, 0, 1) + Math.floor(Math.random() * 300) * 86_400_000;
  const time = Array.from({ length: 500 }, (_row, index) => from / 1000 + index * 600);
  const air_temperature = time.map((_row, index) => (index % 97 === 0 ? 500 : 10 + (index % 40) / 4));
  const written = await post(
    `/v1/stations/${some(['station-00001', 'station-00007'])}/observations`,
    { time, air_temperature },
    elevated.body.token,
  );
  await post('/v1/auth/revoke/', { scope: 'session' }, elevated.body.token);
  return String(written.status);
}

/** Sends bytes that are not a request, or half of a request, and closes the connection. */
function disturb(): Promise<string> {
  const port = some([Number(new URL(server.url).port), uploads, internal]);
  const bytes = some(['GET / HTTP/1.1\r\nHost: x', '\u0016\u0003\u0001', 'PUT /x HTTP/9\r\n\r\n', '']);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('error', () => undefined).on('close', () => resolve('closed'));
    socket.on('data', () => undefined);
    setTimeout(() => socket.destroy(), 200);
  });
}

interface Look {
  readonly resident: number;
  readonly heap: number;
  readonly external: number;
  readonly handles: number;
  readonly threads: number;
}

async function look(): Promise<Look> {
  const report = await (await fetch(`http://127.0.0.1:${internal}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(report)?.[1]);
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return {
    resident: server.memory(),
    heap: metric('nodejs_heap_size_used_bytes'),
    external: metric('nodejs_external_memory_bytes'),
    handles: readdirSync(`/proc/${server.child.pid}/fd`).length,
    threads: Number(/Threads:\s+(\d+)/.exec(status)?.[1]),
  };
}

const users = [
  ...Array.from({ length: 3 }, () => user('read', 300, read)),
  ...Array.from({ length: 2 }, () => user('broken off', 300, breakOff)),
  ...Array.from({ length: 10 }, () => user('stream', 500, follow)),
  ...Array.from({ length: 3 }, () => user('upload', 300, upload)),
  user('write', 10_000, write),
  user('disturb', 1000, disturb),
];
const mebibytes = (bytes: number) => (bytes / 1_048_576).toFixed(0);
console.log('| minutes | resident MiB | heap at least MiB | external MiB | handles | threads |');
console.log('| ---: | ---: | ---: | ---: | ---: | ---: |');
for (let report = 1; report <= REPORTS; report += 1) {
  const looks: Look[] = [];
  const end = performance.now() + (MINUTES * 60_000) / REPORTS;
  while (performance.now() < end) {
    await sleep(Math.min(LOOK, end - performance.now()));
    looks.push(await look());
  }
  const middle = (field: keyof Look) => median(looks.map((one) => one[field]));
  // The heap shrinks with each garbage collection, so that its smallest size in a period is the memory in use.
  const heap = Math.min(...looks.map((one) => one.heap));
  const cells = [mebibytes(middle('resident')), mebibytes(heap), mebibytes(middle('external'))];
  const minutes = String(Math.round((report * MINUTES * 10) / REPORTS) / 10);
  console.log(`| ${minutes} | ${cells.join(' | ')} | ${middle('handles')} | ${middle('threads')} |`);
}
ends.abort();
// The users are awaited at most 15 s, because a request that neither ends nor fails would delay the report.
await Promise.race([Promise.all(users), sleep(15_000)]);
console.log(
  `\n${[...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([outcome, count]) => `${outcome}: ${count}`)
    .join(', ')}`,
);
await server.stop();
rmSync(folder, { recursive: true });
process.exit(0);
