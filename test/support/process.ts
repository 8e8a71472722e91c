import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Terminal } from '#adapters/cli/terminal.js';
import { PutStations } from '#application/stations/put-stations.js';
import { runCommand } from '#composition/command.js';
import { loadConfig } from '#composition/config.js';
import { openApplication } from '#composition/container.js';
import { type Service, startService } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { StationDraft } from '#domain/weather/station.js';
import { silentLog } from './place.js';
import { removeAtExit } from './temporary-folder.js';

/** Path of the main program of the built service. */
export const MAIN = fileURLToPath(new URL('../../../bin/weatherd.mjs', import.meta.url));

/** The option of `npm test` by which V8 optimizes later, for the processes of tests, which end soon. */
export const OPTIMIZE_LATER = process.execArgv.filter((option) => option.startsWith('--interrupt-budget='));

export interface ProcessResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Data folders by the name of their content. Each folder is created once and then copied, because copying a folder takes a tenth
 * of the time of creating it, and a hundredth for the data of `weatherd demo`.
 */
const copied = new Map<string, Promise<string>>();

async function createDataFolder(create: (first: Workplace) => Promise<unknown>): Promise<string> {
  const first = await Workplace.make();
  removeAtExit(first.folder);
  await create(first);
  return first.dataDir;
}

async function makeData(
  settings: Readonly<Record<string, string>>,
  stations: readonly StationDraft[],
): Promise<void> {
  const application = await openApplication(loadConfig(undefined, settings), () => undefined);
  const put = application.container.get(PutStations);
  if (stations.length > 0) await put.execute(stations, COMMAND_LINE);
  await application.close();
}

/** Matches the greeting in standard error. The service writes the whole greeting at once when it listens. */
export const GREETING = /^ {2}data {2,}/m;

/** A folder for a test, and the processes and services that run in it. `remove` ends these and removes the folder. */
export class Workplace {
  readonly folder: string;
  readonly #children: ChildProcess[] = [];
  readonly #services = new Set<Service>();
  readonly #main: string;
  readonly #command: typeof runCommand;

  private constructor(folder: string, main: string, command: typeof runCommand) {
    this.folder = folder;
    this.#main = main;
    this.#command = command;
  }

  /** Creates a folder. @param main the program that its processes run @param command runs a command in this process */
  static async make(main = MAIN, command = runCommand): Promise<Workplace> {
    return new Workplace(await mkdtemp(join(tmpdir(), 'weatherd-process-')), main, command);
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  get dataFile(): string {
    return join(this.dataDir, 'weatherd.db');
  }

  /** Creates a data folder without users. */
  async makeData(
    settings: Readonly<Record<string, string>> = {},
    stations: readonly StationDraft[] = [],
  ): Promise<void> {
    if (Object.keys(settings).length > 0 || existsSync(this.dataDir)) {
      return makeData({ WEATHERD_DATA_DIR: this.dataDir, ...settings }, stations);
    }
    await this.copyData(JSON.stringify(stations), ({ dataDir }) =>
      makeData({ WEATHERD_DATA_DIR: dataDir }, stations),
    );
  }

  /** Creates a data folder with the data of `weatherd demo`, in place of the existing data folder. */
  async makeDemo(): Promise<void> {
    await this.copyData('weatherd demo', (first) => first.#runFirst(['demo']));
  }

  /** Creates a data folder with an administrator, as `weatherd init` does. */
  async initialize(administrator: string, password: string): Promise<void> {
    await this.copyData(`weatherd init ${administrator} ${password}`, (first) =>
      first.#runFirst(['init', administrator], password),
    );
  }

  /**
   * Copies a data folder that was created before, in place of the existing data folder.
   *
   * @param content name of the content
   * @param create creates the data in another workplace, when the first workplace of this process asks for the content
   */
  async copyData(content: string, create: (first: Workplace) => Promise<unknown>): Promise<void> {
    const found = copied.get(content) ?? createDataFolder(create);
    copied.set(content, found);
    await rm(this.dataDir, { recursive: true, force: true });
    await cp(await found, this.dataDir, { recursive: true });
  }

  async #runFirst(parameters: readonly string[], input = ''): Promise<void> {
    const { status, stderr } = await this.run(parameters, input);
    if (status !== 0) throw new Error(`The command "${parameters.join(' ')}" failed: ${stderr}`);
  }

  /** Starts `weatherd` in this folder with free ports and only the given settings. */
  spawn(parameters: readonly string[], settings: Readonly<Record<string, string>> = {}): ChildProcess {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('WEATHERD_'));
    const child = spawn(process.execPath, [...OPTIMIZE_LATER, this.#main, ...parameters], {
      cwd: this.folder,
      env: {
        ...Object.fromEntries(inherited),
        WEATHERD_EXTERNAL_PORT: '0',
        WEATHERD_INTERNAL_PORT: '0',
        ...settings,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    return child;
  }

  /**
   * Runs a command in this process, which takes a fifth of the time of a new process. Paths in the command must be absolute.
   *
   * @param input standard input: its parts, or a stream
   * @param isTTY whether the input is a terminal, so that the command may ask questions
   */
  async run(
    parameters: readonly string[],
    input: string | Buffer | readonly string[] | Readable = '',
    settings: Readonly<Record<string, string>> = {},
    isTTY = false,
  ): Promise<ProcessResult> {
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const written = Promise.all([text(output), text(errors)]);
    const terminal = new Terminal(
      Object.assign(
        input instanceof Readable
          ? input
          : Readable.from((Array.isArray(input) ? input : [input]).map((part: string) => Buffer.from(part))),
        { isTTY },
      ),
      output,
      errors,
    );
    const environment = { WEATHERD_DATA_DIR: this.dataDir, ...settings };
    const status = await this.#command(parameters, terminal, environment);
    output.end();
    errors.end();
    const [stdout, stderr] = await written;
    return { status: status ?? 0, stdout, stderr };
  }

  /** Runs a command in a separate process and waits for its end. */
  async runProcess(
    parameters: readonly string[],
    input = '',
    settings: Readonly<Record<string, string>> = {},
  ): Promise<ProcessResult> {
    const child = this.spawn(parameters, settings);
    child.stdin?.end(input);
    return waitForEnd(child);
  }

  /**
   * Starts the service in this process, which takes a tenth of the time of a new process. `remove` stops it. `stopService` can stop
   * it earlier.
   */
  async serveHere(settings: Readonly<Record<string, string>> = {}, log = silentLog): Promise<Service> {
    const service = await startService(
      loadConfig(undefined, {
        WEATHERD_DATA_DIR: this.dataDir,
        WEATHERD_EXTERNAL_PORT: '0',
        WEATHERD_INTERNAL_PORT: '0',
        ...settings,
      }),
      log,
    );
    this.#services.add(service);
    return service;
  }

  /** Stops a service of this process. @returns whether all work finished within the deadline */
  stopService(service: Service): Promise<boolean> {
    this.#services.delete(service);
    return service.stop();
  }

  /** Starts the service in a separate process and waits until it listens. */
  async serve(
    settings: Readonly<Record<string, string>> = {},
    parameters: readonly string[] = [],
  ): Promise<Served> {
    const child = this.spawn(parameters, settings);
    let logged = '';
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => (logged += piece));
    const ended = waitForEnd(child);
    let greeting = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (piece: string) => {
        greeting += piece;
        if (GREETING.test(greeting)) resolve();
      });
      void ended.then(({ stderr }) => reject(new Error(stderr)));
    });
    const url = (api: string) => new RegExp(`${api} API +(\\S+)`).exec(greeting)?.[1] ?? '';
    const log = () => Promise.resolve(logged);
    return { child, ended, greeting, log, external: url('external'), internal: url('internal') };
  }

  async remove(): Promise<void> {
    for (const service of this.#services) await this.stopService(service);
    for (const child of this.#children) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    await rm(this.folder, { recursive: true });
  }
}

export interface Served {
  readonly child: ChildProcess;
  readonly ended: Promise<ProcessResult>;
  readonly greeting: string;
  /** The log since the start of the process. The log includes failures before the greeting. */
  readonly log: () => Promise<string>;
  readonly external: string;
  readonly internal: string;
}

/** Waits for the end of a process. @returns its output and exit status */
export async function waitForEnd(child: ChildProcess): Promise<ProcessResult> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => (stdout += piece));
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}

/** Repeats a call until its result satisfies the condition. @throws Error if the condition is not satisfied after 2 minutes */
export async function eventually<T>(ask: () => Promise<T>, satisfies: (answer: T) => boolean): Promise<T> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`The answer is still ${JSON.stringify(answer)}.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/**
 * Kills a process as soon as the condition is true. The process is paused during each check, so that it cannot end during the
 * check.
 */
export async function killWhen(child: ChildProcess, condition: () => boolean): Promise<void> {
  const ended = once(child, 'exit');
  for (let isKilled = false; !isKilled;) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill('SIGSTOP');
    if (child.exitCode !== null) throw new Error('The process ended before the condition was true.');
    isKilled = condition();
    child.kill(isKilled ? 'SIGKILL' : 'SIGCONT');
  }
  await ended;
}

export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

export async function signIn(
  base: string,
  credentials: object,
): Promise<{ status: number; body: SignInBody }> {
  const response = await fetch(`${base}/v1/auth/authenticate/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  return { status: response.status, body: (await response.json()) as SignInBody };
}

export interface SignInBody {
  readonly success: boolean;
  readonly code: number;
  readonly message: string;
  readonly error?: string;
  readonly token?: string;
}
