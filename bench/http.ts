import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { QUESTIONS } from './http-questions.js';
import { load, median, quantile } from './load.js';
import { type ServerProcess, startServer } from './server-process.js';

/**
 * Measures the requests per second of weatherd and of other web servers in alternating rounds, with the server on one core and
 * the load on another. Prints medians, and ratios to plain node:http.
 */
const ROUNDS = 5;
const CONNECTIONS = 64;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const PEERS = fileURLToPath(new URL('../../bench/peers/', import.meta.url));
const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));

type Question = keyof typeof QUESTIONS;

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const ours = (transport: string) =>
  startServer(
    [MAIN],
    {
      WEATHERD_EXTERNAL_TRANSPORT: transport,
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      // The rate limiter counts the requests, but this limit is never reached.
      WEATHERD_RATE_LIMIT: '100000000',
      WEATHERD_DATA_DIR: join(folder, transport),
    },
    join(folder, `${transport}.log`),
  );
const peer = (name: string) => startServer([join(PEERS, `${name}.mjs`)], {}, join(folder, `${name}.log`));

if (!existsSync(join(PEERS, 'node_modules'))) {
  console.error('Run first: npm ci --prefix bench/peers');
  process.exit(1);
}

const servers: Readonly<Record<string, ServerProcess>> = {
  'node:http': await peer('node-http'),
  'Fastify, bare': await peer('fastify'),
  'NestJS on Fastify': await peer('nest-fastify'),
  'Express, as its guide': await peer('express'),
  'weatherd on Fastify': await ours('fastify'),
  'weatherd on Express': await ours('express'),
};

interface Sample {
  readonly rate: number;
  readonly cpu: number;
  readonly p99: number;
}
const samples = new Map<string, Sample[]>();

for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [question, request] of Object.entries(QUESTIONS) as [Question, string][]) {
    for (const [name, server] of Object.entries(servers)) {
      if (question === 'POST malformed' && !/^(?:node|weatherd)/.test(name)) continue;
      const before = server.cpu();
      const result = await load(server.url, request, CONNECTIONS, round === 0 ? 1 : SECONDS);
      if (round === 0) continue; // The first round warms up.
      const key = `${question}\t${name}`;
      const sample = {
        rate: result.requests / result.seconds,
        cpu: ((server.cpu() - before) * 1e6) / result.requests,
        p99: quantile(result.latencies, 0.99),
      };
      samples.set(key, [...(samples.get(key) ?? []), sample]);
    }
  }
}

console.log(
  `Medians of ${ROUNDS} interleaved rounds of ${SECONDS} s, ${CONNECTIONS} connections, Node.js ${process.version}\n`,
);
for (const question of Object.keys(QUESTIONS)) {
  console.log(`| ${question} | requests/s | ratio | CPU µs | p99 ms |\n| --- | ---: | ---: | ---: | ---: |`);
  const of = (name: string, field: keyof Sample) =>
    median((samples.get(`${question}\t${name}`) ?? []).map((sample) => sample[field]));
  const yardstick = of('node:http', 'rate');
  for (const name of Object.keys(servers)) {
    if (!samples.has(`${question}\t${name}`)) continue;
    const rate = of(name, 'rate');
    const ratio = (rate / yardstick).toFixed(2);
    console.log(
      `| ${name} | ${Math.round(rate)} | ${ratio} | ${of(name, 'cpu').toFixed(1)} | ${of(name, 'p99').toFixed(1)} |`,
    );
  }
  console.log('');
}

for (const server of Object.values(servers)) await server.stop();
rmSync(folder, { recursive: true });
