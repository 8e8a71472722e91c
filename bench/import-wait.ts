import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeData, RAIN, writeFile } from './import-rates.js';
import { startServer } from './server-process.js';

const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));
/** Milliseconds for which health requests are measured at rest. */
const REST = 3000;

/**
 * Imports files of 12 variables with `weatherd import --wait`, without and with a running service, and measures the time from the
 * last stored row until the quality flags of all rows are final. With the service, it also measures health requests at rest, during
 * the import, and while quality control checks the rows.
 *
 * @param folder folder for the files
 * @param sizes numbers of rows
 */
export async function compareChecks(folder: string, sizes: readonly number[]): Promise<void> {
  const lines = [];
  for (const size of sizes) {
    const file = join(folder, `wait-${size}.csv`);
    await writeFile(file, size);
    const alone = await importAndWait(file, join(folder, `alone-${size}`));
    const served = await importServed(file, join(folder, `served-${size}`));
    rmSync(file);
    lines.push(
      `| ${size} | ${[
        ...figuresOf(alone),
        ...figuresOf(served),
        ...[served.rest, served.import, served.check].map((waits) => percentile(waits, 0.99).toFixed(1)),
      ].join(' | ')} |`,
    );
  }
  console.log(
    '| rows × 12, weatherd import --wait | import s | check s | ratio | with a service: import s | check s | ratio | health p99 ms at rest | import | check |',
  );
  console.log(
    `| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n${lines.join('\n')}\n`,
  );
}

interface Waited {
  /** Seconds. */
  readonly imported: number;
  readonly checked: number;
}

function figuresOf({ imported, checked }: Waited): readonly string[] {
  return [imported.toFixed(1), checked.toFixed(1), (checked / imported).toFixed(2)];
}

/** @param station id of a station of existing data; undefined makes the data @param onStored called after the last row was stored */
async function importAndWait(
  file: string,
  folder: string,
  station?: string,
  onStored = () => {},
): Promise<Waited> {
  const id = station ?? (await makeData(folder));
  const command = ['import', file, '--station', id, '--amount', RAIN, '--yes', '--wait'];
  const begun = performance.now();
  const child = spawn(process.execPath, [MAIN, ...command], {
    env: { ...process.env, WEATHERD_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let storedAt: number | undefined;
  child.stdout.setEncoding('utf8').on('data', (printed: string) => {
    if (storedAt !== undefined || !printed.includes('This was import')) return;
    storedAt = performance.now();
    onStored();
  });
  const [errors] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0 || storedAt === undefined) throw new Error(errors);
  if (station === undefined) rmSync(folder, { recursive: true });
  return { imported: (storedAt - begun) / 1000, checked: (performance.now() - storedAt) / 1000 };
}

async function importServed(file: string, folder: string) {
  const station = await makeData(folder);
  const settings = {
    WEATHERD_EXTERNAL_PORT: '0',
    WEATHERD_INTERNAL_PORT: '0',
    WEATHERD_DATA_DIR: folder,
    WEATHERD_RATE_LIMIT: '0',
    WEATHERD_LOG_LEVEL: 'warn',
  };
  const server = await startServer([MAIN], settings, join(folder, 'log'), '0,1');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const waits = { rest: [] as number[], import: [] as number[], check: [] as number[] };
  let phase: keyof typeof waits = 'rest';
  const ending = new AbortController();
  const measure = async () => {
    while (!ending.signal.aborted) {
      const [now, begun] = [phase, performance.now()];
      await ask(`${server.url}/v1/health/info`, agent);
      waits[now].push(performance.now() - begun);
      await sleep(2);
    }
  };
  const measured = measure();
  await sleep(REST);
  phase = 'import';
  const figures = await importAndWait(file, folder, station, () => (phase = 'check'));
  ending.abort();
  await measured;
  agent.destroy();
  await server.stop();
  rmSync(folder, { recursive: true });
  return { ...figures, ...waits };
}

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.once('close', resolve);
    }).once('error', reject);
  });
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
