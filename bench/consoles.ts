import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PutStations } from '#application/stations/put-stations.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { loadConfig } from '#composition/config.js';
import { openApplication } from '#composition/container.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { quantile } from './load.js';
import { startServer } from './server-process.js';
import { makeStations } from './weather-data.js';

/**
 * Simulates consoles that upload to one server on one core, each from its own address in 127.0.0.0/8. Each console sends an
 * upload in the Ecowitt dialect every 16 s over a new connection, starting at a random time. The program prints replies by
 * status, latencies, CPU time and memory. With `BENCH_BURST=1` all consoles send at the same time.
 */
const CONSOLES = Number(process.env['BENCH_CONSOLES'] ?? 1000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60);
const IS_BURST = process.env['BENCH_BURST'] !== undefined;
const INTERVAL = 16_000;
const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const environment = {
  WEATHERD_EXTERNAL_PORT: '0',
  WEATHERD_INTERNAL_PORT: '0',
  WEATHERD_UPLOADS_ENABLED: 'true',
  WEATHERD_UPLOADS_PORT: '0',
  WEATHERD_DATA_DIR: join(folder, 'data'),
};

/** Adds the stations, each with an upload key. @returns the keys */
async function addKeys(): Promise<readonly string[]> {
  const application = await openApplication(loadConfig(undefined, environment), () => undefined);
  const stations = makeStations(CONSOLES).map((station) => ({ ...station, reportingInterval: 16 }));
  await application.useCase(PutStations).execute(stations, COMMAND_LINE);
  const add = application.useCase(AddUploadKey);
  const keys: string[] = [];
  for (const { id } of stations) keys.push((await add.execute({ station: id }, COMMAND_LINE)).secret);
  await application.close();
  return keys;
}

function requestOf(key: string, round: number): string {
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const rain = (round * 0.012).toFixed(3);
  const form =
    `PASSKEY=A0B1C2D3E4F5061728394A5B6C7D8E9F&stationtype=GW2000A_V3.1.5&runtime=1574073&dateutc=${time}&tempinf=71.78&` +
    `humidityin=59&baromrelin=30.035&baromabsin=29.394&tempf=${50 + (round % 8)}.44&humidity=76&winddir=181&` +
    `windspeedmph=1.79&windgustmph=4.25&maxdailygust=12.75&solarradiation=0.00&uv=0&rrain_piezo=0.000&erain_piezo=0.000&` +
    `drain_piezo=${rain}&wrain_piezo=${rain}&mrain_piezo=${rain}&yrain_piezo=23.264&temp1f=71.2&humidity1=61&batt1=0&` +
    `ws90cap_volt=5.0&ws90_ver=147&srain_piezo=0&wh90batt=3.04&freq=868M&model=GW2000A&interval=16`;
  return (
    `POST /u/${key}/data/report/ HTTP/1.1\r\nHost: weather.example.org\r\n` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`
  );
}

/** Reads the port of the listener for uploads from the log. */
async function uploadsPort(log: string): Promise<number> {
  for (;;) {
    const found = /"uploads":"http:\/\/[^:"]+:(\d+)"/.exec(readFileSync(log, 'utf8'));
    if (found !== null) return Number(found[1]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const statuses = new Map<string, number>();
const latencies: number[] = [];

/** Sends one upload. A connection that ends without a reply counts as refused. */
function upload(localAddress: string, text: string): Promise<void> {
  return new Promise((resolve) => {
    const sentAt = performance.now();
    let reply = '';
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    socket.setEncoding('latin1').on('data', (chunk: string) => (reply += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      latencies.push(performance.now() - sentAt);
      const status = /^HTTP\/1\.1 (\d+)/.exec(reply)?.[1] ?? 'refused';
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      resolve();
    });
    socket.end(text);
  });
}

const keys = await addKeys();
const server = await startServer([MAIN], environment, join(folder, 'log'), '0');
const port = await uploadsPort(join(folder, 'log'));
const end = performance.now() + SECONDS * 1000;
const [startCpu, startMemory] = [server.cpu(), server.memory()];
const memories: number[] = [];
const watch = setInterval(() => memories.push(server.memory()), 1000);
await Promise.all(
  keys.map(async (key, index) => {
    const address = `127.${1 + (index >> 16)}.${(index >> 8) & 255}.${1 + (index & 127)}`;
    const due = IS_BURST ? 0 : Math.random() * INTERVAL;
    for (let [round, at] = [0, performance.now() + due]; at < end; round += 1, at += INTERVAL) {
      await new Promise((resolve) => setTimeout(resolve, at - performance.now()));
      await upload(address, requestOf(key, round));
    }
  }),
);
clearInterval(watch);
const cpu = server.cpu() - startCpu;
const sorted = Float64Array.from(latencies).sort();
const mebibytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`;
console.log(
  `${CONSOLES} consoles, ${IS_BURST ? 'all at the same moment' : 'spread'}, ${SECONDS} s: ` +
    `${JSON.stringify(Object.fromEntries(statuses))}  p50 ${quantile(sorted, 0.5).toFixed(1)} ` +
    `p99 ${quantile(sorted, 0.99).toFixed(1)} max ${sorted.at(-1)?.toFixed(1)} ms  ` +
    `CPU ${((cpu * 1000) / sorted.length).toFixed(2)} ms an upload`,
);
const quarter = Math.max(1, Math.floor(memories.length / 4));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
console.log(
  `RSS ${mebibytes(startMemory)} at the start, ${mebibytes(mean(memories.slice(quarter, 2 * quarter)))} in the second quarter, ` +
    `${mebibytes(mean(memories.slice(-quarter)))} in the last, ${mebibytes(Math.max(...memories))} at most`,
);
await server.stop();
rmSync(folder, { recursive: true });
