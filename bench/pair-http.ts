import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DEMO_QUESTIONS, QUESTIONS } from './http-questions.js';
import { load } from './load.js';
import type { Measure } from './pair.js';
import { startServer } from './server-process.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 1.5);
/** Before the CPU time is taken, so that the code is compiled. */
const WARM_UP = 1;
const CONNECTIONS = 16;

/** Requests of the external API on both transports, with the data of `weatherd demo`. */
export async function pairHttp(): Promise<Measure> {
  return async (checkout, folder) => {
    const main = join(checkout, 'dist/service/main.js');
    const environment = {
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      // Requests are counted, but the limit is not reached.
      WEATHERD_RATE_LIMIT: '100000000',
      WEATHERD_DATA_DIR: folder,
    };
    execFileSync(process.execPath, [main, 'demo'], {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    });
    const figures: Record<string, number> = {};
    for (const transport of ['express', 'fastify']) {
      const settings = { ...environment, WEATHERD_EXTERNAL_TRANSPORT: transport };
      const server = await startServer([main], settings, `${folder}-${transport}.log`);
      for (const [question, request] of Object.entries({ ...QUESTIONS, ...DEMO_QUESTIONS })) {
        await load(server.url, request, CONNECTIONS, WARM_UP);
        const before = server.cpu();
        const { requests } = await load(server.url, request, CONNECTIONS, SECONDS);
        figures[`${question}, ${transport}`] = ((server.cpu() - before) * 1e6) / requests;
      }
      await server.stop();
    }
    return figures;
  };
}
