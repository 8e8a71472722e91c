import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObservationBatch } from '#domain/weather/series.js';

/** A time-series database that accepts InfluxDB's line protocol. */
export interface Peer {
  readonly name: string;
  /** URL to which lines are sent. */
  readonly url: string;
  write(lines: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Functions that start the databases, by name of the database. Each function gets a folder for the data. The function resolves to
 * undefined if the Debian package of the database is not installed.
 */
export const PEERS: Readonly<Record<string, (folder: string) => Promise<Peer | undefined>>> = {
  'InfluxDB, line protocol': startInflux,
  'VictoriaMetrics, line protocol': startVictoria,
};

async function startInflux(folder: string): Promise<Peer | undefined> {
  if (!isInstalled('influxd')) return undefined;
  const [port, other] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const child = spawn('influxd', [], {
    stdio: 'ignore',
    env: {
      ...process.env,
      INFLUXDB_REPORTING_DISABLED: 'true',
      INFLUXDB_BIND_ADDRESS: `127.0.0.1:${other}`,
      INFLUXDB_HTTP_BIND_ADDRESS: `127.0.0.1:${port}`,
      INFLUXDB_HTTP_LOG_ENABLED: 'false',
      INFLUXDB_META_DIR: `${folder}/meta`,
      INFLUXDB_DATA_DIR: `${folder}/data`,
      INFLUXDB_DATA_WAL_DIR: `${folder}/wal`,
    },
  });
  await answering(`${url}/ping`);
  await post(`${url}/query?q=CREATE%20DATABASE%20bench`, '');
  return peer('InfluxDB', child, `${url}/write?db=bench&precision=ms`);
}

async function startVictoria(folder: string): Promise<Peer | undefined> {
  if (!isInstalled('victoria-metrics')) return undefined;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = [
    `-storageDataPath=${folder}`,
    `-httpListenAddr=127.0.0.1:${port}`,
    '-retentionPeriod=100y',
  ];
  const child = spawn('victoria-metrics', options, { stdio: 'ignore' });
  await answering(`${url}/health`);
  return peer('VictoriaMetrics', child, `${url}/write?precision=ms`);
}

/** Formats a batch as lines: `w,s=17 v1=3.9,v2=1.5 1704067200000`. */
export function toLines({ stations, times, values }: ObservationBatch): string {
  const columns = [...values];
  const lines: string[] = [];
  for (let row = 0; row < times.length; row += 1) {
    const fields = columns.map(([variable, column]) => `v${variable}=${column[row]}`);
    lines.push(`w,s=${stations[row]} ${fields.join()} ${times[row]}`);
  }
  return lines.join('\n');
}

function peer(name: string, child: ChildProcess, url: string): Peer {
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { name, url, write: (lines) => post(url, lines), stop };
}

async function post(url: string, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isThere = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isThere) return;
    await sleep(50);
  }
  throw new Error(`${url} does not reply.`);
}

function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
