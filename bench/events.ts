import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventsOutcome, EventsTask } from './events-case.js';
import { median, quantile } from './load.js';

/**
 * Streams of events while 1,000 rows/s of 1,000 stations are written in commits of 20: streams of one station each, and streams of
 * all stations, from addresses in 127.0.0.0/8. Two services on one core write in turns, one without streams. Prints the time from
 * the commit to the reader, and the ratio of both services. `BENCH_SECONDS` is the length of a turn.
 */
const STATIONS = 1000;
const TURNS = 3;
const MILLISECONDS = Number(process.env['BENCH_SECONDS'] ?? 5) * 1000;
const STREAMS_OF_ADDRESS = 50;
const CASE = fileURLToPath(new URL('events-case.js', import.meta.url));

interface Service {
  readonly child: ChildProcess;
  readonly url: string;
}

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
let services = 0;

async function start(): Promise<Service> {
  services += 1;
  const child = spawn('taskset', ['-c', '0', process.execPath, CASE, String(STATIONS)], {
    env: {
      ...process.env,
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      WEATHERD_DATA_DIR: join(folder, String(services)),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [url] = (await once(child, 'message')) as [string];
  return { child, url };
}

async function write({ child }: Service): Promise<EventsOutcome> {
  const task: EventsTask = { milliseconds: MILLISECONDS };
  child.send(task);
  const [outcome] = (await once(child, 'message')) as [EventsOutcome];
  return outcome;
}

async function stop({ child }: Service): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}

/** When events arrived: the time of their newest row, and of their arrival, in milliseconds since 1970. */
let arrivals: [time: number, arrivedAt: number][] = [];

/** Opens a stream. An event that is cut in two by the transport is not counted. */
async function open(url: string, index: number, path: string): Promise<Socket> {
  const address = Math.floor(index / STREAMS_OF_ADDRESS);
  const socket = connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    localAddress: `127.1.${address >> 7}.${1 + (address & 127)}`,
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(head.toString());
  socket.setEncoding('latin1').on('data', (text: string) => {
    const now = performance.timeOrigin + performance.now();
    for (let at = text.indexOf('"to":"'); at !== -1; at = text.indexOf('"to":"', at + 6))
      arrivals.push([Date.parse(text.slice(at + 6, text.indexOf('"', at + 6))), now]);
  });
  socket.on('error', () => undefined);
  return socket;
}

async function measure(name: string, count: number, pathOf: (index: number) => string): Promise<void> {
  const service = await start();
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) sockets.push(await open(service.url, index, pathOf(index)));
  const [alone, streaming]: [EventsOutcome[], EventsOutcome[]] = [[], []];
  // Threads start, and code is compiled, at the first writes.
  await write(quiet);
  await write(service);
  arrivals = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    alone.push(await write(quiet));
    streaming.push(await write(service));
  }
  const committedAt = new Map(streaming.flatMap(({ commits }) => commits));
  const delays = Float64Array.from(
    arrivals.flatMap(([time, at]) => (committedAt.has(time) ? [at - (committedAt.get(time) as number)] : [])),
  ).sort();
  const ratio = (of: (outcome: EventsOutcome) => number) =>
    (median(streaming.map(of)) / median(alone.map(of))).toFixed(2);
  const cut = sockets.filter(({ destroyed }) => destroyed).length;
  console.log(
    `${name}: ${delays.length} events, commit to reader p50 ${quantile(delays, 0.5).toFixed(1)} ` +
      `p99 ${quantile(delays, 0.99).toFixed(1)} max ${delays.at(-1)?.toFixed(1)} ms; ` +
      `a write takes ${ratio((one) => one.write)} times as long as without streams, ` +
      `${median(streaming.map((one) => one.write)).toFixed(2)} ms; ` +
      `CPU ${ratio((one) => one.cpu)} times; ` +
      `RSS ${Math.round(Math.max(...streaming.map((one) => one.memory)) / 2 ** 20)} MiB, ` +
      `without streams ${Math.round(Math.max(...alone.map((one) => one.memory)) / 2 ** 20)}; ${cut} streams cut`,
  );
  for (const socket of sockets) socket.destroy();
  await stop(service);
}

const quiet = await start();
const stationOf = (index: number) =>
  `/v1/events?stations=station-${String((index % STATIONS) + 1).padStart(5, '0')}`;
for (const count of [1000, 2000]) await measure(`${count} streams of one station`, count, stationOf);
for (const count of [25, 50]) await measure(`${count} streams of all stations`, count, () => '/v1/events');
await stop(quiet);
rmSync(folder, { recursive: true });
