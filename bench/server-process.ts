import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Milliseconds from the start of the process until it prints its address to standard error. */
  readonly startedIn: number;
  /** CPU time of all threads so far, in seconds. */
  cpu(): number;
  /** Waits until the process uses at most 2 % of a core for two seconds, so that its work in the background is finished. */
  rest(): Promise<void>;
  /** Bytes of resident memory. */
  memory(): number;
  stop(): Promise<void>;
}

/** Clock ticks per second in /proc, the same on every Linux. */
const TICKS = 100;

/**
 * Starts a server, with its log in a file, and waits until it prints its address.
 *
 * @param cores the cores of the server, in the format of taskset; the first core by default
 */
export async function startServer(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  log: string,
  cores = '0',
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = spawn('taskset', ['-c', cores, process.execPath, ...parameters], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', openSync(log, 'a'), 'pipe'],
  });
  let errorOutput = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errorOutput += text;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(errorOutput);
      if (found !== null) resolve(found[0]);
    });
    child.once('exit', () => reject(new Error(errorOutput)));
  });
  const proc = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  const cpu = () => {
    const fields = proc('stat').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  };
  return {
    child,
    url,
    startedIn: performance.now() - startedAt,
    cpu,
    rest: async () => {
      for (let used = Infinity; used > 0.04;) {
        const before = cpu();
        await sleep(2000);
        used = cpu() - before;
      }
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(proc('status'))?.[1]) * 1024,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
