import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DEMO_QUESTIONS, QUESTIONS } from './http-questions.js';
import { load } from './load.js';
import { type Build, BUILDS, inTurn, type Measure } from './pair-builds.js';
import { type ServerProcess, startServer } from './server-process.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 0.4);
/** Number of measurements of each build for a request. */
const TURNS = 8;
/** Seconds of requests before the CPU time is measured. In this time V8 compiles the code. */
const WARM_UP = 4;
const CONNECTIONS = 16;

/**
 * Measures requests of the external API on both transports (Express and Fastify), with the data of `weatherd demo`. The servers
 * of both builds run at the same time and reply in turns of less than a second, because the speed of a shared machine changes
 * from one second to the next.
 */
export async function pairHttp(): Promise<Measure> {
  return async (builds, folder) => {
    const figures: Record<Build, Record<string, number>> = { before: {}, now: {} };
    for (const transport of ['express', 'fastify']) {
      const servers = {
        before: await startDemo(builds.before, transport, `${folder}-before`),
        now: await startDemo(builds.now, transport, `${folder}-now`),
      };
      for (const [question, request] of Object.entries({ ...QUESTIONS, ...DEMO_QUESTIONS })) {
        const used: Record<Build, { cpu: number; requests: number }> = {
          before: { cpu: 0, requests: 0 },
          now: { cpu: 0, requests: 0 },
        };
        for (const server of Object.values(servers)) await load(server.url, request, CONNECTIONS, WARM_UP);
        for (let turn = 0; turn < TURNS; turn += 1) {
          for (const build of inTurn(turn)) {
            const server = servers[build];
            const before = server.cpu();
            const { requests } = await load(server.url, request, CONNECTIONS, SECONDS);
            used[build].cpu += server.cpu() - before;
            used[build].requests += requests;
          }
        }
        for (const build of BUILDS)
          figures[build][`${question}, ${transport}`] = (used[build].cpu * 1e6) / used[build].requests;
      }
      for (const server of Object.values(servers)) await server.stop();
    }
    return figures;
  };
}

async function startDemo(checkout: string, transport: string, folder: string): Promise<ServerProcess> {
  const main = join(checkout, 'dist/service/main.js');
  const environment = {
    WEATHERD_EXTERNAL_PORT: '0',
    WEATHERD_INTERNAL_PORT: '0',
    // The rate limiter counts the requests, but this limit is never reached.
    WEATHERD_RATE_LIMIT: '100000000',
    WEATHERD_EXTERNAL_TRANSPORT: transport,
    WEATHERD_DATA_DIR: `${folder}-${transport}`,
  };
  execFileSync(process.execPath, [main, 'demo'], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  const server = await startServer([main], environment, `${folder}-${transport}.log`);
  // Waits until the service has checked the quality of the demo and computed its daily aggregates.
  await server.rest();
  return server;
}
