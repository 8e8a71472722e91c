import { expect } from 'chai';
import { PutStations } from '#application/stations/put-stations.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { body, FRAMES, observations, parseBody, rowsOf } from '../../support/frame-sketch.js';
import { Place } from '../../support/place.js';
import { PostgresServer } from '../../support/postgres.js';
import { eventually } from '../../support/process.js';

const START = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;

interface Refusal {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** Milliseconds between two rows of a writer: while the test waits for rows, and while it waits for something else. */
const PAUSES = { short: 2, long: 50 };

/** Writes a row after the other to both instances, until it is stopped. */
class Writers {
  /** Minutes of the rows that were acknowledged. */
  readonly acknowledged = new Set<number>();
  refusals: Refusal[] = [];
  readonly #running: Promise<unknown>;
  #isStopped = false;
  #pause = PAUSES.long;

  constructor(services: readonly Service[], station: number) {
    const write = async ({ internalUrl }: Service, first: number) => {
      for (let minute = first; !this.#isStopped; minute += services.length) {
        const row = { station, time: START + minute * MINUTE, values: [minute / 100] };
        const reply = await fetch(`${internalUrl}/v1/observations`, {
          method: 'POST',
          headers: { 'content-type': FRAMES },
          body: body(observations([{ variable: 1 }], [row])),
        });
        await reply.arrayBuffer();
        if (reply.ok) this.acknowledged.add(minute);
        else this.refusals.push(refusalOf(reply));
        await new Promise((resolve) => setTimeout(resolve, reply.ok ? this.#pause : PAUSES.long));
      }
    };
    this.#running = Promise.all(services.map(write));
  }

  /** Resolves when this many more rows were acknowledged. */
  async more(count: number): Promise<void> {
    const target = this.acknowledged.size + count;
    this.#pause = PAUSES.short;
    await eventually(
      async () => this.acknowledged.size,
      (size) => size >= target,
    );
    this.#pause = PAUSES.long;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}

const refusalOf = ({ status, headers }: Response): Refusal => ({
  status,
  retryAfter: headers.get('retry-after'),
});

describe('failover of PostgreSQL', () => {
  let first: PostgresServer;
  let place: Place;
  let services: Service[] = [];
  const others: PostgresServer[] = [];

  before(async () => {
    first = await PostgresServer.start();
    place = await Place.make('sqlite');
  });
  after(async () => {
    try {
      await Promise.all(services.map((service) => service.stop()));
    } finally {
      for (const other of others) await other.halt();
      await first.remove();
      await place.remove();
    }
  });

  /** Commits of a server wait for a replica, or no longer do. */
  async function setSynchronous(server: PostgresServer, names: string): Promise<void> {
    await server.run('postgres', `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await server.run('postgres', 'SELECT pg_reload_conf()');
  }
  async function replicaOf(server: PostgresServer, port?: number): Promise<PostgresServer> {
    const replica = await server.replica(port);
    others.push(replica);
    await setSynchronous(server, '*');
    return replica;
  }
  const checks = async ({ internalUrl }: Service) => {
    const reply = (await (await fetch(`${internalUrl}/v1/health/checks`)).json()) as {
      checks: { name: string; state: string; detail: string | null }[];
    };
    return new Map(reply.checks.map(({ name, state, detail }) => [name, `${state} ${detail}`]));
  };
  const minutes = async ({ internalUrl }: Service) => {
    const reply = await fetch(`${internalUrl}/v1/observations`);
    expect(reply.status).to.equal(200);
    const rows = rowsOf(parseBody(Buffer.from(await reply.arrayBuffer())));
    return rows.map(({ time }) => (time - START) / MINUTE);
  };

  it('refuses with Retry-After meanwhile, loses nothing that was acknowledged, and goes on at the new primary and back', async () => {
    const url = await first.newDatabase();
    const second = await replicaOf(first);
    const hosts = url.replace(first.host, `${first.host},${second.host}`);
    const settings = { WEATHERD_DATABASE_URL: hosts, WEATHERD_DATABASE_READ_URL: hosts };
    services = [await place.serve(settings), await place.serve(settings)];
    const [service] = services as [Service];
    const put = service.application.container.get(PutStations);
    await put.execute([{ ...JFK, reportingInterval: 60 }], COMMAND_LINE);
    const writers = new Writers(services, 1);
    await writers.more(40);

    /** @param next the replica of `primary` */
    const failover = async (primary: PostgresServer, next: PostgresServer) => {
      await eventually(
        () => checks(service),
        (found) => found.get('read replicas') === 'ok null',
      );
      await writers.more(20);
      writers.refusals = [];
      await primary.kill();
      await eventually(
        async () => writers.refusals.length,
        (count) => count > 6,
      );
      for (const { externalUrl, internalUrl } of services) {
        const read = await fetch(`${externalUrl}/v1/stations/${JFK.id}/observations/latest`);
        expect([read.status, await read.text()].join()).to.match(/^503,.*STORE_UNAVAILABLE/);
        writers.refusals.push(refusalOf(read));
        const signIn = await fetch(`${externalUrl}/v1/auth/authenticate/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'ada', email: null, password: 'a password' }),
        });
        // The status of this error is fixed by the documentation of the API.
        expect(refusalOf(signIn)).to.deep.equal({ status: 500, retryAfter: '2' });
        // The checks run in the background, once a second.
        await eventually(
          async () => (await fetch(`${internalUrl}/v1/health/liveliness`)).status,
          (status) => status === 503,
        );
      }
      for (const refusal of writers.refusals) expect(refusal).to.deep.equal({ status: 503, retryAfter: '2' });
      await setSynchronous(next, '');
      await next.run('postgres', 'SELECT pg_promote()');
      await writers.more(20);
      await eventually(
        async () => (await fetch(`${service.internalUrl}/v1/health/liveliness`)).status,
        (status) => status === 200,
      );
    };
    try {
      await failover(first, second);
      const back = await replicaOf(second, first.port);
      await failover(second, back);
    } finally {
      await writers.stop();
    }

    for (const one of services) {
      const found = new Set(await minutes(one));
      const lost = [...writers.acknowledged].filter((minute) => !found.has(minute));
      expect(lost).to.deep.equal([]);
    }
  });
});
