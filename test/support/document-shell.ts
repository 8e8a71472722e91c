import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { EXIT, runCommandLine } from '#adapters/cli/program.js';
import { Terminal } from '#adapters/cli/terminal.js';
import { runCommand } from '#composition/command.js';
import { type Config, loadConfig } from '#composition/config.js';
import { type Application, openApplication } from '#composition/container.js';
import * as tokens from '#composition/graph/tokens.js';
import { type Service, startService } from '#composition/service.js';
import { machineAddresses, uploadReachOf } from '#composition/upload-reach.js';
import { silentLog } from './place.js';
import { type ProcessResult, waitForEnd } from './process.js';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LISTENERS = ['EXTERNAL', 'INTERNAL', 'UPLOADS'];
/**
 * Folders at the root of the machine. A `DocumentShell`, which runs the commands of a document, replaces each of these folders by
 * a folder inside its own folder.
 */
const MACHINE = ['backups', 'etc', 'run', 'srv', 'usr/local', 'var/backups', 'var/lib'];
const PASSWORD = 'correct horse battery staple';

/** Programs that the commands of a document may name but that a `DocumentShell` does not run, each with the reason. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  createdb: 'needs a server of PostgreSQL',
  createuser: 'needs a server of PostgreSQL',
  mosquitto_pub: 'needs a broker',
  mosquitto_sub: 'needs a broker',
  npm: 'installs, or runs the tests and benchmarks themselves; `npm start` is run',
  npx: 'formats the sources',
  rtl_433: 'needs a radio receiver',
  systemctl: 'changes the machine',
  useradd: 'changes the machine',
};

/** Matches the commands of weatherd that are only parsed. They would connect to another machine or to a PostgreSQL server. */
const ONLY_PARSED = /^(?:(?:hook|alarm) test |copy --to(?:-file)? (?!sqlite:))/;
const HOOK_TEST = /^hook test /;

/**
 * Commands of weatherd that get no data from a `DocumentShell`: they open the files of the data themselves, or need no data. The
 * shell closes its open data before such a command.
 */
const ON_FILES: ReadonlySet<string> = new Set([
  '--version',
  'backup',
  'compact',
  'copy',
  'doctor',
  'init',
  'restore',
]);

const WRAPPERS: Readonly<Record<string, string>> = {
  // Sends the command to the test process, which runs it. A new process would take five times as long.
  weatherd: `reply=$(mktemp -d "$BRIDGE/XXXXXX")
cat > "$reply/stdin"
{ printf '%s\\0' "$PWD" "$#" "$@"; env -0 | grep -z '^WEATHERD_' || true; } > "$reply/request"
"$CURL" -s --unix-socket "$BRIDGE/socket" -H "reply: $reply" http://bridge/
cat "$reply/stderr" >&2
exit "$(cat "$reply/status")"`,
  'weatherd-admin': 'exec weatherd "$@"',
  node: 'case "$1" in */weatherd.mjs) shift; exec weatherd "$@";; esac\nexec "$NODE" "$@"',
  npm: '[ "$1" = start ] || exit 0\nshift\n[ "$1" != -- ] || shift\nexec weatherd "$@"',
  sudo: '[ "$1" != -u ] || shift 2\nexec "$@"',
  // The options for owner and group are removed, because the named users may not exist on this machine.
  install: `set -- "$@" --
while [ "$1" != -- ]; do case "$1" in -o | -g) shift 2;; *) set -- "$@" "$1"; shift;; esac; done
shift
exec "$INSTALL" "$@"`,
  // Records the HTTP status of each reply. With -N, curl reads an endless stream: it is stopped after the first data.
  curl: `head=$(mktemp -p "$BRIDGE")
if [ "$1" = -N ]; then
  "$CURL" -sS -D "$head" "$@" > "$head.body" & stream=$!
  until [ -s "$head.body" ]; do sleep 0.02; done
  kill "$stream"
  cat "$head.body"
else
  "$CURL" -sS -D "$head" "$@"
fi
head -n 1 "$head" | tr -d '\\r' | cut -d ' ' -f 2 >> "$BRIDGE/statuses"`,
};

/** The result of running the commands of a document. */
export interface Shown extends ProcessResult {
  /** HTTP statuses of the replies that curl received, in order. */
  readonly statuses: readonly number[];
}

/**
 * A shell that runs the commands of a document without changes, in its own folder. `weatherd` runs in the test process. `npm
 * start` and `weatherd serve` start a service on free ports. Absolute paths lead to folders inside the folder of the shell.
 */
export class DocumentShell {
  readonly folder: string;
  /** Whether `hook test` sends, because the hooks have simulated services. */
  testsHooks = false;
  readonly #ports: readonly number[];
  readonly #bridge: Server;
  #service: Service | undefined;
  /** The open data of the last command. They stay open, because the next command most likely uses the same data. */
  #opened: { readonly key: string; readonly application: Application } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, ports: readonly number[]) {
    this.folder = folder;
    this.#ports = ports;
    this.#bridge = createServer((request, response) => {
      const reply = String(request.headers['reply']);
      this.#last = this.#last.then(async () => response.end(await this.#answer(reply)));
    });
  }

  static async make(): Promise<DocumentShell> {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-docs-'));
    const shell = new DocumentShell(folder, await freePorts(LISTENERS.length));
    for (const name of ['bin', 'clients', 'demo', 'docs']) symlinkSync(join(ROOT, name), join(folder, name));
    for (const path of [...MACHINE, 'bridge', 'programs']) mkdirSync(join(folder, path), { recursive: true });
    for (const path of [
      'etc/systemd/system',
      'etc/weatherd',
      'run/weatherd',
      'var/backups/weatherd',
      'usr/local/bin',
      'usr/local/sbin',
    ])
      mkdirSync(join(folder, path), { recursive: true });
    const stubs = Object.fromEntries(Object.keys(NOT_RUN).map((name) => [name, 'cat > /dev/null']));
    for (const [name, script] of Object.entries({ ...stubs, ...WRAPPERS }))
      shell.writeProgram(`programs/${name}`, `set -e\n${script}`);
    symlinkSync(join(folder, 'programs/weatherd'), join(folder, 'usr/local/bin/weatherd'));
    mkdirSync(join(folder, 'usr/local/lib/node_modules'), { recursive: true });
    symlinkSync(ROOT, join(folder, 'usr/local/lib/node_modules/weatherd'));
    shell.#bridge.listen(join(folder, 'bridge/socket'));
    await once(shell.#bridge, 'listening');
    return shell;
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  writeProgram(path: string, script: string): void {
    this.write(path, `#!/bin/bash\n${script}\n`);
    chmodSync(join(this.folder, path), 0o755);
  }

  /** The URL of an API of the running service. */
  url(listener: 'external' | 'internal' | 'uploads'): string {
    return `http://127.0.0.1:${this.#ports[LISTENERS.indexOf(listener.toUpperCase())]}`;
  }

  /** Runs commands with bash until a command fails. */
  async run(commands: string): Promise<Shown> {
    const where = 'trap \'echo "failed: $BASH_COMMAND" >&2\' ERR';
    const start = `shopt -s expand_aliases\nset -Eeuo pipefail\n${where}\n`;
    this.write('commands.sh', start + this.here(commands));
    this.write('bridge/statuses', '');
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('WEATHERD_'));
    const programs = ['usr/local/sbin', 'usr/local/bin', 'programs'].map((path) => join(this.folder, path));
    const child = spawn('bash', ['commands.sh'], {
      cwd: this.folder,
      env: {
        ...Object.fromEntries(inherited),
        PATH: [...programs, process.env['PATH']].join(':'),
        BRIDGE: join(this.folder, 'bridge'),
        CURL: pathOf('curl'),
        INSTALL: pathOf('install'),
        NODE: process.execPath,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const finished = await waitForEnd(child);
    const statuses = readFileSync(join(this.folder, 'bridge/statuses'), 'utf8');
    return { ...finished, statuses: statuses.split('\n').filter(Boolean).map(Number) };
  }

  /** Replaces the ports and the folders in a text of a document by the ports and the folders of this shell. */
  here(words: string): string {
    const folders = new RegExp(`(?<![\\w.$}/-])/(?=(?:${MACHINE.join('|')})\\b)`, 'g');
    return words
      .replaceAll(/:808([012])\b/g, (_match, index) => `:${this.#ports[Number(index)]}`)
      .replaceAll(folders, `${this.folder}/`);
  }

  /** The configuration of a command or a service in this shell. */
  config(settings: Readonly<Record<string, string>>, file?: string): Config {
    return loadConfig(file, this.#settings(settings));
  }

  /** Closes the data, and stops the service. */
  async stop(): Promise<void> {
    await this.close();
    await this.#service?.stop();
    this.#service = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    this.#bridge.close();
    await rm(this.folder, { recursive: true });
  }

  #settings(settings: Readonly<Record<string, string>>): Record<string, string> {
    const ports = LISTENERS.map((name, index) => [`WEATHERD_${name}_PORT`, String(this.#ports[index])]);
    const own = Object.entries(settings).map(([name, value]) => [name, this.here(value)]);
    return { WEATHERD_DATA_DIR: join(this.folder, 'data'), ...Object.fromEntries([...ports, ...own]) };
  }

  /** Performs a command that bash has sent to the test process. @returns the standard output of the command */
  async #answer(reply: string): Promise<string> {
    const parts = readFileSync(join(reply, 'request'), 'utf8').split('\0');
    const [cwd = '', count = ''] = parts;
    const argv = parts.slice(2, 2 + Number(count));
    const settings = Object.fromEntries(
      parts
        .slice(2 + Number(count))
        .filter(Boolean)
        .map((setting) => [setting.slice(0, setting.indexOf('=')), setting.slice(setting.indexOf('=') + 1)]),
    );
    const before = process.cwd();
    process.chdir(cwd);
    try {
      const { status, stdout, stderr } = await this.#command(
        argv,
        settings,
        readFileSync(join(reply, 'stdin')),
      );
      writeFileSync(join(reply, 'stderr'), stderr);
      writeFileSync(join(reply, 'status'), String(status));
      return stdout;
    } catch (error) {
      writeFileSync(join(reply, 'stderr'), `${(error as Error).message}\n`);
      writeFileSync(join(reply, 'status'), '1');
      return '';
    } finally {
      process.chdir(before);
    }
  }

  async #command(
    argv: readonly string[],
    settings: Readonly<Record<string, string>>,
    input: Buffer,
  ): Promise<ProcessResult> {
    const [file, command] = argv[0] === '--config' ? [argv[1], argv.slice(2)] : [undefined, argv];
    if (command.length === 0 || command[0] === 'serve') return this.#serve(file, settings);
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const written = Promise.all([text(output), text(errors)]);
    // A command without input gets the password, because a person would type the password when the command asks for it.
    const typed = input.length === 0 ? Buffer.from(PASSWORD) : input;
    const terminal = new Terminal(Readable.from([typed]), output, errors);
    const status = await this.#perform(argv, command, terminal, settings, file);
    output.end();
    errors.end();
    const [stdout, stderr] = await written;
    return { status: status ?? 0, stdout, stderr };
  }

  async #perform(
    argv: readonly string[],
    command: readonly string[],
    terminal: Terminal,
    settings: Readonly<Record<string, string>>,
    file: string | undefined,
  ): Promise<number | undefined> {
    const line = `${command.join(' ')} `;
    const isTried = this.testsHooks && HOOK_TEST.test(line);
    if (!isTried && ONLY_PARSED.test(line)) return runOn(undefined, argv, terminal);
    const config = this.config(settings, file);
    const isData = !ON_FILES.has(command[0] ?? '') && existsSync(join(config.DATA_DIR, 'weatherd.db'));
    if (isData) return runOn({ config, application: await this.#dataOf(config) }, argv, terminal);
    await this.close();
    return runCommand(argv, terminal, this.#settings(settings));
  }

  /**
   * Returns the `Application`, through which a command uses the data of a folder. If the running service uses this folder, the
   * command gets the `Application` of the service. Otherwise one is opened, and stays open for the next command.
   */
  async #dataOf(config: Config): Promise<Application> {
    if (this.#service?.location === join(config.DATA_DIR, 'weatherd.db')) return this.#service.application;
    const key = JSON.stringify(config);
    if (this.#opened?.key !== key) {
      await this.close();
      const application = await openApplication(config, () => undefined);
      this.#opened = { key, application };
    }
    return this.#opened.application;
  }

  /** Closes the data that the last command has left open. */
  async close(): Promise<void> {
    await this.#opened?.application.close();
    this.#opened = undefined;
  }

  /** Starts a service and stops the previous service. If the settings name a PostgreSQL server, the settings are only checked. */
  async #serve(file: string | undefined, settings: Readonly<Record<string, string>>): Promise<ProcessResult> {
    const config = this.config(settings, file);
    if (!config.DATABASE_URL.startsWith('postgres')) {
      await this.close();
      await this.#service?.stop();
      this.#service = await startService(config, silentLog);
    }
    return { status: 0, stdout: '', stderr: '' };
  }
}

/**
 * Runs a command on opened data. The run takes a few milliseconds. Without data, the command is only parsed.
 *
 * @returns the exit status; undefined stands for 0
 */
async function runOn(
  data: { readonly config: Config; readonly application: Application } | undefined,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number | undefined> {
  const nothing = () => Promise.resolve(undefined as never);
  const unused = () => {
    throw new Error('not for this test');
  };
  const { config, application } = data ?? {};
  try {
    return await runCommandLine(argv, {
      version: '',
      terminal,
      serve: nothing,
      describeConfig: () => Promise.resolve(''),
      externalUrl: () => `http://${config?.EXTERNAL_HOST}:${config?.EXTERNAL_PORT}`,
      withContext: async (_file, _requirement, work) => {
        if (config === undefined || application === undefined) return;
        const { container, useCase, location } = application;
        await work({
          useCase,
          calendar: container.get(tokens.Calendar),
          location,
          importLog: container.get(tokens.ImportLog),
          foreignFiles: { tables: unused, rows: unused },
          formats: container.get(tokens.ImportFormatList),
          dataPaths: [],
          command: 'weatherd',
          isServed: true,
          uploads: { reach: uploadReachOf(config), machine: machineAddresses() },
        });
      },
      importFormats: () => Promise.resolve([]),
      doctor: () => ({ diagnose: nothing, graph: nothing }),
      dataActions: () => ({
        assertNothingThere: nothing,
        initialize: nothing,
        backup: nothing,
        restore: nothing,
        compact: nothing,
        copy: nothing,
      }),
    });
  } catch (error) {
    terminal.printError(`weatherd: ${(error as Error).message}`);
    return EXIT.failed;
  }
}

/** The path of a real program of this machine. In a document shell, a script with the same name replaces the program. */
function pathOf(program: string): string {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program));
  return paths.find((path) => existsSync(path)) ?? program;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createTcpServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}

/**
 * The contents of the fenced code blocks in a document that have one of the languages, without the indentation of a list. A block
 * without a language has the language ''.
 */
export function blocksOf(document: string, languages: readonly string[]): string[] {
  const fences = document.matchAll(/^( *)(`{3,})(\w*)\n(.*?)^\1\2$/gms);
  return [...fences]
    .filter(([, , , language = '']) => languages.includes(language))
    .map(([, indentation = '', , , block = '']) => block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''));
}

/** The blocks of commands in a document. In a block with the language `console`, commands follow the prompt `$`. */
export function commandsOf(document: string): string[] {
  const consoles = blocksOf(document, ['console']).map((block) =>
    [...block.matchAll(/^\$ (.*\n)/gm)].map(([, command]) => command).join(''),
  );
  return [...blocksOf(document, ['sh', 'bash']), ...consoles];
}
