import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SystemClock } from '#adapters/clock-system/system-clock.js';
import { FileKeyStore } from '#adapters/keys-file/file-key-store.js';
import { CachedSessions } from '#adapters/session-cache/cached-sessions.js';
import { openSqliteStores } from '#adapters/store-sqlite/sqlite-stores.js';
import { JwtTokenIssuer } from '#adapters/token-jwt/jwt-token-issuer.js';
import { JwtTokenVerifier } from '#adapters/token-jwt/jwt-token-verifier.js';
import { KeyRing } from '#adapters/token-jwt/key-ring.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { load, median, quantile } from './load.js';
import { startServer } from './server-process.js';

/**
 * Measures the cost of a token: the CPU time of verifying a cached token and a new token. Then it measures 500 sign-ins at once:
 * the latency of health requests during the sign-ins, the memory, and the number of replies by status.
 */
const ROUNDS = 5;
const TOKENS = 4000;
const PEOPLE = 500;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const PASSWORD = 'correct horse battery staple';
const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));
const HEALTH = 'GET /v1/health/info HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
try {
  await verification();
  await stampede();
} finally {
  rmSync(folder, { recursive: true });
}

async function verification(): Promise<void> {
  const clock = new SystemClock();
  const keyStore = new FileKeyStore(join(folder, 'keys'));
  const keys = new KeyRing(keyStore, clock);
  await keys.createIfMissing();
  const stores = await openSqliteStores(join(folder, 'tokens.db'), keyStore);
  const user = {
    id: 'user',
    name: 'ada',
    email: null,
    passwordHash: '$',
    enabled: true,
    administrator: false,
    stations: [],
    createdAt: 0,
  };
  await stores.credentials.add(user);
  const sessions = new CachedSessions(stores.sessions, clock);
  const issuer = new JwtTokenIssuer(keys);
  const validFrom = Math.floor(clock.now() / 1000);
  const validTo = validFrom + 3600;
  const session = { id: 'session', userId: 'user', createdAt: 0, validTo, address: null };
  const success = { session, passwordHash: '$', cleared: [], uncounted: [] };
  await stores.signIns.finish(success, []);
  const tokens = await Promise.all(
    Array.from({ length: TOKENS }, (_, index) =>
      issuer.issue({
        tokenId: String(index),
        subject: 'user',
        sessionId: 'session',
        level: 0,
        validFrom,
        validTo,
      }),
    ),
  );
  const measured: { new: number[]; seen: number[] } = { new: [], seen: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const authorize = new Authorize(true, clock, new JwtTokenVerifier(keys, clock), sessions);
    for (const kind of ['new', 'seen'] as const) {
      const before = process.cpuUsage();
      for (const token of tokens) await authorize.execute({ token, level: 0, role: 'reader' });
      const { user: own, system } = process.cpuUsage(before);
      if (round > 0) measured[kind].push((own + system) / TOKENS);
    }
  }
  await stores.close();
  console.log('| verification of a token | CPU µs |\n| --- | ---: |');
  console.log(`| a cached token | ${median(measured.seen).toFixed(1)} |`);
  console.log(`| a new token | ${median(measured.new).toFixed(1)} |\n`);
}

async function stampede(): Promise<void> {
  const settings = {
    WEATHERD_EXTERNAL_PORT: '0',
    WEATHERD_INTERNAL_PORT: '0',
    WEATHERD_DATA_DIR: folder,
    WEATHERD_RATE_LIMIT: '100000000',
  };
  const environment = { ...process.env, ...settings };
  spawnSync(process.execPath, [MAIN, 'init', 'ada'], { env: environment, input: PASSWORD });
  console.log(
    `| ${PEOPLE} sign-ins in flight for ${SECONDS} s | health p50 ms | p99 ms | max ms | memory before MiB | max MiB | replies |`,
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | --- |');
  for (const transport of ['fastify', 'express']) {
    const server = await startServer(
      [MAIN],
      { ...settings, WEATHERD_EXTERNAL_TRANSPORT: transport },
      join(folder, `${transport}.log`),
    );
    await sleep(2000);
    const before = server.memory();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, server.memory())), 50);
    const answers = signInUntil(server.url, performance.now() + SECONDS * 1000);
    const { latencies } = await load(server.url, HEALTH, 1, SECONDS);
    const counts = await answers;
    clearInterval(watch);
    const times = [0.5, 0.99, 1].map((part) => quantile(latencies, part).toFixed(1)).join(' | ');
    const memory = [before, most].map((bytes) => (bytes / 2 ** 20).toFixed(0)).join(' | ');
    const statusText = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
    console.log(`| weatherd on ${transport} | ${times} | ${memory} | ${statusText} |`);
    await server.stop();
  }
}

/** Signs in again and again until a time. @returns the number of replies by status @throws Error if a sign-in gets no reply */
async function signInUntil(url: string, end: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const one = async (index: number): Promise<void> => {
    for (let time = 0; performance.now() < end; time += 1) {
      const username = index % 4 === 0 ? `nobody${index}` : 'ada';
      const password = index % 4 === 1 ? 'a wrong password' : PASSWORD;
      const response = await fetch(`${url}/v1/auth/authenticate/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, email: null, password }),
      });
      await response.arrayBuffer();
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
      const wait = Number(response.headers.get('retry-after') ?? 0);
      if (wait > 0) await sleep(Math.min(wait, 1) * 1000);
    }
  };
  await Promise.all(Array.from({ length: PEOPLE }, (_, index) => one(index)));
  return counts;
}
