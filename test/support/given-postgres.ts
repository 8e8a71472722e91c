import pg from 'pg';

/** A PostgreSQL server for tests. */
export interface TestServer {
  /** Whether the server has the extension Citus, so that tables of observations are distributed. */
  readonly isDistributed: boolean;
  /**
   * Creates a database and returns its URL.
   *
   * @param template URL of a database without connections, which the new database copies; by default the new database is empty
   */
  newDatabase(template?: string): Promise<string>;
  /** Releases a database that a test no longer needs. */
  release(url: string): Promise<void>;
  /** Runs a statement directly, without the service. */
  run(database: string, statement: string): Promise<pg.QueryResult>;
  /** Returns the port of the Citus worker that stores the rows of a block, which is a group of 64 stations. */
  workerOf(url: string, block: number): Promise<number>;
  /** Runs a statement in the database `postgres` of the server that listens on a port. */
  runAt(port: number, statement: string): Promise<pg.QueryResult>;
  remove(): Promise<void>;
}

interface Node {
  readonly host: string;
  readonly port: number;
  readonly isCoordinator: boolean;
}

/** Number of shards: a small number, so that creating a database is fast, but larger than the number of workers. */
const SHARDS = 4;

/**
 * A server that is already running: a plain server or the coordinator of Citus. Each database has a unique name and is removed at
 * the end. Creating a database on Citus takes seconds, so released databases are emptied and used again.
 */
export class GivenServer implements TestServer {
  readonly isDistributed: boolean;
  readonly #url: string;
  /** The coordinator and the workers of Citus; without Citus, only the server itself. */
  readonly #nodes: readonly Node[];
  readonly #databaseNames: string[] = [];
  readonly #releasedNames: string[] = [];

  private constructor(url: string, nodes: readonly Node[], isDistributed: boolean) {
    this.#url = url;
    this.#nodes = nodes;
    this.isDistributed = isDistributed;
  }

  /**
   * Connects to a server and finds its workers.
   *
   * @param url URL of a database. The user in this URL must be allowed to create databases, and on Citus also extensions
   */
  static async find(url: string): Promise<GivenServer> {
    const { hostname, port } = new URL(url);
    const coordinator = { host: hostname, port: Number(port || 5432), isCoordinator: true };
    const { rows: found } = await ask(url, `SELECT FROM pg_extension WHERE extname = 'citus'`);
    if (found.length === 0) return new GivenServer(url, [coordinator], false);
    const { rows: workers } = await ask(
      url,
      `SELECT nodename AS host, nodeport AS port, false AS "isCoordinator" FROM pg_dist_node
       WHERE groupid > 0 AND shouldhaveshards ORDER BY nodeport`,
    );
    return new GivenServer(url, [coordinator, ...(workers as Node[])], true);
  }

  /**
   * Creates a database, or returns a released database. The parameter `template` is not supported, because databases are used
   * again.
   */
  async newDatabase(): Promise<string> {
    const free = this.#releasedNames.pop();
    if (free !== undefined) return this.#urlOf(free);
    const name = `weatherd_test_${process.pid}_${this.#databaseNames.length}`;
    this.#databaseNames.push(name);
    for (const node of this.#nodes) await ask(this.#urlOf(undefined, node), `CREATE DATABASE ${name}`);
    if (this.isDistributed) await this.#connectNodes(name);
    return this.#urlOf(name);
  }

  async release(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    // A test can leave open connections and changed settings.
    await this.run('postgres', `ALTER DATABASE ${name} RESET ALL`);
    await this.run(
      'postgres',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name = 'weatherd'`,
    );
    await this.run(name, 'DROP SCHEMA IF EXISTS weatherd CASCADE');
    if (this.isDistributed) await this.run('postgres', fewShards(name));
    this.#releasedNames.push(name);
  }

  async run(database: string, statement: string): Promise<pg.QueryResult> {
    return await ask(database.includes(':') ? database : this.#urlOf(database), statement);
  }

  async workerOf(url: string, block: number): Promise<number> {
    const { rows } = await ask(
      url,
      `SELECT nodeport FROM pg_dist_shard_placement
       WHERE shardid = get_shard_id_for_distribution_column('weatherd.block', ${block})`,
    );
    return (rows[0] as { nodeport: number }).nodeport;
  }

  async runAt(port: number, statement: string): Promise<pg.QueryResult> {
    const node = this.#nodes.find((one) => one.port === port);
    return await ask(this.#urlOf('postgres', node), statement);
  }

  async remove(): Promise<void> {
    // The database of the coordinator is removed first, because its maintenance connects to the workers.
    for (const name of this.#databaseNames.splice(0))
      for (const node of this.#nodes)
        await ask(this.#urlOf(undefined, node), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  async #connectNodes(name: string): Promise<void> {
    for (const node of this.#nodes) await ask(this.#urlOf(name, node), 'CREATE EXTENSION citus');
    for (const { host, port, isCoordinator } of this.#nodes) {
      const add = isCoordinator ? 'citus_set_coordinator_host' : 'citus_add_node';
      await this.run(name, `SELECT ${add}('${host}', ${port})`);
    }
    await this.run('postgres', fewShards(name));
  }

  /** Returns the URL of a database. @param name name of the database; undefined for the database in the URL of the server */
  #urlOf(name: string | undefined, { host, port } = this.#nodes[0] as Node): string {
    const url = new URL(this.#url);
    url.hostname = host;
    url.port = String(port);
    if (name !== undefined) url.pathname = `/${name}`;
    return url.href;
  }
}

const fewShards = (name: string) => `ALTER DATABASE ${name} SET citus.shard_count = ${SHARDS}`;

/** Runs a statement over a new connection. */
export async function ask(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
