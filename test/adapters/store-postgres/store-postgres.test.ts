import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import sinon from 'sinon';
import { PostgresDatabase } from '#adapters/store-postgres/database/postgres-database.js';
import { type Query, together } from '#adapters/store-postgres/database/query.js';
import { postgresStore } from '#adapters/store-postgres/database/postgres-store.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import type { Announcement } from '#application/ports/announcer.js';
import type { SignInStore } from '#application/ports/sign-in-store.js';
import { PutStations } from '#application/stations/put-stations.js';
import { Announcer } from '#composition/graph/tokens.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { ADA } from '../../contracts/stores/credential-store.js';
import { beginSession } from '../../contracts/stores/sign-in-store.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { Place } from '../../support/place.js';
import type { TestServer } from '../../support/given-postgres.js';
import { PostgresServer, postgresServer } from '../../support/postgres.js';
import { eventually, statusOf } from '../../support/process.js';
import { domainErrorOf } from '../../support/rejection.js';
import { RoundTrips } from '../../support/round-trips.js';
import { sentColumns } from '../../support/weather-world.js';

describe('PostgresDatabase', () => {
  let server: PostgresServer;
  let url: string;

  before(async () => (server = await PostgresServer.start()));
  after(() => server.remove());
  beforeEach(async () => (url = await server.newDatabase()));

  const open = async () => {
    const database = new PostgresDatabase(url);
    await database.open();
    return database;
  };
  const causeOf = async (promise: Promise<unknown>) =>
    ((await domainErrorOf(promise, 'STORE_UNAVAILABLE')).cause as Error).message;

  it('starts many times at once on an empty database, and again on a full one', async () => {
    const opened = await Promise.all(Array.from({ length: 4 }, open));
    const versions = await server.run(url, 'SELECT version FROM weatherd.migration ORDER BY version');
    expect(versions.rows).to.deep.equal(versions.rows.map((_row, index) => ({ version: index + 1 })));
    await Promise.all(opened.map((database) => database.close()));
    await (await open()).close();
  });

  it('says of a lock that is not free in time that it waits for another, and works when the lock is free', async () => {
    const [holder, waiter] = [await open(), await open()];
    const locking = (wait: string, held: () => Promise<unknown>) => async (query: Query) => {
      await query(`SET LOCAL lock_timeout = '${wait}'`);
      await query('LOCK TABLE weatherd.user');
      await held();
    };
    const wait = () => waiter.transaction(locking('50ms', () => Promise.resolve()));
    await holder.transaction(
      locking('5s', async () => {
        const error = await domainErrorOf(wait(), 'STORE_UNAVAILABLE');
        expect([error.message, error.locked, error.callOnly, error.partOnly]).to.deep.equal([
          'The database is waiting for another of its users.',
          true,
          false,
          false,
        ]);
        expect((error.cause as Error).message).to.contain(
          ': a lock did not become free in time: another instance is changing the same data',
        );
      }),
    );
    await wait();
    await Promise.all([holder.close(), waiter.close()]);
  });

  it('keeps to its own schema', async () => {
    await (await open()).close();
    const { rows } = await server.run(
      url,
      `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(rows).to.deep.equal([{ n: 0 }]);
  });

  it('reports each connection that the server closes, and also a connection that was in use', async () => {
    const database = await open();
    const onBreak = sinon.spy();
    database.onBreak(onBreak);
    expect(await causeOf(database.query('SELECT 1 / 0'))).to.match(/division/);
    expect(onBreak.callCount).to.equal(0);
    await causeOf(database.query('SELECT pg_terminate_backend(pg_backend_pid())'));
    expect(onBreak.callCount).to.equal(1);
    await database.close();
  });

  it('refuses a schema of a newer version', async () => {
    await (await open()).close();
    await server.run(url, 'INSERT INTO weatherd.migration VALUES (99)');
    expect(await causeOf(open())).to.match(/version 99.*newer/);
  });

  it('says what to do if it must distribute tables and cannot, and makes none', async () => {
    const database = new PostgresDatabase(url);
    expect(await causeOf(database.open(true))).to.match(/extension citus: run CREATE EXTENSION citus/);
    const { rows } = await server.run(url, "SELECT to_regnamespace('weatherd') AS made");
    expect(rows).to.deep.equal([{ made: null }]);
    const plain = await open();
    expect(plain.isDistributed).to.equal(false);
    await plain.close();
  });

  it('reports the server that it cannot reach, without the password', async () => {
    url = url.replace(/:\d+\//, ':1/');
    const cause = await causeOf(open());
    expect(cause).to.match(/^postgres:\/\/127\.0\.0\.1:1\/test\d+: .*ECONNREFUSED/);
    expect(cause).not.to.contain('a-password');
  });

  it('says what is wrong with the URL or the rights, and what to do', async () => {
    await server.run(url, "CREATE ROLE poor LOGIN PASSWORD 'poor'");
    const urlWith = (change: (parsed: URL) => void) => {
      const parsed = new URL(url);
      change(parsed);
      return parsed.href;
    };
    for (const [changed, reason] of [
      [
        urlWith((parsed) => (parsed.pathname = '/none')),
        /database "none" does not exist: create it with CREATE DATABASE/,
      ],
      [urlWith((parsed) => (parsed.username = 'none')), /"none".*: correct the user and the password/],
      [
        urlWith((parsed) => (parsed.username = 'poor')),
        /permission denied for database .*: grant the privilege to the user/,
      ],
    ] as const)
      expect(await causeOf(new PostgresDatabase(changed).open()), changed).to.match(reason);
    await server.run(url, 'DROP ROLE poor');
  });

  it('reports the server that does not answer, and the time that it has waited', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    url = url.replace(/:\d+\//, `:${port}/`);
    expect(await causeOf(open())).to.match(
      new RegExp(
        `^postgres://127\\.0\\.0\\.1:${port}/test\\d+: the server accepted no connection within 5000 ms: correct host and port`,
      ),
    );
    silent.close();
  });

  it('survives a connection that breaks silently while a statement runs', async () => {
    const { hostname, port } = new URL(url);
    const sockets: Socket[] = [];
    const relay = createServer((socket) => {
      const upstream = connect(Number(port), hostname);
      socket
        .on('error', () => undefined)
        .pipe(upstream.on('error', () => undefined))
        .pipe(socket);
      sockets.push(socket, upstream);
    }).listen(0, '127.0.0.1');
    await once(relay, 'listening');
    url = url.replace(/:\d+\//, `:${(relay.address() as AddressInfo).port}/`);
    const database = await open();
    const broken = Promise.all([1, 2, 3].map(() => database.query('SELECT pg_sleep(2)')));
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, 200);
    expect(await causeOf(broken)).to.match(/terminated unexpectedly/);
    expect((await database.query('SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
    await database.close();
    for (const socket of sockets) socket.destroy();
    relay.close();
  });

  it('closes a connection that does not answer, and sends nothing more to it', async () => {
    const database = await open();
    const query = sinon.spy(pg.Client.prototype, 'query');
    try {
      const late = database.transaction((ask) => ask('SELECT pg_sleep(60)', [], 100));
      expect(await causeOf(late)).to.match(/the server did not answer in time/);
      const statements = query.getCalls().map(({ args }) => (args[0] as unknown as { text: string }).text);
      expect(statements).to.deep.equal(['BEGIN', 'SELECT pg_sleep(60)']);
      expect((await database.query('SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
    } finally {
      query.restore();
    }
    await database.close();
  });

  describe('a pipelined transaction', () => {
    let database: PostgresDatabase;
    const numbers = async () =>
      (await database.query<{ number: number }>('SELECT number FROM example ORDER BY number')).rows;
    const insert = (query: Query, number: number) => query('INSERT INTO example VALUES ($1)', [number]);

    beforeEach(async () => {
      database = await open();
      await database.query('CREATE TABLE example (number integer PRIMARY KEY)');
    });
    afterEach(() => database.close());

    it('sends BEGIN with its first statements, and COMMIT with its last', async () => {
      const trips = new RoundTrips();
      const result = await database.pipelined(async (query) => {
        await together([query('SELECT 1'), query('SELECT 2')]);
        return { result: 'done', sent: [insert(query, 1), insert(query, 2)] };
      });
      expect(trips.end()).to.deep.equal([
        ['BEGIN', 'SELECT 1', 'SELECT 2'],
        ['INSERT INTO example VALUES ($1)', 'INSERT INTO example VALUES ($1)', 'COMMIT'],
      ]);
      expect(result).to.equal('done');
      expect(await numbers()).to.deep.equal([{ number: 1 }, { number: 2 }]);
    });

    const failing: Readonly<
      Record<string, (query: Query) => Promise<{ result: void; sent: Promise<unknown>[] }>>
    > = {
      'its first statement': async (query) => {
        await together([query('SELECT 1 / 0'), query('SELECT 1')]);
        return { result: undefined, sent: [insert(query, 1)] };
      },
      'a statement beside a longer function': async (query) => {
        await together([
          (async () => {
            await query('SELECT 1');
            await query('SELECT 2');
          })(),
          query('SELECT 1 / 0'),
        ]);
        return { result: undefined, sent: [insert(query, 1)] };
      },
      'one of the statements that are sent with COMMIT': async (query) => {
        await query('SELECT 1');
        return { result: undefined, sent: [insert(query, 1), query('SELECT 1 / 0'), insert(query, 2)] };
      },
    };
    for (const [statement, work] of Object.entries(failing)) {
      it(`changes nothing if ${statement} fails, and reports its error`, async () => {
        expect(await causeOf(database.pipelined(work))).to.match(/division by zero/);
        expect(await numbers()).to.deep.equal([]);
      });
    }

    it('reports that BEGIN was refused', async () => {
      const query = sinon.stub(pg.Client.prototype, 'query').callThrough();
      query.withArgs(sinon.match({ text: 'BEGIN' })).rejects(new Error('refused'));
      const refused = database.pipelined(async (ask) => {
        await ask('SELECT 1');
        return { result: undefined, sent: [insert(ask, 1)] };
      });
      expect(await causeOf(refused)).to.match(/refused/);
      query.restore();
      expect(await numbers()).to.deep.equal([]);
    });
  });

  const olderData = () =>
    readFile(new URL('../../../../test/fixtures/versions/1.0.0/postgres.sql', import.meta.url), 'utf8');

  it('counts rows of older programs, and deletes rows that removals have left behind', async () => {
    await server.run(
      url,
      `${await olderData()};
       INSERT INTO weatherd.observation (station, time) VALUES (99, 1709164800000), (99, 1709164860000);
       INSERT INTO weatherd.newest (station, revision, state) VALUES (99, 1, '')`,
    );
    await (await open()).close();
    const kept = 'SELECT station, rows::integer FROM weatherd.newest ORDER BY station';
    expect((await server.run(url, kept)).rows).to.deep.equal([
      { station: 2, rows: 100 },
      { station: 3, rows: 201 },
    ]);
    const counted =
      'SELECT station, sum(rows)::integer AS rows FROM weatherd.chunk GROUP BY station ORDER BY station';
    expect((await server.run(url, counted)).rows).to.deep.equal((await server.run(url, kept)).rows);
    const revisions = `SELECT count(*)::integer AS n FROM weatherd.newest JOIN weatherd.block USING (block)
      WHERE revision > block.last OR block.merged_through <> block.last`;
    expect((await server.run(url, revisions)).rows, 'revisions above the next run').to.deep.equal([{ n: 0 }]);
  });

  it('goes on with the rows of older programs after an interruption, and then drops their tables', async () => {
    await server.run(
      url,
      `${await olderData()};
       CREATE FUNCTION weatherd.fail() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN IF old.station = 3 THEN RAISE 'interrupted'; END IF; RETURN old; END $$;
       CREATE TRIGGER interrupted BEFORE DELETE ON weatherd.newest FOR EACH ROW EXECUTE FUNCTION weatherd.fail()`,
    );
    expect(await causeOf(open())).to.contain('interrupted');
    const left = 'SELECT station FROM weatherd.row_total';
    expect((await server.run(url, left)).rows).to.deep.equal([{ station: 3 }]);
    const chunks = 'SELECT DISTINCT station FROM weatherd.chunk ORDER BY station';
    expect((await server.run(url, chunks)).rows).to.deep.equal([{ station: 2 }]);
    await server.run(url, 'DROP FUNCTION weatherd.fail CASCADE');
    await Promise.all((await Promise.all([open(), open()])).map((database) => database.close()));
    expect((await server.run(url, chunks)).rows).to.deep.equal([{ station: 2 }, { station: 3 }]);
    const { rows } = await server.run(
      url,
      "SELECT to_regclass('weatherd.row_total') AS a, to_regclass('weatherd.observation') AS b",
    );
    expect(rows).to.deep.equal([{ a: null, b: null }]);
  });

  it('refuses data with unknown variables', async () => {
    await (await open()).close();
    await server.run(url, 'UPDATE weatherd.catalogue SET highest = 999');
    expect(await causeOf(open())).to.match(/variables have numbers up to 999.*newer/);
  });

  it('waits for another instance that migrates, however long that takes', async () => {
    const migrating = new pg.Client(url);
    await migrating.connect();
    await migrating.query('BEGIN');
    await migrating.query('SELECT pg_advisory_xact_lock($1)', [0x57584442]);
    const opened = open();
    await eventually(
      () =>
        server.run(
          url,
          `SELECT count(*)::int AS n FROM pg_stat_activity
           WHERE wait_event = 'advisory' AND now() - query_start > interval '5500 milliseconds'`,
        ),
      ({ rows }) => (rows[0] as { n: number }).n > 0,
    );
    await migrating.end();
    await (await opened).close();
  });

  it('rolls back a transaction that failed halfway', async () => {
    const database = await open();
    const failed = database.transaction(async (query) => {
      await query("INSERT INTO weatherd.signing_key VALUES ('a', 1, 1)");
      await query('SELECT 1 / 0');
    });
    expect(await causeOf(failed)).to.contain('division by zero');
    const { rows } = await database.query<{ n: number }>('SELECT count(*) AS n FROM weatherd.signing_key');
    expect(rows).to.deep.equal([{ n: 0 }]);
    await database.close();
  });

  it('ends a statement that waits too long for a lock', async () => {
    const database = await open();
    const users = postgresStore(database, 'credentials');
    const other = await open();
    let release: () => void = () => undefined;
    const locked = other.transaction(async (query) => {
      await query('LOCK TABLE weatherd.user');
      await new Promise<void>((resolve) => (release = resolve));
    });
    expect(
      await causeOf(
        eventually(
          () => users.list(),
          () => false,
        ),
      ),
    ).to.match(/lock timeout/);
    release();
    await locked;
    expect(await users.list()).to.deep.equal([]);
    await Promise.all([database.close(), other.close()]);
  });

  it('begins no session during a change of the password', async () => {
    const [database, other] = [await open(), await open()];
    await postgresStore(database, 'credentials').add(ADA);
    const sessions = postgresStore(database, 'sessions');
    const session = { id: 's', userId: ADA.id, createdAt: 1, validTo: 2e9, address: null };
    let added: Promise<boolean> | undefined;
    await other.transaction(async (query) => {
      await query("UPDATE weatherd.user SET password_hash = 'another'");
      added = beginSession(postgresStore(database, 'signIns'), session, ADA.passwordHash);
      await eventually(
        () => server.run(url, 'SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted'),
        ({ rows }) => (rows[0] as { waiting: number }).waiting > 0,
      );
      await query('DELETE FROM weatherd.session');
    });
    expect(await added).to.equal(false);
    expect(await sessions.find('s')).to.equal(undefined);
    await Promise.all([database.close(), other.close()]);
  });

  it('writes nothing for an attempt above a limit', async () => {
    const database = await open();
    const signIns = postgresStore(database, 'signIns');
    const counter = (key: string) => ({ key, limits: [{ attempts: 2, seconds: 60 }] });
    const begin = async (...keys: string[]) => {
      const found = await signIns.begin({ nameKey: 'ada', emailKey: null }, keys.map(counter), Date.now());
      return found.wait;
    };
    for (let time = 0; time < 2; time += 1) await begin('ada', 'network');
    const rows = async () =>
      (await server.run(url, 'SELECT xmin, xmax, throttle.* FROM weatherd.throttle ORDER BY key')).rows;
    const before = await rows();
    const query = sinon.spy(pg.Client.prototype, 'query');
    try {
      expect(await begin('bob', 'network')).to.be.within(1, 60);
      expect(query.callCount).to.equal(1);
    } finally {
      query.restore();
    }
    expect(await rows()).to.deep.equal(before);
    await database.close();
  });

  it('does not exceed a limit through two instances, whatever else they count', async () => {
    const databases = await Promise.all([open(), open()]);
    const [one, two] = databases.map((database) => postgresStore(database, 'signIns')) as [
      SignInStore,
      SignInStore,
    ];
    const limits = [{ attempts: 3, seconds: 60 }];
    const now = Date.now();
    const begun = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const counters = ['shared', `own ${index % 5}`].map((key) => ({ key, limits }));
        const store = index % 2 === 0 ? one : two;
        const nobody = { nameKey: null, emailKey: 'nobody' };
        return store.begin(nobody, index % 3 === 0 ? counters : counters.toReversed(), now);
      }),
    );
    expect(begun.filter(({ wait }) => wait === 0)).to.have.length(3);
    await Promise.all(databases.map((database) => database.close()));
  });

  it('counts nothing where another instance counts up to a limit in between', async () => {
    const [database, other] = await Promise.all([open(), open()]);
    const signIns = postgresStore(database, 'signIns');
    const begin = async (...keys: string[]) => {
      const counters = keys.map((key) => ({ key, limits: [{ attempts: 2, seconds: 60 }] }));
      return (await signIns.begin({ nameKey: 'ada', emailKey: null }, counters, 1000)).wait;
    };
    await begin('shared');
    let begun: Promise<number> | undefined;
    await other.transaction(async (query) => {
      await query('UPDATE weatherd.throttle SET points = 2');
      begun = begin('own', 'shared');
      await eventually(
        () => server.run(url, 'SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted'),
        ({ rows }) => (rows[0] as { waiting: number }).waiting > 0,
      );
    });
    expect(await begun).to.equal(60);
    const counts = await server.run(url, 'SELECT points FROM weatherd.throttle');
    expect(counts.rows).to.deep.equal([{ points: 2 }]);
    await Promise.all([database.close(), other.close()]);
  });

  it('has no more connections than its limit, and answers more callers than that', async () => {
    const database = await open();
    const counted = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const { rows } = await database.query<{ n: number }>(
          `SELECT count(*) AS n, pg_sleep(0.01) FROM pg_stat_activity WHERE datname = current_database()`,
        );
        return rows[0]?.n ?? 0;
      }),
    );
    expect(Math.max(...counted)).to.be.within(2, 10);
    await database.close();
  });

  const checkSays = (database: PostgresDatabase) => database.check().catch((error: Error) => error.message);

  it('fails its check while sessions are read-only, and then works again without a restart', async () => {
    const database = await open();
    const users = postgresStore(database, 'credentials');
    expect(await database.check()).to.equal(undefined);
    await setReadOnly(server, url, true);
    await eventually(
      () => checkSays(database),
      (said) => said === 'The database cannot be written.',
    );
    expect(await causeOf(users.add(ADA))).to.contain('read-only');
    expect(await users.list()).to.deep.equal([]);
    await setReadOnly(server, url, false);
    await eventually(
      () => checkSays(database),
      (said) => said === undefined,
    );
    await users.add(ADA);
    await database.close();
  });

  it('fails its check after a write to a full disk until a write succeeds, and reads meanwhile', async () => {
    const database = await open();
    const users = postgresStore(database, 'credentials');
    const full = `LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space' USING ERRCODE = 'disk_full'; END $$`;
    await server.run(
      url,
      `CREATE FUNCTION full_table() RETURNS trigger ${full};
       CREATE TRIGGER full_disk BEFORE INSERT ON weatherd.user EXECUTE FUNCTION full_table();
       CREATE FUNCTION full_disk() RETURNS event_trigger ${full};
       CREATE EVENT TRIGGER full_disk ON ddl_command_start EXECUTE FUNCTION full_disk()`,
    );
    expect(await database.check(), 'nothing has failed yet').to.equal(undefined);
    expect(await causeOf(users.add(ADA))).to.contain('no space');
    for (let check = 0; check < 3; check += 1) {
      const error = await domainErrorOf(database.check(), 'STORE_UNAVAILABLE');
      expect(error.message).to.equal('The database cannot be written.');
    }
    expect(await users.list()).to.deep.equal([]);
    await server.run(url, 'DROP EVENT TRIGGER full_disk');
    await eventually(
      () => checkSays(database),
      (said) => said === undefined,
    );
    const { rows } = await server.run(url, "SELECT to_regclass('weatherd.write_probe') AS probe");
    expect(rows).to.deep.equal([{ probe: null }]);
    await database.close();
  });

  it('works again after an outage of the server, also for existing connections', async () => {
    const database = await open();
    const users = postgresStore(database, 'credentials');
    await Promise.all(Array.from({ length: 5 }, () => users.list()));
    await server.halt();
    await domainErrorOf(database.check(), 'STORE_UNAVAILABLE');
    await server.start();
    expect(await database.check()).to.equal(undefined);
    expect(await Promise.all(Array.from({ length: 20 }, () => users.list()))).to.have.length(20);
    await database.close();
  });
});

/** Makes new sessions read-only or not. For read-only, it also ends the existing sessions. */
async function setReadOnly(server: TestServer, url: string, isReadOnly: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await server.run('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly}`);
  if (!isReadOnly) return;
  await server.run(
    'postgres',
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

describe('weatherd on PostgreSQL', () => {
  it('is not alive while the server is read-only, and alive again without a restart', async () => {
    const place = await Place.ready('postgres');
    const server = await postgresServer();
    const service = await place.serve();
    const liveliness = () => statusOf(`${service.externalUrl}/v1/health/liveliness`);
    expect(await liveliness()).to.equal(200);
    await setReadOnly(server, place.databaseUrl, true);
    const checks = `${service.internalUrl}/v1/health/checks`;
    await eventually(
      async () => (await fetch(checks)).text(),
      (text) => text.includes('The database cannot be written.'),
    );
    expect(await liveliness()).to.equal(503);
    await setReadOnly(server, place.databaseUrl, false);
    await eventually(liveliness, (status) => status === 200);
    await service.stop();
    await place.remove();
  });

  it('announces to an instance what another one has changed', async () => {
    const place = await Place.ready('postgres');
    const [one, other] = [await place.serve(), await place.serve()];
    const received: Announcement[] = [];
    const announcer = other.application.container.get(Announcer);
    announcer.subscribe(['stations', 'observations'], (announcement) => received.push(announcement));
    const put = one.application.container.get(PutStations);
    // Until the other one listens, a notice reaches nobody.
    for (let attempt = 0; received.length === 0; attempt += 1) {
      await put.execute([{ ...JFK, elevation: attempt }], COMMAND_LINE);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(received[0]).to.deep.equal({ kind: 'stations' });
    const sent = {
      stations: JFK.id,
      times: Float64Array.of(1000, 2000),
      columns: sentColumns({ 1: [1, 2] }),
    };
    await one.application.container.get(RecordObservations).execute(sent, COMMAND_LINE);
    const isOfRows = ({ kind }: Announcement) => kind === 'observations';
    await eventually(
      async () => received.some(isOfRows),
      (found) => found,
    );
    expect(received.find(isOfRows)).to.deep.equal({
      kind: 'observations',
      changes: {
        stations: Uint32Array.of(1),
        from: Float64Array.of(1000),
        to: Float64Array.of(2000),
        revisions: Float64Array.of(1),
      },
    });
    await Promise.all([one.stop(), other.stop()]);
    await place.remove();
  });

  it('is not alive during an outage of the server, and alive again without a restart', async () => {
    const server = await PostgresServer.start();
    const place = await Place.make('sqlite');
    const service = await place.serve({ WEATHERD_DATABASE_URL: await server.newDatabase() });
    expect(service.location).not.to.contain('password');
    const liveliness = () => statusOf(`${service.externalUrl}/v1/health/liveliness`);
    expect(await liveliness()).to.equal(200);
    await server.halt();
    expect(await eventually(liveliness, (status) => status !== 200)).to.equal(503);
    await server.start();
    await eventually(liveliness, (status) => status === 200);
    await service.stop();
    await server.remove();
    await place.remove();
  });
});
