import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';
import { sqliteStore } from '#adapters/store-sqlite/database/sqlite-store.js';
import { signInCounters } from '#application/accounts/sessions/sign-in-limits.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import { load, quantile } from './load.js';
import { startServer } from './server-process.js';

/**
 * Measures the effect of many sign-ins on other requests: the latency of health requests during 64 concurrent sign-ins, with the
 * server on one core. Then measures the time that the store needs for a sign-in, the time from `npm start` to the first reply,
 * and the memory at rest.
 */
const FLOOD = 64;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const STARTS = 5;
/** Number of sign-ins for which the time of the store is measured, after a quarter of this number as warm-up. */
const SIGN_INS = 2000;
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = join(PROJECT, 'dist/service/main.js');
const HEALTH = 'GET /v1/health/info HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const PASSWORD = 'correct horse battery staple';

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const settings = {
  WEATHERD_EXTERNAL_PORT: '0',
  WEATHERD_INTERNAL_PORT: '0',
  WEATHERD_DATA_DIR: folder,
  // The rate limiter counts the requests, but this limit is never reached.
  WEATHERD_RATE_LIMIT: '100000000',
};

spawnSync(process.execPath, [MAIN, 'init', 'ada'], {
  env: { ...process.env, ...settings },
  input: PASSWORD,
});

console.log(`${FLOOD} sign-ins in flight for ${SECONDS} s, Node.js ${process.version}\n`);
console.log('| | sign-ins/s | refused for now/s | health p50 ms | p99 ms | max ms | memory at rest MiB |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const transport of ['fastify', 'express']) {
  const server = await startServer(
    [MAIN],
    { ...settings, WEATHERD_EXTERNAL_TRANSPORT: transport },
    join(folder, `${transport}.log`),
  );
  await sleep(3000);
  const memory = server.memory() / 2 ** 20;
  const flood = signInUntil(server.url, performance.now() + SECONDS * 1000);
  const { latencies } = await load(server.url, HEALTH, 1, SECONDS);
  const { accepted, refused } = await flood;
  const figures = [
    accepted / SECONDS,
    refused / SECONDS,
    ...[0.5, 0.99, 1].map((part) => quantile(latencies, part)),
    memory,
  ];
  console.log(`| weatherd on ${transport} | ${figures.map((figure) => figure.toFixed(1)).join(' | ')} |`);
  await server.stop();
}

console.log(`\nTime of the store in a sign-in, SQLite, ${SIGN_INS} one after another: ${await storePart()}`);

const starts: number[] = [];
for (let count = 0; count < STARTS; count += 1) starts.push(await timeStart());
console.log(`\nnpm start to the first reply, ms: ${starts.map(Math.round).join(', ')}`);
rmSync(folder, { recursive: true });

async function signInUntil(url: string, end: number): Promise<{ accepted: number; refused: number }> {
  const counts = { accepted: 0, refused: 0 };
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const response = await fetch(`${url}/v1/auth/authenticate/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'ada', email: null, password: PASSWORD }),
      });
      await response.arrayBuffer();
      if (response.status === 200) counts.accepted += 1;
      else if (response.status === 503) counts.refused += 1;
      else throw new Error(`A sign-in was answered with the status ${response.status}.`);
    }
  };
  await Promise.all(Array.from({ length: FLOOD }, one));
  return counts;
}

/** Measures the two calls of the store that a sign-in makes. Hashing the password and making the token are not included. */
async function storePart(): Promise<string> {
  const database = new SqliteDatabase(join(folder, 'store.db'));
  await database.open();
  const passwordHash = '$';
  const about = { email: null, enabled: true, administrator: false, stations: [], createdAt: 0 };
  await sqliteStore(database, 'credentials').add({ ...about, id: 'user', name: 'ada', passwordHash });
  const signIns = sqliteStore(database, 'signIns');
  const event: AuditEvent = {
    time: 0,
    action: 'sign-in',
    outcome: 'done',
    actor: 'ada',
    subject: 'ada',
    address: '192.0.2.1',
    requestId: 'request',
    detail: null,
  };
  const signIn = async (index: number) => {
    const keys = { nameKey: 'ada', emailKey: null };
    const { identities, network } = signInCounters(keys, `network ${index % 100}`);
    await signIns.begin(keys, [...identities, network], Date.now());
    const session = { id: String(index), userId: 'user', createdAt: 0, validTo: 2e9, address: null };
    await signIns.finish({ session, passwordHash, cleared: identities, uncounted: [network] }, [event]);
  };
  const warmUp = SIGN_INS / 4;
  for (let index = 0; index < warmUp; index += 1) await signIn(index);
  const took = new Float64Array(SIGN_INS);
  const before = process.cpuUsage();
  for (const index of took.keys()) {
    const startedAt = performance.now();
    await signIn(warmUp + index);
    took[index] = performance.now() - startedAt;
  }
  const { user, system } = process.cpuUsage(before);
  await database.close();
  took.sort();
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(took, share).toFixed(2));
  return `p50 ${p50} ms, p99 ${p99} ms, CPU ${((user + system) / 1000 / SIGN_INS).toFixed(2)} ms`;
}

async function timeStart(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: PROJECT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const url = await new Promise<string>((resolve, reject) => {
    let errorOutput = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput += text;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(errorOutput);
      if (found !== null) resolve(found[0]);
    });
    child.once('exit', () => reject(new Error(errorOutput)));
  });
  await (await fetch(url)).arrayBuffer();
  const took = performance.now() - startedAt;
  const group = -(child.pid as number);
  process.kill(group, 'SIGTERM');
  await once(child, 'exit');
  return took;
}
